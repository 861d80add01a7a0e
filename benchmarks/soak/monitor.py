"""Watches memory, files and threads of every process of a server during a soak, and the machine's load."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import NamedTuple

PROC = Path("/proc")
EVERY = 10.0
"""Seconds between two looks."""
MIB = 1024 * 1024
DELIVERS = b'"Delivering to webhooks with pid: %d"'


class ProcessSample(NamedTuple):
    """One process at one moment."""

    at: float
    """Seconds since the beginning."""
    pss: float
    """MiB: what it has for itself, and its share of what it has with others."""
    rss: float
    """MiB."""
    files: int
    threads: int


class MachineSample(NamedTuple):
    """The machine and the store at one moment."""

    at: float
    load: float
    """Load average of the last minute."""
    store: float
    """MiB."""


class Monitor:
    """The samples of each process of a server, by its role: ``master``, ``worker 1`` and so on, and ``webhooks``."""

    def __init__(self, master: int, store: Callable[[], int], log: Path) -> None:
        self._master, self._store, self._log = master, store, log
        self._roles: dict[int, str] = {}
        self._begun = perf_counter()
        self.looks: dict[str, list[ProcessSample]] = {}
        self.machine: list[MachineSample] = []

    def run(self, stop: Event, every: float = EVERY) -> None:
        """Take samples until told to stop."""
        while not stop.wait(every):
            self.look()

    def look(self) -> None:
        """Take one sample of everything."""
        at = perf_counter() - self._begun
        for process in (self._master, *_children(self._master)):
            look = _sample(process, at)
            if look is not None:
                self.looks.setdefault(self._role(process), []).append(look)
        self.machine.append(MachineSample(at, os.getloadavg()[0], self._store() / MIB))

    def _role(self, process: int) -> str:
        """Workers are numbered in the order in which they are first seen; the log names the process for webhooks."""
        if process not in self._roles:
            workers = sum(role.startswith("worker") for role in self._roles.values())
            delivers = DELIVERS % process in self._log.read_bytes()
            role = "webhooks" if delivers else f"worker {workers + 1}"
            self._roles[process] = "master" if process == self._master else role
        return self._roles[process]


def _children(parent: int) -> list[int]:
    found = [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit() and _parent(entry) == parent]
    return sorted(found)


def _parent(entry: Path) -> int:
    try:
        return int((entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1])
    except OSError:
        return 0


def _sample(process: int, at: float) -> ProcessSample | None:
    """Sample a process; ``None`` where it has ended."""
    entry = PROC / str(process)
    try:
        sizes = _kibibytes((entry / "smaps_rollup").read_text())
        status = (entry / "status").read_text("utf-8", "replace")
        files = len(list((entry / "fd").iterdir()))
    except OSError:
        return None
    threads = int(status.partition("Threads:")[2].split()[0])
    return ProcessSample(at, sizes["Pss"] / 1024, sizes["Rss"] / 1024, files, threads)


def _kibibytes(rollup: str) -> dict[str, int]:
    lines = [line.split() for line in rollup.splitlines()[1:]]
    return {fields[0].rstrip(":"): int(fields[1]) for fields in lines}


def total_memory(looks: Sequence[Sequence[ProcessSample]]) -> list[tuple[float, float]]:
    """Add up (seconds, MiB) of the PSS of all processes."""
    sums: dict[float, float] = {}
    for each in looks:
        for look in each:
            sums[look.at] = sums.get(look.at, 0.0) + look.pss
    return sorted(sums.items())


def drift(line: Sequence[tuple[float, float]]) -> float | None:
    """Return by what share a figure grows in the last two thirds of the time, along the straight line that fits best.

    ``None`` for fewer than four looks in that time.
    """
    if not line:
        return None
    begun = line[0][0] + (line[-1][0] - line[0][0]) / 3
    late = [point for point in line if point[0] >= begun]
    if len(late) < 4:
        return None
    middle = sum(at for at, _ in late) / len(late)
    mean = sum(value for _, value in late) / len(late)
    spread = sum((at - middle) ** 2 for at, _ in late)
    slope = sum((at - middle) * (value - mean) for at, value in late) / spread
    start = mean - slope * (middle - late[0][0])
    return slope * (late[-1][0] - late[0][0]) / start
