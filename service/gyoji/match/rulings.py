"""The rulings of a referee: what they are, how the log states them, and what they change. How they are judged and
written down is in ``referee``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import orjson

from gyoji.games.game import Breach, Move, Seat, replaced
from gyoji.log.entries import Actor, Entry
from gyoji.log.redaction import Audience, PrivateParts
from gyoji.match import clocks
from gyoji.match.seeding import branch_seed
from gyoji.match.state import MatchState, Result, among

Kind = Literal[
    "take_back",
    "play",
    "accept",
    "points",
    "time",
    "forfeit",
    "substitute",
    "void",
    "result",
    "pause",
    "resume",
    "note",
]

MEMBERS: Mapping[Kind, tuple[str, ...]] = {
    "take_back": ("to",),
    "play": (),
    "accept": (),
    "points": ("seat", "points"),
    "time": ("seat", "add_ms"),
    "forfeit": ("seats",),
    "substitute": ("seat", "name"),
    "void": (),
    "result": ("winners", "scores"),
    "pause": (),
    "resume": (),
    "note": (),
}
"""What stands beside ``kind`` in ``data.ruling``."""

MOST_POINTS = 1_000_000
"""No ruling gives or takes more."""


class Ruling(NamedTuple):
    """What a referee rules. What another kind of ruling needs keeps its default."""

    kind: Kind
    by: Actor
    reason: str
    """For the eyes of ``audience``."""
    audience: Audience = "all"
    """``()``: the reason is kept until disclosure."""
    rule: str | None = None
    """The id of the rule that it rests on."""
    seat: Seat | None = None
    """``points``, ``time``, ``substitute``."""
    to: int | None = None
    """``take_back``: the ``seq`` of the event whose position is the position again."""
    move: Move | None = None
    """``play``: a legal move; ``accept``: one that breaks a rule and stands."""
    points: int = 0
    add_ms: int = 0
    """``time``: milliseconds given, or taken where it is below 0."""
    seats: tuple[Seat, ...] = ()
    """``forfeit``."""
    name: str | None = None
    """``substitute``: who plays the seat from now on."""
    winners: tuple[Seat, ...] = ()
    """``result``."""
    scores: tuple[int, ...] | None = None
    """``result``: by seat, all adjustments so far included; ``None``: as they are."""


RefusalCode = Literal[
    "match-closed",
    "match-over",
    "not-running",
    "paused",
    "not-paused",
    "no-such-position",
    "not-on-the-line",
    "nothing-to-take-back",
    "no-clock",
    "not-expired",
    "no-change",
    "move-needed",
    "illegal-move",
    "not-irregular",
    "not-acceptable",
    "impossible-position",
    "winners-contradict-scores",
    "unknown-seat",
]
"""Why a ruling or a claim is not taken:

``match-closed``: the log never grows again. ``match-over``: that cannot be ruled of a match that is over (or void).
``not-running``: nor before the deal; of a claim also: or while it is paused. ``paused``, ``not-paused``: it is so
already. ``no-such-position``: the match has had no position after that event which could be played on.
``not-on-the-line``: that event was taken back itself. ``nothing-to-take-back``: the position is that already.
``no-clock``: the match keeps no time. ``not-expired``: nobody's time is up. ``no-change``: all stays as it is.
``move-needed``: of ``play`` and ``accept``. ``illegal-move``: of ``play``, with the breach. ``not-irregular``: of
``accept``: the move is legal. ``not-acceptable``: the breach is none of a rule about what may be played (with the
breach). ``impossible-position``: what would come of it is no position of the game. ``winners-contradict-scores``: by
the game's own rule others would have won. ``unknown-seat``: the table has no such seat.
"""


class Refusal(NamedTuple):
    """Why a ruling or a claim is not taken; nothing has changed."""

    code: RefusalCode
    facts: Mapping[str, Any] = {}
    """Public values only."""
    breach: Breach | None = None
    """For the referee alone: it may speak of cards that are hidden."""


def ruling_document(ruling: Ruling) -> dict[str, Any]:
    """``data.ruling``, everything hidden left out."""
    members = {name: getattr(ruling, name) for name in MEMBERS[ruling.kind]}
    return {"kind": ruling.kind, **members, **({"name": None} if ruling.kind == "substitute" else {})}


def hidden_words(ruling: Ruling, secrets: PrivateParts) -> PrivateParts:
    """The same secrets with the name of a substitute and the reason among them."""
    if ruling.name is not None:
        secrets.setdefault("all", {})["/ruling/name"] = ruling.name
    secrets.setdefault(ruling.audience, {})["/reason"] = ruling.reason
    return secrets


def read_ruling(actor: Actor, data: Mapping[str, Any], audience: Audience = ()) -> Ruling:
    """The ruling from opened ``data`` of a ``ruling_made``; a reason that no opening tells is empty."""
    ruling = data["ruling"]
    found = {name: _read(ruling[name]) for name in MEMBERS[ruling["kind"]]}
    return Ruling(
        ruling["kind"],
        actor,
        data["reason"] or "",
        audience,
        data["rule"],
        move=data.get("move"),
        **found,
    )


def _read(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


# What they change


def noted(standing: MatchState) -> MatchState:
    """The same match with one more ruling in its log."""
    return standing._replace(rulings=standing.rulings + 1)


def _points(standing: MatchState, ruling: Ruling, _at: str) -> MatchState:
    seat, result = ruling.seat or 0, standing.ruled
    before = standing.adjustments or (0,) * standing.seeding.seats
    standing = standing._replace(adjustments=replaced(before, seat, before[seat] + ruling.points))
    if result is None:
        return standing
    scores = replaced(result.scores, seat, result.scores[seat] + ruling.points)
    winners = result.winners if result.by == "ruling" else among(standing.game, scores, result.forfeited)
    return standing._replace(ruled=result._replace(scores=scores, winners=winners))


def _time(standing: MatchState, ruling: Ruling, _at: str) -> MatchState:
    clock = standing.clock
    return standing if clock is None else standing._replace(clock=clocks.added(clock, ruling.seat or 0, ruling.add_ms))


def _substitute(standing: MatchState, ruling: Ruling, _at: str) -> MatchState:
    return standing._replace(names={**standing.names, ruling.seat or 0: ruling.name})


def _result(standing: MatchState, ruling: Ruling, _at: str) -> MatchState:
    """It says all of the result: who had forfeited before is nobody any more."""
    scores = standing.adjusted if ruling.scores is None else ruling.scores
    return standing._replace(ruled=Result("ruling", scores, ruling.winners), forfeited=())


Effect = Callable[[MatchState, Ruling, str], MatchState]
EFFECTS: Mapping[str, Effect] = {"points": _points, "time": _time, "substitute": _substitute, "result": _result}
"""What a ruling changes by itself, by kind. Of the others the position, or the events that follow, tell."""


def applied(standing: MatchState, ruling: Ruling, at: str) -> MatchState:
    """Where the match stands after a ruling that leaves the position alone."""
    effect = EFFECTS.get(ruling.kind)
    return noted(standing if effect is None else effect(standing, ruling, at))


def taken_back(standing: MatchState, to: int, state: Any, credited_ms: Sequence[int] | None, at: str) -> MatchState:
    """The position after event ``to`` is the position again; ``credited_ms`` is what each seat's increments then were,
    ``None`` where no banks are kept.

    A match that was over runs again, a pause goes on. What was shuffled since then is known, and comes from fresh
    entropy now. Adjustments, substitutes and time used stay.
    """
    clock = standing.clock
    if clock is not None:
        then = clock.credited_ms if credited_ms is None else tuple(credited_ms)
        clock = clocks.taken_back(clock, then, state.to_act, at)
    seq = standing.seq + 1
    return noted(standing)._replace(
        state=state._replace(seed=seed_after(standing, state.shuffles)),
        clock=clock,
        decision=seq,
        over=False,
        voided=False,
        ruled=None,
        forfeited=(),
        branches=(*standing.branches, (seq, to)),
    )


def seed_after(standing: MatchState, shuffles: int) -> str:
    """The seed after a take-back by the next event to a position with so many shuffles behind it.

    Of the seed in force no later shuffle than those has ever been made; so it stays unless there were fewer then.
    """
    if shuffles == standing.state.shuffles:
        seed: str = standing.state.seed
        return seed
    return branch_seed(standing.seeding, standing.secret, standing.game, standing.match, standing.seq + 1)


# Lines


def is_in_force(branches: Iterable[tuple[int, int]], seq: int) -> bool:
    """Whether no take-back among ``branches`` (``seq`` of the ruling, ``to``) has taken that event back."""
    return not any(to < seq < ruling for ruling, to in branches)


def taken_back_events(entries: Iterable[Entry]) -> dict[int, int]:
    """The events of a log that were taken back: ``seq`` -> ``seq`` of the ruling that did. All others are the line in
    force. Reads only ``type`` and ``data.ruling``, so it serves any reader."""
    taken: dict[int, int] = {}
    line: list[int] = []
    for entry in entries:
        ruling = ruling_in(entry)
        to = ruling["to"] if ruling is not None and ruling["kind"] == "take_back" else None
        while to is not None and line and line[-1] > to:
            taken[line.pop()] = entry.seq
        line.append(entry.seq)
    return taken


LASTING: tuple[Kind, ...] = ("points", "time", "substitute")
"""Rulings that a take-back leaves in force, though it goes back to before them."""


def lasts(entry: Entry) -> bool:
    """Whether that is a ruling whose effect no take-back takes back."""
    ruling = ruling_in(entry)
    return ruling is not None and ruling["kind"] in LASTING


def ruling_in(entry: Entry) -> Mapping[str, Any] | None:
    """``data.ruling`` of a ``ruling_made``; ``None`` of any other event."""
    if b'"ruling_made"' not in entry.body:  # most events need not be read
        return None
    document = orjson.loads(entry.body)
    return document["data"]["ruling"] if document["type"] == "ruling_made" else None
