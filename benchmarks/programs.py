"""Programs that a measure starts and waits for.

Each has a session of its own, so that it ends with all that it has started, by its own handle, when the measure is
interrupted.
"""

import json
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

PATIENCE = 5.0
"""Seconds that a program gets to end by itself."""


class Failed(RuntimeError):
    """A program ended with another status than 0, or too late; the text says which and what it complained of."""


def printed(command: Sequence[str], environment: Mapping[str, str] | None = None, timeout: float = 180.0) -> Any:
    """What the program printed on its last line, a JSON document; without ``environment`` it gets that of this
    process."""
    return json.loads(output(command, os.environ if environment is None else environment, timeout).splitlines()[-1])


def output(command: Sequence[str], environment: Mapping[str, str], timeout: float, user: str | None = None) -> str:
    """What the program wrote to its standard output; ``Failed`` unless it ends in time and with status 0. ``user`` is
    who it runs as, where that is not ourselves."""
    with started(command, environment, user) as process:
        return finished(process, timeout)


@contextmanager
def started(
    command: Sequence[str], environment: Mapping[str, str] | None = None, user: str | None = None
) -> Iterator["subprocess.Popen[str]"]:
    """The program, running; it has ended when this is left."""
    with subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        user=user,
        cwd=None if user is None else "/",
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            end(process)


def finished(process: "subprocess.Popen[str]", timeout: float) -> str:
    """What it wrote to its standard output, once it has ended."""
    try:
        written, complaints = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        raise Failed(f"{_name(process)}: no end after {timeout:g} s") from None
    if process.returncode:
        raise Failed(f"{_name(process)} ended with status {process.returncode}:\n{complaints}")
    return written


def _name(process: "subprocess.Popen[str]") -> str:
    return " ".join(map(str, process.args)) if isinstance(process.args, list) else str(process.args)


def of_children() -> float:
    """Seconds of processor time that programs took which this process has started and which have ended."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def end(process: "subprocess.Popen[Any]", first: signal.Signals = signal.SIGTERM, patience: float = PATIENCE) -> None:
    """End a program that leads its session: it is asked first, and then all of the session is made to."""
    if process.returncode is not None:
        return  # its number may be somebody else's by now
    if process.poll() is None:
        process.send_signal(first)
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    _kill_the_rest(process)
    process.wait()


def _kill_the_rest(process: "subprocess.Popen[Any]") -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return  # nobody is left of it (or, on macOS, nobody but the dead)


def for_peers(**more: str) -> dict[str, str]:
    """The environment of an interpreter that is not ours: nothing of ours is to be found by it."""
    ours = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    return {**{name: value for name, value in os.environ.items() if name not in ours}, **more}
