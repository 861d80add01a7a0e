"""The Merkle tree of RFC 9162 (section 2.1): its roots, and proofs of inclusion and consistency.

The functions read a tree through ``Nodes``: the hashes of complete subtrees, wherever they are kept. So the same ones
serve a store, a reader over HTTP, and a list in memory. Hashes are 32 raw bytes.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256

HASH = 32

EMPTY = sha256(b"").digest()
"""The root of the tree without leaves."""

Nodes = Callable[[int, int], bytes]
"""(level, index) -> the hash over the leaves from ``index << level`` on, ``1 << level`` of them, all of which exist."""


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash an inner node."""
    return sha256(b"\x01" + left + right).digest()


def nodes_of(leaves: Sequence[bytes]) -> Nodes:
    """Return the complete subtrees over these leaf hashes; each is made once, when it is first asked for."""
    known: dict[tuple[int, int], bytes] = {}

    def node(level: int, index: int) -> bytes:
        if level == 0:
            return leaves[index]
        if (level, index) not in known:
            known[level, index] = node_hash(node(level - 1, 2 * index), node(level - 1, 2 * index + 1))
        return known[level, index]

    return node


def root(nodes: Nodes, size: int) -> bytes:
    """Return the root of the tree of the first ``size`` leaves."""
    return _subtree_hash(nodes, 0, size) if size else EMPTY


def root_of(leaves: Sequence[bytes]) -> bytes:
    """Return the root over these leaf hashes."""
    return root(nodes_of(leaves), len(leaves))


def _subtree_hash(nodes: Nodes, low: int, high: int) -> bytes:
    """Compute MTH(D[low:high]) of the RFC; ``low`` is where such a part may begin."""
    width = high - low
    if width & (width - 1) == 0:
        level = width.bit_length() - 1
        return nodes(level, low >> level)
    middle = low + _split_point(width)
    return node_hash(_subtree_hash(nodes, low, middle), _subtree_hash(nodes, middle, high))


def _split_point(width: int) -> int:
    """Return the largest power of two below ``width``, which is 2 at least."""
    return 1 << (width - 1).bit_length() - 1


def inclusion_proof(nodes: Nodes, index: int, size: int) -> list[bytes]:
    """Make the proof that leaf ``index`` is in the tree of ``size`` leaves (section 2.1.3.1)."""
    if not 0 <= index < size:
        raise ValueError("no such leaf in that tree")
    return _inclusion_path(nodes, index, 0, size)


def _inclusion_path(nodes: Nodes, index: int, low: int, high: int) -> list[bytes]:
    if high - low == 1:
        return []
    middle = low + _split_point(high - low)
    if index < middle:
        return [*_inclusion_path(nodes, index, low, middle), _subtree_hash(nodes, middle, high)]
    return [*_inclusion_path(nodes, index, middle, high), _subtree_hash(nodes, low, middle)]


def consistency_proof(nodes: Nodes, first: int, second: int) -> list[bytes]:
    """Make the proof that the tree of ``first`` leaves begins that of ``second`` (section 2.1.4.1).

    It is empty where there is nothing to prove: from the empty tree, and from a tree to itself.
    """
    if not 0 <= first <= second:
        raise ValueError("the first tree is the smaller one")
    return _subproof(nodes, first, 0, second, whole=True) if 0 < first < second else []


def full_consistency_proof(nodes: Nodes, first: int, second: int) -> list[bytes]:
    """Make a consistency proof that always has the hash it starts from. So both roots follow from it (``0 <
    first``)."""
    proof = _subproof(nodes, first, 0, second, whole=True)
    return [root(nodes, first), *proof] if first & (first - 1) == 0 else proof


def _subproof(nodes: Nodes, first: int, low: int, high: int, whole: bool) -> list[bytes]:
    """Compute SUBPROOF of the RFC; ``first`` counts from ``low``, ``whole`` is its b: whether the verifier knows it."""
    if first == high - low:
        return [] if whole else [_subtree_hash(nodes, low, high)]
    middle = low + _split_point(high - low)
    if first <= middle - low:
        return [*_subproof(nodes, first, low, middle, whole), _subtree_hash(nodes, middle, high)]
    return [*_subproof(nodes, first - (middle - low), middle, high, whole=False), _subtree_hash(nodes, low, middle)]


def verify_consistency(first: int, before: bytes, second: int, after: bytes, proof: Sequence[bytes]) -> bool:
    """Tell whether the proof shows that the tree with root ``before`` begins the one with root ``after`` (2.1.4.2)."""
    if not 0 <= first <= second or not _are_hashes([before, after, *proof]):
        return False
    if first in (0, second):
        known = before == EMPTY if first == 0 else before == after
        return known and not proof and (second > 0 or after == EMPTY)
    start = [before] if first & (first - 1) == 0 else []
    return roots_of_proof(first, second, [*start, *proof]) == (before, after)


def roots_of_proof(first: int, second: int, proof: Sequence[bytes]) -> tuple[bytes, bytes] | None:
    """Compute the two roots that follow from a full consistency proof; ``None`` if it is none for these sizes.

    Where the second root is one that was signed and the first is not the one that was signed for that size, no tree
    has both: that is proven by these few hashes alone.
    """
    if not 0 < first < second or not proof or not _are_hashes(proof):
        return None
    place, last = first - 1, second - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    before = after = proof[0]
    for other in proof[1:]:
        if last == 0:
            return None
        if place & 1 or place == last:
            before, after = node_hash(other, before), node_hash(other, after)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            after = node_hash(after, other)
        place, last = place >> 1, last >> 1
    return (before, after) if last == 0 else None


def _are_hashes(values: Sequence[bytes]) -> bool:
    return all(len(value) == HASH for value in values)
