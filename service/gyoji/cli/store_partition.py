"""``gyoji store partition``."""

import click

from gyoji.cli.printing import JSON_OPTION, json_lines
from gyoji.cli.storing import STORE_OPTION, told_plainly


@click.command()
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
    from gyoji.store.schema.partitions import PartitioningFailed, partition  # noqa: PLC0415 - SQLAlchemy is slow to import

    with told_plainly():
        try:
            done = partition(store, parts)
        except PartitioningFailed as failure:
            raise click.ClickException(str(failure)) from None
    if as_json:
        click.echo(json_lines({"before": done.before, "parts": done.parts, "events": done.events}))
    elif done.before == done.parts:
        click.echo(f"nothing to do: {done.events} events in {done.parts} part(s)")
    else:
        click.echo(f"{done.events} events, in {done.before} part(s) before, are in {done.parts} part(s)")
