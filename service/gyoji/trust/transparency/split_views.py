"""Whether a log over all matches has only grown, and the proof where it has not: two signed trees that part."""

from collections.abc import Sequence
from typing import NamedTuple

from gyoji.trust.transparency.notes import Checkpoint, Verifier
from gyoji.trust.transparency.tree import EMPTY, full_consistency, roots_of
from gyoji.trust.transparency.verification import Log, Wrong, believed, tile_nodes


class Split(NamedTuple):
    """Two checkpoints of one log that cannot both be true, and the hashes that show it to anybody."""

    smaller: bytes
    larger: bytes
    proof: list[bytes]


def continued(log: Log, before: bytes, after: bytes, verifiers: Sequence[Verifier]) -> Split | None:
    """Whether the tree of the checkpoint ``after`` begins with that of ``before``, which was seen earlier.

    ``None`` if it does; the proof if it cannot. Raises ``Wrong`` where neither follows: ``stale`` for a smaller tree
    of which nothing contradicts the larger one, ``nothing-there`` and ``wrong-root`` for tiles that are missing or do
    not lead to what was signed.
    """
    first, second = believed(before, verifiers), believed(after, verifiers)
    if first.origin != second.origin:
        raise Wrong("wrong-origin")
    if first.size > second.size:
        proof = _earlier(log, second, first)
        if proof is None:
            raise Wrong("stale", str(second.size))
        return Split(after, before, proof)
    proof = _parted(log, first, second)
    return None if proof is None else Split(before, after, proof)


def _earlier(log: Log, now: Checkpoint, before: Checkpoint) -> list[bytes] | None:
    """The same for a tree that was larger before; most likely the log serves nothing of that any more."""
    try:
        return _parted(log, now, before)
    except Wrong:
        return None


def _parted(log: Log, first: Checkpoint, second: Checkpoint) -> list[bytes] | None:
    if splits(first, second, []):
        return []
    if first.size in (0, second.size):
        return None
    try:
        proof = full_consistency(tile_nodes(log, second.size), first.size, second.size)
    except IndexError:
        raise Wrong("nothing-there", str(second.size)) from None
    roots = roots_of(first.size, second.size, proof)
    if roots is None or roots[1] != second.root:
        raise Wrong("wrong-root", str(second.size))
    return None if roots[0] == first.root else proof


def splits(first: Checkpoint, second: Checkpoint, proof: Sequence[bytes]) -> bool:
    """Whether these hashes show that no tree has both roots."""
    if first.origin != second.origin or first.size > second.size:
        return False
    if first.size == 0 and first.root != EMPTY:
        return True
    if first.size == second.size:
        return first.root != second.root
    roots = roots_of(first.size, second.size, proof)
    return roots is not None and roots[1] == second.root and roots[0] != first.root


def proven(split: Split, verifiers: Sequence[Verifier]) -> bool:
    """Whether the proof stands by itself: both signed, and not both true. Raises ``Wrong`` for what nobody signed."""
    return splits(believed(split.smaller, verifiers), believed(split.larger, verifiers), split.proof)
