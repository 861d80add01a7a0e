"""The parts of the first answer after the start, each in a process of its own, by turns with the whole."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from gyoji.bench.calling import output, printed
from gyoji.bench.effort import Effort
from gyoji.bench.splits import Split, added
from gyoji.bench.starting import bytecode, first_answer, imported
from gyoji.bench.surroundings import progress

WHOLE = "first answer after the start, ms (G13)"
SCRIPT = Path(__file__).with_name("peers") / "start.py"
PATIENCE = 60.0


def of_start(effort: Effort) -> list[Split]:
    """The service on SQLite."""
    with TemporaryDirectory(prefix="gyoji-bench-") as folder:
        place = Path(folder)
        found, file = imported(place), place / "modules.json"
        file.write_text(json.dumps({**found._asdict(), "folder": folder}), "utf-8")
        environment = {**os.environ, **bytecode(place)}
        repeats = []
        for repeat in range(effort.repeats + 1):
            progress(f"parts of the start, repeat {repeat} of {effort.repeats}")
            parts = printed([sys.executable, "-P", str(SCRIPT), str(file)], environment)
            whole = first_answer("service", place, found)
            repeats.append({"": whole, "the interpreter": _interpreter(environment), **parts})
    return [added(WHOLE, "SQLite", repeats[1:])]


def _interpreter(environment: Mapping[str, str]) -> float:
    """Milliseconds from its start to its end, with nothing to do."""
    begun = perf_counter()
    output([sys.executable, "-c", "pass"], environment, PATIENCE)
    return (perf_counter() - begun) * 1e3
