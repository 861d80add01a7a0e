"""What the transparency log is made of, as a store keeps it: pending leaves, leaves in their places, checkpoints."""

from typing import NamedTuple

from gyoji.log.canonical import leaf_hash
from gyoji.store.database.sql import Row
from gyoji.store.records import Unavailable
from gyoji.trust.transparency.leaves import Leaf


class TreeDamaged(Unavailable):
    """What is stored of the transparency log does not lead to what was signed; nothing more is signed."""

    cause = "damaged"


class Signed(NamedTuple):
    """A checkpoint that was signed."""

    number: int
    size: int
    """How many leaves it is over."""
    root: bytes
    key: str
    """The id of the key that signed it."""
    note: str
    """What was published: C2SP signed note."""
    at: str


class Placed(NamedTuple):
    """A leaf in its place."""

    number: int
    hash: bytes
    body: bytes
    """Canonical bytes."""


def pending_row(leaf: Leaf) -> Row:
    """Write a pending leaf as a row of ``tree_pending``."""
    return (leaf_hash(leaf.body), leaf.at, leaf.kind, leaf.match, leaf.seq, leaf.body)
