"""The transparency log over all matches, as one store keeps it.

A leaf is pending from the transaction on that stored what it is about. One process at a time puts pending leaves in
order, without a gap; then, in a second transaction, a checkpoint over all leaves is signed (``growth``).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gyoji.log.signatures import Signer
from gyoji.store.database.port import Database, paged
from gyoji.store.database.statements import ADD_PENDING_LEAF, Execute, Row
from gyoji.store.records import Conflict
from gyoji.store.transparency.growth import (
    CHECKPOINT,
    LEAVES,
    PlacedLeaf,
    SignedCheckpoint,
    latest_checkpoint,
    pending_row,
    put_in_order,
    sign_checkpoint,
    stored_hashes,
    stored_nodes,
)
from gyoji.trust.transparency.leaves import Kind, Leaf
from gyoji.trust.transparency.tiles import WIDTH
from gyoji.trust.transparency.tree import Nodes

if TYPE_CHECKING:
    from gyoji.store.database.postgres.replica import Replica

MOST_BATCHES = 1000
"""Transactions in which one call puts pending leaves in order, at most."""

PENDING_SINCE = "SELECT min(since) FROM tree_pending"
KNOWN = "SELECT 1 FROM tree_leaves WHERE hash = ? UNION SELECT 1 FROM tree_pending WHERE hash = ?"
CHECKPOINTS = f"SELECT {CHECKPOINT} FROM tree_checkpoints WHERE number > ? ORDER BY number LIMIT ?"
LAST_LEAF = """SELECT number, hash, body FROM tree_leaves WHERE match = ? AND kind = ? AND number < ?
ORDER BY number DESC LIMIT 1"""


class TransparencyLog:
    """Reads the transparency log of a store, and lets it grow. Every method may raise ``Unavailable``."""

    def __init__(self, database: Database, replica: "Replica | None" = None) -> None:
        self._database = database
        self._replica = replica

    def enter(self, leaf: Leaf) -> None:
        """Enter a leaf that comes with no match. ``Conflict`` if that very leaf was entered before."""

        def work(execute: Execute) -> None:
            row = pending_row(leaf)
            if execute(KNOWN, (row[0], row[0])):
                raise Conflict
            execute(ADD_PENDING_LEAF, row)

        self._database.exclusively(work)

    def pending_since(self) -> str | None:
        """Tell since when the oldest leaf is pending; ``None`` if none is."""
        since: str | None = self._database.query(PENDING_SINCE)[0][0]
        return since

    def grow(self, signing: Signer, at: str) -> SignedCheckpoint:
        """Put all pending leaves in order and sign a checkpoint over all leaves, unless there is one. ``TreeDamaged``
        if nothing may be signed."""
        for _batch in range(MOST_BATCHES):
            if self.pending_since() is None:
                break
            self._database.exclusively(put_in_order)
        made, is_new = self._database.exclusively(lambda execute: sign_checkpoint(execute, signing, at))
        if is_new:
            self._database.guard.record("tree", "-", made.number, made.root)
            self._database.guard.sync()
        return made

    def latest(self) -> SignedCheckpoint | None:
        """Read the newest checkpoint."""
        return latest_checkpoint(self._database.query)

    def checkpoints(self) -> Iterator[SignedCheckpoint]:
        """Read all checkpoints, oldest first, a page at a time."""
        return (SignedCheckpoint(*row) for row in paged(self._database, CHECKPOINTS, -1))

    def hashes(self, level: int, low: int, high: int) -> list[bytes]:
        """Read the hashes of a level of tiles: those of leaves (0), of full tiles (1), of full tiles of such (2), …"""
        return stored_hashes(lambda sql, put: self._query(sql, put, high - low), level, low, high)

    def leaves(self, low: int, high: int) -> list[PlacedLeaf]:
        """Read the leaves with ``low <= index < high``."""
        return [PlacedLeaf(*row) for row in self._query(LEAVES, (low, high), high - low)]

    def _query(self, sql: str, put: Row, number: int) -> list[Row]:
        """Read so many rows; those of a full tile, which never changes, from the replica, where that has them all."""
        found = None
        if number == WIDTH and self._replica is not None:
            found = self._replica.query(sql, put, number)
        return self._database.query(sql, put) if found is None else found

    @property
    def nodes(self) -> Nodes:
        """Return the function that gives the complete subtrees, by level and index."""
        return stored_nodes(self._database.query)

    def last_leaf(self, match: str, kind: Kind, size: int) -> PlacedLeaf | None:
        """Find the last leaf of that kind about a match in the tree of ``size`` leaves."""
        found = self._database.query(LAST_LEAF, (match, kind, size))
        return PlacedLeaf(*found[0]) if found else None
