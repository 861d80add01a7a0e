"""Reads replay files for the commands: whoever made them, a file or a clear error."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

import click

from gyoji.cli.options import EXISTING_FILE
from gyoji.games.catalogue import GAMES
from gyoji.games.game import Game
from gyoji.log import parser
from gyoji.log.canonical import leaf_hash
from gyoji.log.entries import Entry
from gyoji.log.files import FORMAT, read_opening
from gyoji.log.lines import cut
from gyoji.log.redaction import Reader
from gyoji.match.effective_history import FORMAT as LINE_FORMAT

PIECE = 1 << 16
FILE = click.argument("file", type=EXISTING_FILE)
Line = Literal["played", "ruled"]
LINE_OPTION = click.option(
    "--line",
    type=click.Choice(["played", "ruled"]),
    default="played",
    show_default=True,
    help="All that was played, or what stands after a referee took something back.",
)


class Replay(NamedTuple):
    """A file that has been read. Its shape is sound; whether it is true is for an audit to say."""

    header: dict[str, Any]
    entries: tuple[Entry, ...]
    created: dict[str, Any]
    """``data`` of the first event, as it stands there."""
    head: dict[str, Any]
    """The signed head."""

    @property
    def audience(self) -> Reader:
        """The reader that the file has been redacted for."""
        audience = self.header["audience"]
        reader: Reader = audience["seat"] if isinstance(audience, dict) else audience
        return reader


class DamagedReplay(click.ClickException):
    """A replay file cannot be read on; exit status 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")


def lines_of(path: Path) -> Iterator[bytes]:
    """Read the lines of a file, each with its LF; a line that is far too long is cut short and is the last."""
    try:
        with path.open("rb") as file:
            yield from cut(iter(lambda: file.read(PIECE), b""))
    except OSError as error:
        raise click.ClickException(f"cannot read {path}: {error.strerror}") from None


def read_checked_lines(lines: Iterator[bytes]) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """Read every line with the object on it, from the header to the head line. Raises ``DamagedReplay``."""
    first = next(lines, b"")
    header = parser.parse_header(first, parser.LIMITS)
    if header is None:
        if f'"format":"{LINE_FORMAT}"'.encode() in first:
            raise DamagedReplay(
                1, f"this is a line for reading, {LINE_FORMAT}; the replay file, {FORMAT}, has both lines"
            )
        raise DamagedReplay(1, f"expected the header of a replay file, with the format {FORMAT}")
    yield first, header
    seq, secrets, openings = -1, 0, 0
    for number, line in enumerate(lines, 2):
        found = _document(number, line)
        if "head" in found:
            yield line, found
            return
        if "opening" in found:
            openings += 1
            _check_opening(number, found["opening"], seq, secrets)
            if openings > parser.MOST_OPENINGS:
                raise DamagedReplay(number, f"more than {parser.MOST_OPENINGS} openings of one event")
        elif found["seq"] != seq + 1:
            raise DamagedReplay(number, f"expected event {seq + 1}, found event {found['seq']}")
        else:
            seq, secrets, openings = found["seq"], len(found["secret"]), 0
        yield line, found
    raise click.ClickException("the file ends before its head line")


def _document(number: int, line: bytes) -> dict[str, Any]:
    """Read the event, the opening or the head on a line."""
    if not line.endswith(b"\n"):
        raise DamagedReplay(number, "the file ends inside it, or it is too long")
    try:
        found = parser.parse_object(line)
        if "head" in found:
            parser.read_head_line(found)
        elif "opening" in found:
            parser.parse_opening(found)
        else:
            parser.check_event(found)
    except parser.Unreadable as why:
        raise DamagedReplay(number, f"expected a canonical event, opening or head ({why.code})") from None
    except parser.OverLimits:
        raise DamagedReplay(number, "it nests too deep, or hides or opens too much") from None
    return found


def _check_opening(number: int, opening: dict[str, Any], seq: int, secrets: int) -> None:
    """Refuse an opening that does not follow its event, or opens nothing of it."""
    if opening["seq"] != seq or opening.get("index", -1) >= secrets:
        raise DamagedReplay(number, "an opening of no secret of the event before")


def read_replay(path: Path) -> Replay:
    """Read the whole file."""
    documents = read_checked_lines(lines_of(path))
    _line, header = next(documents)
    entries: list[Entry] = []
    created: dict[str, Any] = {}
    head: dict[str, Any] = {}
    for line, found in documents:
        if "opening" in found:
            entries[-1] = _opened(entries[-1], found["opening"])
        elif "seq" in found:
            entries.append(Entry(found["seq"], line[:-1], leaf_hash(line[:-1])))
            created = created or found["data"]
        else:
            head = found["head"]
    if not created or not parser.is_whole(created.get("seats"), 1, parser.MOST_SEATS):
        raise DamagedReplay(2, "expected the event that creates the match")
    return Replay(header, tuple(entries), created, head)


def _opened(entry: Entry, opening: dict[str, Any]) -> Entry:
    if "position" in opening:
        return entry._replace(position=bytes.fromhex(opening["position"]))
    return entry._replace(openings=(*entry.openings, read_opening(opening)))


def game_of(found: Replay) -> Game[Any]:
    """Return the rules that the file names."""
    pinned = (found.header["game"], found.header["version"])
    for game in GAMES:
        if (game.slug, game.version) == pinned:
            return game
    raise click.ClickException(f"no such game, or no such version of it: {pinned[0]} {pinned[1]}")


def read_reader(_context: click.Context, _parameter: click.Parameter, text: str | None) -> Reader | None:
    """Take a seat's number, or ``public``."""
    if text is None or text == "public":
        return None if text is None else "public"
    if not text.isascii() or not text.isdecimal() or int(text) >= parser.MOST_SEATS:
        raise click.BadParameter("a seat's number, or public")
    return int(text)


def seated(reader: Reader, seats: int, option: str) -> Reader:
    """Return the reader of a replay; raise a usage error for a seat that the table has not got."""
    if isinstance(reader, int) and reader >= seats:
        raise click.BadParameter(f"the table has seats 0 to {seats - 1}", param_hint=option)
    return reader
