"""How a match comes out: scores, winners, and what made it so."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypedDict

from gyoji.games.game import Game, Seat
from gyoji.match.records import Scores, SeatSet

ResultBy = Literal["play", "forfeit", "ruling", "clock"]


class Result(NamedTuple):
    """How a match came out, with all that referees have given and taken."""

    by: ResultBy
    """Whether it was played to its end, or what ended it or changed its result."""
    scores: tuple[int, ...]
    """By seat, adjustments included."""
    winners: tuple[Seat, ...]
    forfeited: tuple[Seat, ...] = ()


class MatchResult(TypedDict):
    """A result as ``match_finished`` states it."""

    by: ResultBy
    winners: SeatSet
    scores: Scores
    forfeited: SeatSet


def write_result(result: Result) -> MatchResult:
    """The result as ``match_finished`` states it."""
    return {"by": result.by, "winners": result.winners, "scores": result.scores, "forfeited": result.forfeited}


def read_result(document: Mapping[str, Any]) -> Result:
    """The result that a ``match_finished`` states."""
    lists = [tuple(document[name]) for name in ("scores", "winners", "forfeited")]
    return Result(document["by"], *lists)


def winners_among(game: Game[Any], scores: tuple[int, ...], forfeited: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The seats that win with these scores where some have forfeited: the best of the others, by the game's own rule.
    In a cooperative game nobody wins once a seat has forfeited."""
    if not forfeited:
        return game.winners(scores)
    others = [seat for seat in range(len(scores)) if seat not in forfeited]
    if game.cooperative or not others:
        return ()
    return tuple([others[at] for at in game.winners([scores[seat] for seat in others])])
