"""``gyoji replay``: read replay files, export them from a store, redact them, open single facts of them."""

from pathlib import Path

import click
import orjson

from gyoji.bulk.stored_matches import signing_key
from gyoji.cli.groups import Group
from gyoji.cli.options import OUT_OPTION
from gyoji.cli.output import write_output
from gyoji.cli.replay_files import (
    FILE,
    LINE_OPTION,
    Line,
    lines_of,
    read_checked_lines,
    read_reader,
    read_replay,
    seated,
)
from gyoji.cli.replay_openings import open_, opening
from gyoji.cli.replay_show import show
from gyoji.cli.stores import KEY_OPTION, STORE_OPTION, open_with_key
from gyoji.log.files import NotAReplay, redact_lines, write_replay
from gyoji.log.redaction import Reader
from gyoji.log.signatures import Signer
from gyoji.match.effective_history import history_lines, taken_back_events
from gyoji.store.interface import Store


@click.group(cls=Group)
def replay() -> None:
    """Read, export, redact and open replay files. Whether a file is true is for `gyoji audit` to say."""


for command in (open_, opening, show):
    replay.add_command(command)


@replay.command()
@FILE
@click.option(
    "--for", "reader", callback=read_reader, required=True, metavar="SEAT|public", help="Whose openings are kept."
)
@OUT_OPTION
def redact(file: Path, reader: Reader, out: Path | None) -> None:
    """Take out of FILE what the reader may not know. It still verifies against the same head.

    Of a match that is over and disclosed to all nothing stays hidden: its last event tells the secret of all deals.
    """
    found = read_replay(file)
    seated(reader, found.created["seats"], "--for")
    if orjson.loads(found.entries[-1].body)["data"].get("server_secret") is not None:
        click.echo("note: the log tells the secret of its deals, from which every hand follows", err=True)
    lines = (line for line, _document in read_checked_lines(lines_of(file)))
    try:
        write_output(redact_lines(lines, reader), out)
    except NotAReplay as why:
        raise click.ClickException(str(why)) from None


@replay.command()
@click.argument("match")
@click.option(
    "--for",
    "reader",
    callback=read_reader,
    metavar="SEAT|public",
    help="Redacted for that reader. Default: everything.",
)
@LINE_OPTION
@OUT_OPTION
@STORE_OPTION
@KEY_OPTION
def export(match: str, reader: Reader | None, line: Line, out: Path | None, store: str, store_key: str | None) -> None:
    """Write the replay file of MATCH, as it stands in the store.

    Without --for it holds every hidden card, also of a match that is still being played. With --line ruled it is no
    replay file, which can be verified, but the events that no ruling has taken back, for reading (gyoji-line/1).
    """
    with open_with_key(store, store_key) as kept:
        row = kept.match(match)
        if row is None:
            raise click.ClickException("the store has no such match")
        seated(reader or 0, len(row.seats) - 1, "--for")
        whose: Reader = "full" if reader is None else reader
        if line == "ruled":
            taken = taken_back_events(kept.entries(match, -1, row.head.seq))
            write_output(history_lines(whose, kept.entries(match, -1, row.head.seq), taken), out)
        else:
            first, *rest = kept.entries(match, -1, row.head.seq)
            write_output(write_replay(first, rest, _signer(kept), whose, row.head[:2]), out)


def _signer(kept: Store) -> Signer:
    """Return the signer of the key that is in force. One is made when the service first starts."""
    signing = signing_key(kept)
    if signing is None:
        raise click.ClickException("the store has no signing key yet; gyoji serve makes one")
    return signing
