"""Predicts recorded events of a match whose cards are hidden from the reader of the log, as far as that is possible.

The course of the match is that of ``match/``, as where all cards are known: who may act, what can follow, what has to.
What depends on the cards is taken as it is recorded, if it has the shape that it has to have.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from gyoji.audit.event_checks import EVENT_CHECKS, mover
from gyoji.audit.judgement import (
    AsRecorded,
    Context,
    Flaw,
    Judgement,
    are_banks,
    are_expiries,
    are_for_seats,
    are_scores,
    are_seats,
    is_move,
    misshapen,
    wrong_actor,
)
from gyoji.audit.recorded import RecordedEvent
from gyoji.audit.ruling_checks import no_position, read_sound_ruling, refused
from gyoji.audit.verdicts import Explanation
from gyoji.games.game import FINISHED
from gyoji.log.canonical import canonical
from gyoji.log.entries import SERVICE, Actor
from gyoji.log.parser import is_object
from gyoji.match.events import match_finished, match_paused
from gyoji.match.events.kind import DecidedEvent, DueEvent, Refusal
from gyoji.match.rulings.kind import Ruling, RulingCase
from gyoji.match.rulings.ruling_made import RULING_KINDS
from gyoji.match.rulings.take_back import reopened
from gyoji.match.setup import GameVersion
from gyoji.match.state import MatchState, Result, ResultBy, add_ruling


class HiddenState(NamedTuple):
    """The state of a game whose cards are hidden: only how the game came out is known, once it has."""

    outcome: Any = None
    seed: None = None


def hide(match: MatchState, outcome: Any = None) -> MatchState:
    """Return the match with neither the state of its game nor its clock, which follow from cards that are hidden."""
    return match._replace(state=HiddenState(outcome), clock=None)


def check_hidden(context: Context, event: RecordedEvent) -> Judgement:
    """Predict an event from a match whose cards are hidden. ``context`` says what is known of it."""
    check = HIDDEN_CHECKS.get(event.kind)
    if check is None:
        return EVENT_CHECKS[event.kind](context, event)
    is_for_table = are_for_seats(event.document["secret"], context.match.seeding.seats)
    return check(context, event) if is_for_table else misshapen("/secret", None)


def _taken(
    event: RecordedEvent, after: MatchState, due: DueEvent | None = None, actor: Actor | None = None
) -> AsRecorded:
    """Take an event as it is recorded, but for the ``actor``, where only one can have caused it."""
    document = event.document
    return AsRecorded(event.kind, actor or document["actor"], document["data"], {}, after, due)


def _deal(context: Context, event: RecordedEvent) -> Judgement:
    """Predict the first deal, or the beginning of a fork, as far as it hides nothing."""
    match, data = context.match, event.document["data"]
    flaw = position_flaw(context.rules, match, event.truth.get("position")) if context.is_fork else None
    if flaw is not None:
        return flaw
    known = {name: data.get(name) for name in ("events", *(["position"] if context.is_fork else []))}
    if match.seeding.missing:
        known["missing"] = match.seeding.missing
    return _taken(event, hide(match), actor=SERVICE)._replace(data=known)


def _move(context: Context, event: RecordedEvent) -> Judgement:
    data = event.truth
    if not is_object(data, "move", "events") or not is_move(data["move"], context.match.seeding.seats):
        return misshapen("/data/move", None)
    return _played(context.match, event, mover(event, data["move"]["seat"]))


def _played(match: MatchState, event: RecordedEvent, actor: Actor) -> Judgement:
    """Predict the event of a move. The last of its domain events may be the end of the game, which leads to the next
    event."""
    events = event.truth["events"]
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        return misshapen("/data/events", None)
    last = events[-1] if events else {}
    if last.get("type") != FINISHED:
        return _taken(event, hide(match), actor=actor)
    outcome = {name: value for name, value in last.items() if name != "type"}
    return _taken(event, hide(match, outcome), match_finished.DUE, actor)


def _expiry(context: Context, event: RecordedEvent) -> Judgement:
    control, data, seats = context.match.terms.control, event.truth, context.match.seeding.seats
    if control is None:
        return Flaw("moves", Explanation("no-clock"), None, event.kind)
    then = data.get("then")
    has_move = then in ("default", "pass")
    members = ("seats", "deadlines", "then", *(("move", "events") if has_move else ()))
    is_agreed = then == control.on_expiry or (then == "default" and control.on_expiry == "pass")
    if not is_agreed or not is_object(data, *members) or not are_expiries(data, seats):
        return misshapen("/data", None)
    early = [deadline for deadline in data["deadlines"] if event.document["at"] <= deadline]
    if early:
        return Flaw("moves", Explanation("not-expired"), early[0], event.document["at"])
    if not has_move:
        lost = _end("clock", forfeited=tuple(data["seats"]))
        return _taken(event, context.match, match_paused.DUE if then == "referee" else lost, SERVICE)
    if not is_move(data["move"], seats) or [data["move"]["seat"]] != data["seats"]:
        return misshapen("/data/move", None)
    return _played(context.match, event, SERVICE)


def _end(by: ResultBy, **known: Any) -> DueEvent:
    """Return the end of a match that was not played to its end, of whose result only that much is known."""
    result = Result(by, **{"scores": None, "winners": None, **known})
    return DueEvent("match_finished", partial(match_finished.decide, result=result))


def completed(decided: Judgement, event: RecordedEvent, seats: int) -> Judgement:
    """Return a predicted event with the scores and winners of a result as they are recorded, where they are not known.
    Or return what is wrong with these, or with who acts."""
    if not isinstance(decided, DecidedEvent):
        return decided
    if event.document["actor"] != decided.actor:
        return wrong_actor(event, decided.actor)
    result, found = decided.data.get("result"), event.document["data"].get("result")
    if result is None or not isinstance(found, dict):
        return decided
    unknown: dict[str, Any] = {name: found.get(name) for name in SHAPES if result[name] is None}
    for name, value in unknown.items():
        if not SHAPES[name](value, seats):
            return misshapen(f"/data/result/{name}", None)._replace(check="result")
    return decided._replace(data={**decided.data, "result": {**result, **unknown}})


SHAPES: Mapping[str, Callable[[Any, int], bool]] = {"scores": are_scores, "winners": are_seats}
"""What only the cards tell of a result: whether a value can be that, at a table of so many seats."""


# Rulings


def _ruling(context: Context, event: RecordedEvent) -> Judgement:
    ruling, clock = read_sound_ruling(context, event), context.match.terms.control
    if isinstance(ruling, Flaw):
        return ruling
    banks = BANKS.get(ruling.kind, ()) if clock is not None and clock.bank_ms is not None else ()
    if not is_object(event.truth, "ruling", "rule", "reason", *BESIDE.get(ruling.kind, ()), *banks):
        return misshapen("/data", None)
    if not all(are_banks(event.truth[name], context.match.seeding.seats) for name in banks):
        return misshapen("/data/banks_ms", None)
    return HIDDEN_RULINGS[ruling.kind](context, event, ruling)


BESIDE: Mapping[str, tuple[str, ...]] = {
    "take_back": ("position",),
    "play": ("move", "events"),
    "accept": ("move", "events"),
}
BANKS: Mapping[str, tuple[str, ...]] = {"take_back": ("banks_ms", "credited_ms"), "time": ("banks_ms",)}
"""What stands beside a ruling in ``data``, by kind; where banks are kept, what is said of them."""


def _decided(context: Context, event: RecordedEvent, ruling: Ruling) -> Judgement:
    """Predict a ruling that is decided without looking at cards."""
    settled = RULING_KINDS[ruling.kind].decide(
        RulingCase(context.match, ruling, event.document["at"], context.chance, None)
    )
    return refused(settled.code) if isinstance(settled, Refusal) else _taken(event, settled.after, settled.due)


def _counted(context: Context, event: RecordedEvent, _ruling: Ruling) -> Judgement:
    """Predict a ruling after which the match goes on as it did, as far as a reader without cards can tell."""
    return _taken(event, add_ruling(context.match))


def _taken_back(context: Context, event: RecordedEvent, ruling: Ruling) -> Judgement:
    flaw = no_position(context, ruling.to or 0) or position_flaw(context.rules, context.match, event.truth["position"])
    return flaw or _taken(event, hide(add_ruling(context.match, reopened(context.match.course))))


def _move_ruled(context: Context, event: RecordedEvent, _ruling: Ruling) -> Judgement:
    if not is_move(event.truth["move"], context.match.seeding.seats):
        return misshapen("/data/move", None)
    return _played(add_ruling(context.match), event, event.document["actor"])


def _timed(context: Context, event: RecordedEvent, ruling: Ruling) -> Judgement:
    return refused("no-clock") if context.match.terms.control is None else _counted(context, event, ruling)


def _forfeited(context: Context, event: RecordedEvent, ruling: Ruling) -> Judgement:
    return _taken(event, add_ruling(context.match), _end("forfeit", forfeited=ruling.seats))


def _result_ruled(context: Context, event: RecordedEvent, ruling: Ruling) -> Judgement:
    due = None if context.match.over else _end("ruling", winners=ruling.winners, scores=ruling.scores)
    return _taken(event, add_ruling(context.match), due)


HIDDEN_RULINGS: Mapping[str, Callable[[Context, RecordedEvent, Ruling], Judgement]] = {
    **dict.fromkeys(("pause", "resume", "void", "note", "substitute"), _decided),
    "points": _counted,
    "take_back": _taken_back,
    "play": _move_ruled,
    "accept": _move_ruled,
    "time": _timed,
    "forfeit": _forfeited,
    "result": _result_ruled,
}
"""By kind of ruling: what is known to come of it."""

HIDDEN_CHECKS: Mapping[str, Callable[[Context, RecordedEvent], Judgement]] = {
    "dealt": _deal,
    "move_played": _move,
    "choice_made": _move,
    "clock_expired": _expiry,
    "ruling_made": _ruling,
}
"""By type of event: what is known of it where cards are hidden. Of the others all is known."""


def position_flaw(rules: GameVersion, match: MatchState, position: Any) -> Flaw | None:
    """Return what is wrong with a partly hidden position that play goes on from. It is none of this match, or has more
    cards than the game."""
    if not rules.fits("view", position) or position["seed"] is not None:
        return misshapen("/data/position", None)
    if position["outcome"] is not None:
        return Flaw("moves", Explanation("impossible-position", {"at": "/outcome"}), None, "finished")
    counts = {position["seats"], len(position["scores"]), len(position["table"]["hands"])}
    is_of_match = canonical(position["options"]) == canonical(match.game.write_options(match.options))
    if not is_of_match or counts != {match.seeding.seats}:
        return Flaw("moves", Explanation("differs", {"at": "/data/position/options"}))
    for most, piles in match.game.piles(match.options, position["table"]):
        if sum(pile["count"] if isinstance(pile, dict) else len(pile) for pile in piles) > most:
            return Flaw("moves", Explanation("impossible-position", {"at": "/table"}), most)
    return None
