"""The sections of the report, each of which can be measured alone."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NamedTuple

from benchmarks.effort import Effort
from benchmarks.figures import Row
from benchmarks.splits import Split

Measure = Callable[[Effort], Sequence[Row | Split]]


class Section(NamedTuple):
    """A section: what is measured, and which function does. Its module is imported when it is measured, not before."""

    name: str
    title: str
    about: str
    module: str
    function: str = "measure"

    @property
    def measure(self) -> Measure:
        """Make the rows, or say how a whole is made up."""
        found: Measure = getattr(import_module(f"benchmarks.{self.module}"), self.function)
        return found


SECTIONS = (
    Section(
        "rules",
        "Rules in one process",
        "Random games. A move is: list the legal moves, rule on one of them and make the next state. Moves a second of "
        "the thread's processor time, in slices of a tenth of a second, each right beside one of the peer's. The limit "
        "is a trick game of 90 lines of plain Python: no phases, no rule but following suit, no events.",
        "engines",
    ),
    Section(
        "environments",
        "Environments for learners",
        "Random games, an agent a seat. A step is: the agent observes, and takes one of the actions that it may take; "
        "deals stand outside the clock. Steps a second of the thread's processor time, in slices of a tenth of a "
        "second, each right beside one of the peer's. Ours and PettingZoo's go through PettingZoo's interface, "
        "RLCard's through its own, which is thinner.",
        "environments",
    ),
    Section(
        "http",
        "Adjudication over HTTP",
        "2 workers of 4 threads, 8 connections kept alive; the peers are Flask applications of a few lines on the same "
        "gunicorn. Processor time of all processes of a server, in slices of two fifths of a second beside the peers'. "
        "The limit of G3 and G5 is the constant answer, that of G4 an application that reads the very "
        "requests of ours and sends them back.",
        "adjudications",
    ),
    Section(
        "store",
        "Stored moves",
        "Ours signs, chains, encrypts and never loses what it has acknowledged; the peers write an event of 600 bytes. "
        "SQLite lies on a memory file system, where syncing costs nothing; PostgreSQL lies on the disk. The limit of "
        "G7 is its two statements alone on SQLite as ours is set; that of G8 and G9 a constant answer of Flask under "
        "the same load on the same gunicorn, which stores nothing.",
        "storage_ratios",
    ),
    Section(
        "audit",
        "Audit of replay files",
        "Ours checks bytes, chain, signature, openings, deals, every move, position, score and result; the peers play "
        "a log of moves again. Moves a second of the thread's processor time, for two processes of the clock. The "
        "limit of G10 and G11 is a loop that hashes every line and the file, rules on every move, writes its "
        "consequences in canonical bytes and checks one signature a file; that of G12 are two processes that count.",
        "audit_ratios",
    ),
    Section(
        "receipts",
        "Receipts",
        "What the receipt adds to the answer to a move; the goal is for itself.",
        "receipt_ratios",
    ),
    Section(
        "start",
        "Start-up",
        "From the start of the process to the first answer. The limit is a constant Flask application that imports "
        "what the service imports of others, and nothing of ours.",
        "startup",
    ),
    Section(
        "parts",
        "Where the time goes",
        "Each whole is measured as in the sections above, its parts alone, on the same inputs, by turns; shown is the "
        "least of each. The rest is what these leave of the whole: calls, checks of form, copies, and, over HTTP, what "
        "all of it costs more under load, in threads, than alone. In brackets the share of the whole.",
        "parts.section",
    ),
    Section("memory", "Memory", "Worker by worker, after all four games have been asked about.", "memory"),
    Section("seats", "How it grows with seats", "Each game against its own smallest table.", "growth", "with_seats"),
    Section(
        "length",
        "How it grows with the length of a match",
        "TOWAI with six seats; the whole service in one process, without a socket.",
        "growth",
        "with_length",
    ),
    Section(
        "size",
        "How it grows with the matches in a store",
        "SQLite on a memory file system; the whole service in one process, without a socket.",
        "growth",
        "with_size",
    ),
)
NAMES = tuple(section.name for section in SECTIONS)
