"""Rulings judged and written down: from where a match stands to the entries that follow, or to a refusal.

No ruling makes a position that the game could not have: a move is put to the rules, and of a position that comes about
otherwise the game is asked for its ``findings``.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Refused, Seat
from gyoji.log.entries import Entry
from gyoji.log.redaction import PrivateParts, redact
from gyoji.match.event_data import redact_position
from gyoji.match.recorder import (
    SERVICE,
    Salt,
    made_to_pause,
    made_to_resume,
    over_by,
    over_by_play,
    voided,
    written,
)
from gyoji.match.rulings import (
    Kind,
    Refusal,
    RefusalCode,
    Ruling,
    applied,
    hidden_words,
    is_in_force,
    noted,
    ruling_document,
    seed_after,
    taken_back,
)
from gyoji.match.state import MatchState, Status, after_move, forfeited, result_of

Entries = tuple[Entry, ...]

RUNNING: tuple[Status, ...] = ("playing", "paused")
WHEN: Mapping[Kind, tuple[Status, ...]] = {
    "take_back": (*RUNNING, "finished", "voided"),
    "play": RUNNING,
    "accept": RUNNING,
    "points": (*RUNNING, "finished"),
    "time": RUNNING,
    "forfeit": RUNNING,
    "substitute": ("seeding", *RUNNING),
    "void": ("seeding", *RUNNING, "finished"),
    "result": (*RUNNING, "finished"),
    "pause": ("playing",),
    "resume": ("paused",),
    "note": ("seeding", *RUNNING, "finished", "voided"),
}
"""In which statuses a ruling can be made, by kind."""


class Case(NamedTuple):
    """A ruling in its place and time."""

    standing: MatchState
    ruling: Ruling
    at: str
    target: MatchState | None


class Settled(NamedTuple):
    """What is written down of a ruling, and where the match stands after it."""

    after: MatchState
    data: Mapping[str, Any]
    """What stands in ``data`` beside the ruling itself."""
    secrets: PrivateParts


def ruled(
    standing: MatchState, ruling: Ruling, at: str, salt: Salt, target: MatchState | None = None
) -> tuple[Entries, MatchState] | Refusal:
    """The entries of a ruling and of all that follows from it, and where the match stands after them.

    ``target`` is where the match stood after event ``to`` of a take-back; ``None`` if it had no such event.
    """
    ruling = _in_order(ruling)
    refusal = _out_of_place(standing, ruling)
    if refusal is not None:
        return refusal
    settled = SETTLE.get(ruling.kind, _plainly)(Case(standing, ruling, at, target))
    if isinstance(settled, Refusal):
        return settled
    data = {"ruling": ruling_document(ruling), "rule": ruling.rule, "reason": None, **settled.data}
    secrets = hidden_words(ruling, settled.secrets)
    made, after = written(standing, settled.after, at, "ruling_made", ruling.by, data, secrets, salt)
    more, after = _followed(after, ruling, at, salt)
    return (made, *more), after


def _in_order(ruling: Ruling) -> Ruling:
    """The same ruling with every list of seats ascending."""
    audience = ruling.audience if ruling.audience == "all" else _ascending(ruling.audience)
    return ruling._replace(audience=audience, seats=_ascending(ruling.seats), winners=_ascending(ruling.winners))


def _ascending(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return tuple(sorted(set(seats)))


def _out_of_place(standing: MatchState, ruling: Ruling) -> Refusal | None:
    """What speaks against a ruling of that kind, at that table, now."""
    if standing.closed:
        return Refusal("match-closed")
    for seat in _seats_of(ruling):
        if not 0 <= seat < standing.seeding.seats:
            return Refusal("unknown-seat", {"seat": seat})
    if standing.status not in WHEN[ruling.kind]:
        return Refusal(_why_not_now(standing, ruling.kind), {"status": standing.status})
    if ruling.kind in ("play", "accept") and ruling.move is None:
        return Refusal("move-needed")
    return None


def _seats_of(ruling: Ruling) -> tuple[Seat, ...]:
    audience = () if ruling.audience == "all" else ruling.audience
    moving = () if ruling.move is None else (ruling.move["seat"],)
    return (*audience, *moving, *ruling.seats, *ruling.winners, *(() if ruling.seat is None else (ruling.seat,)))


def _why_not_now(standing: MatchState, kind: Kind) -> RefusalCode:
    if standing.over:
        return "match-over"
    if standing.status == "seeding":
        return "no-such-position" if kind == "take_back" else "not-running"
    return "paused" if standing.paused else "not-paused"


def _followed(standing: MatchState, ruling: Ruling, at: str, salt: Salt) -> tuple[Entries, MatchState]:
    """The service's own events that a ruling leads to."""
    if ruling.kind in ("play", "accept"):
        return over_by_play(standing, at, salt)
    if ruling.kind == "forfeit":
        return over_by(standing, forfeited(standing, "forfeit", ruling.seats), at, salt)
    if ruling.kind == "result" and not standing.over:
        return over_by(standing, standing.ruled, at, salt)
    if ruling.kind == "void":
        return voided(standing, SERVICE, "ruling", at, salt)
    if ruling.kind in ("pause", "resume"):
        more, after = (made_to_pause if ruling.kind == "pause" else made_to_resume)(standing, at, salt)
        return (more,), after
    return (), standing


# One kind after the other


def _plainly(case: Case) -> Settled:
    """All that follows is in the ruling itself, and in the events of the service after it."""
    return Settled(applied(case.standing, case.ruling, case.at), {}, {})


def _taken_back(case: Case) -> Settled | Refusal:
    standing, target, to = case.standing, case.target, case.ruling.to
    if to is None or target is None or target.state is None or target.seq != to or to > standing.seq:
        return Refusal("no-such-position", {"to": to})
    refusal = _no_way_back(standing, target)
    if refusal is not None:
        return refusal
    state = target.state._replace(seed=seed_after(standing, target.state.shuffles))
    for finding in standing.game.findings(state):
        return Refusal("impossible-position", {"pointer": finding.pointer, "code": finding.code})
    credited = None if target.clock is None else target.clock.credited_ms
    after = taken_back(standing, to, state, credited, case.at)
    data, secrets = redact_position(standing.game, state)
    return Settled(after, {"position": data["position"], **_banks(after, "banks_ms", "credited_ms")}, secrets)


def _no_way_back(standing: MatchState, target: MatchState) -> Refusal | None:
    if not is_in_force(standing.branches, target.seq):
        return Refusal("not-on-the-line", {"to": target.seq})
    if target.state.outcome is not None:
        return Refusal("no-such-position", {"to": target.seq})
    is_there = target.state._replace(seed=None) == standing.state._replace(seed=None)
    if target.seq == standing.seq or (is_there and not standing.over):
        return Refusal("nothing-to-take-back", {"to": target.seq})
    return None


def _banks(standing: MatchState, *names: str) -> dict[str, Any]:
    """What a ruling may have changed of the banks, by seat; nothing where none are kept."""
    clock = standing.clock
    if clock is None or clock.control.bank_ms is None:
        return {}
    return {name: getattr(clock, name) for name in names}


def _played(case: Case) -> Settled | Refusal:
    found = _adjudicated(case)
    return _stands(case, found) if isinstance(found, Accepted) else Refusal("illegal-move", breach=found.breach)


def _adjudicated(case: Case) -> Accepted[Any] | Refused:
    state = case.standing.state
    return case.standing.game.adjudicate(state, case.ruling.move or {}, deal_v1(state.seed))


def _accepted(case: Case) -> Settled | Refusal:
    found, game, state = _adjudicated(case), case.standing.game, case.standing.state
    if isinstance(found, Accepted):
        return Refusal("not-irregular")
    if found.breach.reason != "rule-violation":
        return Refusal("not-acceptable", breach=found.breach)
    stood = game.irregular(state, case.ruling.move or {}, deal_v1(state.seed))
    if not isinstance(stood, Accepted) or game.findings(stood.state):
        return Refusal("impossible-position", breach=found.breach)
    return _stands(case, stood)


def _stands(case: Case, found: Accepted[Any]) -> Settled:
    standing, move = case.standing, case.ruling.move or {}
    data, secrets = redact(standing.game.known(standing.options), move, found.events)
    return Settled(noted(after_move(standing, found.state, move["seat"], case.at)), data, secrets)


def _given(case: Case) -> Settled | Refusal:
    return _plainly(case) if case.ruling.points or case.ruling.seats else Refusal("no-change")


def _time(case: Case) -> Settled | Refusal:
    if case.standing.clock is None:
        return Refusal("no-clock")
    after = applied(case.standing, case.ruling, case.at)
    if after.clock == case.standing.clock:
        return Refusal("no-change")
    return Settled(after, _banks(after, "banks_ms"), {})


def _result(case: Case) -> Settled | Refusal:
    standing, scores = case.standing, case.ruling.scores
    if scores is not None:
        if len(scores) != standing.seeding.seats:
            return Refusal("unknown-seat", {"seats": len(scores)})
        winners = standing.game.winners(scores)
        if winners != case.ruling.winners:
            return Refusal("winners-contradict-scores", {"winners": winners})
    settled, known = _plainly(case), result_of(standing)
    if known is not None and settled.after.ruled == known._replace(by="ruling", forfeited=()):
        return Refusal("no-change")
    return settled


SETTLE: Mapping[str, Callable[[Case], Settled | Refusal]] = {
    "take_back": _taken_back,
    "play": _played,
    "accept": _accepted,
    "points": _given,
    "time": _time,
    "forfeit": _given,
    "result": _result,
}
"""By kind; the others cannot fail once they are in place."""
