"""How long until the service gives its first answer, against a constant Flask application."""

from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from gyoji.bench import servers
from gyoji.bench.effort import Effort
from gyoji.bench.figures import Goal, Row, times_as_fast
from gyoji.bench.surroundings import progress

GOAL = Goal("G13", floor=2.5, aim=1.6, at_most=True)


def measure(effort: Effort) -> list[Row]:
    """Both servers in turn, after one start of each that fills the caches and makes the store. The modules of both are
    compiled then, as they are where pip has installed them, whether or not that is done in this checkout."""
    ours: list[float] = []
    theirs: list[float] = []
    with TemporaryDirectory(prefix="gyoji-bench-") as folder:
        for repeat in range(effort.starts + 1):
            progress(f"start-up, repeat {repeat} of {effort.starts}")
            theirs.append(_first_answer(False, Path(folder)))
            ours.append(_first_answer(True, Path(folder)))
    ours, theirs = ours[1:], theirs[1:]
    ratios = times_as_fast(ours, theirs)
    return [Row("first answer after the start, ms", tuple(ours), "constant Flask app", tuple(theirs), ratios, GOAL)]


def _first_answer(service: bool, folder: Path) -> float:
    port = servers.spare_port()
    compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    command, path = (servers.gyoji(port, folder), "/readyz") if service else (servers.echo(port), "/constant")
    begun = perf_counter()
    with servers.running(command, port, folder / "servers.log", compiled) as server:
        servers.wait_until_answering(server, path)
        return (perf_counter() - begun) * 1e3
