"""``gyoji bench compare``: two records of ``gyoji bench`` side by side."""

import sys
from pathlib import Path

import click
import orjson

from gyoji.bench.comparing import compared, told
from gyoji.bench.report import Document, NoReport, checked

RECORD = click.Path(path_type=Path, dir_okay=False, exists=True)


@click.command()
@click.argument("old", metavar="OLD.json", type=RECORD)
@click.argument("new", metavar="NEW.json", type=RECORD)
@click.option("--check", is_flag=True, help="Exit with status 1 if a ratio fell beyond its spread by more than 10 %.")
def compare(old: Path, new: Path, check: bool) -> None:
    """What has become better or worse from one record to another.

    Ratios are compared, and the middle half of their repeats is their spread: where the two spreads meet, nothing has
    changed that this measure could tell.
    """
    comparison = compared(_read(old), _read(new))
    click.echo(told(comparison))
    sys.exit(1 if check and comparison.fell else 0)


def _read(path: Path) -> Document:
    try:
        return checked(orjson.loads(path.read_bytes()))
    except (orjson.JSONDecodeError, NoReport) as wrong:
        raise click.ClickException(f"{path}: {wrong}") from None
