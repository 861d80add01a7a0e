"""The interface of a kind of event: what it decides, and how it is applied to the match."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypedDict

from gyoji.games.game import Chance, Event, Infraction
from gyoji.log.entries import Actor
from gyoji.log.redaction import PrivateParts
from gyoji.match.state import MatchState

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
``move-needed``: of ``play`` and ``accept``. ``illegal-move``: of ``play``, with the infraction. ``not-irregular``: of
``accept``: the move is legal. ``not-acceptable``: the infraction is none of a rule about what may be played (with the
infraction). ``impossible-position``: what would come of it is no position of the game. ``winners-contradict-scores``:
by the game's own rule others would have won. ``unknown-seat``: the table has no such seat.
"""


class Refusal(NamedTuple):
    """A ruling or a claim is not taken; nothing has changed."""

    code: RefusalCode
    facts: Mapping[str, Any] = {}
    """Public values only."""
    infraction: Infraction | None = None
    """For the referee alone: it may speak of cards that are hidden."""


class BrokenLog(Exception):
    """An event of a log cannot be applied: it was not written by this service, or an opening is missing. Its argument
    is the ``seq`` of the event."""


class DecidedEvent(NamedTuple):
    """An event that has been decided and may happen now: what is recorded of it, and what comes of it."""

    kind: str
    """The type of the event."""
    actor: Actor
    data: Mapping[str, Any]
    """Its public part."""
    private: PrivateParts
    after: MatchState
    """The match after it, but for ``seq``, ``hash`` and ``at``, which come with the entry."""
    due: "DueEvent | None" = None
    """The event of the service that has to follow at once."""
    events: Sequence[Event] = ()
    """The game's own events that it records, nothing hidden."""


class DueEvent(NamedTuple):
    """An event of the service that has to follow another event at once."""

    kind: str
    decide: Callable[[MatchState, str, Chance], DecidedEvent]
    """(match before it, time, chance) -> the event."""


class LoggedEvent(TypedDict):
    """An event as it is read back from a log, nothing hidden."""

    at: str
    actor: Actor
    data: Any


class EventKind(NamedTuple):
    """One kind of event: its type, its record, and how it is applied."""

    name: str
    """Its ``type`` in the log."""
    record: type
    """The shape of ``data``, a ``TypedDict``."""
    apply: Callable[[MatchState, LoggedEvent], MatchState]
    """(match before it, event) -> the match after it, but for ``seq``, ``hash`` and ``at``."""
