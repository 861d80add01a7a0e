"""``gyoji bench``: what gyoji costs, as ratios to peers that run on the same machine in the same minutes."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import orjson

from gyoji import is_compiled
from gyoji.cli.lazily import Commands

COMMANDS = {"compare": "bench_compare", "soak": "bench_soak"}
"""Command -> module of this package. Each is imported only when it is called."""


def _sections(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    from gyoji.bench.sections import NAMES  # noqa: PLC0415

    chosen = tuple(name.strip() for text in texts for name in text.split(",")) or NAMES
    if unknown := [name for name in chosen if name not in NAMES]:
        raise click.BadParameter(f"there is no section {unknown[0]!r}: {', '.join(NAMES)}")
    return chosen


def _soak(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> Mapping[str, Any] | None:
    from gyoji.bench.report import SOAK, NoReport, checked  # noqa: PLC0415

    if path is None:
        return None
    try:
        return checked(orjson.loads(path.read_bytes()), SOAK)
    except (orjson.JSONDecodeError, NoReport):
        raise click.BadParameter(f"{path} is no record of gyoji bench soak ({SOAK})") from None


FILE = click.Path(path_type=Path, dir_okay=False)


@click.group(cls=Commands, modules=COMMANDS, invoke_without_command=True)
@click.option(
    "--only",
    metavar="SECTION,…",
    multiple=True,
    callback=_sections,
    help="Of rules, http, store, audit, receipts, start, parts, memory, seats, length and size; may be given more than "
    "once. Default: all.",
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
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    callback=_soak,
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
    from gyoji.bench import installing, report, writing  # noqa: PLC0415
    from gyoji.bench.effort import FULL, QUICK  # noqa: PLC0415
    from gyoji.bench.sections import NAMES  # noqa: PLC0415
    from gyoji.bench.workplace import leaving_nothing, workplace  # noqa: PLC0415

    if record is not None and (quick or (set(only) != set(NAMES) and not is_compiled())):
        raise click.UsageError("--record keeps a whole and full run: neither --quick nor --only goes with it")
    with leaving_nothing(), workplace():
        if install:
            installing.install()
        document = report.report(only, QUICK if quick else FULL, soak)
    click.echo(writing.written(document), nl=False)
    try:
        writing.save(document, as_json, markdown)
        if record is not None:
            writing.record(document, record)
    except OSError as error:
        raise click.ClickException(f"cannot write: {error}") from None
    failed = any(section["failure"] for section in document["sections"])
    sys.exit(1 if failed or (check and report.shortcomings(document)) else 0)
