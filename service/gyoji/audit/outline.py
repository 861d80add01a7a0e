"""The outline judges a log whose cards are hidden from its reader, as far as that is possible.

It knows what can follow what, who acts, and what every event has to hold whatever was played. Where the match is
replayed all of this is part of making each event again; where hidden cards end that, this is what is left to judge.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from gyoji.audit.event_checks import contribution
from gyoji.audit.recorded import RecordedEvent
from gyoji.audit.ruling_checks import refused, ruling_flaw
from gyoji.audit.scene import Flaw, are_banks, are_expiries, are_scores, are_seats, is_move, misshapen, wrong_actor
from gyoji.audit.verdicts import Check, Why
from gyoji.games.game import FINISHED
from gyoji.log.canonical import canonical
from gyoji.log.entries import OPERATOR, SERVICE
from gyoji.log.parser import is_object
from gyoji.match.recorder import is_checkpoint
from gyoji.match.rulings.ruling_made import RULING_KINDS
from gyoji.match.seeding import is_withheld
from gyoji.match.setup import Rules
from gyoji.match.state import MatchState, Status

Stage = Literal["dealt", "playing", "paused", "due", "finished", "voided", "closed"]
"""What is to come next: the deal, moves, the end of a pause, what the event before leads to, the secret, nothing."""

HIDES_NOTHING = (
    "entropy_committed",
    "entropy_revealed",
    "match_paused",
    "match_resumed",
    "match_finished",
    "match_voided",
)


class Due(NamedTuple):
    """The event that has to follow at once: its type, the stage after it, and what its ``data`` may be."""

    kind: str
    stage: Stage
    fits: Callable[[Any], bool]
    """Whether an event of that kind may hold this ``data``."""


class InForce:
    """The events of a log that no ruling has taken back, as ranges of ``seq`` in rising order."""

    def __init__(self, branches: Sequence[tuple[int, int]]) -> None:
        self._from, self._to = [0], [2**32]
        for ruling, to in branches:
            self.go_back(ruling, to)

    def go_back(self, ruling: int, to: int) -> None:
        """Note that a ruling takes the match back to event ``to``, which is in force."""
        while self._from[-1] > to:
            self._from.pop()
            self._to.pop()
        self._to[-1] = to
        self._from.append(ruling)
        self._to.append(2**32)

    def __contains__(self, seq: int) -> bool:
        return seq <= self._to[bisect_right(self._from, seq) - 1]


class Outline:
    """Checks the events of one match from the event on that cannot be replayed, because cards are hidden."""

    def __init__(self, rules: Rules, match: MatchState, stage: Stage, dealt: int, *, is_fork: bool) -> None:
        self._rules = rules
        self._match = match
        """As it was set up and seeded, and before the event that cannot be followed."""
        self._seats = match.seeding.seats
        self._stage = stage
        self._is_paused = stage == "paused"
        self._is_fork = is_fork
        self._dealt = dealt
        self._in_force = InForce(match.course.branches)
        self._due: Due | None = None
        self._ended = ""
        """When the match was over, or void."""

    def take(self, event: RecordedEvent) -> Flaw | None:
        """Check the next event; return what is wrong with it, if anything."""
        if not _is_for_seats(event, self._seats):
            return misshapen("/secret", None)
        flaw = self._follow(event) if self._due is not None else self._judge(event)
        if flaw is None and is_checkpoint(event.seq, event.kind) != (event.document["position"] is not None):
            return Flaw("positions", Why("differs", {"at": "/position"}))
        return flaw

    def _judge(self, event: RecordedEvent) -> Flaw | None:
        after, step = STEPS.get(event.kind, ((), None))
        if step is None or self._stage not in after:
            code = "after-the-end" if self._stage in ("finished", "voided", "closed") else "wrong-type"
            return Flaw("moves", Why(code, {"type": event.kind[:64]}), None, event.kind)
        return step(self, event)

    def _follow(self, event: RecordedEvent) -> Flaw | None:
        """What the event before leads to."""
        due = self._due
        if due is None or event.kind != due.kind:
            return Flaw("moves", Why("wrong-type", {"type": event.kind[:64]}), None, event.kind)
        if event.document["actor"] != SERVICE:
            return wrong_actor(event, SERVICE)
        if not due.fits(event.truth):
            return misshapen("/data", None)._replace(check=_check_of(event))
        self._due = None
        self._go_on(event, due.stage)
        return None

    def _go_on(self, event: RecordedEvent, stage: Stage) -> None:
        self._stage, self._is_paused = stage, stage == "paused"
        if stage in ("finished", "voided"):
            self._ended = event.document["at"]

    def _lead(self, kind: str, stage: Stage, fits: Callable[[Any], bool]) -> None:
        self._due = Due(kind, stage, fits)

    # One kind of event after the other

    def dealt(self, event: RecordedEvent) -> Flaw | None:
        data, missing = event.document["data"], list(self._match.seeding.missing)
        if canonical(data.get("missing", [])) != canonical(missing) or ("missing" in data) != bool(missing):
            return Flaw("commitment", Why("differs", {"at": "/data/missing"}), missing, data.get("missing"))
        if event.document["actor"] != SERVICE:
            return wrong_actor(event, SERVICE)
        if data.keys() - {"missing"} != {"events", *(["position"] if self._is_fork else [])}:
            return misshapen("/data", None)
        flaw = position_flaw(self._rules, self._match, event.truth["position"]) if self._is_fork else None
        if flaw is not None:
            return flaw
        self._dealt = event.seq
        self._go_on(event, "playing")
        return None

    def contributed(self, event: RecordedEvent) -> Flaw | None:
        """Return what is wrong with a contribution to the seed after the deal: none can be accepted any more."""
        found = contribution(self._match, event)
        return found if isinstance(found, Flaw) else misshapen("/data", None)

    def moved(self, event: RecordedEvent) -> Flaw | None:
        data, actor = event.truth, event.document["actor"]
        if not is_object(data, "move", "events") or not is_move(data["move"], self._seats):
            return misshapen("/data/move", None)
        if actor not in [{"role": role, "seat": data["move"]["seat"]} for role in ("seat", "operator")]:
            return wrong_actor(event, {"role": "seat", "seat": data["move"]["seat"]})
        return self._played(data["events"])

    def _played(self, events: Any) -> Flaw | None:
        """What a move has brought about; the last one leads to the result."""
        if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
            return misshapen("/data/events", None)
        last = events[-1] if events else {}
        if last.get("type") == FINISHED:
            outcome = {name: value for name, value in last.items() if name != "type"}
            self._lead("match_finished", "finished", _exactly({"outcome": outcome}))
        return None

    def expired(self, event: RecordedEvent) -> Flaw | None:
        control, data = self._match.terms.control, event.truth
        if control is None:
            return Flaw("moves", Why("no-clock"), None, event.kind)
        then = data.get("then")
        is_move = then in ("default", "pass")
        members = ("seats", "deadlines", "then", *(("move", "events") if is_move else ()))
        is_due = then == control.on_expiry or (then == "default" and control.on_expiry == "pass")
        if not is_due or not is_object(data, *members) or not are_expiries(data, self._seats):
            return misshapen("/data", None)
        if event.document["actor"] != SERVICE:
            return wrong_actor(event, SERVICE)
        early = [deadline for deadline in data["deadlines"] if event.document["at"] <= deadline]
        if early:
            return Flaw("moves", Why("not-expired"), early[0], event.document["at"])
        if is_move:
            return self._moved_for(data)
        self._halted(data)
        return None

    def _moved_for(self, data: Mapping[str, Any]) -> Flaw | None:
        move = data["move"]
        if len(data["seats"]) > 1 or not is_move(move, self._seats) or move["seat"] != data["seats"][0]:
            return misshapen("/data/move", None)
        return self._played(data["events"])

    def _halted(self, data: Mapping[str, Any]) -> None:
        """The match pauses, or the seats lose it."""
        if data["then"] == "referee":
            self._lead("match_paused", "paused", _is_nothing)
        else:
            self._lead("match_finished", "finished", self._is_result("clock", {"forfeited": data["seats"]}))

    def given_up(self, event: RecordedEvent) -> Flaw | None:
        data = event.document["data"]
        if data.get("reason") == "entropy-missing":
            return Flaw("commitment", Why("entropy-policy"), None, event.kind)
        if data.get("reason") != "cancelled":
            return misshapen("/data/reason", None)
        if data.get("missing") != []:
            return Flaw("commitment", Why("differs", {"at": "/data/missing"}), [], data.get("missing"))
        if not is_object(data, "reason", "missing"):
            return misshapen("/data", None)
        if event.document["actor"] != OPERATOR:
            return wrong_actor(event, OPERATOR)
        self._go_on(event, "voided")
        return None

    def disclosed(self, event: RecordedEvent) -> Flaw | None:
        document = event.document
        audiences = [secret["for"] for secret in document["secret"]]
        is_hidden = audiences == [[]] and document["data"].get("server_secret") is None
        is_disclosed = audiences == [] if self._match.terms.disclosure == "public_on_close" else is_hidden
        if not is_disclosed or not is_object(event.truth, "server_secret"):
            return misshapen("/data", None)
        if document["actor"] != SERVICE:
            return wrong_actor(event, SERVICE)
        self._go_on(event, "closed")
        return None

    # Rulings

    def ruled(self, event: RecordedEvent) -> Flaw | None:
        stage, seats = self._stage, self._seats
        flaw = ruling_flaw(self._rules, seats, event)
        if flaw is not None:
            return flaw
        ruling = event.document["data"]["ruling"]
        kind, status = ruling["kind"], STATUS[stage]
        if not is_object(event.truth, "ruling", "rule", "reason", *self._beside(kind)):
            return misshapen("/data", None)
        if not all(are_banks(event.truth[name], seats) for name in ALL_BANKS if name in event.truth):
            return misshapen("/data/banks_ms", None)
        is_over = stage in ("finished", "voided")
        if status not in RULING_KINDS[kind].statuses or (
            is_over and not is_withheld(self._match.terms.withheld, self._ended)
        ):
            return refused("not-now", kind=kind, status=status)
        step = RULED.get(kind)
        return None if step is None else step(self, event, ruling)

    def _beside(self, kind: str) -> tuple[str, ...]:
        clock = self._match.terms.control
        has_banks = clock is not None and clock.bank_ms is not None
        return (*BESIDE.get(kind, ()), *(BANKS.get(kind, ()) if has_banks else ()))

    def taken_back(self, event: RecordedEvent, ruling: Mapping[str, Any]) -> Flaw | None:
        to = ruling["to"]
        if not self._dealt <= to < event.seq - 1 or to not in self._in_force:
            return refused("not-on-the-line", to=to)
        flaw = position_flaw(self._rules, self._match, event.truth["position"])
        if flaw is not None:
            return flaw
        self._in_force.go_back(event.seq, to)
        self._stage = "paused" if self._is_paused else "playing"
        return None

    def move_ruled(self, event: RecordedEvent, _ruling: Mapping[str, Any]) -> Flaw | None:
        if not is_move(event.truth["move"], self._seats):
            return misshapen("/data/move", None)
        return self._played(event.truth["events"])

    def timed(self, _event: RecordedEvent, _ruling: Mapping[str, Any]) -> Flaw | None:
        return refused("no-clock") if self._match.terms.control is None else None

    def forfeited(self, _event: RecordedEvent, ruling: Mapping[str, Any]) -> None:
        self._lead("match_finished", "finished", self._is_result("forfeit", {"forfeited": ruling["seats"]}))

    def decided(self, event: RecordedEvent, ruling: Mapping[str, Any]) -> None:
        scores = event.truth["ruling"]["scores"]
        known = {"winners": ruling["winners"], "forfeited": [], **({} if scores is None else {"scores": scores})}
        if self._stage != "finished":
            self._lead("match_finished", "finished", self._is_result("ruling", known))

    def voided(self, _event: RecordedEvent, _ruling: Mapping[str, Any]) -> None:
        self._lead("match_voided", "voided", _exactly({"reason": "ruling", "missing": []}))

    def paused(self, _event: RecordedEvent, _ruling: Mapping[str, Any]) -> None:
        self._lead("match_paused", "paused", _is_nothing)

    def resumed(self, _event: RecordedEvent, _ruling: Mapping[str, Any]) -> None:
        self._lead("match_resumed", "playing", _is_nothing)

    def _is_result(self, by: str, known: Mapping[str, Any]) -> Callable[[Any], bool]:
        """Whether ``data`` states an end that was not played to, of which that much is known."""
        seats = self._seats

        def fits(data: Any) -> bool:
            result = data.get("result")
            return (
                is_object(data, "outcome", "result")
                and data["outcome"] is None
                and is_object(result, "by", "winners", "scores", "forfeited")
                and are_scores(result["scores"], seats)
                and are_seats(result["winners"], seats)
                and are_seats(result["forfeited"], seats)
                and all(canonical(result[name]) == canonical(value) for name, value in {"by": by, **known}.items())
            )

        return fits


Step = Callable[[Outline, RecordedEvent], Flaw | None]
RUNNING: tuple[Stage, ...] = ("playing", "paused")
STEPS: Mapping[str, tuple[tuple[Stage, ...], Step]] = {
    "entropy_committed": (RUNNING, Outline.contributed),
    "entropy_revealed": (RUNNING, Outline.contributed),
    "dealt": (("dealt",), Outline.dealt),
    "move_played": (("playing",), Outline.moved),
    "choice_made": (("playing",), Outline.moved),
    "clock_expired": (("playing",), Outline.expired),
    "ruling_made": ((*RUNNING, "finished", "voided"), Outline.ruled),
    "match_voided": (RUNNING, Outline.given_up),
    "seed_disclosed": (("finished", "voided"), Outline.disclosed),
}
"""By type of event: the stages at which it can come, and what it leads to."""

STATUS: Mapping[Stage, Status] = {
    "playing": "playing",
    "paused": "paused",
    "finished": "finished",
    "voided": "voided",
}
RULED: Mapping[str, Callable[[Outline, RecordedEvent, Mapping[str, Any]], Flaw | None]] = {
    "take_back": Outline.taken_back,
    "play": Outline.move_ruled,
    "accept": Outline.move_ruled,
    "time": Outline.timed,
    "forfeit": Outline.forfeited,
    "result": Outline.decided,
    "void": Outline.voided,
    "pause": Outline.paused,
    "resume": Outline.resumed,
}
"""What a ruling leads to, by kind; the others change nothing in the course."""

BESIDE: Mapping[str, tuple[str, ...]] = {
    "take_back": ("position",),
    "play": ("move", "events"),
    "accept": ("move", "events"),
}
BANKS: Mapping[str, tuple[str, ...]] = {"take_back": ("banks_ms", "credited_ms"), "time": ("banks_ms",)}
"""What stands beside a ruling in ``data``, by kind; where banks are kept, what is said of them."""
ALL_BANKS = BANKS["take_back"]


def _check_of(event: RecordedEvent) -> Check:
    """Which check it is that an event fails which is due and holds something else."""
    if event.kind == "match_finished":
        return "result"
    return "commitment" if event.kind == "match_voided" and event.truth.get("missing") != [] else "moves"


def position_flaw(rules: Rules, match: MatchState, position: Any) -> Flaw | None:
    """Return what is wrong with a partly hidden position that play goes on from. It is none of this match, or has more
    cards than the game."""
    if not rules.fits("view", position) or position["seed"] is not None:
        return misshapen("/data/position", None)
    if position["outcome"] is not None:
        return Flaw("moves", Why("impossible-position", {"at": "/outcome"}), None, "finished")
    counts = {position["seats"], len(position["scores"]), len(position["table"]["hands"])}
    is_of_match = canonical(position["options"]) == canonical(match.game.write_options(match.options))
    if not is_of_match or counts != {match.seeding.seats}:
        return Flaw("moves", Why("differs", {"at": "/data/position/options"}))
    for most, piles in match.game.piles(match.options, position["table"]):
        if sum(pile["count"] if isinstance(pile, dict) else len(pile) for pile in piles) > most:
            return Flaw("moves", Why("impossible-position", {"at": "/table"}), most)
    return None


def _is_for_seats(event: RecordedEvent, seats: int) -> bool:
    """Whether all that is hidden is for the eyes of seats of the table, and hidden in an event that may hide it."""
    secrets = event.document["secret"]
    if event.kind in HIDES_NOTHING and secrets:
        return False
    return all(secret["for"] == "all" or are_seats(secret["for"], seats) for secret in secrets)


def _exactly(expected: Any) -> Callable[[Any], bool]:
    """Whether ``data`` is that; ``true`` is no 1."""
    return lambda data: canonical(data) == canonical(expected)


_is_nothing = _exactly({})
