"""``gyoji store recover``: lets a store that was restored from a backup be written to again."""

from pathlib import Path
from time import sleep

import click

from gyoji.app.clock import current_time
from gyoji.app.signing_keys import FRESH
from gyoji.cli.input_files import read_key_file
from gyoji.cli.options import EXISTING_FILE, JSON_OPTION, setting_option
from gyoji.cli.output import print_result
from gyoji.cli.stores import KEY_OPTION, STORE_OPTION, store_errors
from gyoji.log.signatures import Restoration
from gyoji.store import recovery
from gyoji.store import store_key as key_of

MARGIN = 1.0
"""Seconds."""


def _published(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> list[tuple[str, str]]:
    return [] if path is None else [(key.origin, key.key) for key in read_key_file(path)]


@click.command()
@STORE_OPTION
@KEY_OPTION
@setting_option("marker", help="As of gyoji serve: it begins anew.")
@click.option(
    "--compare",
    "compare",
    multiple=True,
    type=EXISTING_FILE,
    metavar="MARKER",
    help="In place of a recovery: if all that this marker names is there, nothing was lost, and the store goes on as "
    "it was. Repeat it for every server that has written to the store.",
)
@click.option(
    "--published",
    type=EXISTING_FILE,
    callback=_published,
    metavar="KEYFILE",
    help="Keys as /v1/keys served them last: those that were made after the backup have ended too.",
)
@click.option("--anyway", is_flag=True, help="Also where the store does not know that it has gone back.")
@JSON_OPTION
def recover(
    store: str,
    store_key: str | None,
    marker: str | None,
    compare: tuple[Path, ...],
    published: list[tuple[str, str]],
    anyway: bool,
    as_json: bool,
) -> None:
    """Let a store that was restored be written to again, with new keys, a new log of matches and a signed statement.

    What was stored after the backup is lost, and players may hold receipts of it. So the keys until now sign nothing
    any more, the log over all matches goes on under another name, and a statement says with which event each match is
    known: from then on a receipt of the lost stretch is told apart from a lie. It takes some seconds; servers may run
    meanwhile, and follow.
    """
    with store_errors():
        try:
            if compare:
                recovery.end_wait(store, compare)
                print_result(as_json, {"compared": len(compare)}, "nothing was lost; it goes on as it was")
                return
            key = key_of(store, store_key or None)
            done = recovery.recover(store, key, marker, current_time, _wait, published=published, anyway=anyway)
        except recovery.NotRestored:
            why = "this store does not know that it has gone back; if you know it, --anyway says so"
            raise click.ClickException(why) from None
        except recovery.Lost:
            why = "a marker names what is not there, or nothing: recover it without --compare"
            raise click.ClickException(why) from None
    document = {"generation": done.generation, "restorations": done.documents}
    print_result(as_json, document, *[line for each in done.restorations for line in _lines(each)])


def _wait() -> None:
    """Wait until every process has looked its keys up again."""
    sleep(FRESH + MARGIN)


def _lines(found: Restoration) -> list[str]:
    known = "nothing" if found.until is None else f"everything until {found.until}"
    return [
        f"{found.origin}: known is {known}",
        f"  {len(found.open)} match(es) and tournament(s) that were not closed go on from the event that is known",
        f"  {found.key} signs from now on; {', '.join(found.ended)} sign(s) nothing any more",
        f"  the log {found.log} has ended; {found.size} entries of it are known",
        f"  it goes on as {found.next}",
        "  publish gyoji keys signing export anew: it holds the signed statement",
    ]
