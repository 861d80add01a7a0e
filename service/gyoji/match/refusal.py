"""Why a ruling or a claim is not taken."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from gyoji.games.game import Breach

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
    """A ruling or a claim is not taken; nothing has changed."""

    code: RefusalCode
    facts: Mapping[str, Any] = {}
    """Public values only."""
    breach: Breach | None = None
    """For the referee alone: it may speak of cards that are hidden."""
