"""The Merkle tree of RFC 9162 (section 2.1) and the tiles that it is served in (C2SP tlog-tiles).

Whoever needs a part of a tree reads it through ``Nodes``: the hashes of complete subtrees, wherever they are kept. So
the same functions serve a store, a reader over HTTP, and a list in memory. Hashes are 32 raw bytes.
"""

import re
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import NamedTuple

from gyoji.log.canonical import leaf_hash

HEIGHT = 8
WIDTH = 1 << HEIGHT
"""Hashes in a full tile; entries in a full bundle."""

HASH = 32

EMPTY = sha256(b"").digest()
"""The root of the tree without leaves."""

Nodes = Callable[[int, int], bytes]
"""(level, index) -> the hash over the leaves from ``index << level`` on, ``1 << level`` of them, all of which exist."""


class Tile(NamedTuple):
    """One tile: ``width`` hashes of level ``8 * level``, from the one with index ``256 * number`` on."""

    level: int
    number: int
    width: int = WIDTH


class NoBundle(ValueError):
    """The bytes are no bundle of entries."""


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


def nodes_of(leaves: Sequence[bytes]) -> Nodes:
    """The complete subtrees over these leaf hashes; each is made once, when it is first asked for."""
    known: dict[tuple[int, int], bytes] = {}

    def node(level: int, index: int) -> bytes:
        if level == 0:
            return leaves[index]
        if (level, index) not in known:
            known[level, index] = node_hash(node(level - 1, 2 * index), node(level - 1, 2 * index + 1))
        return known[level, index]

    return node


def root(nodes: Nodes, size: int) -> bytes:
    """The root of the tree of the first ``size`` leaves."""
    return _part(nodes, 0, size) if size else EMPTY


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over these leaf hashes."""
    return root(nodes_of(leaves), len(leaves))


def _part(nodes: Nodes, low: int, high: int) -> bytes:
    """MTH(D[low:high]) of the RFC; ``low`` is where such a part may begin."""
    width = high - low
    if width & (width - 1) == 0:
        level = width.bit_length() - 1
        return nodes(level, low >> level)
    middle = low + _split(width)
    return node_hash(_part(nodes, low, middle), _part(nodes, middle, high))


def _split(width: int) -> int:
    """The largest power of two below ``width``, which is 2 at least."""
    return 1 << (width - 1).bit_length() - 1


def inclusion(nodes: Nodes, index: int, size: int) -> list[bytes]:
    """The proof that leaf ``index`` is in the tree of ``size`` leaves (section 2.1.3.1)."""
    if not 0 <= index < size:
        raise ValueError("no such leaf in that tree")
    return _path(nodes, index, 0, size)


def _path(nodes: Nodes, index: int, low: int, high: int) -> list[bytes]:
    if high - low == 1:
        return []
    middle = low + _split(high - low)
    if index < middle:
        return [*_path(nodes, index, low, middle), _part(nodes, middle, high)]
    return [*_path(nodes, index, middle, high), _part(nodes, low, middle)]


def consistency(nodes: Nodes, first: int, second: int) -> list[bytes]:
    """The proof that the tree of ``first`` leaves begins that of ``second`` (section 2.1.4.1).

    It is empty where there is nothing to prove: from the empty tree, and from a tree to itself.
    """
    if not 0 <= first <= second:
        raise ValueError("the first tree is the smaller one")
    return _steps(nodes, first, 0, second, whole=True) if 0 < first < second else []


def full_consistency(nodes: Nodes, first: int, second: int) -> list[bytes]:
    """The same, never without the hash that it starts from, so that both roots follow from it (``0 < first``)."""
    proof = _steps(nodes, first, 0, second, whole=True)
    return [root(nodes, first), *proof] if first & (first - 1) == 0 else proof


def _steps(nodes: Nodes, first: int, low: int, high: int, whole: bool) -> list[bytes]:
    """SUBPROOF of the RFC; ``first`` counts from ``low``, ``whole`` is its b: whether the verifier knows this part."""
    if first == high - low:
        return [] if whole else [_part(nodes, low, high)]
    middle = low + _split(high - low)
    if first <= middle - low:
        return [*_steps(nodes, first, low, middle, whole), _part(nodes, middle, high)]
    return [*_steps(nodes, first - (middle - low), middle, high, whole=False), _part(nodes, low, middle)]


def includes(tree: bytes, size: int, index: int, leaf: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that ``leaf`` (a leaf hash) is at ``index`` below the root ``tree`` (section 2.1.3.2)."""
    if not 0 <= index < size or not _are_hashes([tree, leaf, *proof]):
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


def is_consistent(first: int, before: bytes, second: int, after: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that the tree with root ``before`` begins the one with root ``after`` (2.1.4.2)."""
    if not 0 <= first <= second or not _are_hashes([before, after, *proof]):
        return False
    if first in (0, second):
        known = before == EMPTY if first == 0 else before == after
        return known and not proof and (second > 0 or after == EMPTY)
    start = [before] if first & (first - 1) == 0 else []
    return roots_of(first, second, [*start, *proof]) == (before, after)


def roots_of(first: int, second: int, proof: Sequence[bytes]) -> tuple[bytes, bytes] | None:
    """The two roots that follow from a full consistency proof; ``None`` if it is none for these sizes.

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


def width_of(level: int, number: int, size: int) -> int:
    """How many hashes that tile has in the tree of ``size`` leaves: 256 if it is full, 0 if there is no such tile."""
    return max(0, min(WIDTH, (size >> HEIGHT * level) - number * WIDTH))


PLACE = re.compile(r"((?:x[0-9]{3}/)*)([0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")

MOST_PARTS = 6
"""Elements of a number in an address: more leaves than any store holds."""


def tile_place(number: int, width: int = WIDTH) -> str:
    """Where a tile or bundle lies below its level: ``x001/x234/067``, with ``.p/112`` if it is partial."""
    parts = [f"{number % 1000:03}"]
    while number := number // 1000:
        parts.append(f"x{number % 1000:03}")
    return "/".join(reversed(parts)) + ("" if width == WIDTH else f".p/{width}")


def read_place(text: str) -> tuple[int, int] | None:
    """(number, width) of such a place; ``None`` for one that is not written as ``tile_place`` writes it."""
    found = PLACE.fullmatch(text)
    if found is None or text.count("x") >= MOST_PARTS:
        return None
    number = int(found[1].replace("x", "").replace("/", "") + found[2])
    width = WIDTH if found[3] is None else int(found[3])
    return (number, width) if tile_place(number, width) == text else None


def bundle(entries: Sequence[bytes]) -> bytes:
    """Entries one after the other, each behind its length as two bytes, big-endian."""
    return b"".join([len(entry).to_bytes(2, "big") + entry for entry in entries])


def unbundled(content: bytes) -> list[bytes]:
    """The entries of a bundle. Raises ``NoBundle``."""
    entries: list[bytes] = []
    at = 0
    while at < len(content):
        end = at + 2 + int.from_bytes(content[at : at + 2], "big")
        if at + 2 > len(content) or end > len(content):
            raise NoBundle("a bundle ends within an entry")
        entries.append(content[at + 2 : end])
        at = end
    return entries


def hashes_in(content: bytes) -> list[bytes]:
    """The hashes of a tile."""
    return [content[at : at + HASH] for at in range(0, len(content), HASH)]


def entry_hashes(entries: Sequence[bytes]) -> list[bytes]:
    """The leaf hashes of entries."""
    return [leaf_hash(entry) for entry in entries]
