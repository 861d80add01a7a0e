"""``ruling_made`` records a ruling of a referee. What the ruling is lies in the module of its kind."""

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, TypedDict

from gyoji.games.game import Chance, Seat
from gyoji.games.records import Like, Shaped
from gyoji.log.entries import Actor
from gyoji.log.redaction import Audience, PrivateParts
from gyoji.match.events.kind import DecidedEvent, EventKind, LoggedEvent, Refusal, RefusalCode
from gyoji.match.records import RULE_ID, Durations, Happened, Moved, PublicPosition
from gyoji.match.rulings import (
    accept,
    forfeit,
    note,
    pause,
    play,
    points,
    result,
    resume,
    substitute,
    take_back,
    time,
    void,
)
from gyoji.match.rulings.kind import DecidedRuling, Kind, Ruling, RulingCase, RulingKind, TakeBackTarget
from gyoji.match.state import MatchState

RULING_KINDS: Mapping[Kind, RulingKind] = {
    kind.name: kind
    for kind in (
        take_back.KIND,
        points.KIND,
        forfeit.KIND,
        void.KIND,
        result.KIND,
        pause.KIND,
        resume.KIND,
        note.KIND,
        play.KIND,
        accept.KIND,
        time.KIND,
        substitute.KIND,
    )
}
"""Every kind of ruling by its name."""


REASON = r"[^\x00-\x1f\x7f-\x9f]{1,1000}"
"""What a referee says: a text on one line."""


class RulingMadeData(TypedDict):
    """The ``data`` of a ruling, with the id of the rule that it rests on. The reason is private: for everybody so that
    it can be erased, for some seats, or kept for auditors. What stands beside the ruling depends on its kind."""

    ruling: Annotated[Mapping[str, Any], Shaped("ruling")]
    rule: Annotated[str | None, Like(RULE_ID)]
    reason: Annotated[str | None, Like(REASON)]
    banks_ms: NotRequired[Durations]
    credited_ms: NotRequired[Durations]
    move: NotRequired[Moved]
    events: NotRequired[Happened]
    position: NotRequired[PublicPosition]


def decide(
    match: MatchState, ruling: Ruling, at: str, chance: Chance, target: TakeBackTarget | None
) -> DecidedEvent | Refusal:
    """Decide a ruling: return what is recorded and what comes of it, or why it cannot be made now. Raises what
    ``chance`` raises.

    ``target`` is what the match was after event ``to`` of a take-back; ``None`` if it had no such event.
    """
    ruling = _in_order(ruling)
    refusal = _out_of_place(match, ruling)
    if refusal is not None:
        return refusal
    case = RulingCase(match, ruling, at, chance, target)
    settled = RULING_KINDS[ruling.kind].decide(case)
    return settled if isinstance(settled, Refusal) else record(ruling, settled, ruling.audience)


def record(ruling: Ruling, settled: DecidedRuling, audience: Audience, *, has_name: bool | None = None) -> DecidedEvent:
    """Make the event of a ruling that can be made, with its reason for an audience.

    ``has_name``: whether a name is among what is private; of a log that does not open it that is all that is known.
    """
    data = {"ruling": ruling_document(ruling), "rule": ruling.rule, "reason": None, **settled.data}
    private: PrivateParts = {**settled.private}
    if ruling.name is not None if has_name is None else has_name:
        private["all"] = {**private.get("all", {}), "/ruling/name": ruling.name}
    private[audience] = {**private.get(audience, {}), "/reason": ruling.reason}
    return DecidedEvent("ruling_made", ruling.by, data, private, settled.after, settled.due, settled.events)


def _in_order(ruling: Ruling) -> Ruling:
    """The same ruling with every list of seats ascending."""
    audience = ruling.audience if ruling.audience == "all" else _ascending(ruling.audience)
    return ruling._replace(audience=audience, seats=_ascending(ruling.seats), winners=_ascending(ruling.winners))


def _ascending(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return tuple(sorted(set(seats)))


def _out_of_place(match: MatchState, ruling: Ruling) -> Refusal | None:
    """What speaks against a ruling of that kind, at that table, now."""
    if match.closed:
        return Refusal("match-closed")
    for seat in _seats_of(ruling):
        if not 0 <= seat < match.seeding.seats:
            return Refusal("unknown-seat", {"seat": seat})
    if match.status not in RULING_KINDS[ruling.kind].statuses:
        return Refusal(_why_not_now(match, ruling.kind), {"status": match.status})
    if ruling.kind in ("play", "accept") and ruling.move is None:
        return Refusal("move-needed")
    return None


def _seats_of(ruling: Ruling) -> tuple[Seat, ...]:
    audience = () if ruling.audience == "all" else ruling.audience
    moving = () if ruling.move is None else (ruling.move["seat"],)
    return (*audience, *moving, *ruling.seats, *ruling.winners, *(() if ruling.seat is None else (ruling.seat,)))


def _why_not_now(match: MatchState, kind: Kind) -> RefusalCode:
    if match.over:
        return "match-over"
    if match.status == "seeding":
        return "no-such-position" if kind == "take_back" else "not-running"
    return "paused" if match.course.paused else "not-paused"


def ruling_document(ruling: Ruling) -> dict[str, Any]:
    """Write ``data.ruling`` of a ruling, everything hidden left out."""
    members = {name: getattr(ruling, name) for name in RULING_KINDS[ruling.kind].members}
    return {"kind": ruling.kind, **members, **({"name": None} if ruling.kind == "substitute" else {})}


def read_ruling(actor: Actor, data: Mapping[str, Any]) -> Ruling:
    """Read a ruling from opened ``data`` of a ``ruling_made``; a reason that no opening shows is empty."""
    ruling = data["ruling"]
    found = {name: _read(ruling[name]) for name in RULING_KINDS[ruling["kind"]].members}
    return Ruling(ruling["kind"], actor, data["reason"] or "", rule=data["rule"], move=data.get("move"), **found)


def _read(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """Return the match after a logged ruling."""
    return RULING_KINDS[event["data"]["ruling"]["kind"]].apply(match, event)


KIND: EventKind = EventKind("ruling_made", RulingMadeData, apply)
