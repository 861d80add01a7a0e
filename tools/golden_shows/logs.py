"""How the questions read a log."""

from collections.abc import Sequence
from typing import Any, NamedTuple

Document = dict[str, Any]
Log = Sequence[Document]
"""The events of a log as ``replay.readers.shown`` gives them to the reader ``full``."""


class Turn(NamedTuple):
    """A move and what came of it."""

    move: Document
    events: list[Document]


def turns(log: Log) -> list[Turn]:
    """Every move of the log."""
    return [Turn(entry["data"]["move"], entry["data"]["events"]) for entry in log if "move" in entry["data"]]


def happened(log: Log, kind: str) -> list[Document]:
    """Every domain event of that type."""
    return [event for entry in log for event in entry["data"].get("events", ()) if event["type"] == kind]


def lines(log: Log) -> list[Document]:
    """Every score line of every round."""
    return [line for scored in happened(log, "round_scored") for line in scored["lines"]]


def outcome(log: Log) -> Document:
    """How the match ended."""
    found: Document = next(entry["data"]["outcome"] for entry in log if entry["type"] == "match_finished")
    return found


def types(turn: Turn) -> list[str]:
    """The types of what came of a move."""
    return [event["type"] for event in turn.events]


def anything(_log: Log) -> bool:
    """Any match will do: its options or its seats are what it shows."""
    return True


def shared_win(log: Log) -> bool:
    """TNM-R4, CAT-7.3: equal totals share the win."""
    return len(outcome(log)["winners"]) > 1


def tricks(log: Log) -> list[Document]:
    """Every trick that was won."""
    return happened(log, "trick_won")
