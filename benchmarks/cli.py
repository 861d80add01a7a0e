"""The commands of ``python -m benchmarks``: measure, compare two records, soak."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import orjson

from benchmarks import installation, report, report_text, sections
from benchmarks.comparison import compare_reports, comparison_text
from benchmarks.effort import FULL, QUICK
from benchmarks.report import SOAK, Document, NoReport, read_report
from benchmarks.soak import report as soak_report
from benchmarks.soak.run import SoakPlan, run_soak
from benchmarks.surroundings import warn_of_plain_build
from benchmarks.workplace import leave_nothing, make_workplace
from gyoji import is_compiled
from gyoji.cli.groups import Program

FILE = click.Path(path_type=Path, dir_okay=False)
EXISTING = click.Path(path_type=Path, dir_okay=False, exists=True)


def _sections(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    chosen = tuple(name.strip() for text in texts for name in text.split(",")) or sections.NAMES
    if unknown := [name for name in chosen if name not in sections.NAMES]:
        raise click.BadParameter(f"there is no section {unknown[0]!r}: {', '.join(sections.NAMES)}")
    return chosen


def _soak_record(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> Mapping[str, Any] | None:
    if path is None:
        return None
    try:
        return read_report(orjson.loads(path.read_bytes()), SOAK)
    except (orjson.JSONDecodeError, NoReport):
        raise click.BadParameter(f"{path} is no record of a soak ({SOAK})") from None


@click.group(
    cls=Program,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--only",
    metavar="SECTION,…",
    multiple=True,
    callback=_sections,
    help="Of rules, environments, http, store, audit, receipts, start, parts, memory, seats, length and size; may be "
    "given more than once. Default: all.",
)
@click.option("--quick", is_flag=True, help="Fewer and shorter repeats: a glance, nothing to rely on.")
@click.option("--check", is_flag=True, help="Exit with status 1 if a floor is missed or a section fails.")
@click.option("--install", is_flag=True, help="First install the peers that are missing, aside (BENCH_HOME).")
@click.option("--json", "as_json", type=FILE, metavar="FILE", help="Write everything there, every repeat with it.")
@click.option("--markdown", type=FILE, metavar="FILE", help="Write the report there as it is printed.")
@click.option(
    "--record",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write both there, under the name of this release: of a whole and full run only. Of compiled rules, also of "
    "some sections, beside the record of plain ones (as 0.1.0-compiled).",
)
@click.option(
    "--soak",
    type=EXISTING,
    callback=_soak_record,
    metavar="FILE",
    help="Take the record of a soak into the report.",
)
@click.pass_context
def bench(
    context: click.Context,
    only: tuple[str, ...],
    quick: bool,
    check: bool,
    install: bool,
    as_json: Path | None,
    markdown: Path | None,
    record: Path | None,
    soak: Mapping[str, Any] | None,
) -> None:
    """Measure, and print one report of ratios: each figure next to a peer's of the same run.

    Peers that are not installed leave rows that say so. Beside the goals stand limits, which are reached where all of
    ours is left out that can be, and the section parts says where the time goes. All of it takes a quarter of an hour
    on two cores that have nothing else to do.
    """
    if context.invoked_subcommand is not None:
        return
    if record is not None and (quick or (set(only) != set(sections.NAMES) and not is_compiled())):
        raise click.UsageError("--record keeps a whole and full run: neither --quick nor --only goes with it")
    warn_of_plain_build()
    with leave_nothing(), make_workplace():
        if install:
            installation.install()
        document = report.make_report(only, QUICK if quick else FULL, soak)
    click.echo(report_text.report_markdown(document), nl=False)
    try:
        report_text.save_report(document, as_json, markdown)
        if record is not None:
            report_text.record_report(document, record)
    except OSError as error:
        raise click.ClickException(f"cannot write: {error}") from None
    failed = any(section["failure"] for section in document["sections"])
    sys.exit(1 if failed or (check and report.shortcomings(document)) else 0)


@bench.command()
@click.argument("old", metavar="OLD.json", type=EXISTING)
@click.argument("new", metavar="NEW.json", type=EXISTING)
@click.option("--check", is_flag=True, help="Exit with status 1 if a ratio fell beyond its spread by more than 10 %.")
def compare(old: Path, new: Path, check: bool) -> None:
    """What has become better or worse from one record to another.

    Ratios are compared, and the middle half of their repeats is their spread: where the two spreads meet, nothing has
    changed that this measure could tell.
    """
    comparison = compare_reports(_read(old), _read(new))
    click.echo(comparison_text(comparison))
    sys.exit(1 if check and comparison.fell else 0)


def _read(path: Path) -> Document:
    try:
        return read_report(orjson.loads(path.read_bytes()))
    except (orjson.JSONDecodeError, NoReport) as wrong:
        raise click.ClickException(f"{path}: {wrong}") from None


@bench.command()
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
    found = run_soak(SoakPlan(minutes, rate, store, server, seed, tables))
    if json_file is not None:
        json_file.write_bytes(orjson.dumps(soak_report.soak_document(found), option=orjson.OPT_INDENT_2) + b"\n")
    click.echo(soak_report.soak_markdown(found))
    if found.failures:
        raise SystemExit(1)
