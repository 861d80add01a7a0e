"""What a recorded event is judged by: the match before it, and what the audit has found of it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gyoji.audit.recorded import RecordedEvent
from gyoji.audit.verdicts import Check, Why
from gyoji.games.game import Breach, Chance
from gyoji.log.entries import Actor
from gyoji.match.events.kind import Decided
from gyoji.match.rules import Rules
from gyoji.match.rulings.kind import Target
from gyoji.match.state import MatchState


class Scene(NamedTuple):
    """Where an event is judged."""

    rules: Rules
    match: MatchState
    """Before the event."""
    is_fork: bool
    chance: Chance
    """From the seed where it is known, else as the event recounts it."""
    kept: Mapping[int, Target]
    """The events that rulings go back to."""
    dealt: int
    """The event at which the cards were dealt."""


class Flaw(NamedTuple):
    """What is wrong with an event: a matter of that check."""

    check: Check
    why: Why
    expected: Any = None
    found: Any = None
    rule: str | None = None


Judged = Decided | Flaw | Why
"""The event as it has to be, what is wrong with it, or why that cannot be said."""


def misshapen(place: str, found: Any) -> Flaw:
    """What stands there is nothing that could stand there."""
    return Flaw("moves", Why("misshapen", {"at": place}), None, found)


def wrong_actor(event: RecordedEvent, expected: Actor) -> Flaw:
    """Somebody else acts than has to."""
    return Flaw("moves", Why("wrong-actor"), expected, event.document["actor"])


def illegal_move(event: RecordedEvent, breach: Breach) -> Flaw:
    """The rules of the game refuse the move of the event."""
    facts = {"reason": breach.reason, "rule": breach.rule, "seat": breach.seat}
    found = event.document["data"]["move"]
    return Flaw("moves", Why("illegal-move", facts), breach.reason, found, breach.rule)


def unfit_move(rules: Rules, match: MatchState, event: RecordedEvent, move: Any) -> Flaw | Why | None:
    """Why that is no move of the game: it is hidden, or it never was one; ``None`` if it is one."""
    if isinstance(move, dict) and rules.fits("move", move):
        return None
    if isinstance(move, dict) and _is_hidden(match, move):
        return Why("hidden-move")
    return misshapen("/data/move", event.document["data"].get("move"))


def _is_hidden(match: MatchState, move: Mapping[str, Any]) -> bool:
    """Whether the move lacks something that is not for everybody's eyes."""
    kind = move.get("type")
    fields = match.game.known(match.options).moves.get(kind, {}) if isinstance(kind, str) else {}
    return any(knower != "all" and move.get(name, "") is None for name, knower in fields.items())
