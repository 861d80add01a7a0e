"""What every kind of event has: what it decides, and how it is applied to the match."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

from gyoji.games.game import Chance, Event
from gyoji.log.entries import Actor
from gyoji.log.redaction import PrivateParts
from gyoji.match.state import MatchState


class BrokenLog(Exception):
    """An event of a log cannot be applied: it was not written by this service, or an opening is missing. Its argument
    is the ``seq`` of the event."""


class Decided(NamedTuple):
    """An event that may happen now: what is recorded of it, and what comes of it."""

    kind: str
    """The type of the event."""
    actor: Actor
    data: Mapping[str, Any]
    """Its public part."""
    private: PrivateParts
    after: MatchState
    """The match after it, but for ``seq``, ``hash`` and ``at``, which come with the entry."""
    due: "Due | None" = None
    """The event of the service that has to follow at once."""
    events: Sequence[Event] = ()
    """The game's own events that it tells of, nothing hidden."""


class Due(NamedTuple):
    """An event of the service that has to follow another one at once."""

    kind: str
    decide: Callable[[MatchState, str, Chance], Decided]
    """(match before it, time, chance) -> the event."""


class LoggedEvent(TypedDict):
    """An event as it is read back from a log, nothing hidden."""

    at: str
    actor: Actor
    data: Any


class EventKind(NamedTuple):
    """One kind of event."""

    name: str
    """Its ``type`` in the log."""
    record: type
    """The shape of ``data``, a ``TypedDict``."""
    apply: Callable[[MatchState, LoggedEvent], MatchState]
    """(match before it, event) -> the match after it, but for ``seq``, ``hash`` and ``at``."""
