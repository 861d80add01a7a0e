"""``python -m gyoji.bench``: measure, print one table; with ``--check``, fail where a floor is missed."""

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import gyoji
from gyoji.bench import adjudications, auditing, engines, proving, starting, storing
from gyoji.bench.figures import Row, markdown, spread
from gyoji.bench.installing import BOARDGAME_IO, OPEN_SPIEL, home, install, node
from gyoji.bench.load import loader
from gyoji.bench.surroundings import calibration, machine, versions


class Effort(NamedTuple):
    """How many repeats, and how long each."""

    engine_repeats: int
    engine_seconds: float
    http_rounds: int
    http_seconds: int
    starts: int


FULL = Effort(5, 0.4, 5, 1, 7)
QUICK = Effort(2, 0.2, 2, 1, 2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; the exit status."""
    options = _options(arguments)
    signal.signal(signal.SIGTERM, _leave)
    _children_find_us()
    if options.install:
        install()
    effort = QUICK if options.quick else FULL
    speeds = [calibration()]
    rows = engines.measure(effort.engine_repeats, effort.engine_seconds)
    speeds.append(calibration())
    rows += adjudications.measure(effort.http_rounds, effort.http_seconds)
    speeds.append(calibration())
    rows += storing.measure(effort.engine_repeats, effort.engine_seconds, effort.http_seconds)
    rows += auditing.measure(effort.engine_repeats, effort.engine_seconds)
    rows += proving.measure(effort.engine_repeats, effort.engine_seconds)
    speeds.append(calibration())
    rows += starting.measure(effort.starts)
    speeds.append(calibration())
    _print(rows, speeds)
    if options.json:
        options.json.write_text(json.dumps(_plain(rows, speeds), indent=2, ensure_ascii=False) + "\n")
    return 1 if options.check and any(row.missed for row in rows) else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m gyoji.bench", description="What gyoji costs, as ratios to peers.")
    parser.add_argument("--install", action="store_true", help=f"first install the missing peers under {home()}")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter repeats")
    parser.add_argument("--check", action="store_true", help="exit with status 1 if a floor is missed")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    return parser.parse_args(arguments)


def _leave(_signal: int, _frame: object) -> NoReturn:
    """End by way of every ``finally``, so that the servers end as well."""
    sys.exit(143)


def _children_find_us() -> None:
    """Processes that are started from here import the same gyoji."""
    here = str(Path(gyoji.__file__).resolve().parent.parent)
    os.environ["PYTHONPATH"] = os.pathsep.join([here, os.environ.get("PYTHONPATH", "")]).strip(os.pathsep)


def _notes(speeds: Sequence[float]) -> list[str]:
    return [
        machine(),
        f"{versions(node())}; peers {OPEN_SPIEL}, {BOARDGAME_IO}; load by {loader()}",
        f"calibration loop, million steps/s: {spread(speeds)}",
        "Median (least–most) of interleaved repeats; the ratio is the median of the repeats' own ratios.",
    ]


def _print(rows: Sequence[Row], speeds: Sequence[float]) -> None:
    print("\n".join(_notes(speeds)), end="\n\n")
    print(markdown(rows))


def _plain(rows: Sequence[Row], speeds: Sequence[float]) -> dict[str, Any]:
    return {"notes": _notes(speeds), "calibration": speeds, "rows": [row.plain() for row in rows]}


if __name__ == "__main__":
    sys.exit(main())
