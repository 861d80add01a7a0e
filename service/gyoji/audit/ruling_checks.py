"""Predicts recorded rulings, or says what is wrong with them.

What was ruled is read from the event, which anybody may have written, and decided as the recorder decides it.
"""

import re
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

from gyoji.audit.judgement import (
    Context,
    Flaw,
    Judgement,
    are_for_seats,
    are_scores,
    are_seats,
    illegal_move,
    misshapen,
    unfit_move,
    wrong_actor,
)
from gyoji.audit.recorded import RecordedEvent
from gyoji.audit.verdicts import LONGEST_RULE, Explanation
from gyoji.log.parser import is_object, is_text, is_whole
from gyoji.log.redaction import Audience
from gyoji.match.clocks import LONGEST_MS
from gyoji.match.events.kind import DecidedEvent, Refusal
from gyoji.match.rulings.kind import DecidedRuling, Ruling, RulingCase, TakeBackTarget
from gyoji.match.rulings.points import MOST_POINTS
from gyoji.match.rulings.ruling_made import REASON, RULING_KINDS, RulingMadeData, read_ruling, record
from gyoji.match.setup import GameVersion

WORDS = re.compile(REASON)
"""What a referee says: the reason, or the name of a substitute."""


def refused(code: str, **facts: Any) -> Flaw:
    """Return the flaw of a ruling that cannot be made at that point of the match."""
    return Flaw("moves", Explanation(f"ruling-{code}", facts))


def check_ruling(context: Context, event: RecordedEvent) -> Judgement:
    """Predict a ruling of a referee."""
    ruling = read_sound_ruling(context, event)
    if isinstance(ruling, Flaw):
        return ruling
    match = context.match
    target: TakeBackTarget | Flaw | Explanation | None = None
    if ruling.kind == "take_back":
        target = _target(context, ruling.to or 0)
    elif ruling.kind in ("play", "accept"):
        target = unfit_move(context.rules, match, event, ruling.move)
    if isinstance(target, Flaw | Explanation):
        return target
    settled = RULING_KINDS[ruling.kind].decide(RulingCase(match, ruling, event.document["at"], context.chance, target))
    return _refused(event, ruling, settled) if isinstance(settled, Refusal) else _recorded(event, ruling, settled)


def read_sound_ruling(context: Context, event: RecordedEvent) -> Ruling | Flaw:
    """Read a ruling of a sound shape that can be made in this status of the match, or return what is wrong with it."""
    flaw = ruling_flaw(context.rules, context.match.seeding.seats, event)
    if flaw is not None:
        return flaw
    ruling, status = read_ruling(event.document["actor"], event.truth), context.match.status
    if status not in RULING_KINDS[ruling.kind].statuses:
        return refused("not-now", kind=ruling.kind, status=status)
    return ruling


def _target(context: Context, to: int) -> TakeBackTarget | Flaw | Explanation:
    """Return the position that a take-back goes back to, unless it cannot."""
    return no_position(context, to) or context.kept.get(to) or Explanation("too-many-taken-back")


def no_position(context: Context, to: int) -> Flaw | None:
    """Return why no ruling can go back to event ``to``: there was no position after it, or it was taken back itself."""
    if context.match.state is None or not context.dealt <= to < context.match.seq:
        return refused("no-such-position", to=to)
    return None if context.taken_back.by(to) is None else refused("not-on-the-line", to=to)


def _refused(event: RecordedEvent, ruling: Ruling, refusal: Refusal) -> Flaw:
    if refusal.infraction is not None:
        return illegal_move(event, refusal.infraction)
    return refused(refusal.code, **({"to": ruling.to} if ruling.kind == "take_back" else {}))


def _recorded(event: RecordedEvent, ruling: Ruling, settled: DecidedRuling) -> DecidedEvent:
    """Return the ruling as it has to be recorded. Who may read its reason is for the referee to say, so as it stands
    there."""
    audiences = [_audience_of(secret["for"]) for secret in event.document["secret"]]
    has_name = ruling.name is not None or (ruling.kind == "substitute" and len(audiences) == 2)
    taken: set[Audience] = {*settled.private}
    if has_name:
        taken.add("all")
    return record(ruling, settled, _reason_is_for(event, audiences, taken), has_name=has_name)


def _audience_of(found: Any) -> Audience:
    return "all" if found == "all" else tuple(found)


def _reason_is_for(event: RecordedEvent, audiences: Sequence[Audience], taken: Set[Audience]) -> Audience:
    """Return who may read the reason. The event says that of each secret, and not which of them it is; it is the last,
    or one for the same eyes as another one, which ``taken`` names."""
    for at, opened in event.openings.items():
        if "/reason" in opened.payload:
            return audiences[at]
    if len(audiences) > len(taken):
        return audiences[-1]
    sealed = [audience for at, audience in enumerate(audiences) if at not in event.openings and audience in taken]
    return next(iter(sealed), ())


def ruling_flaw(rules: GameVersion, seats: int, event: RecordedEvent) -> Flaw | None:
    """Return what is wrong with a ruling in any match: its shape, its words, or who ruled."""
    if not _is_ruling(event.document["data"], seats):
        return misshapen("/data", None)
    rule = event.document["data"]["rule"]
    if rule is not None and rule not in rules.ids:
        return misshapen("/data/rule", rule)
    if not are_for_seats(event.document["secret"], seats):
        return misshapen("/secret", None)
    actor = event.document["actor"]
    if not is_object(actor, "role", "key") or actor["role"] not in ("referee", "operator"):
        return wrong_actor(event, {"role": "referee"})
    truth = event.truth
    if not _is_said(truth.get("reason")) or not _is_said(truth["ruling"].get("name")):
        return misshapen("/data/reason", None)
    return None


def _is_ruling(data: Mapping[str, Any], seats: int) -> bool:
    found = data.get("ruling")
    if not isinstance(found, dict) or not isinstance(found.get("kind"), str) or found["kind"] not in RULING_KINDS:
        return False
    members = RULING_KINDS[found["kind"]].members
    is_whole_record = RulingMadeData.__required_keys__ <= data.keys() <= RulingMadeData.__annotations__.keys()
    if not is_object(found, "kind", *members) or not is_whole_record or data["reason"] is not None:
        return False
    has_rule = data["rule"] is None or (isinstance(data["rule"], str) and 0 < len(data["rule"]) <= LONGEST_RULE)
    return has_rule and all(SHAPES[member](found[member], seats) for member in members)


SHAPES: Mapping[str, Callable[[Any, int], bool]] = {
    "to": lambda found, _seats: is_whole(found),
    "seat": lambda found, seats: is_whole(found, 0, seats - 1),
    "points": lambda found, _seats: is_whole(found, -MOST_POINTS, MOST_POINTS) and found != 0,
    "add_ms": lambda found, _seats: is_whole(found, -LONGEST_MS, LONGEST_MS) and found != 0,
    "seats": lambda found, seats: are_seats(found, seats) and len(found) > 0,
    "name": lambda found, _seats: found is None,
    "winners": are_seats,
    "scores": lambda found, seats: found is None or are_scores(found, seats),
}
"""The members of rulings: whether that is one, at a table of so many seats."""


def _is_said(found: Any) -> bool:
    """Tell whether a value is a text on one line, or nothing where it is not opened."""
    return found is None or is_text(found, WORDS)
