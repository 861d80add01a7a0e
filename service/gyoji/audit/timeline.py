"""The times of a log, one event after the other: they never run backwards, and what is written together has one time.

All of it follows from two neighbouring events, so it is judged of every event, whether or not the match is followed.
"""

from collections.abc import Mapping
from typing import Any

from gyoji.audit.recorded import RecordedEvent
from gyoji.audit.scene import Flaw
from gyoji.audit.verdicts import Why
from gyoji.log.parser import AT, is_text
from gyoji.match.disclosure import is_withheld
from gyoji.match.events.move import MOVES

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
        """The first event has this ``data``, whatever stands there."""
        self._withheld = data.get("withheld_until")

    def take(self, told: RecordedEvent) -> Flaw | None:
        """What is wrong with the time of the next event, if anything."""
        at, kind = told.document["at"], told.document["type"]
        is_plain = kind in MOVES and self._kind not in ENDS and at >= self.at  # as most are
        flaw = None if is_plain else self._flaw(told, at)
        self.at, self._kind, self._then = at, kind, told.document["data"].get("then")
        return flaw

    def go_on(self, at: str, kind: str) -> None:
        """The last event was one of that type, at that time."""
        self.at, self._kind, self._then = at, kind, None

    def _flaw(self, told: RecordedEvent, at: str) -> Flaw | None:
        if at < self.at:
            return Flaw("moves", Why("time-runs-back"), self.at, at)
        if self._is_told_at_once() and told.kind != "seed_disclosed":
            return Flaw("moves", Why("after-the-end", {"type": told.kind[:64]}), ["seed_disclosed"], told.kind)
        if at != self.at and self.at and self._is_together(told):
            return Flaw("moves", Why("not-at-once"), self.at, at)
        return None

    def _is_told_at_once(self) -> bool:
        """Whether the last event is an end at which nothing withholds the secret."""
        if self._kind not in ENDS:
            return False
        return self._withheld is None or (is_text(self._withheld, AT) and not is_withheld(self._withheld, self.at))

    def _is_together(self, told: RecordedEvent) -> bool:
        """Whether the event is written down together with the last one."""
        data = told.document["data"]
        if told.kind == "dealt":
            return "missing" not in data
        if told.kind == "match_voided":
            return bool(data.get("reason") == "ruling")
        if told.kind == "seed_disclosed":
            return self._is_told_at_once()
        if told.kind == "clock_expired":
            return self._kind == "clock_expired" and self._is_claimed(data.get("deadlines"))
        return told.kind in TOGETHER

    def _is_claimed(self, deadlines: Any) -> bool:
        """Whether one of these deadlines had passed when the last expiry, which made a move, was claimed: whoever
        claims one claims all of that moment."""
        is_move = self._then in ("default", "pass")
        is_list = isinstance(deadlines, list)
        return is_move and is_list and any(is_text(last, AT) and last < self.at for last in deadlines)
