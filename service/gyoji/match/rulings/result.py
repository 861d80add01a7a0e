"""``result`` decides who has won, and with which scores."""

from typing import Literal, TypedDict

from gyoji.match.events import match_finished
from gyoji.match.events.kind import LoggedEvent, Refusal
from gyoji.match.records import Scores, SeatSet
from gyoji.match.rulings.kind import DecidedRuling, RulingCase, RulingKind
from gyoji.match.state import RUNNING, MatchState, Result, add_ruling, result_of


class ResultRuling(TypedDict):
    """The ``data`` of a ``result`` ruling: the seats that win, ascending, and the scores by seat. The scores include
    all adjustments; ``None``: as they are."""

    kind: Literal["result"]
    winners: SeatSet
    scores: Scores | None


def decide(case: RulingCase) -> DecidedRuling | Refusal:
    """Decide the result of the match, unless the game's own rule contradicts it, or it is the result already."""
    match, scores, winners = case.match, case.ruling.scores, case.ruling.winners
    if scores is not None:
        if len(scores) != match.seeding.seats:
            return Refusal("unknown-seat", {"seats": len(scores)})
        best = match.game.winners(scores)
        if best != winners:
            return Refusal("winners-contradict-scores", {"winners": best})
    known = result_of(match)
    result = Result("ruling", match.adjusted if scores is None else scores, winners)
    if known is not None and result == known._replace(by="ruling", forfeited=()):
        return Refusal("no-change")
    return DecidedRuling(set_result(match, result), due=None if match.over else match_finished.due(result))


def set_result(match: MatchState, result: Result) -> MatchState:
    """Return the match with a result that a referee has ruled. Seats that had forfeited before are not forfeited any
    more."""
    return add_ruling(match, match.course._replace(ruled=result, forfeited=()))


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """Return the match with the result that the log states."""
    ruling = event["data"]["ruling"]
    scores = match.adjusted if ruling["scores"] is None else tuple(ruling["scores"])
    return set_result(match, Result("ruling", scores, tuple(ruling["winners"])))


KIND: RulingKind = RulingKind("result", ResultRuling, (*RUNNING, "finished"), decide, apply, overrides=True)
