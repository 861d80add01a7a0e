"""Splits the time to the first answer by the imports of that very start, as the interpreter reports them."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.effort import Effort
from benchmarks.programs import run_program
from benchmarks.splits import Split, make_split
from benchmarks.startup import bytecode_variables, profile_start
from benchmarks.surroundings import progress

WHOLE = "first answer after the start, ms (G13)"
START_SECONDS = 60.0


def split_start(effort: Effort) -> list[Split]:
    """Split the start on SQLite; that each start reports its imports makes it some percent slower."""
    repeats = []
    with TemporaryDirectory(prefix="gyoji-bench-") as folder:
        environment = {**os.environ, **bytecode_variables(Path(folder))}
        for repeat in range(
            effort.repeats + 2
        ):  # the first makes the store, the second compiles what that did not need
            progress(f"parts of the start, repeat {repeat} of {effort.repeats}")
            found = profile_start(Path(folder))
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
    return [make_split(WHOLE, "SQLite", repeats[2:])]


def _interpreter(environment: Mapping[str, str]) -> float:
    """Time the interpreter from its start to its end, in milliseconds, with nothing to do."""
    begun = perf_counter()
    run_program([sys.executable, "-c", "pass"], environment, START_SECONDS)
    return (perf_counter() - begun) * 1e3
