"""``take_back`` restores the position after an earlier event.

What was known since then stays known, so where cards were shuffled the seed becomes another one. Adjustments,
substitutes and time used stay.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict

from gyoji.match import clocks
from gyoji.match.events.dealt import redact_position
from gyoji.match.events.kind import LoggedEvent, Refusal
from gyoji.match.records import LaterSeq
from gyoji.match.rulings.kind import DecidedRuling, RulingCase, RulingKind, TakeBackTarget, banks_of
from gyoji.match.seeding import branch_seed
from gyoji.match.state import RUNNING, MatchCourse, MatchState, add_ruling


class TakeBackRuling(TypedDict):
    """The ``data`` of a ``take_back`` ruling: the ``seq`` of the event whose position is restored. Beside the ruling
    stands that position, as everybody may see it, and the banks and earned increments after it."""

    kind: Literal["take_back"]
    to: LaterSeq


def decide(case: RulingCase) -> DecidedRuling | Refusal:
    """Decide to go back to an earlier position, unless there is no such position, or it is the position already."""
    match, target, to = case.match, case.target, case.ruling.to
    if to is None or target is None or target.state is None or target.seq != to or to > match.seq:
        return Refusal("no-such-position", {"to": to})
    refusal = _no_way_back(match, target)
    if refusal is not None:
        return refusal
    after = go_back(match, to, target.state, target.credited_ms, case.at)
    for finding in match.game.findings(after.state):
        return Refusal("impossible-position", {"pointer": finding.pointer, "code": finding.code})
    position, private = redact_position(match.game, after.state)
    return DecidedRuling(after, {"position": position, **banks_of(after, "banks_ms", "credited_ms")}, private)


def _no_way_back(match: MatchState, target: TakeBackTarget) -> Refusal | None:
    if not is_in_force(match.course.branches, target.seq):
        return Refusal("not-on-the-line", {"to": target.seq})
    if target.state.outcome is not None:
        return Refusal("no-such-position", {"to": target.seq})
    is_there = target.state._replace(seed=None) == match.state._replace(seed=None)
    if target.seq == match.seq or (is_there and not match.over):
        return Refusal("nothing-to-take-back", {"to": target.seq})
    return None


def target_of(match: MatchState, seq: int) -> TakeBackTarget:
    """Return what a take-back needs to know of the match after event ``seq``, if it goes back to that event."""
    return TakeBackTarget(seq, match.state, None if match.clock is None else match.clock.credited_ms)


def is_in_force(branches: Iterable[tuple[int, int]], seq: int) -> bool:
    """Tell whether no take-back among ``branches`` (``seq`` of the ruling, ``to``) has taken an event back."""
    return not any(to < seq < ruling for ruling, to in branches)


def go_back(match: MatchState, to: int, state: Any, credited_ms: Sequence[int] | None, at: str) -> MatchState:
    """Return the match with the position after event ``to``, which was ``state``. ``credited_ms`` are each seat's
    increments by then, ``None`` where no banks are kept. A match that was over runs again, a pause goes on."""
    clock = match.clock
    if clock is not None:
        then = clock.credited_ms if credited_ms is None else tuple(credited_ms)
        clock = clocks.restore_clock(clock, then, state.to_act, at)
    seq = match.seq + 1
    branches = (*match.course.branches, (seq, to))
    course = reopened(match.course)._replace(branches=branches)
    state = state._replace(seed=_seed_after(match, state.shuffles))
    return add_ruling(match, course)._replace(state=state, clock=clock, decision=seq)


def reopened(course: MatchCourse) -> MatchCourse:
    """Return the course of a match after a take-back: a match that was over runs again, a pause goes on."""
    return course._replace(over=False, voided=False, ruled=None, forfeited=())


def _seed_after(match: MatchState, shuffles: int) -> str | None:
    """The seed after a take-back by the next event to a position with so many shuffles behind it.

    Of the seed in force no later shuffle than those has ever been made; so it stays unless there were fewer then.
    """
    if shuffles == match.state.shuffles:
        return match.seed
    return branch_seed(match.seeding, match.secret, match.game, match.match, match.seq + 1)


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """Return the match after a logged take-back, with the position that the log states."""
    data: Mapping[str, Any] = event["data"]
    state = match.game.read_state(data["position"])
    return go_back(match, data["ruling"]["to"], state, data.get("credited_ms"), event["at"])


KIND: RulingKind = RulingKind(
    "take_back", TakeBackRuling, (*RUNNING, "finished", "voided"), decide, apply, overrides=True
)
