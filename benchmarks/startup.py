"""Measures how long the service takes to its first answer, against a constant Flask application."""

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Literal, NamedTuple

from benchmarks import servers
from benchmarks.effort import Effort
from benchmarks.figures import Goal, Row, as_limit, times_as_fast
from benchmarks.surroundings import progress
from benchmarks.turns import order_of_turn

GOAL = Goal("G13", floor=2.5, aim=1.6, at_most=True)
PEER = "constant Flask app"
IMPORTED = re.compile(r"^import time: +(\d+) \| +\d+ \| +([\w.]+)$", re.MULTILINE)

Whose = Literal["library", "others", "ours"]
Kind = Literal["service", "constant", "imports"]


class ImportProfile(NamedTuple):
    """A start that reported its imports."""

    took: float
    """Milliseconds to the first answer."""
    spent: Mapping[Whose, Mapping[str, float]]
    """Of the standard library, of others and of gyoji: module -> milliseconds, without what that imported in turn; in
    the order in which they were there."""

    @property
    def others(self) -> tuple[str, ...]:
        """The modules of others."""
        return tuple(self.spent["others"])


def measure(effort: Effort) -> list[Row]:
    """Measure all three in turn, after one start of each that fills the caches and makes the store. The modules are
    compiled then, as they are where pip has installed them, whether or not that is done in this checkout."""
    kinds: tuple[Kind, ...] = ("constant", "service", "imports")
    times: dict[Kind, list[float]] = {kind: [] for kind in kinds}
    with TemporaryDirectory(prefix="gyoji-bench-") as folder:
        found = read_imports(Path(folder))
        for repeat in range(effort.starts + 1):
            progress(f"start-up, repeat {repeat} of {effort.starts}")
            for kind in order_of_turn(kinds, repeat):
                times[kind].append(time_first_answer(kind, Path(folder), found))
    ours, theirs, alone = (tuple(times[kind][1:]) for kind in ("service", "constant", "imports"))
    measure = f"first answer of an app that imports the {len(found.others)} modules of others, ms"
    return [
        Row("first answer after the start, ms", ours, PEER, theirs, times_as_fast(ours, theirs), GOAL),
        as_limit(GOAL.id, Row(measure, alone, PEER, theirs, times_as_fast(alone, theirs), GOAL)),
    ]


def read_imports(folder: Path) -> ImportProfile:
    """Read the imports as the interpreter reports them."""
    for _ in range(2):  # the first one makes the store, and compiles
        found = profile_start(folder)
    return found


def profile_start(folder: Path) -> ImportProfile:
    """Profile one start on a store that is there, without the process beside the workers that delivers to webhooks,
    which imports what nobody waits for."""
    environment = {"PYTHONPROFILEIMPORTTIME": "1", "GYOJI_WEBHOOKS": "off", **bytecode_variables(folder)}
    port, log = servers.spare_port(), folder / "imports.log"
    log.unlink(missing_ok=True)
    begun = perf_counter()
    with servers.run_server(servers.gyoji_command(port, folder), port, log, environment) as server:
        servers.wait_until_answering(server, "/readyz")
        took = perf_counter() - begun
    _interpreter, _site, later = log.read_text("utf-8", "replace").partition("| site\n")
    spent: dict[Whose, dict[str, float]] = {"library": {}, "others": {}, "ours": {}}
    for micros, name in IMPORTED.findall(later):
        whose = spent[_whose(name)]
        whose[name] = whose.get(name, 0.0) + int(micros) / 1e3
    return ImportProfile(took * 1e3, spent)


def _whose(name: str) -> Whose:
    top = name.partition(".")[0]
    return "ours" if top == "gyoji" else "library" if top in sys.stdlib_module_names else "others"


def time_first_answer(kind: Kind, folder: Path, found: ImportProfile) -> float:
    """Time the first answer, in milliseconds of the clock."""
    port = servers.spare_port()
    commands = {
        "service": (servers.gyoji_command(port, folder), "/readyz"),
        "constant": (servers.echo_command(port), "/constant"),
        "imports": (servers.echo_command(port, "imports"), "/constant"),
    }
    command, path = commands[kind]
    environment = {"BENCH_IMPORTS": ",".join(found.others), **bytecode_variables(folder)}
    begun = perf_counter()
    with servers.run_server(command, port, folder / "servers.log", environment) as server:
        servers.wait_until_answering(server, path)
        return (perf_counter() - begun) * 1e3


def bytecode_variables(folder: Path) -> dict[str, str]:
    """Return the variables by which compiled modules are kept in that folder."""
    return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
