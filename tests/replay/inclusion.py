"""Verifies proofs that a leaf is in a transparency log, as whoever holds one does (RFC 9162, section 2.1.3.2)."""

from collections.abc import Sequence

from gyoji.trust.transparency.tree import HASH, node_hash


def verify_inclusion(tree: bytes, size: int, index: int, leaf: bytes, proof: Sequence[bytes]) -> bool:
    """Tell whether the proof shows that ``leaf`` (a leaf hash) is at ``index`` below the root ``tree``."""
    if not 0 <= index < size or any(len(value) != HASH for value in (tree, leaf, *proof)):
        return False
    place, last, found = index, size - 1, leaf
    for other in proof:
        if last == 0:
            return False
        if place & 1 or place == last:
            found = node_hash(other, found)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = node_hash(found, other)
        place, last = place >> 1, last >> 1
    return last == 0 and found == tree
