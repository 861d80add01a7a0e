"""Lists of tournaments, page by page."""

from typing import Any

from gyoji.access.callers import Caller
from gyoji.access.rights import tournaments_of
from gyoji.api.parameters import LISTED, MOST_LISTED
from gyoji.app.cursors import read_cursor, write_cursor
from gyoji.app.requests import RequestContext
from gyoji.app.tournaments.documents import summary
from gyoji.store.tournaments import Catalogue


def list_tournaments(context: RequestContext, caller: Caller) -> tuple[dict[str, Any], str | None]:
    """``listTournaments``: a page of public tournaments and the caller's own, newest first, and the URL of the next."""
    services = context.services
    limit = context.whole_number("limit", LISTED, MOST_LISTED, least=1) or LISTED
    own = tournaments_of(caller)
    found = services.store.tournaments.listed(Catalogue(own.owner, own.within, read_cursor(context), limit + 1))
    page = found[:limit]
    following = write_cursor(page[-1].created, page[-1].tournament) if len(found) > limit else None
    body = {"tournaments": [summary(services, held) for held in page], "next": following}
    return body, None if following is None else f"/v1/tournaments?limit={limit}&cursor={following}"
