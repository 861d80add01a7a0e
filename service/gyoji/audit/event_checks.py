"""Predicts each kind of recorded event that is no ruling, or says what is wrong with it.

What was asked for is read from the event, which anybody may have written, and decided as the recorder decides it.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from gyoji.audit.judgement import Context, Flaw, Judgement, illegal_move, misshapen, unfit_move, wrong_actor
from gyoji.audit.recorded import RecordedEvent
from gyoji.audit.verdicts import Explanation
from gyoji.games.game import IllegalMove, Seat
from gyoji.log.entries import OPERATOR, SERVICE, Actor
from gyoji.log.parser import HEX_32, MOST_SEATS, is_object, is_text
from gyoji.match.events import (
    clock_expired,
    dealt,
    entropy_committed,
    entropy_revealed,
    match_voided,
    move,
    seed_disclosed,
)
from gyoji.match.events.kind import Refusal
from gyoji.match.events.match_created import is_personal
from gyoji.match.seeding import Seeding, why_not_overdue
from gyoji.match.state import MatchState
from gyoji.names import LONGEST

SEEDING = ("entropy_committed", "entropy_revealed")
SHARE = re.compile("(?:[0-9a-f]{2}){16,64}")
"""What somebody contributes for all seats, in hex digits."""


def creation_flaw(event: RecordedEvent) -> Flaw | None:
    """Return what is wrong with the first event of a log: its actor, or personal data outside a private part."""
    document = event.document
    if document["actor"] != OPERATOR:
        return wrong_actor(event, OPERATOR)
    if [secret["for"] for secret in document["secret"]] != ["all"] or document["position"] is not None:
        return Flaw("moves", Explanation("differs", {"at": "/secret"}), [{"for": "all"}], document["secret"])
    if 0 in event.openings and not is_personal(event.openings[0].payload):
        return Flaw("moves", Explanation("hidden", {"at": "/data/names"}))
    return None


def names_of(event: RecordedEvent) -> tuple[str | None, ...]:
    """Return the names of the seats that the first event of a log has, where they are opened; without those that no
    service would have taken."""
    names = event.openings[0].payload.get("/names") if 0 in event.openings else None
    if not isinstance(names, list):
        return ()
    return tuple([name if isinstance(name, str) and len(name) <= LONGEST else None for name in names[:MOST_SEATS]])


def check_contribution(context: Context, event: RecordedEvent) -> Judgement:
    """Predict a contribution to the seed from the state of the match."""
    match = context.match
    if event.kind == "entropy_committed" or match.seeding.policy.name == "players":
        return _contribution_of_a_seat(match, event)
    data = event.document["data"]
    if not is_object(data, "entropy") or not is_text(data["entropy"], SHARE):
        return misshapen("/data", data)
    decided = entropy_revealed.decide(match, None, data["entropy"])
    return _untaken(decided, data) if isinstance(decided, str) else decided


def _contribution_of_a_seat(match: MatchState, event: RecordedEvent) -> Judgement:
    data, seat = event.document["data"], event.document["actor"].get("seat")
    is_commitment = event.kind == "entropy_committed"
    name = "commit" if is_commitment else "entropy"
    if not is_object(data, name) or not is_text(data[name], HEX_32):
        return misshapen("/data", data)
    if seat is None or seat >= match.seeding.seats:
        return wrong_actor(event, {"role": "seat"})
    decided = (entropy_committed if is_commitment else entropy_revealed).decide(match, seat, data[name])
    return _untaken(decided, data) if isinstance(decided, str) else decided


def _untaken(reason: str, data: Any) -> Flaw:
    return Flaw("commitment", Explanation(f"entropy-{reason}"), None, data)


def owed_flaw(seeding: Seeding, event: RecordedEvent, missing: str) -> Flaw | None:
    """Return what is wrong where a match went on without seats that owe entropy. It is too early, or against the
    policy, which has to be ``missing``."""
    at = event.document["at"]
    reason = why_not_overdue(seeding, at)
    if reason in ("wrong-policy", "complete") or seeding.policy.missing != missing:
        return Flaw("commitment", Explanation("entropy-policy"), None, event.kind)
    return None if reason is None else Flaw("commitment", Explanation("entropy-too-early"), seeding.until, at)


def check_deal(context: Context, event: RecordedEvent) -> Judgement:
    """Predict the first deal, or in a fork the position that it takes over."""
    if not context.is_fork:
        return dealt.decide(context.match, event.document["at"], context.chance)
    return _position_taken_over(context, event) if event.is_open else Explanation("hidden-cards")


def _position_taken_over(context: Context, event: RecordedEvent) -> Judgement:
    """Take over the first position of a fork, which has to be possible, and one to play on from."""
    match, position = context.match, event.truth.get("position")
    if not context.rules.fits("state", position) or position["seed"] is not None:
        return misshapen("/data/position", None)
    state = match.game.read_state(position)._replace(seed=match.seed)
    if state.outcome is not None:
        return Flaw("moves", Explanation("impossible-position", {"at": "/outcome"}), None, "finished")
    if state.options != match.options or state.seats != match.seeding.seats:
        return Flaw("moves", Explanation("differs", {"at": "/data/position/options"}))
    for finding in match.game.findings(state):
        return Flaw("moves", Explanation("impossible-position", {"at": finding.pointer}), None, finding.code)
    return dealt.take_over(match, state, event.document["at"])


def check_move(context: Context, event: RecordedEvent) -> Judgement:
    """Predict a move, or a choice that all seats make at the same time."""
    played = event.truth.get("move")
    flaw = unfit_move(context.rules, context.match, event, played)
    if flaw is not None:
        return flaw
    decided = move.decide(context.match, played, mover(event, played["seat"]), event.document["at"], context.chance)
    return illegal_move(event, decided.infraction) if isinstance(decided, IllegalMove) else decided


def mover(event: RecordedEvent, seat: Seat) -> Actor:
    """Return who has to stand there as the actor of a move: the seat, or an operator who moved for it."""
    operator = {"role": "operator", "seat": seat}
    return operator if event.document["actor"] == operator else {"role": "seat", "seat": seat}


def check_expiry(context: Context, event: RecordedEvent) -> Judgement:
    """Predict what follows from a claim that a seat's time is up."""
    at = event.document["at"]
    decided = clock_expired.decide(context.match, at, context.chance)
    if not isinstance(decided, Refusal):
        return decided
    if decided.code == "not-expired":
        deadlines = [deadline for deadline in decided.facts["deadlines"] if deadline]
        return Flaw("moves", Explanation("not-expired"), min(deadlines, default=None), at)
    if decided.code == "illegal-move":
        return Explanation("hidden-cards")  # a card that is not known cannot be played
    return Flaw("moves", Explanation("no-clock"), None, event.kind)


def check_void(context: Context, event: RecordedEvent) -> Judgement:
    """Predict the end of a match without a result, where no ruling led to it."""
    match, at, reason = context.match, event.document["at"], event.document["data"].get("reason")
    if reason == "cancelled":
        return match_voided.decide(match, at, OPERATOR, "cancelled")
    if reason != "entropy-missing":
        return misshapen("/data/reason", reason)
    flaw = owed_flaw(match.seeding, event, "void")
    return match_voided.decide(match, at, SERVICE, "entropy-missing") if flaw is None else flaw


def check_disclosure(context: Context, event: RecordedEvent) -> Judgement:
    """Predict the disclosure of the server's secret. Whether it is the committed one, ``CommitmentChecks`` says."""
    return seed_disclosed.disclose(context.match, event.truth.get("server_secret"))


EVENT_CHECKS: Mapping[str, Callable[[Context, RecordedEvent], Judgement]] = {
    **dict.fromkeys(SEEDING, check_contribution),
    "dealt": check_deal,
    **dict.fromkeys(move.MOVES, check_move),
    "clock_expired": check_expiry,
    "match_voided": check_void,
    "seed_disclosed": check_disclosure,
}
"""By type of event: what the rules make of it. Of the others the event before says what they have to be."""
