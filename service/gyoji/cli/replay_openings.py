"""``gyoji replay opening`` and ``gyoji replay open``: single facts out of a fuller file, and into a redacted one."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from gyoji.audit.openings import Secret, UnfitOpening, opened, opening_of, position, rewritten, secrets_of
from gyoji.cli.options import OUT_OPTION
from gyoji.cli.output import write_output
from gyoji.cli.replay_files import FILE, Replay, game_of, lines_of, read_replay
from gyoji.log import parser
from gyoji.log.canonical import canonical
from gyoji.log.entries import Entry
from gyoji.log.redaction import opening_documents


@click.command()
@FILE
@click.option("--seq", required=True, type=click.IntRange(0), metavar="N", help="The event that hides it.")
@click.option("--index", type=click.IntRange(0), metavar="I", help="Which of its secrets; needed where it has several.")
@click.option("--position", "is_position", is_flag=True, help="The position after the event, in place of a secret.")
@OUT_OPTION
def opening(file: Path, seq: int, index: int | None, is_position: bool, out: Path | None) -> None:
    """Take the opening of one fact out of FILE, a line that `gyoji replay open` takes.

    It is checked against its commitment. With the opening of a position whoever knows most cards can guess the rest.
    """
    if is_position and index is not None:
        raise click.UsageError("name an --index or the --position")
    found = read_replay(file)
    if seq >= len(found.entries):
        raise click.BadParameter(f"the last event is {len(found.entries) - 1}", param_hint="--seq")
    try:
        if is_position:
            document = position(game_of(found), found.entries, seq)
        else:
            entry = found.entries[seq]
            document = opening_of(entry, _only(entry) if index is None else index)
    except UnfitOpening as why:
        raise click.ClickException(str(why)) from None
    write_output([canonical({"opening": document}), b"\n"], out)


def _only(entry: Entry) -> int:
    """Return the one secret of an event that the file opens."""
    known = [one for one in secrets_of(entry) if one.is_open]
    if not known:
        raise click.ClickException(f"the file opens no secret of event {entry.seq}")
    if len(known) > 1:
        raise click.UsageError(f"name one with --index: {', '.join(map(_describe, known))}")
    return known[0].place


def _describe(one: Secret) -> str:
    if one.audience == "all":
        return f"{one.place} (personal data)"
    return f"{one.place} (of {', '.join([f'seat {seat}' for seat in one.audience]) or 'nobody'})"


@click.command(name="open")
@FILE
@click.option(
    "--with",
    "sources",
    multiple=True,
    required=True,
    metavar="FILE|LINE",
    help="What to add: a file of openings, a fuller file of the match, or an opening as it is; can be repeated.",
)
@OUT_OPTION
def open_(file: Path, sources: Sequence[str], out: Path | None) -> None:
    """Add openings to FILE. Each has to fit its commitment; it verifies against the same head as before.

    That of a position can be checked only where all that came before it is open, and is refused elsewhere.
    """
    found = read_replay(file)
    documents = [document for source in sources for document in _openings(source, found)]
    try:
        entries = opened(game_of(found), found.entries, documents)
    except UnfitOpening as why:
        raise click.ClickException(str(why)) from None
    write_output(rewritten(found.header, entries, found.head), out)


def _openings(source: str, found: Replay) -> Iterator[dict[str, Any]]:
    """Read the openings that a source gives, in their order."""
    if source.startswith("{"):
        yield _opening(source.encode() + b"\n", "the opening")
        return
    path = Path(source)
    first = next(lines_of(path), b"")
    if parser.parse_header(first, parser.LIMITS) is None:
        yield from [_opening(line, f"{path}, line {number}") for number, line in enumerate(lines_of(path), 1)]
        return
    fuller = read_replay(path)
    if fuller.header["match"] != found.header["match"]:
        raise click.ClickException(f"{path} is of another match")
    for entry in fuller.entries:
        yield from opening_documents("full", entry)


def _opening(line: bytes, where: str) -> dict[str, Any]:
    try:
        return parser.parse_opening(
            {"opening": None, **parser.parse_object(line if line.endswith(b"\n") else line + b"\n")}
        )
    except (parser.Unreadable, parser.OverLimits):
        raise click.ClickException(
            f"{where}: expected a canonical opening, as gyoji replay opening writes it"
        ) from None
