"""The tiles and bundles that a transparency log is served in (C2SP tlog-tiles)."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from gyoji.log.canonical import leaf_hash
from gyoji.trust.transparency.tree import HASH

HEIGHT = 8
WIDTH = 1 << HEIGHT
"""Hashes in a full tile; leaves in a full bundle."""


class Tile(NamedTuple):
    """One tile: ``width`` hashes of level ``8 * level``, from the one with index ``256 * number`` on."""

    level: int
    number: int
    width: int = WIDTH


class NoBundle(ValueError):
    """The bytes are no bundle of leaves."""


def tile_width(level: int, number: int, size: int) -> int:
    """Return how many hashes a tile has in the tree of ``size`` leaves: 256 if it is full, 0 if there is no such
    tile."""
    return max(0, min(WIDTH, (size >> HEIGHT * level) - number * WIDTH))


PLACE = re.compile(r"((?:x[0-9]{3}/)*)([0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")

MOST_PARTS = 6
"""Elements of a number in a path: more leaves than any store holds."""


def tile_path(number: int, width: int = WIDTH) -> str:
    """Return the path of a tile or bundle below its level: ``x001/x234/067``, with ``.p/112`` if it is partial."""
    parts = [f"{number % 1000:03}"]
    while number := number // 1000:
        parts.append(f"x{number % 1000:03}")
    return "/".join(reversed(parts)) + ("" if width == WIDTH else f".p/{width}")


def read_tile_path(text: str) -> tuple[int, int] | None:
    """Read (number, width) from a path; ``None`` for one that is not written as ``tile_path`` writes it."""
    found = PLACE.fullmatch(text)
    if found is None or text.count("x") >= MOST_PARTS:
        return None
    number = int(found[1].replace("x", "").replace("/", "") + found[2])
    width = WIDTH if found[3] is None else int(found[3])
    return (number, width) if tile_path(number, width) == text else None


def write_bundle(leaves: Sequence[bytes]) -> bytes:
    """Write leaves one after the other, each behind its length as two bytes, big-endian."""
    return b"".join([len(leaf).to_bytes(2, "big") + leaf for leaf in leaves])


def read_bundle(content: bytes) -> list[bytes]:
    """Read the leaves of a bundle. Raises ``NoBundle``."""
    leaves: list[bytes] = []
    at = 0
    while at < len(content):
        end = at + 2 + int.from_bytes(content[at : at + 2], "big")
        if at + 2 > len(content) or end > len(content):
            raise NoBundle("a bundle ends within a leaf")
        leaves.append(content[at + 2 : end])
        at = end
    return leaves


def read_tile(content: bytes) -> list[bytes]:
    """Read the hashes of a tile."""
    return [content[at : at + HASH] for at in range(0, len(content), HASH)]


def leaf_hashes(leaves: Sequence[bytes]) -> list[bytes]:
    """Return the hashes of leaves."""
    return [leaf_hash(leaf) for leaf in leaves]
