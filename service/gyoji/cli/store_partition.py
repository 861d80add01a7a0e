"""``gyoji store partition``: divides the table of events of a PostgreSQL store."""

import click

from gyoji import store as room
from gyoji.cli.errors import store_errors
from gyoji.cli.options import JSON_OPTION
from gyoji.cli.output import json_text
from gyoji.cli.store_options import STORE_OPTION


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
    with store_errors():
        done = room.partition(store, parts)
    if as_json:
        click.echo(json_text({"before": done.before, "parts": done.parts, "events": done.events}))
    elif done.before == done.parts:
        click.echo(f"nothing to do: {done.events} events in {done.parts} part(s)")
    else:
        click.echo(f"{done.events} events, in {done.before} part(s) before, are in {done.parts} part(s)")
