"""The result of a match, as a tournament reads it from the match's log."""

from typing import Literal, NamedTuple

from gyoji.games.game import Seat

Status = Literal["seeding", "playing", "paused", "finished", "voided"]


class MatchResult(NamedTuple):
    """A match as its log has it. Before the end there are no scores, winners or forfeits."""

    status: Status
    by: Literal["play", "forfeit", "ruling", "clock"] | None = None
    """How it ended; ``None`` until it has."""
    scores: tuple[int, ...] = ()
    """By seat, the referee's adjustments among them."""
    winners: tuple[Seat, ...] = ()
    forfeited: tuple[Seat, ...] = ()
    seq: int = 0
    """The event of the match's log that it is read from."""
    adjustments: tuple[int, ...] = ()
    """By seat: what of ``scores`` a referee has given or taken; empty if nothing, or if a ruling set the scores."""


DEALT = 1
"""The event of a match's log with which it is dealt: in a tournament nobody is waited for before that."""


def is_running(result: MatchResult | None) -> bool:
    """Tell whether the match may still come to a result."""
    return result is None or result.status not in ("finished", "voided")


def is_begun(result: MatchResult | None) -> bool:
    """Tell whether something has happened in the match since it was dealt, and it is not void."""
    return result is not None and result.status != "voided" and result.seq > DEALT
