"""The chance that a recorded event recounts, where the seed is not known; anybody may have written it."""

from collections.abc import Sequence

from gyoji.audit.recorded import RecordedEvent
from gyoji.games.game import Chance, Event
from gyoji.match.chance import recorded_chance
from gyoji.match.rules import Rules
from gyoji.match.state import MatchState


class Unseen(Exception):
    """A shuffle is due whose cards this reader of the log may not know."""


class NoEvents(Exception):
    """A shuffle is due, and what the event tells of the table is in no shape that can be read."""


def derived_chance(rules: Rules, match: MatchState, recorded: RecordedEvent) -> Chance:
    """The shuffles that the event tells of, looked at only when one is due: most moves have none.

    Raises ``Unseen`` where they are hidden, ``NotRecorded`` where they are not told, ``NoEvents`` where nothing can be
    read.
    """
    waiting: list[Chance] = []

    def chance(label: str, k: int, pile: Sequence[str]) -> tuple[str, ...]:
        if not waiting:
            waiting.append(recorded_chance(match.game, match.options, _events(rules, recorded)))
        return waiting[0](label, k, pile)

    return chance


def _events(rules: Rules, recorded: RecordedEvent) -> list[Event]:
    if not recorded.is_open:
        raise Unseen
    events = recorded.truth.get("events")
    if not isinstance(events, list) or not all(rules.fits("event", event) for event in events):
        raise NoEvents
    return events
