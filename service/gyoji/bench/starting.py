"""How long until the service gives its first answer, against a constant Flask application."""

import re
from importlib.metadata import packages_distributions
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Literal, NamedTuple

from gyoji.bench import servers
from gyoji.bench.effort import Effort
from gyoji.bench.figures import Goal, Row, limited, times_as_fast
from gyoji.bench.surroundings import progress
from gyoji.bench.turns import in_turn

GOAL = Goal("G13", floor=2.5, aim=1.6, at_most=True)
PEER = "constant Flask app"
IMPORTED = re.compile(r"^import time:.*\| +([\w.]+)$", re.MULTILINE)

Kind = Literal["service", "constant", "imports"]


class Imported(NamedTuple):
    """The modules that the service has imported when it gives its first answer, in that order."""

    others: tuple[str, ...]
    """Of third parties."""
    ours: tuple[str, ...]


def measure(effort: Effort) -> list[Row]:
    """All three in turn, after one start of each that fills the caches and makes the store. The modules are compiled
    then, as they are where pip has installed them, whether or not that is done in this checkout."""
    kinds: tuple[Kind, ...] = ("constant", "service", "imports")
    times: dict[Kind, list[float]] = {kind: [] for kind in kinds}
    with TemporaryDirectory(prefix="gyoji-bench-") as folder:
        found = imported(Path(folder))
        for repeat in range(effort.starts + 1):
            progress(f"start-up, repeat {repeat} of {effort.starts}")
            for kind in in_turn(kinds, repeat):
                times[kind].append(first_answer(kind, Path(folder), found))
    ours, theirs, alone = (tuple(times[kind][1:]) for kind in ("service", "constant", "imports"))
    measure = f"first answer of an app that imports the {len(found.others)} modules of others, ms"
    return [
        Row("first answer after the start, ms", ours, PEER, theirs, times_as_fast(ours, theirs), GOAL),
        limited(GOAL.id, Row(measure, alone, PEER, theirs, times_as_fast(alone, theirs), GOAL)),
    ]


def imported(folder: Path) -> Imported:
    """As the interpreter tells when it is asked to say what it imports: on a store that is there, and without the
    process beside the workers that delivers to webhooks, which imports what nobody waits for."""
    environment = {"PYTHONPROFILEIMPORTTIME": "1", "GYOJI_WEBHOOKS": "off", **bytecode(folder)}
    for log in (folder / "making-the-store.log", folder / "imports.log"):
        port = servers.spare_port()
        with servers.running(servers.gyoji(port, folder), port, log, environment) as server:
            servers.wait_until_answering(server, "/readyz")
    names = dict.fromkeys(IMPORTED.findall(log.read_text("utf-8", "replace")))
    packages = packages_distributions()
    ours = tuple(name for name in names if _top(name) == "gyoji")
    return Imported(tuple(name for name in names if _top(name) in packages and name not in ours), ours)


def _top(name: str) -> str:
    return name.partition(".")[0]


def first_answer(kind: Kind, folder: Path, found: Imported) -> float:
    """Milliseconds of the clock."""
    port = servers.spare_port()
    commands = {
        "service": (servers.gyoji(port, folder), "/readyz"),
        "constant": (servers.echo(port), "/constant"),
        "imports": (servers.echo(port, "imports"), "/constant"),
    }
    command, path = commands[kind]
    environment = {"BENCH_IMPORTS": ",".join(found.others), **bytecode(folder)}
    begun = perf_counter()
    with servers.running(command, port, folder / "servers.log", environment) as server:
        servers.wait_until_answering(server, path)
        return (perf_counter() - begun) * 1e3


def bytecode(folder: Path) -> dict[str, str]:
    """Variables by which compiled modules are kept in that folder."""
    return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
