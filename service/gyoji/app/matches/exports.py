"""Replay files of stored matches, and the public keys that they are verified with."""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.api.parameters import LINES
from gyoji.app.match_states import first_of
from gyoji.app.matches.authorization import MatchRequest
from gyoji.app.requests import RequestContext
from gyoji.app.services import Services
from gyoji.app.signing_keys import keys_document
from gyoji.log.files import write_replay
from gyoji.match.effective_history import history_lines, taken_back_events


def replay_lines(request: MatchRequest) -> Iterator[bytes]:
    """``exportReplay``: the replay file up to where the match stands now, as much of it as the reader may have."""
    services, row = request.services, request.row
    entries = services.store.entries(row.match, -1, row.head.seq, lasting=row.head.closed)
    first = first_of(entries)  # before anything is sent, so that what cannot be read is refused and not begun
    return write_replay(first, entries, services.signing, request.reader, row.head[:2])


def line_of(context: RequestContext) -> str:
    """``?line=``: whether an export holds the whole log (``played``) or what rulings have left of it (``ruled``)."""
    return context.one_of("line", LINES) or "played"


def lines_in_force(request: MatchRequest) -> Iterator[bytes]:
    """``exportReplay`` with ``line=ruled``: the events that no ruling has taken back, up to where the match stands now,
    as the feed shows them to the reader."""
    store, row = request.services.store, request.row
    lasting = row.head.closed
    taken = taken_back_events(store.entries(row.match, -1, row.head.seq, lasting=lasting))
    return history_lines(request.reader, store.entries(row.match, -1, row.head.seq, lasting=lasting), taken)


def signing_keys(services: Services) -> Mapping[str, Any]:
    """``readSigningKeys``: every public key that this service signs or has signed with."""
    return keys_document(services.store.signing_keys(), services.store.restorations.documents())
