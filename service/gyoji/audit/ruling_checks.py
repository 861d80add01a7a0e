"""Rulings and expiries that a log tells of, judged: each is made again from what it says it rules, and has to be one
that could be made where it stands.

Every function answers with what comes of the event, with the first flaw, or with why that cannot be said.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from gyoji.audit.event_checks import Flaw, misshapen, unfit
from gyoji.audit.event_checks import refused as breached
from gyoji.audit.recorded import RecordedEvent
from gyoji.audit.verdicts import LONGEST_RULE, Why
from gyoji.games.game import Accepted, Chance, Event, Refused
from gyoji.log.parser import MAX_INTEGER, is_object, is_text, is_whole
from gyoji.log.redaction import Audience, PrivateParts, redact
from gyoji.match import clocks
from gyoji.match import state as stands
from gyoji.match.derived_events import Ground, Made, finish, voided
from gyoji.match.event_data import redact_position
from gyoji.match.recorder import SERVICE
from gyoji.match.referee import WHEN
from gyoji.match.rulings import MEMBERS, MOST_POINTS, Ruling, applied, is_in_force, noted, read_ruling, taken_back
from gyoji.match.setup import Setup
from gyoji.match.state import MatchState, Result, forfeited, result_of

WORDS = re.compile(r"[^\x00-\x1f\x7f-\x9f]{1,1000}")
"""What a referee says: the reason, or the name of a substitute."""


class Kept(NamedTuple):
    """What is wanted again of where a match stood."""

    state: Any
    credited_ms: tuple[int, ...] | None
    """The increments that each seat had earned, where time is kept."""


class Scene(NamedTuple):
    """Where an event is judged."""

    ground: Ground
    standing: MatchState
    """Before the event."""
    chance: Chance
    kept: Mapping[int, Kept]
    """Of the events that rulings go back to."""
    dealt: int
    """The event at which the cards were dealt."""


class Turn(NamedTuple):
    """What comes of an event."""

    made: Made
    """The event as it has to be."""
    standing: MatchState
    """After it."""
    then: "Turn | None" = None
    """What has to follow at once."""
    stage: Literal["claimed"] | None = None
    """``claimed``: the time of others is up as well, and the events that say so follow at once."""


Judged = Turn | Flaw | Why


def refused(code: str, **facts: Any) -> Flaw:
    """A ruling that could not be made there."""
    return Flaw("moves", Why(f"ruling-{code}", facts))


# Rulings


def ruling(scene: Scene, told: RecordedEvent) -> Judged:
    """A ruling of a referee."""
    flaw = ruling_flaw(scene.ground.setup, told)
    if flaw is not None:
        return flaw
    kind, status = told.document["data"]["ruling"]["kind"], scene.standing.status
    if status not in WHEN[kind]:
        return refused("not-now", kind=kind, status=status)
    return KINDS.get(kind, _plain)(scene, told, read_ruling(told.document["actor"], told.truth))


def ruling_flaw(setup: Setup, told: RecordedEvent) -> Flaw | None:
    """What of a ruling could never be ruled, wherever the match stands: its shape, its words, who ruled."""
    if not _is_ruling(told.document["data"], setup.seats):
        return misshapen("/data", None)
    rule = told.document["data"]["rule"]
    if rule is not None and rule not in setup.rules.ids:
        return misshapen("/data/rule", rule)
    if not all(secret["for"] == "all" or _is_seats(secret["for"], setup.seats) for secret in told.document["secret"]):
        return misshapen("/secret", None)
    actor = told.document["actor"]
    if not is_object(actor, "role", "key") or actor["role"] not in ("referee", "operator"):
        return Flaw("moves", Why("wrong-actor"), {"role": "referee"}, actor)
    truth = told.truth
    if not _is_said(truth.get("reason")) or not _is_said(truth["ruling"].get("name")):
        return misshapen("/data/reason", None)
    return None


DATA = frozenset(["ruling", "rule", "reason", "move", "events", "position", "banks_ms", "credited_ms"])
"""All that stands in ``data`` of a ruling. In canonical bytes ``ruling`` is the last, by which it is foreseen."""


def _is_ruling(data: Mapping[str, Any], seats: int) -> bool:
    found = data.get("ruling")
    if not isinstance(found, dict) or not isinstance(found.get("kind"), str) or found["kind"] not in MEMBERS:
        return False
    members = MEMBERS[found["kind"]]
    if not is_object(found, "kind", *members) or not {"rule", "reason"} <= data.keys() <= DATA:
        return False
    if data["reason"] is not None:
        return False
    has_rule = data["rule"] is None or (isinstance(data["rule"], str) and 0 < len(data["rule"]) <= LONGEST_RULE)
    return has_rule and all(SHAPES[member](found[member], seats) for member in members)


def _is_seats(found: Any, seats: int) -> bool:
    """Seats, each once, by number."""
    return (
        isinstance(found, list)
        and all(is_whole(seat, 0, seats - 1) for seat in found)
        and all(one < other for one, other in pairwise(found))
    )


def _are_scores(found: Any, seats: int) -> bool:
    if found is None:
        return True
    return isinstance(found, list) and len(found) == seats and all(is_whole(one, -MAX_INTEGER) for one in found)


SHAPES: Mapping[str, Callable[[Any, int], bool]] = {
    "to": lambda found, _seats: is_whole(found),
    "seat": lambda found, seats: is_whole(found, 0, seats - 1),
    "points": lambda found, _seats: is_whole(found, -MOST_POINTS, MOST_POINTS) and found != 0,
    "add_ms": lambda found, _seats: is_whole(found, -clocks.LONGEST_MS, clocks.LONGEST_MS) and found != 0,
    "seats": lambda found, seats: _is_seats(found, seats) and len(found) > 0,
    "name": lambda found, _seats: found is None,
    "winners": _is_seats,
    "scores": _are_scores,
}
"""The members of rulings: whether that is one, at a table of so many seats."""


def _is_said(found: Any) -> bool:
    """A text on one line, or nothing where it is not opened."""
    return found is None or is_text(found, WORDS)


def _made(
    told: RecordedEvent,
    ruling: Ruling,
    more: Mapping[str, Any],
    secrets: PrivateParts,
    state: Any,
    events: Sequence[Event] = (),
) -> Made:
    """The event, with ``more`` in its ``data`` and ``secrets`` beside the words of the ruling."""
    data = {**more, "ruling": told.document["data"]["ruling"], "rule": ruling.rule, "reason": None}
    audiences = [_audience_of(secret["for"]) for secret in told.document["secret"]]
    if ruling.name is not None or (ruling.kind == "substitute" and len(audiences) == 2):
        secrets.setdefault("all", {})["/ruling/name"] = ruling.name
    secrets.setdefault(_reason_is_for(told, audiences, secrets), {})["/reason"] = ruling.reason
    return Made("ruling_made", ruling.by, data, secrets, state, events)


def _audience_of(found: Any) -> Audience:
    return "all" if found == "all" else tuple(found)


def _reason_is_for(told: RecordedEvent, audiences: Sequence[Audience], secrets: PrivateParts) -> Audience:
    """Who may read the reason. The event says that of each secret, and not which of them it is; it is the last, or one
    for the same eyes as another."""
    for at, opened in told.openings.items():
        if "/reason" in opened.payload:
            return audiences[at]
    if len(audiences) > len(secrets):
        return audiences[-1]
    sealed = [audience for at, audience in enumerate(audiences) if at not in told.openings and audience in secrets]
    return next(iter(sealed), ())


def _plain(scene: Scene, told: RecordedEvent, ruling: Ruling) -> Judged:
    """A ruling that leaves the position alone, and leads to nothing else."""
    standing = scene.standing
    if ruling.kind == "time" and standing.clock is None:
        return refused("no-clock")
    after = applied(standing, ruling, told.document["at"])
    if ruling.kind == "time" and after.clock == standing.clock:
        return refused("no-change")
    more = _banks(after, "banks_ms") if ruling.kind == "time" else {}
    return Turn(_made(told, ruling, more, {}, after.state), after)


def _banks(standing: MatchState, *names: str) -> dict[str, Any]:
    """What is said of the banks, where there are any."""
    clock = standing.clock
    return {} if clock is None or clock.control.bank_ms is None else {name: getattr(clock, name) for name in names}


def _back(scene: Scene, told: RecordedEvent, ruling: Ruling) -> Judged:
    standing, to = scene.standing, ruling.to or 0
    if standing.state is None or not scene.dealt <= to < standing.seq:
        return refused("no-such-position", to=to)
    if not is_in_force(standing.branches, to):
        return refused("not-on-the-line", to=to)
    kept = scene.kept.get(to)
    if kept is None:
        return Why("too-many-taken-back")
    if kept.state.outcome is not None:
        return refused("no-such-position", to=to)
    if not standing.over and kept.state._replace(seed=None) == standing.state._replace(seed=None):
        return refused("nothing-to-take-back", to=to)
    after = taken_back(standing, to, kept.state, kept.credited_ms, told.document["at"])
    if scene.ground.secret is None:  # then there is no seed to go on from
        after = after._replace(state=after.state._replace(seed=None))
    elif scene.ground.setup.game.findings(after.state):
        return refused("impossible-position", to=to)
    data, secrets = redact_position(scene.ground.setup.game, after.state)
    more = {"position": data["position"], **_banks(after, "banks_ms", "credited_ms")}
    return Turn(_made(told, ruling, more, secrets, after.state), after)


def _move(scene: Scene, told: RecordedEvent, ruling: Ruling) -> Judged:
    """A move that the referee makes for a seat, or lets stand."""
    setup, standing, move = scene.ground.setup, scene.standing, ruling.move
    if move is None or not setup.rules.fits("move", move):
        return unfit(scene.ground.known, told, move)
    found = setup.game.adjudicate(standing.state, move, scene.chance)
    if ruling.kind == "accept":
        if isinstance(found, Accepted):
            return refused("not-irregular")
        found = setup.game.irregular(standing.state, move, scene.chance)
    if isinstance(found, Refused):
        return breached(told, found.breach)
    data, secrets = redact(scene.ground.known, move, found.events)
    made = _made(told, ruling, data, secrets, found.state, found.events)
    after = noted(stands.after_move(standing, found.state, move["seat"], told.document["at"]))
    return Turn(made, after, None if found.state.outcome is None else ended(after, told, None))


def _forfeit(scene: Scene, told: RecordedEvent, ruling: Ruling) -> Judged:
    return _ends(scene, told, ruling, forfeited(scene.standing, "forfeit", ruling.seats))


def _result(scene: Scene, told: RecordedEvent, ruling: Ruling) -> Judged:
    after = applied(scene.standing, ruling, told.document["at"])
    result, game = after.ruled, scene.ground.setup.game
    if ruling.scores is not None and result is not None and game.winners(result.scores) != result.winners:
        return refused("winners-contradict-scores")
    known = result_of(scene.standing)
    if known is not None and result == known._replace(by="ruling", forfeited=()):
        return refused("no-change")
    if scene.standing.over or result is None:
        return Turn(_made(told, ruling, {}, {}, after.state), after)
    return _ends(scene, told, ruling, result)


def _ends(scene: Scene, told: RecordedEvent, ruling: Ruling, result: Result) -> Turn:
    """A ruling that ends the match: so says the event after it."""
    after = applied(scene.standing, ruling, told.document["at"])
    return Turn(_made(told, ruling, {}, {}, after.state), after, ended(after, told, result))


def ended(standing: MatchState, told: RecordedEvent, result: Result | None) -> Turn:
    """The end of a match, which is that of a pause as well; with its result where it was not played to it."""
    return Turn(finish(standing.state, result), stands.finished(standing, told.document["at"], result))


def _void(scene: Scene, told: RecordedEvent, ruling: Ruling) -> Judged:
    after = applied(scene.standing, ruling, told.document["at"])
    missing = () if after.seeding.closed else after.seeding.missing
    over = stands.voided(after, told.document["at"])
    then = Turn(voided(SERVICE, "ruling", missing, after.state), over)
    return Turn(_made(told, ruling, {}, {}, after.state), after, then)


def _pause(scene: Scene, told: RecordedEvent, ruling: Ruling) -> Judged:
    after = applied(scene.standing, ruling, told.document["at"])
    return Turn(_made(told, ruling, {}, {}, after.state), after, paused(after, told, is_pause=ruling.kind == "pause"))


def paused(standing: MatchState, told: RecordedEvent, *, is_pause: bool = True) -> Turn:
    """The beginning of a pause, or its end."""
    kind, change = ("match_paused", stands.paused) if is_pause else ("match_resumed", stands.resumed)
    return Turn(Made(kind, SERVICE, {}, {}, standing.state), change(standing, told.document["at"]))


KINDS: Mapping[str, Callable[[Scene, RecordedEvent, Ruling], Judged]] = {
    "take_back": _back,
    "play": _move,
    "accept": _move,
    "forfeit": _forfeit,
    "void": _void,
    "result": _result,
    "pause": _pause,
    "resume": _pause,
}
"""What there is to say of a ruling, by kind; of the others no more than that it was made."""
