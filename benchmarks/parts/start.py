"""The parts of the first answer after the start: what the interpreter tells of the imports of that very start."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.effort import Effort
from benchmarks.programs import output
from benchmarks.splits import Split, added
from benchmarks.startup import bytecode, profiled
from benchmarks.surroundings import progress

WHOLE = "first answer after the start, ms (G13)"
PATIENCE = 60.0


def of_start(effort: Effort) -> list[Split]:
    """The service on SQLite, each start with its imports told, which makes it some percent slower."""
    repeats = []
    with TemporaryDirectory(prefix="gyoji-bench-") as folder:
        environment = {**os.environ, **bytecode(Path(folder))}
        for repeat in range(
            effort.repeats + 2
        ):  # the first makes the store, the second compiles what that did not need
            progress(f"parts of the start, repeat {repeat} of {effort.repeats}")
            found = profiled(Path(folder))
            library, others, ours = (sum(found.spent[whose].values()) for whose in ("library", "others", "ours"))
            repeats.append(
                {
                    "": found.took,
                    "the interpreter": _interpreter(environment),
                    "imports of the standard library": library,
                    "imports of others": others,
                    "imports of gyoji": ours,
                }
            )
    return [added(WHOLE, "SQLite", repeats[2:])]


def _interpreter(environment: Mapping[str, str]) -> float:
    """Milliseconds from its start to its end, with nothing to do."""
    begun = perf_counter()
    output([sys.executable, "-c", "pass"], environment, PATIENCE)
    return (perf_counter() - begun) * 1e3
