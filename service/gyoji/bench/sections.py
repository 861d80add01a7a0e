"""The parts of the report, each of which can be measured alone."""

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from gyoji.bench.effort import Effort
from gyoji.bench.figures import Row

Measure = Callable[[Effort], list[Row]]


class Section(NamedTuple):
    """What is measured, and where it stands. The module is imported when it is measured, not before."""

    name: str
    title: str
    about: str
    module: str
    function: str = "measure"

    @property
    def measure(self) -> Measure:
        """Makes the rows."""
        found: Measure = getattr(import_module(f"gyoji.bench.{self.module}"), self.function)
        return found


SECTIONS = (
    Section(
        "rules",
        "Rules in one process",
        "Random games. A move is: list the legal moves, rule on one of them and make the next state. Moves a second of "
        "the thread's processor time.",
        "engines",
    ),
    Section(
        "http",
        "Adjudication over HTTP",
        "2 workers of 4 threads, 8 connections kept alive; the peers are Flask applications of a few lines on the same "
        "gunicorn. Processor time of all processes of a server.",
        "adjudications",
    ),
    Section(
        "store",
        "Stored moves",
        "Ours signs, chains, encrypts and never loses what it has acknowledged; the peers write an event of 600 bytes. "
        "SQLite lies on a memory file system, where syncing costs nothing; PostgreSQL lies on the disk.",
        "storing",
    ),
    Section(
        "audit",
        "Audit of replay files",
        "Ours checks bytes, chain, signature, openings, deals, every move, position, score and result; the peers play "
        "a log of moves again. Moves a second of the thread's processor time, for two processes of the clock.",
        "auditing",
    ),
    Section(
        "receipts", "Receipts", "What the receipt adds to the answer to a move; the goal is for itself.", "proving"
    ),
    Section("start", "Start-up", "From the start of the process to the first answer.", "starting"),
    Section("memory", "Memory", "Worker by worker, after all four games have been asked about.", "memory"),
    Section("seats", "How it grows with seats", "Each game against its own smallest table.", "growing", "with_seats"),
    Section(
        "length",
        "How it grows with the length of a match",
        "TOWAI with six seats; the whole service in one process, without a socket.",
        "growing",
        "with_length",
    ),
    Section(
        "size",
        "How it grows with the matches in a store",
        "SQLite on a memory file system; the whole service in one process, without a socket.",
        "growing",
        "with_size",
    ),
)
NAMES = tuple(section.name for section in SECTIONS)
