"""``gyoji store``: backs up, restores, migrates and checks the store of matches."""

from pathlib import Path

import click

from gyoji import store as room
from gyoji.cli.groups import Group
from gyoji.cli.options import EXISTING_FILE, FILE_TYPE, JSON_OPTION
from gyoji.cli.output import print_result
from gyoji.cli.store_archive import archive, unarchive
from gyoji.cli.store_recover import recover
from gyoji.cli.stores import KEY_OPTION, STORE_OPTION, progress_bar, store_errors
from gyoji.store.database.statements import REVISION

NEW_FILE = click.argument("path", type=FILE_TYPE)
FILE = click.argument("path", type=EXISTING_FILE)


@click.group(cls=Group)
def store() -> None:
    """Back up, restore, recover, check and migrate the store of matches, and archive what is closed.

    A backup is one file, whichever database it is of. Secrets stay encrypted in it, and the store key is not in it:
    keep the key elsewhere, without it no hidden card can be read.
    """


for command in (archive, unarchive, recover):
    store.add_command(command)


@store.command()
@NEW_FILE
@STORE_OPTION
@JSON_OPTION
def backup(path: Path, store: str, as_json: bool) -> None:
    """Copy the store, while it is in use, into the new file PATH.

    The file gets its name when it is whole, checked and on the disk. What a killed run has left behind, the next one
    into the same folder removes.
    """
    with store_errors(), progress_bar("backup") as show:
        made = room.backup(store, path, show)
    size = path.stat().st_size
    document = {"backup": str(path), "bytes": size, "sha256": made.sha256}
    print_result(as_json, document, f"{size} bytes in {path}, SHA-256 {made.sha256}; the store key is not in it")


@store.command()
@FILE
@STORE_OPTION
@JSON_OPTION
def restore(path: Path, store: str, as_json: bool) -> None:
    """Bring the backup PATH into the empty store; all of it or nothing.

    Every byte of it is compared with the digest that it was made with. Backups that release 0.1.0 made carry none; they
    are restored, and it is said. What was stored after the backup is lost: the store can be read, and is written to
    again after `gyoji store recover`.
    """
    with store_errors(), progress_bar("restore") as show:
        manifest = room.restore(path, store, show)
    made, sha256 = (None, None) if manifest is None else (manifest.made, manifest.sha256)
    compared = "carries no digest that it could be compared with" if manifest is None else "is what was backed up"
    print_result(
        as_json,
        {"restored": str(path), "made": made, "sha256": sha256},
        f"restored from {path}, which {compared}; put its store key beside it. "
        "It can be read; gyoji store recover lets it be written to",
    )


@store.command()
@STORE_OPTION
@JSON_OPTION
def migrate(store: str, as_json: bool) -> None:
    """Make the schema of the store, or bring it up to date, however long that takes; all of it or nothing.

    `gyoji serve` does so when it starts, unless it is told --no-migrate. Where a backup of a PostgreSQL store is being
    made, its end is waited for. Services of the release before go on reading, and refuse to write from then on.
    """
    with store_errors():
        done = room.migrate(store)
    document = {"before": REVISION if done is None else done.before, "schema": REVISION}
    was = "" if done is None or done.before is None else f"; it was {done.before}"
    print_result(as_json, document, f"the schema is {REVISION}{was}" + (" already" if done is None else ""))


@store.command()
@STORE_OPTION
@KEY_OPTION
@JSON_OPTION
def check(store: str, store_key: str | None, as_json: bool) -> None:
    """Look through the whole store, or a backup. Exit status 1 if anything is wrong.

    The database's own check, gaps, hashes, chains and openings of every match, of those in the archive (GYOJI_ARCHIVE)
    too; of a backup every byte is compared with its digest. Nothing is changed. Without the store key all is looked
    into but what is sealed. What the moves mean is `gyoji audit`'s.
    """
    with store_errors(), progress_bar("check") as show:
        key = room.known_key(store, store_key or None)
        found = room.check_store(store, key, show)
    if key is None:
        click.echo("without the store key: what is sealed has not been looked into", err=True)
    print_result(
        as_json,
        {"findings": [finding._asdict() for finding in found]},
        *[f"{each.match or 'store'} {'' if each.seq is None else each.seq}: {each.what}" for each in found],
        f"{len(found)} finding(s)" if found else "the store is sound",
    )
    if found:
        raise SystemExit(1)


@store.command()
@click.option(
    "--parts",
    required=True,
    type=click.IntRange(1, 1024),
    metavar="N",
    help="How many partitions; 1 makes it one table again.",
)
@STORE_OPTION
@JSON_OPTION
def partition(parts: int, store: str, as_json: bool) -> None:
    """Divide the table of events of a PostgreSQL store, by a hash of the match.

    Servers may run meanwhile: reads go on, writes are answered with 503. All of it or nothing; it takes as much free
    disk as the table has now.
    """
    with store_errors():
        done = room.partition(store, parts)
    text = f"{done.events} events, in {done.before} part(s) before, are in {done.parts} part(s)"
    if done.before == done.parts:
        text = f"nothing to do: {done.events} events in {done.parts} part(s)"
    print_result(as_json, {"before": done.before, "parts": done.parts, "events": done.events}, text)
