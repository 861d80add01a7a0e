"""``gyoji store archive`` and ``gyoji store unarchive``: move closed matches out of the database, and back."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from gyoji.app.clock import written_time
from gyoji.cli.options import JSON_OPTION, setting_option
from gyoji.cli.output import print_result
from gyoji.cli.stores import STORE_OPTION, progress_bar, store_errors
from gyoji.store.archive import archiver
from gyoji.store.object_storage import BadPlace

UNITS = {"d": timedelta(days=1), "h": timedelta(hours=1), "w": timedelta(weeks=1)}
MOST_AGE = timedelta(days=36500)
FLEETING = "memory://"


def _lasting(_context: click.Context, _parameter: click.Parameter, url: str) -> str:
    if url.startswith(FLEETING):
        raise click.BadParameter("memory:// is gone when this command ends")
    return url


def _time(_context: click.Context, _parameter: click.Parameter, text: str | None) -> datetime | None:
    """Take a date, or a time with its offset."""
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(text)
        return time.replace(tzinfo=time.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        raise click.BadParameter("expected a date or a time: 2026-05-01, 2026-05-01T12:00:00Z") from None


def _age(_context: click.Context, _parameter: click.Parameter, text: str | None) -> timedelta | None:
    found = None if text is None else re.fullmatch(r"([0-9]{1,5})([dhw])", text)
    if text is not None and (found is None or int(found[1]) * UNITS[found[2]] > MOST_AGE):
        raise click.BadParameter("expected days, hours or weeks: 90d, 36h, 12w")
    return None if found is None else int(found[1]) * UNITS[found[2]]


def _place_option(flag: str, text: str) -> Callable[[Any], Any]:
    return setting_option("archive", flag, required=True, callback=_lasting, help=text)


@click.command()
@_place_option("--to", "Where to: s3://BUCKET/PREFIX, gs://, file:///FOLDER, a folder. One place for one store.")
@click.option("--closed-before", "before", callback=_time, metavar="TIME", help="What was closed before: 2026-05-01.")
@click.option(
    "--older-than", "age", callback=_age, metavar="AGE", help="What was closed longer ago than: 90d, 36h, 12w."
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="So many matches at most, the oldest first.")
@click.option("--dry-run", is_flag=True, help="Say what would be moved; change nothing.")
@STORE_OPTION
@JSON_OPTION
def archive(
    archive: str,
    before: datetime | None,
    age: timedelta | None,
    limit: int | None,
    dry_run: bool,
    store: str,
    as_json: bool,
) -> None:
    """Move the events of closed matches into packs in object storage.

    The matches stay in the lists, and read as before wherever GYOJI_ARCHIVE says where the packs are. What is sealed
    stays sealed; the store key is not needed. Exit status 1 if the log of one was damaged: it stays where it is.
    """
    if (before is None) == (age is None):
        raise click.UsageError("give either --closed-before or --older-than")
    time = before if before is not None else datetime.now(UTC) - (age or timedelta())
    closed_before = written_time(time.timestamp())
    with _archive_errors("--to"), progress_bar("archive") as show:
        moved = archiver.archive(store, archive, closed_before, limit, dry=dry_run, progress=show)
    would = "would be archived" if dry_run else "archived"
    packs = f"{moved.packs} pack(s), {moved.size} bytes"
    print_result(
        as_json,
        {**moved._asdict(), "dry_run": dry_run, "closed_before": closed_before},
        f"{moved.matches} match(es) with {moved.events} events {would}: {packs}",
        *[f"{match}: its log is not whole and stays where it is; see gyoji store check" for match in moved.damaged],
    )
    if moved.damaged:
        raise SystemExit(1)


@click.command()
@click.argument("matches", nargs=-1, required=True, metavar="MATCH...")
@_place_option("--from", "Where the packs are.")
@STORE_OPTION
@JSON_OPTION
def unarchive(matches: tuple[str, ...], archive: str, store: str, as_json: bool) -> None:
    """Bring the events of archived matches back into the database. The packs stay as they are."""
    with _archive_errors("--from"):
        moved = archiver.unarchive(store, archive, tuple(dict.fromkeys(matches)))
    document = {"matches": moved.matches, "events": moved.events}
    print_result(as_json, document, f"{moved.matches} match(es) with {moved.events} events are back")


@contextmanager
def _archive_errors(flag: str) -> Iterator[None]:
    """Show what keeps the archive from being used; as an error of usage where the URL is wrong."""
    with store_errors():
        try:
            yield
        except BadPlace as wrong:
            raise click.BadParameter(str(wrong), param_hint=flag) from None
