"""``gyoji store recover``."""

from pathlib import Path
from time import sleep, time

import click

from gyoji.app.clock import written_time
from gyoji.app.signing_keys import FRESH
from gyoji.cli.printing import JSON_OPTION, json_lines
from gyoji.cli.storing import KEY_OPTION, STORE_OPTION, told_plainly
from gyoji.cli.trust import document_in
from gyoji.log.key_endings import Restoration
from gyoji.store import store_key as key_of
from gyoji.trust.trusted_keys import UntrustworthyKeys, trusted_keys

MARGIN = 1.0
"""Seconds."""

EXISTING = click.Path(path_type=Path, exists=True, dir_okay=False)


def _published(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> list[tuple[str, str]]:
    try:
        return [] if path is None else [(key.origin, key.key) for key in trusted_keys(document_in(path))]
    except UntrustworthyKeys as wrong:
        raise click.BadParameter(str(wrong)) from None


@click.command()
@STORE_OPTION
@KEY_OPTION
@click.option(
    "--marker", envvar="GYOJI_MARKER", show_envvar=True, metavar="FILE", help="As of gyoji serve: it begins anew."
)
@click.option(
    "--compare",
    "compare",
    multiple=True,
    type=EXISTING,
    metavar="MARKER",
    help="In place of a recovery: if all that this marker names is there, nothing was lost, and the store goes on as "
    "it was. Repeat it for every server that has written to the store.",
)
@click.option(
    "--published",
    type=EXISTING,
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
    from gyoji.store import recovery  # noqa: PLC0415 - only this command needs it

    with told_plainly():
        try:
            if compare:
                recovery.compared(store, compare)
                told = "nothing was lost; it goes on as it was"
                click.echo(json_lines({"compared": len(compare)}) if as_json else told)
                return
            key = key_of(store, store_key or None)
            done = recovery.recover(store, key, marker, _now, _wait, published=published, anyway=anyway)
        except recovery.NotRestored:
            why = "this store does not know that it has gone back; if you know it, --anyway says so"
            raise click.ClickException(why) from None
        except recovery.Lost:
            why = "a marker names what is not there, or nothing: recover it without --compare"
            raise click.ClickException(why) from None
    if as_json:
        click.echo(json_lines({"generation": done.generation, "restorations": done.documents}))
    else:
        for each in done.told:
            click.echo("\n".join(_lines(each)))


def _now() -> str:
    return written_time(time())


def _wait() -> None:
    """Every process looks its keys up again meanwhile."""
    sleep(FRESH + MARGIN)


def _lines(told: Restoration) -> list[str]:
    known = "nothing" if told.until is None else f"everything until {told.until}"
    return [
        f"{told.origin}: known is {known}",
        f"  {len(told.open)} match(es) and tournament(s) that were not closed go on from the event that is known",
        f"  {told.key} signs from now on; {', '.join(told.ended)} sign(s) nothing any more",
        f"  the log {told.log} has ended; {told.size} entries of it are known",
        f"  it goes on as {told.next}",
        "  publish gyoji keys signing export anew: it holds the signed statement",
    ]
