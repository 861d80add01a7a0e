"""``play`` makes a legal move for a seat."""

from typing import Any, Literal, TypedDict

from gyoji.games.game import Accepted, IllegalMove
from gyoji.log.redaction import redact
from gyoji.match.events import move
from gyoji.match.events.kind import LoggedEvent, Refusal
from gyoji.match.records import Moved
from gyoji.match.rulings.kind import DecidedRuling, RulingCase, RulingKind
from gyoji.match.state import RUNNING, MatchState, add_ruling


class PlayRuling(TypedDict):
    """The ``data`` of a ``play`` ruling: the move and the game's events of it stand beside the ruling."""

    kind: Literal["play"]


class PlayRequest(TypedDict):
    """The request of a ``play`` ruling: the move that is to be made."""

    kind: Literal["play"]
    move: Moved


def decide(case: RulingCase) -> DecidedRuling | Refusal:
    """Decide that the move is made, if it is legal."""
    found = case.match.game.adjudicate(case.match.state, case.ruling.move or {}, case.chance)
    return (
        Refusal("illegal-move", infraction=found.infraction)
        if isinstance(found, IllegalMove)
        else settle_move(case, found)
    )


def settle_move(case: RulingCase, found: Accepted[Any]) -> DecidedRuling:
    """Settle a move that the referee has made for a seat or lets stand, as the game rules on it."""
    match, moved = case.match, case.ruling.move or {}
    data, private = redact(match.game.known(match.options), moved, found.events)
    after = add_ruling(move.after_move(match, found.state, moved["seat"], case.at))
    return DecidedRuling(after, data, private, move.end_of(found.state), found.events)


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """Return the match after the move."""
    return add_ruling(move.replayed(match, match.game.adjudicate, event))


KIND: RulingKind = RulingKind("play", PlayRuling, RUNNING, decide, apply, request=PlayRequest, overrides=False)
