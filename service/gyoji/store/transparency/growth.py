"""How the transparency log grows: pending leaves are put in order, and a checkpoint over all leaves is signed.

Both happen in transactions that nobody else works in. Before it signs, the second reads the stored bytes back, computes
every hash anew and compares the old root with the last checkpoint. Dying in between loses nothing: the next one goes
on.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gyoji.log.canonical import leaf_hash
from gyoji.log.signatures import Signer, public_bytes
from gyoji.store.database.statements import Execute, Row
from gyoji.store.records import Unavailable
from gyoji.trust.transparency.leaves import Leaf
from gyoji.trust.transparency.notes import BadNote, Checkpoint, Verifier, checkpoint_text, open_note, sign_note
from gyoji.trust.transparency.tiles import HEIGHT, WIDTH
from gyoji.trust.transparency.tree import EMPTY, Nodes, consistency_proof, root, root_of, verify_consistency


class TreeDamaged(Unavailable):
    """What is stored of the transparency log does not lead to what was signed; nothing more is signed."""

    cause = "damaged"


class SignedCheckpoint(NamedTuple):
    """The checkpoint that a growth of the log has led to, and whether it was signed now."""

    number: int
    size: int
    """How many leaves it is over."""
    root: bytes
    key: str
    """The id of the key that signed it."""
    note: str
    """What was published: C2SP signed note."""
    at: str


class PlacedLeaf(NamedTuple):
    """A leaf with its index in the tree."""

    number: int
    hash: bytes
    body: bytes
    """Canonical bytes."""


def pending_row(leaf: Leaf) -> Row:
    """Write a pending leaf as a row of ``tree_pending``."""
    return (leaf_hash(leaf.body), leaf.at, leaf.kind, leaf.match, leaf.seq, leaf.body)


BATCH = 500
"""Leaves that are put in order in one transaction."""

PENDING = "hash, since, kind, match, seq, body"
COUNT = "SELECT coalesce(max(number) + 1, 0) FROM tree_leaves"
GROW = f"""INSERT INTO tree_leaves (number, hash, kind, match, body)
SELECT ? + row_number() OVER (ORDER BY since, seq, hash) - 1, hash, kind, match, body
FROM (SELECT {PENDING} FROM tree_pending ORDER BY since, seq, hash LIMIT {BATCH}) AS first"""
TAKEN = "DELETE FROM tree_pending WHERE hash IN (SELECT hash FROM tree_leaves WHERE number >= ?)"
LEAVES = "SELECT number, hash, body FROM tree_leaves WHERE number >= ? AND number < ? ORDER BY number"
HASHES = "SELECT hash FROM tree_leaves WHERE number >= ? AND number < ? ORDER BY number"
TILES = "SELECT hash FROM tree_tiles WHERE level = ? AND number >= ? AND number < ? ORDER BY number"
FILL = "INSERT INTO tree_tiles (level, number, hash) VALUES (?, ?, ?)"
CHECKPOINT = "number, size, root, key, note, at"
LATEST = f"SELECT {CHECKPOINT} FROM tree_checkpoints ORDER BY number DESC LIMIT 1"
SIGN = f"INSERT INTO tree_checkpoints ({CHECKPOINT}) VALUES (?, ?, ?, ?, ?, ?)"


def put_in_order(execute: Execute) -> None:
    """Give the oldest pending leaves the next indices."""
    size: int = execute(COUNT, ())[0][0]
    execute(GROW, (size,))
    execute(TAKEN, (size,))


def sign_checkpoint(execute: Execute, signing: Signer, at: str) -> tuple[SignedCheckpoint, bool]:
    """Sign a checkpoint over all leaves in order, unless there is one; the checkpoint, and whether it was made now."""
    last = latest_checkpoint(execute)
    made = _signed(execute, last, signing, at)
    return made, made != last


def _signed(execute: Execute, last: SignedCheckpoint | None, signing: Signer, at: str) -> SignedCheckpoint:
    size: int = execute(COUNT, ())[0][0]
    if last is not None and (last.size, last.key) == (size, signing.key):
        return last
    before, known = (0, EMPTY) if last is None else (last.size, last.root)
    if last is not None:
        _require_own(last, signing)
    _require_hashes(execute, before - before % WIDTH, size)
    for level, number, value in _full_tiles(execute, before, size):
        execute(FILL, (level, number, value))
    nodes = stored_nodes(execute)
    new = root(nodes, size)
    if size < before or not verify_consistency(before, known, size, new, consistency_proof(nodes, before, size)):
        raise TreeDamaged("the tree of matches does not continue its last checkpoint; gyoji store check tells more")
    note = sign_note(checkpoint_text(Checkpoint(signing.origin, size, new)), signing)
    made = SignedCheckpoint(0 if last is None else last.number + 1, size, new, signing.key, note, at)
    execute(SIGN, made)
    return made


def _require_own(last: SignedCheckpoint, signing: Signer) -> None:
    """``TreeDamaged`` if the last checkpoint names the key in use and is not what that key has signed."""
    if last.key != signing.key:
        return
    try:
        text = open_note(last.note.encode(), [Verifier(signing.origin, public_bytes(signing.private))])
    except BadNote:
        text = ""
    if text != checkpoint_text(Checkpoint(signing.origin, last.size, last.root)):
        raise TreeDamaged("the last checkpoint of the tree of matches is not what was signed")


def _require_hashes(execute: Execute, low: int, high: int) -> None:
    """``TreeDamaged`` unless the stored bytes of these leaves have the hashes that are stored."""
    for start in range(low, high, BATCH):
        end = min(start + BATCH, high)
        found = execute(LEAVES, (start, end))
        if [row[0] for row in found] != list(range(start, end)) or any(leaf_hash(row[2]) != row[1] for row in found):
            raise TreeDamaged("a leaf of the tree of matches is not what was entered; gyoji store check tells more")


def _full_tiles(execute: Execute, before: int, size: int) -> Iterator[tuple[int, int, bytes]]:
    """Compute the hashes of the tiles that have become full, from the leaves up."""
    level = 1
    while size >> HEIGHT * level:
        for number in range(before >> HEIGHT * level, size >> HEIGHT * level):
            yield level, number, _tile(execute, level - 1, number * WIDTH, (number + 1) * WIDTH)
        level += 1


def _tile(execute: Execute, level: int, low: int, high: int) -> bytes:
    found = stored_hashes(execute, level, low, high)
    if len(found) != high - low:
        raise TreeDamaged("hashes of the tree of matches are missing; gyoji store check tells more")
    return root_of(found)


def stored_nodes(execute: Execute) -> Nodes:
    """Return the function that gives the complete subtrees by level and index; each is read once."""
    known: dict[tuple[int, int], bytes] = {}

    def node(level: int, index: int) -> bytes:
        if (level, index) not in known:
            tiles, height = divmod(level, HEIGHT)
            known[level, index] = _tile(execute, tiles, index << height, (index + 1) << height)
        return known[level, index]

    return node


def stored_hashes(execute: Execute, level: int, low: int, high: int) -> list[bytes]:
    """Read hashes of a level of tiles; level 0 are the leaves."""
    found = execute(TILES, (level, low, high)) if level else execute(HASHES, (low, high))
    return [row[0] for row in found]


def latest_checkpoint(execute: Execute) -> SignedCheckpoint | None:
    """Read the newest checkpoint."""
    found = execute(LATEST, ())
    return SignedCheckpoint(*found[0]) if found else None
