"""Events that no move makes, judged: contributions to the seed, a deal without some, a void, the position of a fork.

Every function answers with the event as it has to be, or with the first flaw.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from gyoji.audit.beacons import Beacons
from gyoji.audit.recorded import RecordedEvent
from gyoji.audit.verdicts import Check, Why
from gyoji.games.game import Breach, Seat
from gyoji.games.records import Known
from gyoji.log.parser import HEX_32, is_object, is_text
from gyoji.match.derived_events import Ground, Made, takeover, voided
from gyoji.match.recorder import OPERATOR, SERVICE
from gyoji.match.seeding import Reason, Seeding, committed, revealed, shared
from gyoji.match.setup import are_personal

SEEDING = ("entropy_committed", "entropy_revealed")
SHARE = re.compile("(?:[0-9a-f]{2}){16,64}")
SHARERS: Mapping[str, Mapping[str, Any]] = {"director": {"role": "director"}, "external": OPERATOR}
"""Who contributes for all, by the policy."""


class Flaw(NamedTuple):
    """What is wrong with an event: a matter of that check."""

    check: Check
    why: Why
    expected: Any = None
    found: Any = None
    rule: str | None = None


def creation_flaw(told: RecordedEvent) -> Flaw | None:
    """Whether the first event has another actor than it should, or does not keep apart what may be erased."""
    document = told.document
    if document["actor"] != OPERATOR:
        return Flaw("moves", Why("wrong-actor"), OPERATOR, document["actor"])
    if [secret["for"] for secret in document["secret"]] != ["all"] or document["position"] is not None:
        return Flaw("moves", Why("differs", {"at": "/secret"}), [{"for": "all"}], document["secret"])
    if 0 in told.openings and not are_personal(told.openings[0].payload):
        return Flaw("moves", Why("hidden", {"at": "/data/names"}))
    return None


def contribution(seeding: Seeding, told: RecordedEvent) -> tuple[Made, Seeding] | Flaw:
    """A contribution, and what the seed is made of after it."""
    if told.kind == "entropy_committed" or seeding.policy.name == "players":
        return _of_a_seat(seeding, told)
    data = told.document["data"]
    if not is_object(data, "entropy") or not is_text(data["entropy"], SHARE):
        return misshapen("/data", data)
    made = Made(told.kind, SHARERS.get(seeding.policy.name, OPERATOR), data, {}, None)
    return _counted(shared(seeding, data["entropy"]), made)


def _of_a_seat(seeding: Seeding, told: RecordedEvent) -> tuple[Made, Seeding] | Flaw:
    data, seat = told.document["data"], told.document["actor"].get("seat")
    name, take = ("commit", committed) if told.kind == "entropy_committed" else ("entropy", revealed)
    if not is_object(data, name) or not is_text(data[name], HEX_32):
        return misshapen("/data", data)
    if seat is None or seat >= seeding.seats:
        return Flaw("moves", Why("wrong-actor"), {"role": "seat"}, told.document["actor"])
    return _counted(take(seeding, seat, data[name]), Made(told.kind, {"role": "seat", "seat": seat}, data, {}, None))


def _counted(after: Seeding | Reason, made: Made) -> tuple[Made, Seeding] | Flaw:
    if isinstance(after, str):
        return Flaw("commitment", Why(f"entropy-{after}"), None, made.data)
    return made, after


def misshapen(place: str, found: Any) -> Flaw:
    """What stands there is nothing that could stand there."""
    return Flaw("moves", Why("misshapen", {"at": place}), None, found)


def beacon_flaw(seeding: Seeding, beacons: Beacons | None) -> Flaw | None:
    """Whether the value of the beacon is another one than the auditor knows; without ``expected`` if none is known."""
    policy = seeding.policy
    if policy.name != "external":
        return None
    value = {} if beacons is None else beacons
    known = value.get((policy.beacon, policy.reference))
    facts = {"beacon": policy.beacon, "reference": policy.reference}
    if known is None:
        return Flaw("commitment", Why("beacon-not-given", facts))
    return (
        None if known.hex() == seeding.share else Flaw("commitment", Why("beacon", facts), known.hex(), seeding.share)
    )


def owed(seeding: Seeding, told: RecordedEvent, missing: str) -> Flaw | None:
    """Whether it was too early to go on without the seats that owe entropy, or against the policy."""
    if not seeding.missing or seeding.policy.missing != missing:
        return Flaw("commitment", Why("entropy-policy"), None, told.kind)
    at = told.document["at"]
    until = seeding.until
    if until is None or at < until:
        return Flaw("commitment", Why("entropy-too-early"), until, at)
    return None


def ended(seeding: Seeding, state: Any, told: RecordedEvent) -> Made | Flaw:
    """The end of a match without a result."""
    missing: tuple[Seat, ...] = () if seeding.closed else seeding.missing
    reason = told.document["data"].get("reason")
    if reason == "cancelled":
        return voided(OPERATOR, reason, missing, state)
    if reason != "entropy-missing":
        return misshapen("/data/reason", reason)
    flaw = Flaw("commitment", Why("entropy-policy"), None, told.kind) if seeding.closed else owed(seeding, told, "void")
    return flaw or voided(SERVICE, reason, missing, state)


def taken_over(on: Ground, told: RecordedEvent) -> Made | Flaw:
    """The first position of a fork comes from another match; it has to be possible, and one to play on from. ``told``
    is open."""
    setup, position = on.setup, told.truth.get("position")
    if not setup.rules.fits("state", position) or position["seed"] is not None:
        return misshapen("/data/position", None)
    state = setup.game.read_state(position)._replace(seed=on.seed)
    if state.outcome is not None:
        return Flaw("moves", Why("impossible-position", {"at": "/outcome"}), None, "finished")
    if state.options != setup.options or state.seats != setup.seats:
        return Flaw("moves", Why("differs", {"at": "/data/position/options"}))
    for finding in setup.game.findings(state):
        return Flaw("moves", Why("impossible-position", {"at": finding.pointer}), None, finding.code)
    return takeover(on, state)


def unfit(known: Known, told: RecordedEvent, move: Any) -> Flaw | Why:
    """A move that is none: because it is hidden, or because it never was one."""
    if isinstance(move, dict) and is_hidden(move, known):
        return Why("hidden-move")
    return misshapen("/data/move", told.document["data"].get("move"))


def refused(told: RecordedEvent, breach: Breach) -> Flaw:
    """A move that the rules refuse."""
    facts = {"reason": breach.reason, "rule": breach.rule, "seat": breach.seat}
    found = told.document["data"]["move"]
    return Flaw("moves", Why("illegal-move", facts), breach.reason, found, breach.rule)


def mover(told: RecordedEvent, seat: Seat) -> Mapping[str, Any]:
    """Who has to stand there as the actor of a move: the seat, or an operator who moved for it."""
    operator = {"role": "operator", "seat": seat}
    return operator if told.document["actor"] == operator else {"role": "seat", "seat": seat}


def is_hidden(move: Mapping[str, Any], known: Known) -> bool:
    """Whether the move lacks something that is not for everybody's eyes."""
    kind = move.get("type")
    fields = known.moves.get(kind, {}) if isinstance(kind, str) else {}
    return any(knower != "all" and move.get(name, "") is None for name, knower in fields.items())
