"""Runs drivers that take turns: each is started once and warms up, and then measures a slice whenever it is asked to.

So ours and a peer's slice lie side by side, a tenth of a second each: whatever else goes on on the machine meets both.
A driver that takes turns measures once for every line that it reads, and prints a line of JSON each time.
"""

import json
import select
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from tempfile import TemporaryFile
from typing import IO, Any, TypeVar

from benchmarks.programs import ProgramFailed, start_program

WORD = "turns"
"""The last argument of a driver that is to take turns."""
ANSWER_SECONDS = 120.0

Name = TypeVar("Name", bound=str)

Slice = Mapping[str, Any]
Driver = Callable[[], Slice]
"""Measures one slice."""


def answer_turns(measure: Driver) -> None:
    """Measure, as a driver, a slice for every line on standard input, until there are no more."""
    for _line in sys.stdin:
        print(json.dumps(measure()), flush=True)


@contextmanager
def keep_drivers(commands: Mapping[str, tuple[Sequence[str], Mapping[str, str] | None]]) -> Iterator[dict[str, Driver]]:
    """Start all these drivers (command and environment) and warm them; each has ended when this is left."""
    with ExitStack() as stack:
        drivers = {
            name: stack.enter_context(_run_driver([*command, WORD], environment))
            for name, (command, environment) in commands.items()
        }
        for driver in drivers.values():
            driver()  # the first slice of each is not so warm as the others
        yield drivers


@contextmanager
def _run_driver(command: list[str], environment: Mapping[str, str] | None) -> Iterator[Driver]:
    with (
        TemporaryFile() as complaints,
        start_program(command, environment, stdin=subprocess.PIPE, stderr=complaints) as process,
    ):
        yield lambda: _slice(process, complaints)


def _slice(process: "subprocess.Popen[str]", complaints: IO[bytes]) -> Slice:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write("\n")
        process.stdin.flush()
    except BrokenPipeError:
        raise ProgramFailed(_ended(process, complaints)) from None
    if not select.select([process.stdout], [], [], ANSWER_SECONDS)[0]:
        raise ProgramFailed(f"{process.args!r}: no answer after {ANSWER_SECONDS:g} s")
    line = process.stdout.readline()
    if not line:
        raise ProgramFailed(_ended(process, complaints))
    found: dict[str, Any] = json.loads(line)
    return found


def _ended(process: "subprocess.Popen[str]", complaints: IO[bytes]) -> str:
    status = process.wait(ANSWER_SECONDS)
    complaints.seek(0)
    return f"{process.args!r} ended with status {status}:\n{complaints.read().decode('utf-8', 'replace')}"


def alternate(measures: Mapping[str, Driver]) -> Driver:
    """Return all of them as one driver, every other time from the last to the first: whoever wakes a core up pays for
    it."""
    rounds = count()
    return lambda: {name: measures[name]() for name in order_of_turn([*measures], next(rounds))}


def order_of_turn(names: Sequence[Name], number: int) -> Sequence[Name]:
    """Return the order of one round: every other goes backwards, so that whatever comes first is not always the
    same."""
    return names if number % 2 == 0 else names[::-1]
