"""Clocks as they are asked for: in seconds, and possible."""

from collections.abc import Mapping
from typing import Any

from gyoji.games.game import Game
from gyoji.match.clocks import Control


def wrong_clock(game: Game[Any], clock: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What a shape cannot say of a clock: that there is some time, where an increment goes, and that the game has
    passing where seats are to pass."""
    wrong = []
    if not clock.get("move") and clock.get("bank") is None:
        wrong.append(("/clock", "no-time-given"))
    if clock.get("increment") and clock.get("bank") is None:
        wrong.append(("/clock/increment", "no-bank"))
    if clock["on_expiry"] == "pass" and not game.passes:
        wrong.append(("/clock/on_expiry", "no-passing"))
    return wrong


def control_of(clock: Mapping[str, Any]) -> Control:
    """How time is kept, as the log has it: in milliseconds."""
    bank = clock.get("bank")
    return Control(
        1000 * clock.get("move", 0),
        None if bank is None else 1000 * bank,
        1000 * clock.get("increment", 0),
        clock["on_expiry"],
    )
