"""Matches as they are read: one, a list, a position, a replay file."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection, Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from flask import request

from gyoji.access.callers import Caller
from gyoji.access.rights import Denied, Granted, Viewer, is_disclosed, looking_as, reach
from gyoji.api.parameters import LINES, LISTED, MATCH, MOST_LISTED, NAME, STATUSES
from gyoji.app.application import Desk, first_of
from gyoji.app.logs import log_unreadable
from gyoji.app.positions import (
    clock_document,
    own_moves,
    position_document,
    ruled_document,
    seeding_document,
    viewer_document,
)
from gyoji.app.problems import HttpProblem
from gyoji.app.signing_keys import keys_document
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.files import write_replay
from gyoji.match.effective_history import history_lines
from gyoji.match.rulings import taken_back_events
from gyoji.match.state import MatchState
from gyoji.messages.problems import invalid_request
from gyoji.published_files import rules_digest
from gyoji.store.interface import Listing, Match, Unavailable, Unreadable
from gyoji.web.matches.asking import MATCH_ID, Asked, Refusal, facts_of, reader_of
from gyoji.web.matches.creating import links, names_of
from gyoji.web.negotiation import language

TAG = re.compile(NAME)
CREATED = "[0-9T:.Z-]{20,30}"
"""In a cursor: when the last one of a page was created; behind it stands which it was."""


def match_document(asked: Asked) -> dict[str, Any]:
    """``readMatch``: where the match stands, as the viewer may know it."""
    here, row = asked.desk, asked.row
    standing = here.standings.latest(row)
    is_running = standing.status == "playing"
    return {
        **summary(here, row),
        "seats": _seated(here, row, standing),
        "status": standing.status,  # another move may have come since the row was read
        "seq": standing.seq,
        "closed": standing.closed,
        "decision": standing.decision,
        "viewer": viewer_document(asked.viewer),
        "legal_moves": own_moves(standing.game, standing.state, asked.viewer.seat) if is_running else [],
        **position_document(standing, asked.reader, _disclosed(asked)),
        **ruled_document(standing),
        "clock": clock_document(standing, here.at()),
        **seeding_document(standing),
    }


def _seated(here: Desk, row: Match, standing: MatchState) -> list[dict[str, Any]]:
    """Who sits where: those who have taken over a seat among them."""
    began = names_of(here, row) or [None] * (len(row.seats) - 1)
    return [{"seat": seat, "name": standing.names.get(seat, name)} for seat, name in enumerate(began)]


def summary(here: Desk, row: Match) -> dict[str, Any]:
    """A match in a list."""
    names = names_of(here, row)
    return {
        "match": row.match,
        "game": row.game,
        "version": row.version,
        "rules_digest": rules_digest(row.game),
        "status": row.head.status,
        "seq": row.head.seq,
        "created": row.created,
        "seats": [{"seat": seat, "name": None if names is None else names[seat]} for seat in range(len(row.seats) - 1)],
        "tags": row.tags,
        "disclosure": row.disclosure,
        "visibility": row.visibility,
        "group": row.group,
        "tournament": row.tournament,
        "withheld_until": row.withheld_until,
        "closed": row.head.closed,
        "links": links(row.match),
    }


def summarised(here: Desk, row: Match | Unreadable) -> dict[str, Any] | Unreadable:
    """A match in a list; where what is stored of it is damaged, only where it stands, and a line in the log."""
    if isinstance(row, Match) and row.game in BY_SLUG and row.head.status in STATUSES:
        try:
            return summary(here, row)
        except Unavailable as failure:
            if failure.cause != "damaged":
                raise
    log_unreadable(row.match)
    return Unreadable(row.match, row.created)


def _disclosed(asked: Asked) -> bool:
    return is_disclosed(facts_of(asked.desk, asked.row), asked.viewer.role)


def position(asked: Asked, seq: int) -> dict[str, Any]:
    """``readPosition``: the position after event ``seq``; with ``?as=`` as another seat could know it."""
    row = asked.row
    viewer = looking(asked) if "as" in request.args else asked.viewer
    if not 1 <= seq <= row.head.seq:
        raise HttpProblem("not-found")
    standing = asked.desk.standings.at(row, seq)
    if standing.state is None:
        raise HttpProblem("not-found")
    return {
        "match": row.match,
        "seq": seq,
        "viewer": viewer_document(viewer),
        **position_document(standing, reader_of(viewer), viewer.sees == "all" and _disclosed(asked)),
    }


def looking(asked: Asked) -> Viewer:
    """The caller, looking as another seat: whether it may is asked before which seat it means."""
    decided = looking_as(0, asked.caller, Granted(asked.viewer))
    if isinstance(decided, Denied):
        raise HttpProblem(decided.code)
    return decided.viewer._replace(seat=whole("as", None, len(asked.row.seats) - 2))


def whole(name: str, default: int | None, most: int, least: int = 0) -> int | None:
    """A whole number of the query, from ``least`` to ``most``; 422 for anything else."""
    text = request.args.get(name)
    if text is None:
        return default
    if not text.isascii() or not text.isdecimal() or len(text) > 10 or not least <= int(text) <= most:
        raise wrong_query(name)
    return int(text)


def wrong_query(name: str, code: str = "not-allowed") -> Refusal:
    """422 for a parameter of the query that has not the published shape, or is wrong for the reason of that code."""
    spoken = language()
    return Refusal(invalid_request([(f"/{name}", code)], request.path, spoken), spoken)


def match_list(here: Desk, caller: Caller) -> tuple[dict[str, Any], str | None]:
    """``listMatches``: a page of the caller's matches, newest first, and the address of the next one."""
    limit = whole("limit", LISTED, MOST_LISTED, least=1) or LISTED
    own = reach(caller)
    listing = Listing(
        owner=own.owner,
        among=own.among,
        within=own.within,
        game=_one_of("game", BY_SLUG),
        status=_one_of("status", STATUSES),
        tag=_tag(request.args.get("tag")),
        tournament=_id(request.args.get("tournament")),
        before=read_cursor(),
        limit=limit + 1,
    )
    rows = here.store.listed(listing)
    page = rows[:limit]
    following = written_cursor(page[-1].created, page[-1].match) if len(rows) > limit else None
    shown = [summarised(here, row) for row in page]
    body = {
        "matches": [row for row in shown if not isinstance(row, Unreadable)],
        "unreadable": [row._asdict() for row in shown if isinstance(row, Unreadable)],
        "next": following,
    }
    if following is None:
        return body, None
    query = {**request.args.to_dict(), "cursor": following}
    return body, f"/v1/matches?{urlencode(query)}"


def _one_of(name: str, known: Collection[str]) -> Any:
    text = request.args.get(name)
    if text is not None and text not in known:
        raise wrong_query(name)
    return text


def _tag(text: str | None) -> str | None:
    if text is not None and TAG.fullmatch(text) is None:
        raise wrong_query("tag")
    return text


def _id(text: str | None) -> str | None:
    if text is not None and MATCH_ID.fullmatch(text) is None:
        raise wrong_query("tournament")
    return text


def written_cursor(created: str, name: str) -> str:
    """Where a page ends, for whoever asks for the next one."""
    return urlsafe_b64encode(f"{created}|{name}".encode()).decode().rstrip("=")


def read_cursor(name: str = MATCH) -> tuple[str, str] | None:
    """Where the page before has ended, if the request says so; ``name`` is the pattern of what is listed."""
    text = request.args.get("cursor")
    if text is None:
        return None
    try:
        found = re.fullmatch(rf"({CREATED})\|({name})", urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode())
    except ValueError:
        found = None
    if found is None:
        raise wrong_query("cursor")
    return found[1], found[2]


def replay_lines(asked: Asked) -> Iterator[bytes]:
    """``exportReplay``: the replay file up to where the match stands now, as much of it as the reader may have."""
    here, row = asked.desk, asked.row
    entries = here.store.entries(row.match, -1, row.head.seq, lasting=row.head.closed)
    first = first_of(entries)  # before anything is sent, so that what cannot be read is refused and not begun
    return write_replay(first, entries, here.signing, asked.reader, row.head[:2])


def line_asked() -> str:
    """``?line=``: which line of the log an export is to hold."""
    line: str = _one_of("line", LINES) or "played"
    return line


def lines_in_force(asked: Asked) -> Iterator[bytes]:
    """``exportReplay`` with ``line=ruled``: the events that no ruling has taken back, up to where the match stands now,
    as the feed shows them to the reader."""
    store, row = asked.desk.store, asked.row
    lasting = row.head.closed
    taken = taken_back_events(store.entries(row.match, -1, row.head.seq, lasting=lasting))
    return history_lines(asked.reader, store.entries(row.match, -1, row.head.seq, lasting=lasting), taken)


def signing_keys(here: Desk) -> Mapping[str, Any]:
    """``readSigningKeys``: every public key that this service signs or has signed with."""
    return keys_document(here.store.signing_keys(), here.store.restorations.documents())
