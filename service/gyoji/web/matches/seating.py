"""Tokens of seats, spectators and directors: made anew, revoked."""

from datetime import datetime
from typing import Any, Final

import orjson

from gyoji.access.tokens import Holder, expiry, issue
from gyoji.app.application import Desk
from gyoji.app.clock import written_time
from gyoji.app.problems import HttpProblem
from gyoji.log.entries import Entry
from gyoji.store.interface import Conflict, Match, Seating
from gyoji.web.matches.asking import Asked, write_down_tokens
from gyoji.web.matches.creating import DAY

SPECTATOR = "spectator"
DIRECTOR: Final = "director"


def renewed(asked: Asked, name: str) -> dict[str, Any]:
    """A new token for a seat, or (``seat`` null) for spectators or the director; all from before are void."""
    here = asked.desk
    holder = _holder(asked.row, name)
    seating = _reseated(asked, holder, revoked=False)
    write_down_tokens(asked.caller, asked.row)
    seat = holder if isinstance(holder, int) else None
    return {"seat": seat, **token_of(here, asked.row.match, holder, seating)}


def token_of(here: Desk, match: str, holder: Holder, seating: Seating) -> dict[str, Any]:
    """The token of the epoch that the seating names, and when it expires."""
    expires = expiry(seating, here.settings.token_days * DAY)
    token = issue(here.store.token_key(), match, holder, seating.epoch, expires)
    return {"token": token, "expires": written_time(expires)}


def replaced(seats: tuple[Seating, ...], seat: int, since: int) -> tuple[Seating, ...]:
    """The seats after somebody else has taken over that one at ``since`` (Unix seconds): all tokens from before are
    void. No two who take over one seat do so at the same second, so the time tells them apart."""
    before = seats[seat]
    again = before.epoch > 0 and before.since >= since
    after = Seating(before.epoch + 1, before.since + 1 if again else since)
    return (*seats[:seat], after, *seats[seat + 1 :])


def seconds_of(entry: Entry) -> int:
    """When an event was written down, in Unix seconds."""
    return int(datetime.fromisoformat(orjson.loads(entry.body)["at"]).timestamp())


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
    raise HttpProblem("unavailable", retry_after=1, cause="busy")


def _stored(here: Desk, row: Match, holder: Holder, *, revoked: bool) -> Seating:
    """The epoch after the one in the row, stored; ``Conflict`` where that is in force no more."""

    def following(before: Seating) -> Seating:
        return Seating(before.epoch + 1, max(int(here.clock()), before.since + 1), revoked)

    if holder == DIRECTOR and row.director is not None:
        after = following(row.director)
        here.store.redirect(row.match, after, row.director.epoch)
        return after
    place = holder if isinstance(holder, int) else len(row.seats) - 1
    after = following(row.seats[place])
    here.store.reseat(row.match, place, after, row.seats[place].epoch)
    return after
