"""The tree over all matches, as a store keeps it: leaves that wait, leaves in order, hashes of full tiles, checkpoints.

A leaf waits from the transaction on that stored what it tells of. One process at a time puts those that wait in order,
without a gap; then, in a second transaction, whoever signs reads the stored bytes back, computes every hash anew, holds
the old root against the last checkpoint, and only then signs. Dying in between loses nothing: the next one goes on.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from gyoji.log.canonical import leaf_hash
from gyoji.log.signatures import Signer, public_bytes
from gyoji.store.database.port import Database
from gyoji.store.database.sql import Execute, Row
from gyoji.store.database.statements import PEND
from gyoji.store.records import Conflict, Unavailable
from gyoji.trust.transparency.leaves import Kind, Leaf
from gyoji.trust.transparency.notes import BadNote, Checkpoint, Verifier, checkpoint_text, open_note, sign_note
from gyoji.trust.transparency.tiles import HEIGHT, WIDTH
from gyoji.trust.transparency.tree import EMPTY, Nodes, consistency_proof, root, root_of, verify_consistency

if TYPE_CHECKING:
    from gyoji.store.database.postgres.replica import Replica

BATCH = 500
"""Leaves that are put in order in one transaction."""

MOST_BATCHES = 1000

PENDING = "hash, since, kind, match, seq, body"
WAITING = "SELECT min(since) FROM tree_pending"
COUNT = "SELECT coalesce(max(number) + 1, 0) FROM tree_leaves"
GROW = f"""INSERT INTO tree_leaves (number, hash, kind, match, body)
SELECT ? + row_number() OVER (ORDER BY since, seq, hash) - 1, hash, kind, match, body
FROM (SELECT {PENDING} FROM tree_pending ORDER BY since, seq, hash LIMIT {BATCH}) AS first"""
TAKEN = "DELETE FROM tree_pending WHERE hash IN (SELECT hash FROM tree_leaves WHERE number >= ?)"
KNOWN = "SELECT 1 FROM tree_leaves WHERE hash = ? UNION SELECT 1 FROM tree_pending WHERE hash = ?"
LEAVES = "SELECT number, hash, body FROM tree_leaves WHERE number >= ? AND number < ? ORDER BY number"
HASHES = "SELECT hash FROM tree_leaves WHERE number >= ? AND number < ? ORDER BY number"
TILES = "SELECT hash FROM tree_tiles WHERE level = ? AND number >= ? AND number < ? ORDER BY number"
FILL = "INSERT INTO tree_tiles (level, number, hash) VALUES (?, ?, ?)"
CHECKPOINT = "number, size, root, key, note, at"
LATEST = f"SELECT {CHECKPOINT} FROM tree_checkpoints ORDER BY number DESC LIMIT 1"
EARLIER = f"SELECT {CHECKPOINT} FROM tree_checkpoints WHERE number > ? ORDER BY number LIMIT ?"
SIGN = f"INSERT INTO tree_checkpoints ({CHECKPOINT}) VALUES (?, ?, ?, ?, ?, ?)"
FOUND = """SELECT number, hash, body FROM tree_leaves WHERE match = ? AND kind = ? AND number < ?
ORDER BY number DESC LIMIT 1"""


class TreeDamaged(Unavailable):
    """What is stored of the tree does not lead to what was signed; nothing more is signed."""

    cause = "damaged"


class Signed(NamedTuple):
    """A checkpoint that was signed."""

    number: int
    size: int
    root: bytes
    key: str
    """The id of the key."""
    note: str
    at: str


class Placed(NamedTuple):
    """A leaf in the tree."""

    number: int
    hash: bytes
    body: bytes


def pending_row(leaf: Leaf) -> Row:
    """A row of ``tree_pending``."""
    return (leaf_hash(leaf.body), leaf.at, leaf.kind, leaf.match, leaf.seq, leaf.body)


class Tree:
    """The tree of one store."""

    def __init__(self, database: Database, replica: "Replica | None" = None) -> None:
        self._database = database
        self._replica = replica

    def enter(self, leaf: Leaf) -> None:
        """A leaf that comes with no match. ``Conflict`` if that very leaf was entered before."""

        def work(execute: Execute) -> None:
            row = pending_row(leaf)
            if execute(KNOWN, (row[0], row[0])):
                raise Conflict
            execute(PEND, row)

        self._database.exclusively(work)

    def waiting(self) -> str | None:
        """Since when the oldest leaf waits; ``None`` if none does."""
        since: str | None = self._database.query(WAITING)[0][0]
        return since

    def grow(self, signing: Signer, at: str) -> Signed:
        """The checkpoint over all leaves, those that wait among them. ``TreeDamaged`` if nothing may be signed."""
        for _batch in range(MOST_BATCHES):
            if self.waiting() is None:
                break
            self._database.exclusively(_put_in_order)
        made, is_new = self._database.exclusively(lambda execute: _grown(execute, signing, at))
        if is_new:
            self._database.guard.record("tree", "-", made.number, made.root)
            self._database.guard.sync()
        return made

    def latest(self) -> Signed | None:
        """The newest checkpoint."""
        return _latest(self._database.query)

    def checkpoints(self) -> Iterator[Signed]:
        """All checkpoints, oldest first, read a page at a time."""
        after = -1
        while page := self._database.query(EARLIER, (after, BATCH)):
            yield from [_checkpoint(row) for row in page]
            after = page[-1][0]

    def hashes(self, level: int, low: int, high: int) -> list[bytes]:
        """The hashes of a level of tiles: those of leaves (0), of full tiles (1), of full tiles of such (2), …"""
        return _hashes(lambda sql, put: self._read(sql, put, high - low), level, low, high)

    def leaves(self, low: int, high: int) -> list[Placed]:
        """The leaves with ``low <= index < high``."""
        return [Placed(*row) for row in self._read(LEAVES, (low, high), high - low)]

    def _read(self, sql: str, put: Row, number: int) -> list[Row]:
        """So many rows; those of a full tile, which never changes, from the replica, where that has them all."""
        found = None
        if number == WIDTH and self._replica is not None:
            found = self._replica.query(sql, put, number)
        return self._database.query(sql, put) if found is None else found

    @property
    def nodes(self) -> Nodes:
        """The complete subtrees."""
        return _nodes(self._database.query)

    def found(self, match: str, kind: Kind, size: int) -> Placed | None:
        """The last leaf of that kind about a match in the tree of ``size`` leaves."""
        found = self._database.query(FOUND, (match, kind, size))
        return Placed(*found[0]) if found else None


def _put_in_order(execute: Execute) -> None:
    """Leaves that wait get the next indices."""
    size: int = execute(COUNT, ())[0][0]
    execute(GROW, (size,))
    execute(TAKEN, (size,))


def _grown(execute: Execute, signing: Signer, at: str) -> tuple[Signed, bool]:
    """The checkpoint over all leaves in order, and whether it was made now."""
    last = _latest(execute)
    made = _signed(execute, last, signing, at)
    return made, made != last


def _signed(execute: Execute, last: Signed | None, signing: Signer, at: str) -> Signed:
    size: int = execute(COUNT, ())[0][0]
    if last is not None and (last.size, last.key) == (size, signing.key):
        return last
    before, known = (0, EMPTY) if last is None else (last.size, last.root)
    if last is not None:
        _must_be_ours(last, signing)
    _must_hash(execute, before - before % WIDTH, size)
    for level, number, value in _filled(execute, before, size):
        execute(FILL, (level, number, value))
    nodes = _nodes(execute)
    new = root(nodes, size)
    if size < before or not verify_consistency(before, known, size, new, consistency_proof(nodes, before, size)):
        raise TreeDamaged("the tree of matches does not continue its last checkpoint; gyoji store check tells more")
    note = sign_note(checkpoint_text(Checkpoint(signing.origin, size, new)), signing)
    made = Signed(0 if last is None else last.number + 1, size, new, signing.key, note, at)
    execute(SIGN, made)
    return made


def _must_be_ours(last: Signed, signing: Signer) -> None:
    """The last checkpoint is what the key in use has signed, as far as it is that key's."""
    if last.key != signing.key:
        return
    try:
        text = open_note(last.note.encode(), [Verifier(signing.origin, public_bytes(signing.private))])
    except BadNote:
        text = ""
    if text != checkpoint_text(Checkpoint(signing.origin, last.size, last.root)):
        raise TreeDamaged("the last checkpoint of the tree of matches is not what was signed")


def _must_hash(execute: Execute, low: int, high: int) -> None:
    """The stored bytes from the first leaf of the last unfinished tile on have the hashes that are stored."""
    for start in range(low, high, BATCH):
        end = min(start + BATCH, high)
        found = execute(LEAVES, (start, end))
        if [row[0] for row in found] != list(range(start, end)) or any(leaf_hash(row[2]) != row[1] for row in found):
            raise TreeDamaged("a leaf of the tree of matches is not what was entered; gyoji store check tells more")


def _filled(execute: Execute, before: int, size: int) -> Iterator[tuple[int, int, bytes]]:
    """The hashes of the tiles that have become full, from the leaves up."""
    level = 1
    while size >> HEIGHT * level:
        for number in range(before >> HEIGHT * level, size >> HEIGHT * level):
            yield level, number, _tile(execute, level - 1, number * WIDTH, (number + 1) * WIDTH)
        level += 1


def _tile(execute: Execute, level: int, low: int, high: int) -> bytes:
    found = _hashes(execute, level, low, high)
    if len(found) != high - low:
        raise TreeDamaged("hashes of the tree of matches are missing; gyoji store check tells more")
    return root_of(found)


def _nodes(execute: Execute) -> Nodes:
    """The complete subtrees; each is read once."""
    known: dict[tuple[int, int], bytes] = {}

    def node(level: int, index: int) -> bytes:
        if (level, index) not in known:
            tiles, height = divmod(level, HEIGHT)
            known[level, index] = _tile(execute, tiles, index << height, (index + 1) << height)
        return known[level, index]

    return node


def _hashes(execute: Execute, level: int, low: int, high: int) -> list[bytes]:
    found = execute(TILES, (level, low, high)) if level else execute(HASHES, (low, high))
    return [row[0] for row in found]


def _latest(execute: Execute) -> Signed | None:
    found = execute(LATEST, ())
    return _checkpoint(found[0]) if found else None


def _checkpoint(row: Sequence[object]) -> Signed:
    return Signed(*row)  # type: ignore[arg-type] # a row
