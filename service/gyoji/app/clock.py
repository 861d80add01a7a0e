"""Writes the times of the clock, and the time control of a match, as logs and answers have them."""

from collections.abc import Mapping
from datetime import UTC, datetime
from time import time
from typing import Any

from gyoji.games.game import Game
from gyoji.log.times import later
from gyoji.match.clocks import Control


def written_time(seconds: float) -> str:
    """Write Unix seconds as RFC 3339 in UTC with milliseconds."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def current_time() -> str:
    """Write the time now as RFC 3339 in UTC with milliseconds."""
    return written_time(time())


def seconds_of(written: str) -> float:
    """Return the Unix seconds of a time in RFC 3339."""
    return datetime.fromisoformat(written).timestamp()


def is_time(text: str) -> bool:
    """Tell whether a text in the form of a log's times is a time that exists."""
    return later(text, 0) is not None


def clock_errors(game: Game[Any], clock: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Find what a shape cannot check of a time control: that there is some time, where an increment goes, and that the
    game knows passing where seats are to pass."""
    wrong = []
    if not clock.get("move") and clock.get("bank") is None:
        wrong.append(("/clock", "no-time-given"))
    if clock.get("increment") and clock.get("bank") is None:
        wrong.append(("/clock/increment", "no-bank"))
    if clock["on_expiry"] == "pass" and not game.passes:
        wrong.append(("/clock/on_expiry", "no-passing"))
    return wrong


def control_of(clock: Mapping[str, Any]) -> Control:
    """Read a time control of a request, in seconds, as the log has it, in milliseconds."""
    bank = clock.get("bank")
    return Control(
        1000 * clock.get("move", 0),
        None if bank is None else 1000 * bank,
        1000 * clock.get("increment", 0),
        clock["on_expiry"],
    )


def control_document(control: Control) -> dict[str, Any]:
    """Write a time control as requests and answers have it, in seconds."""
    return {
        "move": control.move_ms // 1000,
        "bank": None if control.bank_ms is None else control.bank_ms // 1000,
        "increment": control.increment_ms // 1000,
        "on_expiry": control.on_expiry,
    }
