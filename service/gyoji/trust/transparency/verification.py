"""Verifies a transparency log from outside: every leaf, every tile and the signed root are computed anew.

Where the log is read from comes in as ``Log``: over HTTP, or out of a store. Keys never come from the log under test.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from gyoji.trust.transparency.faults import LogFault, Reason
from gyoji.trust.transparency.leaves import NoLeaf, read_leaf
from gyoji.trust.transparency.notes import BadNote, Checkpoint, Verifier, open_note, read_checkpoint
from gyoji.trust.transparency.tiles import (
    HEIGHT,
    WIDTH,
    NoBundle,
    Tile,
    leaf_hashes,
    read_bundle,
    read_tile,
    tile_width,
)
from gyoji.trust.transparency.tree import HASH, Nodes, root, root_of


class NotInLog(Exception):
    """A transparency log does not have what was asked for."""


class Log(Protocol):
    """A transparency log that can be read. Each method may raise ``NotInLog``."""

    def checkpoint(self) -> bytes:
        """Return the newest signed note."""

    def tile(self, tile: Tile) -> bytes:
        """Return the hashes of a tile."""

    def leaves(self, number: int, width: int) -> bytes:
        """Return a bundle of leaves."""


class VerifiedLog(NamedTuple):
    """A transparency log that was read from end to end."""

    leaves: Mapping[str, list[dict[str, Any]]]
    """The leaves about each match, in order; errata under ``""``."""
    root: bytes


def verify_checkpoint(note: bytes, verifiers: Sequence[Verifier]) -> Checkpoint:
    """Read a checkpoint that one of these keys has signed, under the name of its own log. Raises ``LogFault``."""
    try:
        checkpoint = read_checkpoint(open_note(note, verifiers))
    except BadNote as bad:
        reasons: dict[str, Reason] = {"unknown-key": "unknown-key", "wrong-signature": "wrong-signature"}
        raise LogFault(reasons.get(bad.why, "malformed-checkpoint")) from None
    if checkpoint.origin not in [verifier.name for verifier in verifiers]:
        raise LogFault("wrong-origin")
    return checkpoint


def verify_log(log: Log, checkpoint: Checkpoint) -> VerifiedLog:
    """Read every leaf, and compute every tile and the root anew. Raises ``LogFault`` at the first that is not as
    signed."""
    by_match: dict[str, list[dict[str, Any]]] = {}
    level: list[bytes] = []
    for number, leaves in _bundles(log, checkpoint.size):
        for index, leaf in enumerate(leaves, start=number * WIDTH):
            document = _read_leaf(leaf, index)
            by_match.setdefault(document.get("match", ""), []).append(document)
        hashes = leaf_hashes(leaves)
        _check_tile(log, Tile(0, number, len(hashes)), hashes)
        level += hashes
    found = root_of(level)
    _check_upper_tiles(log, level)
    if found != checkpoint.root:
        raise LogFault("wrong-root", str(checkpoint.size))
    for match, of_match in by_match.items():
        if match:
            _check_agreement(match, of_match)
    return VerifiedLog(by_match, found)


def _bundles(log: Log, size: int) -> Iterator[tuple[int, list[bytes]]]:
    for number in range(-(-size // WIDTH)):
        width = tile_width(0, number, size)
        try:
            leaves = read_bundle(log.leaves(number, width))
        except (NotInLog, NoBundle):
            raise LogFault("nothing-there", f"entries/{number}") from None
        if len(leaves) != width:
            raise LogFault("nothing-there", f"entries/{number}")
        yield number, leaves


def _read_leaf(leaf: bytes, index: int) -> dict[str, Any]:
    try:
        return read_leaf(leaf)
    except NoLeaf:
        raise LogFault("wrong-leaf", str(index)) from None


def _check_upper_tiles(log: Log, hashes: list[bytes]) -> None:
    """Check the tiles above the leaves, each of hashes of full tiles below."""
    level = 0
    while len(hashes) >= WIDTH:
        level += 1
        hashes = [root_of(hashes[at : at + WIDTH]) for at in range(0, len(hashes) - WIDTH + 1, WIDTH)]
        for at in range(0, len(hashes), WIDTH):
            part = hashes[at : at + WIDTH]
            _check_tile(log, Tile(level, at // WIDTH, len(part)), part)


def _check_tile(log: Log, tile: Tile, hashes: list[bytes]) -> None:
    if _read_tile(log, tile) != hashes:
        raise LogFault("wrong-tile", f"{tile.level}/{tile.number}")


def _read_tile(log: Log, tile: Tile) -> list[bytes]:
    try:
        content = log.tile(tile)
    except NotInLog:
        raise LogFault("nothing-there", f"{tile.level}/{tile.number}") from None
    if len(content) != tile.width * HASH:
        raise LogFault("nothing-there", f"{tile.level}/{tile.number}")
    return read_tile(content)


def _check_agreement(match: str, leaves: list[dict[str, Any]]) -> None:
    """Check that the log holds one beginning of a match, and one end at each ``seq``."""
    seen: dict[tuple[str, int], dict[str, Any]] = {}
    for leaf in leaves:
        known = seen.setdefault((leaf["type"], leaf.get("seq", 0)), leaf)
        if known["hash"] != leaf["hash"]:
            raise LogFault("contradicting-leaves", match)


def verify_root(log: Log, checkpoint: Checkpoint) -> None:
    """Check that the tiles lead to the root that was signed. Raises ``LogFault``."""
    try:
        found = root(tile_nodes(log, checkpoint.size), checkpoint.size)
    except IndexError:
        raise LogFault("nothing-there", str(checkpoint.size)) from None
    if found != checkpoint.root:
        raise LogFault("wrong-root", str(checkpoint.size))


def tile_nodes(log: Log, size: int) -> Nodes:
    """Return the complete subtrees of the tree of ``size`` leaves, out of its tiles; each tile is read once."""
    tiles: dict[tuple[int, int], list[bytes]] = {}

    def node(level: int, index: int) -> bytes:
        height = level % HEIGHT
        low, count = index << height, 1 << height
        where = level // HEIGHT, low // WIDTH
        if where not in tiles:
            tiles[where] = _read_tile(log, Tile(*where, tile_width(*where, size)))
        at = low % WIDTH
        return root_of(tiles[where][at : at + count])

    return node
