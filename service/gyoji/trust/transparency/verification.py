"""Judging a log over all matches from outside: recompute what it signed, find a match in it, watch that it only grows.

Where the log is read from comes in as ``Log``: over HTTP, or out of a store. Keys never come from the log under test.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from gyoji.audit.verdicts import Word
from gyoji.trust.transparency.leaves import NoLeaf, read_leaf
from gyoji.trust.transparency.notes import BadNote, Checkpoint, Verifier, opened, read_checkpoint
from gyoji.trust.transparency.tree import (
    HASH,
    HEIGHT,
    WIDTH,
    NoBundle,
    Nodes,
    Tile,
    entry_hashes,
    hashes_in,
    root,
    root_of,
    unbundled,
    width_of,
)

Reason = Literal[
    "malformed-checkpoint",
    "unknown-key",
    "new-key",
    "wrong-signature",
    "wrong-origin",
    "nothing-there",
    "wrong-tile",
    "wrong-root",
    "wrong-leaf",
    "contradicting-leaves",
    "no-creation",
    "other-creation",
    "no-closing",
    "other-closing",
    "short-file",
    "stale",
    "split",
    "restored",
    "no-key",
    "no-proof",
]

JUDGED: Mapping[Reason, Word] = {
    "malformed-checkpoint": "malformed",
    "unknown-key": "key_untrusted",
    "new-key": "key_untrusted",
    "wrong-signature": "tampered",
    "wrong-origin": "tampered",
    "nothing-there": "incomplete",
    "wrong-tile": "tampered",
    "wrong-root": "tampered",
    "wrong-leaf": "tampered",
    "contradicting-leaves": "equivocation",
    "no-creation": "incomplete",
    "other-creation": "tampered",
    "no-closing": "incomplete",
    "other-closing": "tampered",
    "short-file": "incomplete",
    "stale": "incomplete",
    "split": "equivocation",
    "restored": "incomplete",
    "no-key": "verified_partial",
    "no-proof": "malformed",
}
"""The verdict, by what was found."""


class Wrong(Exception):
    """What is wrong with the log, and where it shows: the number of a leaf, or a place of a tile."""

    def __init__(self, reason: Reason, place: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.place = place


class Missing(Exception):
    """The log does not have what was asked for."""


class Log(Protocol):
    """A log as it can be read. Each method may raise ``Missing``."""

    def checkpoint(self) -> bytes:
        """The newest signed note."""

    def tile(self, tile: Tile) -> bytes:
        """The hashes of a tile."""

    def entries(self, number: int, width: int) -> bytes:
        """A bundle of entries."""


class Known(NamedTuple):
    """What a match's own log says that the log over all matches has to say as well."""

    match: str
    first: str | None
    """The hash of the first event; ``None`` where only the id is known."""
    hashes: Mapping[int, str]
    """The hashes of events, by ``seq``."""
    over: bool
    """Whether the match has ended, so that its end has to be in the log."""
    times: Mapping[int, str] = {}
    """When these events were written down."""
    statuses: Mapping[int, str] = {}
    """Of events at which the match was over: whether it was ``finished`` or ``voided``."""


Told = Literal["begun", "ended"]
"""What a log tells of a match that is in it: its beginning, or its end as well."""


class Counted(NamedTuple):
    """A log that was read from end to end."""

    leaves: Mapping[str, list[dict[str, Any]]]
    """The leaves about each match, in order; errata under ``""``."""
    root: bytes


def believed(note: bytes, verifiers: Sequence[Verifier]) -> Checkpoint:
    """What a checkpoint says that one of these keys has signed, under the name of its own log. Raises ``Wrong``."""
    try:
        said = read_checkpoint(opened(note, verifiers))
    except BadNote as bad:
        reasons: dict[str, Reason] = {"unknown-key": "unknown-key", "wrong-signature": "wrong-signature"}
        raise Wrong(reasons.get(bad.why, "malformed-checkpoint")) from None
    if said.origin not in [verifier.name for verifier in verifiers]:
        raise Wrong("wrong-origin")
    return said


def counted(log: Log, said: Checkpoint) -> Counted:
    """Every entry read, every tile and the root computed anew. Raises ``Wrong`` at the first that is not as signed."""
    leaves: dict[str, list[dict[str, Any]]] = {}
    level: list[bytes] = []
    for number, entries in _bundles(log, said.size):
        for index, entry in enumerate(entries, start=number * WIDTH):
            document = _leaf(entry, index)
            leaves.setdefault(document.get("match", ""), []).append(document)
        hashes = entry_hashes(entries)
        _must_be(log, Tile(0, number, len(hashes)), hashes)
        level += hashes
    found = root_of(level)
    _must_have_tiles(log, level)
    if found != said.root:
        raise Wrong("wrong-root", str(said.size))
    for match, told in leaves.items():
        if match:
            _must_agree(match, told)
    return Counted(leaves, found)


def _bundles(log: Log, size: int) -> Iterator[tuple[int, list[bytes]]]:
    for number in range(-(-size // WIDTH)):
        width = width_of(0, number, size)
        try:
            entries = unbundled(log.entries(number, width))
        except (Missing, NoBundle):
            raise Wrong("nothing-there", f"entries/{number}") from None
        if len(entries) != width:
            raise Wrong("nothing-there", f"entries/{number}")
        yield number, entries


def _leaf(entry: bytes, index: int) -> dict[str, Any]:
    try:
        return read_leaf(entry)
    except NoLeaf:
        raise Wrong("wrong-leaf", str(index)) from None


def _must_have_tiles(log: Log, hashes: list[bytes]) -> None:
    """The tiles above the leaves, each of hashes of full tiles below."""
    level = 0
    while len(hashes) >= WIDTH:
        level += 1
        hashes = [root_of(hashes[at : at + WIDTH]) for at in range(0, len(hashes) - WIDTH + 1, WIDTH)]
        for at in range(0, len(hashes), WIDTH):
            part = hashes[at : at + WIDTH]
            _must_be(log, Tile(level, at // WIDTH, len(part)), part)


def _must_be(log: Log, tile: Tile, hashes: list[bytes]) -> None:
    if _read(log, tile) != hashes:
        raise Wrong("wrong-tile", f"{tile.level}/{tile.number}")


def _read(log: Log, tile: Tile) -> list[bytes]:
    try:
        content = log.tile(tile)
    except Missing:
        raise Wrong("nothing-there", f"{tile.level}/{tile.number}") from None
    if len(content) != tile.width * HASH:
        raise Wrong("nothing-there", f"{tile.level}/{tile.number}")
    return hashes_in(content)


def _must_agree(match: str, told: list[dict[str, Any]]) -> None:
    """Of a match the log tells one beginning, and of each ``seq`` one end."""
    said: dict[tuple[str, int], dict[str, Any]] = {}
    for leaf in told:
        known = said.setdefault((leaf["type"], leaf.get("seq", 0)), leaf)
        if known["hash"] != leaf["hash"]:
            raise Wrong("contradicting-leaves", match)


def found(log: Counted, known: Known) -> Told:
    """What the log tells of the match, as its own log has it. Raises ``Wrong``."""
    told = log.leaves.get(known.match, [])
    creations = [leaf["hash"] for leaf in told if leaf["type"] == "match_created"]
    closings = [leaf for leaf in told if leaf["type"] == "match_closed"]
    if not creations:
        raise Wrong("no-creation", known.match)
    if known.first is not None and known.first not in creations:
        raise Wrong("other-creation", known.match)
    if any(leaf["at"] != known.times.get(0, leaf["at"]) for leaf in told if leaf["type"] == "match_created"):
        raise Wrong("other-creation", known.match)
    if any(not _is_as_known(leaf, known) for leaf in closings):
        raise Wrong("other-closing", known.match)
    if known.hashes and any(leaf["seq"] not in known.hashes for leaf in closings):
        raise Wrong("short-file", known.match)
    if known.over and not closings:
        raise Wrong("no-closing", known.match)
    return "ended" if closings else "begun"


def _is_as_known(closing: Mapping[str, Any], known: Known) -> bool:
    """Whether the end that a leaf tells is that of the match's own log: the same event, time and status."""
    sides = (("hash", known.hashes), ("at", known.times), ("status", known.statuses))
    return all(side.get(closing["seq"], closing[name]) == closing[name] for name, side in sides)


def counted_root(log: Log, said: Checkpoint) -> None:
    """The tiles lead to the root that was signed. Raises ``Wrong``."""
    try:
        found = root(tile_nodes(log, said.size), said.size)
    except IndexError:
        raise Wrong("nothing-there", str(said.size)) from None
    if found != said.root:
        raise Wrong("wrong-root", str(said.size))


def tile_nodes(log: Log, size: int) -> Nodes:
    """The complete subtrees of the tree of ``size`` leaves, out of its tiles; each tile is read once."""
    tiles: dict[tuple[int, int], list[bytes]] = {}

    def node(level: int, index: int) -> bytes:
        height = level % HEIGHT
        low, count = index << height, 1 << height
        where = level // HEIGHT, low // WIDTH
        if where not in tiles:
            tiles[where] = _read(log, Tile(*where, width_of(*where, size)))
        at = low % WIDTH
        return root_of(tiles[where][at : at + count])

    return node
