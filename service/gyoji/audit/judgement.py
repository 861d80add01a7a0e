"""Holds what a recorded event is judged by: the match before it, the chance, and the times of the log.

Whoever wrote the log may have written anything, so the shapes of what events hold are checked here as well.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from gyoji.audit.recorded import RecordedEvent
from gyoji.audit.verdicts import Check, Explanation
from gyoji.games.game import Chance, Event, Infraction
from gyoji.games.records import MAX_INTEGER
from gyoji.log.entries import Actor
from gyoji.log.parser import AT, is_text, is_whole
from gyoji.match.events.kind import DecidedEvent
from gyoji.match.events.move import MOVES
from gyoji.match.prescan import Spans
from gyoji.match.rulings.kind import TakeBackTarget
from gyoji.match.seeding import is_withheld, recorded_chance
from gyoji.match.setup import GameVersion
from gyoji.match.state import MatchState


def are_seats(found: Any, seats: int) -> bool:
    """Tell whether a value is a list of seats of the table, each once, by number."""
    return (
        isinstance(found, list)
        and all(is_whole(seat, 0, seats - 1) for seat in found)
        and all(one < other for one, other in pairwise(found))
    )


def are_scores(found: Any, seats: int) -> bool:
    """Tell whether a value is a list of whole numbers, one a seat."""
    return isinstance(found, list) and len(found) == seats and all(is_whole(score, -MAX_INTEGER) for score in found)


def are_banks(found: Any, seats: int) -> bool:
    """Tell whether a value is a list of milliseconds, one a seat."""
    return isinstance(found, list) and len(found) == seats and all(map(is_whole, found))


def are_for_seats(secrets: Sequence[Mapping[str, Any]], seats: int) -> bool:
    """Tell whether all that an event hides is for everybody, or for seats of the table."""
    return all(secret["for"] == "all" or are_seats(secret["for"], seats) for secret in secrets)


def are_expiries(data: Mapping[str, Any], seats: int) -> bool:
    """Tell whether ``data`` names seats, and for each when its time was up."""
    named, deadlines = data["seats"], data["deadlines"]
    return (
        are_seats(named, seats)
        and len(named) > 0
        and isinstance(deadlines, list)
        and len(deadlines) == len(named)
        and all(is_text(deadline, AT) for deadline in deadlines)
    )


def is_move(found: Any, seats: int) -> bool:
    """Tell whether a value is a move of some seat; what move it is may be hidden."""
    return isinstance(found, dict) and is_whole(found.get("seat"), 0, seats - 1)


class Context(NamedTuple):
    """The state of the match and of the audit in which an event is judged."""

    rules: GameVersion
    match: MatchState
    """Before the event."""
    is_fork: bool
    chance: Chance
    """From the seed where it is known, else as the event has recorded it."""
    kept: Mapping[int, TakeBackTarget]
    """The events that rulings go back to."""
    dealt: int
    """The event at which the cards were dealt."""
    taken_back: Spans
    """The events that rulings have taken back."""


class AsRecorded(DecidedEvent):
    """A predicted event whose hidden parts, and whoever may know them, are taken as they are recorded."""


class Flaw(NamedTuple):
    """What is wrong with a recorded event, and the check that it belongs to."""

    check: Check
    why: Explanation
    expected: Any = None
    found: Any = None
    rule: str | None = None


Judgement = DecidedEvent | Flaw | Explanation
"""The event as it has to be, what is wrong with it, or why that cannot be said."""


def misshapen(place: str, found: Any) -> Flaw:
    """Return the flaw of an event at whose ``place`` no value of that shape can occur."""
    return Flaw("moves", Explanation("misshapen", {"at": place}), None, found)


def wrong_actor(event: RecordedEvent, expected: Actor) -> Flaw:
    """Return the flaw of an event that has another actor than it has to."""
    return Flaw("moves", Explanation("wrong-actor"), expected, event.document["actor"])


def illegal_move(event: RecordedEvent, breach: Infraction) -> Flaw:
    """Return the flaw of an event whose move is illegal by the rules of the game."""
    facts = {"reason": breach.reason, "seat": breach.seat, "breach": breach}
    found = event.document["data"]["move"]
    return Flaw("moves", Explanation("illegal-move", facts), breach.reason, found, breach.rule)


def unfit_move(rules: GameVersion, match: MatchState, event: RecordedEvent, move: Any) -> Flaw | Explanation | None:
    """Return why a value is no move of the game: it is hidden, or misshapen; ``None`` if it is a move."""
    if isinstance(move, dict) and rules.fits("move", move):
        return None
    if isinstance(move, dict) and _is_hidden(match, move):
        return Explanation("hidden-move")
    return misshapen("/data/move", event.document["data"].get("move"))


def _is_hidden(match: MatchState, move: Mapping[str, Any]) -> bool:
    """Tell whether the move lacks something that is not for everybody's eyes."""
    kind = move.get("type")
    fields = match.game.known(match.options).moves.get(kind, {}) if isinstance(kind, str) else {}
    return any(knower != "all" and move.get(name, "") is None for name, knower in fields.items())


class Unseen(Exception):
    """A shuffle is due whose cards this reader of the log may not know."""


class NoEvents(Exception):
    """A shuffle is due, and the domain events of the recorded event have no shape that can be read."""


def derived_chance(rules: GameVersion, match: MatchState, recorded: RecordedEvent) -> Chance:
    """Return the chance derived from a recorded event. It is parsed only when a shuffle is due: most moves have none.

    Raises ``Unseen`` where they are hidden, ``NotRecorded`` where they are not event, ``NoEvents`` where nothing can be
    read.
    """
    waiting: list[Chance] = []

    def chance(label: str, k: int, pile: Sequence[str]) -> tuple[str, ...]:
        if not waiting:
            waiting.append(recorded_chance(match.game, match.options, _events(rules, recorded)))
        return waiting[0](label, k, pile)

    return chance


def _events(rules: GameVersion, recorded: RecordedEvent) -> list[Event]:
    if not recorded.is_open:
        raise Unseen
    events = recorded.truth.get("events")
    if not isinstance(events, list) or not all(rules.fits("event", event) for event in events):
        raise NoEvents
    return events


ENDS = ("match_finished", "match_voided")
TOGETHER = ("match_finished", "match_paused", "match_resumed")
"""What is always written together with the event before it, which leads to it."""


class Timeline:
    """How far the times of one log have come."""

    def __init__(self) -> None:
        self.at = ""
        """When the last event was written down."""
        self._kind = ""
        self._then: Any = None
        """What the last event, if somebody's time was up, did about it."""
        self._withheld: Any = "group"

    def begin(self, data: Mapping[str, Any]) -> None:
        """Begin with the ``data`` of the first event, whatever stands there."""
        self._withheld = data.get("withheld_until")

    def take(self, event: RecordedEvent) -> Flaw | None:
        """Take the time of the next event, and return what is wrong with it, if anything."""
        at, kind = event.document["at"], event.document["type"]
        is_plain = kind in MOVES and self._kind not in ENDS and at >= self.at  # as most are
        flaw = None if is_plain else self._flaw(event, at)
        self.at, self._kind, self._then = at, kind, event.document["data"].get("then")
        return flaw

    def go_on(self, at: str, kind: str) -> None:
        """Go on after an event of that type, at that time."""
        self.at, self._kind, self._then = at, kind, None

    def _flaw(self, event: RecordedEvent, at: str) -> Flaw | None:
        if at < self.at:
            return Flaw("moves", Explanation("time-runs-back"), self.at, at)
        if self._is_disclosed_at_once() and event.kind != "seed_disclosed":
            return Flaw(
                "moves", Explanation("after-the-end", {"type": event.kind[:64]}), ["seed_disclosed"], event.kind
            )
        if at != self.at and self.at and self._is_together(event):
            return Flaw("moves", Explanation("not-at-once"), self.at, at)
        return None

    def _is_disclosed_at_once(self) -> bool:
        """Tell whether the last event is an end at which nothing withholds the secret."""
        if self._kind not in ENDS:
            return False
        return self._withheld is None or (is_text(self._withheld, AT) and not is_withheld(self._withheld, self.at))

    def _is_together(self, event: RecordedEvent) -> bool:
        """Tell whether the event is written down together with the last one."""
        data = event.document["data"]
        if event.kind == "dealt":
            return "missing" not in data
        if event.kind == "match_voided":
            return bool(data.get("reason") == "ruling")
        if event.kind == "seed_disclosed":
            return self._is_disclosed_at_once()
        if event.kind == "clock_expired":
            return self._kind == "clock_expired" and self._is_claimed(data.get("deadlines"))
        return event.kind in TOGETHER

    def _is_claimed(self, deadlines: Any) -> bool:
        """Tell whether one of these deadlines had passed when the last expiry, which made a move, was claimed: whoever
        claims one claims all of that moment."""
        is_move = self._then in ("default", "pass")
        is_list = isinstance(deadlines, list)
        return is_move and is_list and any(is_text(last, AT) and last < self.at for last in deadlines)
