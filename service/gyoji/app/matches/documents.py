"""Writes stored matches as documents: one, a list of them, a position after an event."""

import re
from collections.abc import Sequence
from typing import Any, cast
from urllib.parse import urlencode

from gyoji.access.callers import Caller
from gyoji.access.rights import Denied, Granted, Viewer, decide_view_as, is_disclosed, match_filter
from gyoji.api.parameters import LISTED, MOST_LISTED, NAME, STATUSES
from gyoji.app.authorization import UUID, MatchRequest, facts_of, reader_of
from gyoji.app.logs import log_unreadable
from gyoji.app.match_states import entry_of
from gyoji.app.positions import (
    clock_document,
    own_moves,
    position_document,
    ruled_document,
    seeding_document,
    viewer_document,
)
from gyoji.app.problems import HttpProblem, denied
from gyoji.app.requests import RequestContext, write_cursor
from gyoji.app.services import Services
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.entries import Entry
from gyoji.match.state import MatchState
from gyoji.published_files import rules_digest
from gyoji.store.interface import Listing, Match, Status, Unavailable, Unreadable

TAG = re.compile(NAME)


def match_document(request: MatchRequest) -> dict[str, Any]:
    """Answer ``readMatch``: where the match stands, as the viewer may know it."""
    services, row = request.services, request.row
    match = services.match_states.latest(row)
    is_running = match.status == "playing"
    return {
        **summary(services, row),
        "seats": _seated(services, row, match),
        "status": match.status,  # another move may have come since the row was read
        "seq": match.seq,
        "closed": match.closed,
        "decision": match.decision,
        "viewer": viewer_document(request.viewer),
        "legal_moves": own_moves(match.game, match.state, request.viewer.seat) if is_running else [],
        **position_document(match, request.reader, _disclosed(request)),
        **ruled_document(match),
        "clock": clock_document(match, services.at()),
        **seeding_document(match),
    }


def _seated(services: Services, row: Match, match: MatchState) -> list[dict[str, Any]]:
    """Write who sits where: those who have taken over a seat among them."""
    return _seats(row, seated_names(services, row, match))


def seated_names(services: Services, row: Match, match: MatchState) -> list[str | None]:
    """Return the names of those who sit in the seats in that state: who has taken over a seat among them."""
    began = names_of(services, row) or [None] * (len(row.seats) - 1)
    return [match.course.names.get(seat, name) for seat, name in enumerate(began)]


def _seats(row: Match, names: Sequence[str | None]) -> list[dict[str, Any]]:
    """Write the seats by name, and which of them a bot plays."""
    seats = enumerate(zip(names, row.seats[:-1], strict=True))
    return [
        {"seat": number, "name": name, **({} if seat.bot is None else {"bot": seat.bot})}
        for number, (name, seat) in seats
    ]


def summary(services: Services, row: Match) -> dict[str, Any]:
    """Write a match as an item of a list."""
    names = names_of(services, row) or [None] * (len(row.seats) - 1)
    return {
        "match": row.match,
        "game": row.game,
        "version": row.version,
        "rules_digest": rules_digest(row.game),
        "status": row.head.status,
        "seq": row.head.seq,
        "created": row.created,
        "seats": _seats(row, names),
        "tags": row.tags,
        "disclosure": row.disclosure,
        "visibility": row.visibility,
        "group": row.group,
        "tournament": row.tournament,
        "withheld_until": row.withheld_until,
        "closed": row.head.closed,
        "links": links(row.match),
    }


def summary_or_damage(services: Services, row: Match | Unreadable) -> dict[str, Any] | Unreadable:
    """Write a match as an item of a list. Where what is stored of it is damaged, write only its place there, and log
    that."""
    if isinstance(row, Match) and row.game in BY_SLUG and row.head.status in STATUSES:
        try:
            return summary(services, row)
        except Unavailable as failure:
            if failure.cause != "damaged":
                raise
    log_unreadable(row.match)
    return Unreadable(row.match, row.created)


def _disclosed(request: MatchRequest) -> bool:
    return is_disclosed(facts_of(request.services, request.row), request.viewer.role)


def position(request: MatchRequest, seq: int) -> dict[str, Any]:
    """Answer ``readPosition``: the position after event ``seq``; with ``?as=`` as another seat could know it."""
    row = request.row
    viewer = view_as(request) if "as" in request.context.query else request.viewer
    if not 1 <= seq <= row.head.seq:
        raise HttpProblem("not-found")
    match = request.services.match_states.at(row, seq)
    if match.state is None:
        raise HttpProblem("not-found")
    return {
        "game": row.game,
        "match": row.match,
        "seq": seq,
        "viewer": viewer_document(viewer),
        **position_document(match, reader_of(viewer), viewer.sees == "all" and _disclosed(request)),
    }


def view_as(request: MatchRequest) -> Viewer:
    """Return the caller looking as another seat. Whether it may is checked before which seat it means."""
    decided = decide_view_as(0, request.caller, Granted(request.viewer))
    if isinstance(decided, Denied):
        raise denied(decided.code)
    return decided.viewer._replace(seat=request.context.whole_number("as", None, len(request.row.seats) - 2))


def links(match: str) -> dict[str, str]:
    """Write where the parts of a match are."""
    url = f"/v1/matches/{match}"
    return {
        "self": url,
        "moves": f"{url}/moves",
        "events": f"{url}/events",
        "replay": f"{url}/replay",
    }


def names_of(services: Services, row: Match) -> Sequence[str | None] | None:
    """Return the names of the seats; ``None`` if none were given."""
    names = names_in(entry_of(services.store, row.match, 0))
    if names is not None and len(names) != len(row.seats) - 1:
        raise Unavailable("a match has other seats than names", "damaged")
    return names


def names_in(first: Entry) -> Sequence[str | None] | None:
    """Return the names of the seats, from the opening of the first event."""
    for opening in first.openings:
        if "/names" in opening.payload:
            names: Sequence[str | None] | None = opening.payload["/names"]
            return names
    return None


def list_matches(context: RequestContext, caller: Caller) -> tuple[dict[str, Any], str | None]:
    """Answer ``listMatches``: a page of the caller's matches, newest first, and the URL of the next one."""
    services = context.services
    limit = context.whole_number("limit", LISTED, MOST_LISTED, least=1) or LISTED
    own = match_filter(caller)
    listing = Listing(
        owner=own.owner,
        among=own.among,
        within=own.within,
        game=context.one_of("game", BY_SLUG),
        status=cast("Status | None", context.one_of("status", STATUSES)),
        tag=context.matching("tag", TAG),
        tournament=context.matching("tournament", UUID),
        before=context.cursor(),
        limit=limit + 1,
    )
    rows = services.store.listed(listing)
    page = rows[:limit]
    following = write_cursor(page[-1].created, page[-1].match) if len(rows) > limit else None
    shown = [summary_or_damage(services, row) for row in page]
    body = {
        "matches": [row for row in shown if not isinstance(row, Unreadable)],
        "unreadable": [row._asdict() for row in shown if isinstance(row, Unreadable)],
        "next": following,
    }
    if following is None:
        return body, None
    query = {**context.query, "cursor": following}
    return body, f"/v1/matches?{urlencode(query)}"
