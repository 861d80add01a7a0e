"""Starts programs for a measure and waits for them.

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
from typing import IO, Any

END_SECONDS = 5.0
"""Seconds that a program gets to end by itself."""


class ProgramFailed(RuntimeError):
    """A program ended with another status than 0, or too late; the text says which and what it complained of."""


def run_for_json(command: Sequence[str], environment: Mapping[str, str] | None = None, timeout: float = 180.0) -> Any:
    """Run a program; return the JSON document on the last line that it prints. Without ``environment`` it gets that of
    this process."""
    return json.loads(
        run_program(command, os.environ if environment is None else environment, timeout).splitlines()[-1]
    )


def run_program(command: Sequence[str], environment: Mapping[str, str], timeout: float, user: str | None = None) -> str:
    """Run a program; return what it wrote to standard output. Raises ``ProgramFailed`` unless it ends in time and with
    status 0. ``user`` is who it runs as, where that is not ourselves."""
    with start_program(command, environment, user) as process:
        return await_output(process, timeout)


@contextmanager
def start_program(
    command: Sequence[str],
    environment: Mapping[str, str] | None = None,
    user: str | None = None,
    *,
    stdin: int | None = None,
    stderr: int | IO[bytes] = subprocess.PIPE,
) -> Iterator["subprocess.Popen[str]"]:
    """Start a program; it has ended when this is left."""
    with subprocess.Popen(
        command,
        env=environment,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        user=user,
        cwd=None if user is None else "/",
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            end_program(process)


def await_output(process: "subprocess.Popen[str]", timeout: float) -> str:
    """Wait for the end of a program; return what it wrote to standard output."""
    try:
        written, complaints = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        raise ProgramFailed(f"{_name(process)}: no end after {timeout:g} s") from None
    if process.returncode:
        raise ProgramFailed(f"{_name(process)} ended with status {process.returncode}:\n{complaints}")
    return written


def _name(process: "subprocess.Popen[str]") -> str:
    return " ".join(map(str, process.args)) if isinstance(process.args, list) else str(process.args)


def children_cpu_seconds() -> float:
    """Return the seconds of processor time of the programs that this process has started and that have ended."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def end_program(
    process: "subprocess.Popen[Any]", first: signal.Signals = signal.SIGTERM, patience: float = END_SECONDS
) -> None:
    """End a program that leads its session: it is asked first, and then all of the session is killed."""
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


def peer_environment(**more: str) -> dict[str, str]:
    """Return the environment of an interpreter that is not ours: nothing of ours is to be found by it."""
    ours = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    return {**{name: value for name, value in os.environ.items() if name not in ours}, **more}
