"""Chance as a log recounts it, where the seed is not known; the log may have been written by anybody."""

from collections.abc import Sequence

from gyoji.audit.recorded import RecordedEvent
from gyoji.games.game import Chance, Event, recorded
from gyoji.match.derived_events import Ground
from gyoji.match.fold import piles_of


class Unseen(Exception):
    """A shuffle is due whose cards this reader of the log may not know."""


class NoEvents(Exception):
    """A shuffle is due, and what the event tells of the table is in no shape that can be read."""


def recorded_chance(on: Ground, told: RecordedEvent) -> Chance:
    """The shuffles that the event tells of, looked at only when one is due: most moves have none.

    Raises ``Unseen`` where they are hidden, ``NotRecorded`` where they are not told, ``NoEvents`` where nothing can be
    read.
    """
    waiting: list[Chance] = []

    def chance(label: str, k: int, pile: Sequence[str]) -> tuple[str, ...]:
        if not waiting:
            waiting.append(recorded(piles_of(on.setup.game, on.setup.options, _events(on, told))))
        return waiting[0](label, k, pile)

    return chance


def _events(on: Ground, told: RecordedEvent) -> list[Event]:
    if not told.is_open:
        raise Unseen
    events = told.truth.get("events")
    if not isinstance(events, list) or not all(on.setup.rules.fits("event", event) for event in events):
        raise NoEvents
    return events
