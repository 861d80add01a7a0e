"""Reads a log for the questions to it."""

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


SHUFFLES = ("hands_dealt", "deck_reformed")


def shuffle_taken_back(log: Log) -> bool:
    """A take-back crosses a shuffle, and another one follows it."""
    shuffled = [entry["seq"] for entry in log if any(event["type"] in SHUFFLES for event in _events(entry))]
    back = [(entry["seq"], entry["data"]["ruling"]["to"]) for entry in rulings(log, "take_back")]
    return any(to < seq < ruling < shuffled[-1] for ruling, to in back for seq in shuffled)


def _events(entry: Document) -> list[Document]:
    found: list[Document] = entry["data"].get("events", [])
    return found


def rulings(log: Log, kind: str) -> list[Document]:
    """Every ruling of that kind."""
    return [entry for entry in log if entry["type"] == "ruling_made" and entry["data"]["ruling"]["kind"] == kind]


def expiries(log: Log) -> list[Document]:
    """What every expiry says."""
    return [entry["data"] for entry in log if entry["type"] == "clock_expired"]


def forfeit_on_time(log: Log) -> bool:
    """Two seats are left, and one of them wins."""
    (end,) = [entry["data"] for entry in log if entry["type"] == "match_finished"]
    return (end["outcome"], end["result"]["by"], len(end["result"]["winners"])) == (None, "clock", 1)


def passed_on_time(log: Log) -> bool:
    """One seat passed, and one could not."""
    return {expiry["then"] for expiry in expiries(log)} == {"pass", "default"}


def two_out_of_time(log: Log) -> bool:
    """Two expiries of one claim."""
    seqs = [entry["seq"] for entry in log if entry["type"] == "clock_expired"]
    return len(seqs) == 2 and seqs[1] == seqs[0] + 1


def irregular_card(log: Log) -> bool:
    """What stands is a card."""
    return [entry["data"]["move"]["type"] for entry in rulings(log, "accept")] == ["play"]
