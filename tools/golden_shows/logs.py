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


def entropy_of_all(log: Log) -> bool:
    """Every seat commits to entropy, then every seat reveals it."""
    seats = log[0]["data"]["seats"]
    kinds = ["entropy_committed"] * seats + ["entropy_revealed"] * seats + ["dealt"]
    return [entry["type"] for entry in log[1 : 2 * seats + 2]] == kinds


def dealt_without(log: Log) -> bool:
    """The cards are dealt although the entropy of a seat is missing."""
    return any("missing" in entry["data"] for entry in log if entry["type"] == "dealt")


def void_by_missing_entropy(log: Log) -> bool:
    """The match is void before the deal, as a seat has not revealed its entropy."""
    voids = [entry["data"]["reason"] for entry in log if entry["type"] == "match_voided"]
    return voids == ["entropy-missing"] and not happened(log, "hands_dealt")


def cancelled_after_the_deal(log: Log) -> bool:
    """An operator ends the match in the middle of play."""
    voids = [entry["data"]["reason"] for entry in log if entry["type"] == "match_voided"]
    return voids == ["cancelled"] and bool(turns(log))


def cancelled_before_the_deal(log: Log) -> bool:
    """An operator ends the match while it waits for entropy."""
    voids = [entry["data"] for entry in log if entry["type"] == "match_voided"]
    return [void["reason"] for void in voids] == ["cancelled"] and bool(voids[0]["missing"])


def share_of_the_director(log: Log) -> bool:
    """The director contributes to the deals."""
    return [entry["actor"]["role"] for entry in log if entry["type"] == "entropy_revealed"] == ["director"]
