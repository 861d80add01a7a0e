"""``gyoji bench soak``."""

from pathlib import Path

import click
import orjson


@click.command()
@click.option("--minutes", default=30.0, type=click.FloatRange(0.05, 1440), show_default=True)
@click.option("--rate", default=150.0, type=click.FloatRange(1, 2000), show_default=True, help="Requests a second.")
@click.option(
    "--store",
    metavar="URL",
    help="An empty store to keep the matches in, or postgresql: a server that goes with the soak. "
    "Default: an SQLite database that does.",
)
@click.option("--server", default="gunicorn", type=click.Choice(["gunicorn", "granian"]), show_default=True)
@click.option("--tables", default=48, type=click.IntRange(1, 1000), show_default=True, help="Matches at the same time.")
@click.option("--seed", default=1, type=int, show_default=True, help="The same seed asks for the same games.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Write gyoji-soak/1 there.")
def soak(
    minutes: float, rate: float, store: str | None, server: str, tables: int, seed: int, json_file: Path | None
) -> None:
    """Ask a service of its own for long: stateless and stored traffic at a fixed rate, every answer checked.

    Prints Markdown. Exit status 1 where an answer was wrong, a match did not audit, the service failed or, in ten
    minutes or more, its memory grew by 5 % or more in the last two thirds of the time.
    """
    from gyoji.bench.soak_report import document, summary  # noqa: PLC0415 - nothing else needs them
    from gyoji.bench.soaking import Plan, soaked  # noqa: PLC0415

    found = soaked(Plan(minutes, rate, store, server, seed, tables))
    if json_file is not None:
        json_file.write_bytes(orjson.dumps(document(found), option=orjson.OPT_INDENT_2) + b"\n")
    click.echo(summary(found))
    if found.failures:
        raise SystemExit(1)
