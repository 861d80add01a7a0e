"""Renews and revokes the tokens of seats, spectators and directors."""

from datetime import datetime
from typing import Any, Final

import orjson

from gyoji.access.tokens import Holder, expiry, issue
from gyoji.app.authorization import MatchRequest, record_tokens
from gyoji.app.clock import written_time
from gyoji.app.problems import HttpProblem
from gyoji.app.services import Services
from gyoji.log.entries import Entry
from gyoji.store.interface import Conflict, Match, Seating

DAY = 24 * 60 * 60

SPECTATOR = "spectator"
DIRECTOR: Final = "director"


def expires_at(services: Services, seating: Seating) -> int:
    """Return when tokens of the seating's epoch expire, in Unix seconds."""
    return expiry(seating, services.settings.token_days * DAY)


def issue_token(services: Services, match: str, holder: Holder, seating: Seating) -> str:
    """Issue the token of the seating's epoch: the same whenever it is issued."""
    return issue(services.store.token_key(), match, holder, seating.epoch, expires_at(services, seating))


def renew_token(request: MatchRequest, name: str) -> dict[str, Any]:
    """Issue a new token for a seat, or (``seat`` null) for spectators or the director; all from before are void."""
    services = request.services
    holder = _holder(request.row, name)
    seating = _reseat(request, holder, revoked=False)
    record_tokens(request.context, request.caller, request.row)
    seat = holder if isinstance(holder, int) else None
    return {"seat": seat, **token_document(services, request.row.match, holder, seating)}


def token_document(services: Services, match: str, holder: Holder, seating: Seating) -> dict[str, Any]:
    """Write the token of the epoch that the seating names, and when it expires."""
    token = issue_token(services, match, holder, seating)
    return {"token": token, "expires": written_time(expires_at(services, seating))}


def seats_after_substitution(seats: tuple[Seating, ...], seat: int, since: int) -> tuple[Seating, ...]:
    """Return all seats' token states after a substitute has taken over a seat at ``since`` (Unix seconds). The seat's
    old tokens are void. No two who take over one seat do so at the same second, so the time tells them apart."""
    before = seats[seat]
    again = before.epoch > 0 and before.since >= since
    after = Seating(before.epoch + 1, before.since + 1 if again else since)
    return (*seats[:seat], after, *seats[seat + 1 :])


def written_second(entry: Entry) -> int:
    """Return when an event was written, in Unix seconds."""
    return int(datetime.fromisoformat(orjson.loads(entry.body)["at"]).timestamp())


def revoke_tokens(request: MatchRequest, name: str) -> None:
    """Revoke the tokens of the seat, of spectators or of the director."""
    _reseat(request, _holder(request.row, name), revoked=True)


def _holder(row: Match, name: str) -> Holder:
    """Return whose tokens the URL names."""
    if name == SPECTATOR:
        return None
    if name == DIRECTOR and row.director is not None:
        return DIRECTOR
    if name not in [str(seat) for seat in range(len(row.seats) - 1)]:
        raise HttpProblem("not-found")
    return int(name)


def _reseat(request: MatchRequest, holder: Holder, *, revoked: bool) -> Seating:
    """Begin the holder's next epoch. Whoever else renews it at the same time is first, and this one after."""
    services, row = request.services, request.row
    for _attempt in range(100):
        try:
            after = _stored(services, row, holder, revoked=revoked)
        except Conflict:
            row = services.store.match(row.match) or row
            continue
        return after
    raise HttpProblem("unavailable", retry_after=1, cause="busy")


def _stored(services: Services, row: Match, holder: Holder, *, revoked: bool) -> Seating:
    """Store the epoch after the one in the row. Raises ``Conflict`` where that is in force no more."""

    def following(before: Seating) -> Seating:
        since = max(int(services.clock()), before.since + 1)
        return before._replace(epoch=before.epoch + 1, since=since, revoked=revoked)

    if holder == DIRECTOR and row.director is not None:
        after = following(row.director)
        services.store.redirect(row.match, after, row.director.epoch)
        return after
    place = holder if isinstance(holder, int) else len(row.seats) - 1
    after = following(row.seats[place])
    services.store.reseat(row.match, place, after, row.seats[place].epoch)
    return after
