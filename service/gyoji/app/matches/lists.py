"""Lists of matches, page by page."""

import re
from typing import Any, cast
from urllib.parse import urlencode

from gyoji.access.callers import Caller
from gyoji.access.rights import reach
from gyoji.api.parameters import LISTED, MOST_LISTED, NAME, STATUSES
from gyoji.app.authorization import UUID
from gyoji.app.cursors import read_cursor, write_cursor
from gyoji.app.matches.documents import summarised
from gyoji.app.requests import RequestContext
from gyoji.games.catalogue import BY_SLUG
from gyoji.store.interface import Listing, Status, Unreadable

TAG = re.compile(NAME)


def list_matches(context: RequestContext, caller: Caller) -> tuple[dict[str, Any], str | None]:
    """``listMatches``: a page of the caller's matches, newest first, and the URL of the next one."""
    services = context.services
    limit = context.whole_number("limit", LISTED, MOST_LISTED, least=1) or LISTED
    own = reach(caller)
    listing = Listing(
        owner=own.owner,
        among=own.among,
        within=own.within,
        game=context.one_of("game", BY_SLUG),
        status=cast("Status | None", context.one_of("status", STATUSES)),
        tag=context.matching("tag", TAG),
        tournament=context.matching("tournament", UUID),
        before=read_cursor(context),
        limit=limit + 1,
    )
    rows = services.store.listed(listing)
    page = rows[:limit]
    following = write_cursor(page[-1].created, page[-1].match) if len(rows) > limit else None
    shown = [summarised(services, row) for row in page]
    body = {
        "matches": [row for row in shown if not isinstance(row, Unreadable)],
        "unreadable": [row._asdict() for row in shown if isinstance(row, Unreadable)],
        "next": following,
    }
    if following is None:
        return body, None
    query = {**context.query, "cursor": following}
    return body, f"/v1/matches?{urlencode(query)}"
