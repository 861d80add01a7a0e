"""Tokens of seats, spectators and directors: made anew, revoked."""

from typing import Any, Final

from gyoji.access.tokens import Holder, expiry, issue
from gyoji.store.interface import Conflict, Match, Seating
from gyoji.web.desk import Desk
from gyoji.web.errors import HttpProblem
from gyoji.web.matches.asking import Asked
from gyoji.web.matches.creating import DAY
from gyoji.web.times import written_time

SPECTATOR = "spectator"
DIRECTOR: Final = "director"


def renewed(asked: Asked, name: str) -> dict[str, Any]:
    """A new token for a seat, or (``seat`` null) for spectators or the director; all from before are void."""
    here = asked.desk
    holder = _holder(asked.row, name)
    seating = _reseated(asked, holder, revoked=False)
    expires = expiry(seating, here.settings.token_days * DAY)
    token = issue(here.store.token_key(), asked.row.match, holder, seating.epoch, expires)
    seat = holder if isinstance(holder, int) else None
    return {"seat": seat, "token": token, "expires": written_time(expires)}


def revoked(asked: Asked, name: str) -> None:
    """No token of the seat, of spectators or of the director, is valid any more."""
    _reseated(asked, _holder(asked.row, name), revoked=True)


def _holder(row: Match, name: str) -> Holder:
    """Whose tokens the address names."""
    if name == SPECTATOR:
        return None
    if name == DIRECTOR and row.director is not None:
        return DIRECTOR
    if name not in [str(seat) for seat in range(len(row.seats) - 1)]:
        raise HttpProblem("not-found")
    return int(name)


def _reseated(asked: Asked, holder: Holder, *, revoked: bool) -> Seating:
    """The holder's next epoch. Whoever else renews it at the same time is first, and this one after."""
    here, row = asked.desk, asked.row
    for _attempt in range(100):
        try:
            after = _stored(here, row, holder, revoked=revoked)
        except Conflict:
            row = here.store.match(row.match) or row
            continue
        return after
    raise HttpProblem("unavailable", retry_after=1)


def _stored(here: Desk, row: Match, holder: Holder, *, revoked: bool) -> Seating:
    """The epoch after the one in the row, stored; ``Conflict`` where that is in force no more."""

    def following(before: Seating) -> Seating:
        return Seating(before.epoch + 1, int(here.clock()), revoked)

    if holder == DIRECTOR and row.director is not None:
        after = following(row.director)
        here.store.redirect(row.match, after, row.director.epoch)
        return after
    place = holder if isinstance(holder, int) else len(row.seats) - 1
    after = following(row.seats[place])
    here.store.reseat(row.match, place, after, row.seats[place].epoch)
    return after
