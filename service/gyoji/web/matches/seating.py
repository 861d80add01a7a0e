"""Tokens of seats and spectators: made anew, revoked."""

from typing import Any

from gyoji.access.tokens import expiry, issue
from gyoji.store.interface import Conflict, Match, Seating
from gyoji.web.desk import written_time
from gyoji.web.errors import HttpProblem
from gyoji.web.matches.asking import Asked
from gyoji.web.matches.creating import DAY

SPECTATOR = "spectator"


def renewed(asked: Asked, name: str) -> dict[str, Any]:
    """A new token for a seat, or (``seat`` null) for spectators; all that were issued before are void."""
    here = asked.desk
    seat = _seat(asked.row, name)
    seating = _reseated(asked, seat, revoked=False)
    expires = expiry(seating, here.settings.token_days * DAY)
    token = issue(here.store.token_key(), asked.row.match, seat, seating.epoch, expires)
    return {"seat": seat, "token": token, "expires": written_time(expires)}


def revoked(asked: Asked, name: str) -> None:
    """No token of the seat, or of spectators, is valid any more."""
    _reseated(asked, _seat(asked.row, name), revoked=True)


def _seat(row: Match, name: str) -> int | None:
    """The seat that the address names; ``None`` for the spectators."""
    if name == SPECTATOR:
        return None
    if name not in [str(seat) for seat in range(len(row.seats) - 1)]:
        raise HttpProblem("not-found")
    return int(name)


def _reseated(asked: Asked, seat: int | None, *, revoked: bool) -> Seating:
    """The seat's next epoch. Whoever else renews it at the same time is first, and this one after."""
    here, row = asked.desk, asked.row
    place = len(row.seats) - 1 if seat is None else seat
    for _attempt in range(100):
        before = row.seats[place]
        after = Seating(before.epoch + 1, int(here.clock()), revoked)
        try:
            here.store.reseat(row.match, place, after, before.epoch)
        except Conflict:
            row = here.store.match(row.match) or row
            continue
        return after
    raise HttpProblem("unavailable", retry_after=1)
