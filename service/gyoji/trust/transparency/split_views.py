"""Finds split views: a transparency log that has signed two trees of which neither begins with the other."""

from collections.abc import Sequence
from typing import NamedTuple

from gyoji.trust.transparency.faults import LogFault
from gyoji.trust.transparency.notes import Checkpoint, Verifier
from gyoji.trust.transparency.tree import EMPTY, full_consistency_proof, roots_of_proof
from gyoji.trust.transparency.verification import Log, tile_nodes, verify_checkpoint


class SplitView(NamedTuple):
    """Two checkpoints of one log that cannot both be true, and the hashes that prove it to anybody."""

    smaller: bytes
    larger: bytes
    proof: list[bytes]


def find_split_view(log: Log, before: bytes, after: bytes, verifiers: Sequence[Verifier]) -> SplitView | None:
    """Check that the tree of the checkpoint ``after`` begins with that of ``before``, which was seen earlier.

    Returns ``None`` if it does; the proof if it cannot. Raises ``LogFault`` where neither follows: ``stale`` for a
    smaller tree of which nothing contradicts the larger one, ``nothing-there`` and ``wrong-root`` for tiles that are
    missing or do not lead to what was signed.
    """
    first, second = verify_checkpoint(before, verifiers), verify_checkpoint(after, verifiers)
    if first.origin != second.origin:
        raise LogFault("wrong-origin")
    if first.size > second.size:
        proof = _shrunk_proof(log, second, first)
        if proof is None:
            raise LogFault("stale", str(second.size))
        return SplitView(after, before, proof)
    proof = _differing_proof(log, first, second)
    return None if proof is None else SplitView(before, after, proof)


def _shrunk_proof(log: Log, now: Checkpoint, before: Checkpoint) -> list[bytes] | None:
    """Prove the same of a tree that was larger before; most likely the log serves nothing of that any more."""
    try:
        return _differing_proof(log, now, before)
    except LogFault:
        return None


def _differing_proof(log: Log, first: Checkpoint, second: Checkpoint) -> list[bytes] | None:
    if is_split_view(first, second, []):
        return []
    if first.size in (0, second.size):
        return None
    try:
        proof = full_consistency_proof(tile_nodes(log, second.size), first.size, second.size)
    except IndexError:
        raise LogFault("nothing-there", str(second.size)) from None
    roots = roots_of_proof(first.size, second.size, proof)
    if roots is None or roots[1] != second.root:
        raise LogFault("wrong-root", str(second.size))
    return None if roots[0] == first.root else proof


def is_split_view(first: Checkpoint, second: Checkpoint, proof: Sequence[bytes]) -> bool:
    """Tell whether these hashes prove that no tree has both roots."""
    if first.origin != second.origin or first.size > second.size:
        return False
    if first.size == 0 and first.root != EMPTY:
        return True
    if first.size == second.size:
        return first.root != second.root
    roots = roots_of_proof(first.size, second.size, proof)
    return roots is not None and roots[1] == second.root and roots[0] != first.root


def is_proven(split: SplitView, verifiers: Sequence[Verifier]) -> bool:
    """Tell whether a proof of a split view holds by itself: both checkpoints are signed, and contradict each other.
    Raises ``LogFault`` for a checkpoint that nobody signed."""
    return is_split_view(
        verify_checkpoint(split.smaller, verifiers), verify_checkpoint(split.larger, verifiers), split.proof
    )
