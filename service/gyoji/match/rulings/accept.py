"""``accept`` lets a move stand that breaks a rule."""

from typing import Literal, TypedDict

from gyoji.games.game import Accepted, IllegalMove
from gyoji.match.events import move
from gyoji.match.events.kind import LoggedEvent, Refusal
from gyoji.match.records import Moved
from gyoji.match.rulings.kind import DecidedRuling, RulingCase, RulingKind
from gyoji.match.rulings.play import settle_move
from gyoji.match.state import RUNNING, MatchState, add_ruling


class AcceptRuling(TypedDict):
    """The ``data`` of an ``accept`` ruling: the move and the game's events of it stand beside the ruling."""

    kind: Literal["accept"]


class AcceptRequest(TypedDict):
    """The request of an ``accept`` ruling: the move that is to stand."""

    kind: Literal["accept"]
    move: Moved


def decide(case: RulingCase) -> DecidedRuling | Refusal:
    """Decide that the move stands, if nothing but a rule that a referee can waive speaks against it."""
    game, state, moved = case.match.game, case.match.state, case.ruling.move or {}
    found = game.adjudicate(state, moved, case.chance)
    if isinstance(found, Accepted):
        return Refusal("not-irregular")
    if found.infraction.reason != "rule-violation":
        return Refusal("not-acceptable", infraction=found.infraction)
    stood = game.irregular(state, moved, case.chance)
    if isinstance(stood, IllegalMove):
        return Refusal("impossible-position", infraction=found.infraction)
    return settle_move(case, stood)


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """Return the match after the accepted move."""
    return add_ruling(move.replayed(match, match.game.irregular, event))


KIND: RulingKind = RulingKind("accept", AcceptRuling, RUNNING, decide, apply, request=AcceptRequest, overrides=True)
