"""Serves what happens in a match, event by event: in pages, waiting for news, or as server-sent events."""

from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any, NamedTuple

import orjson

from gyoji.api.parameters import LONGEST_WAIT, MOST_EVENTS, MOST_SEQ
from gyoji.app.authorization import MatchRequest, reader_from_now_on
from gyoji.app.lent_threads import follower, hang_up_check, lend, take_thread
from gyoji.app.logs import log_aside
from gyoji.app.metrics import meters
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext
from gyoji.app.shutdown import STOP
from gyoji.log.canonical import canonical
from gyoji.log.entries import Entry
from gyoji.log.redaction import Reader, opening_documents, project_event
from gyoji.store.interface import Unavailable

RUNNING = ("seeding", "playing", "paused")
"""While a match stands so, more events are to be waited for; later at most the secret that was withheld."""

POLL = 0.1
"""Seconds after which whoever waits sees whether there is anybody left to wait for it; and looks at the head of the
match, where the database wakes nobody."""
HEARTBEAT = 10.0
"""Seconds after which a stream without news says that it is still there."""


def wait_for_news(request: MatchRequest) -> bool:
    """Wait for news, where that was asked for and there is none. Tell whether it has waited: then the caller may have
    lost, or gained, what it may read, and the match has moved on."""
    context, after = request.context, after_of(request)
    wait = context.whole_number("wait", 0, LONGEST_WAIT) or 0
    services, head = request.services, request.row.head
    if not wait or head.seq > after or head.status not in RUNNING:
        return False
    match, until, hung_up = request.row.match, monotonic() + wait, hang_up_check(context)
    with lend(context, follower(context, request.caller, match)), services.store.subscribe(match) as is_time:
        head = services.store.head(match) or head
        while head.seq <= after and head.status in RUNNING and monotonic() < until and not (STOP.is_set() or hung_up()):
            if is_time(POLL):
                head = services.store.head(match) or head
    return True


def page(request: MatchRequest) -> tuple[list[Entry], bool]:
    """Return the entries of the page that was asked for, and whether more follow."""
    after = after_of(request)
    limit = request.context.whole_number("limit", MOST_EVENTS, MOST_EVENTS, least=1) or MOST_EVENTS
    head = request.row.head
    last = min(head.seq, after + limit)
    entries = list(request.services.store.entries(request.row.match, after, last, lasting=head.closed))
    return entries, bool(entries) and entries[-1].seq < head.seq


def after_of(request: MatchRequest) -> int:
    """Return the ``seq`` after which events are asked for; -1 for all of them. Raises 422 for one that the log has not
    come to: whoever knows of it knows another log, and would wait for ever for what comes after it."""
    after = _after(request.context)
    if after > request.row.head.seq:
        raise request.context.invalid_query("after", "no-such-event")
    return after


def _after(context: RequestContext) -> int:
    found = context.whole_number("after", None, MOST_SEQ)
    return -1 if found is None else found


def page_document(reader: Reader, entries: list[Entry], more: bool) -> dict[str, Any]:
    """Write ``readFeed``: the events as the reader may know them; ``next`` is the next ``after``, null at the end."""
    return {
        "events": [project_event(reader, entry) for entry in entries],
        "next": entries[-1].seq if more else None,
    }


def raw_lines(reader: Reader, entries: list[Entry]) -> bytes:
    """Write ``?raw=1``: the canonical bytes of the events, each followed by the reader's openings."""
    lines = []
    for entry in entries:
        lines.append(entry.body)
        lines += [canonical({"opening": document}) for document in opening_documents(reader, entry)]
    return b"".join([line + b"\n" for line in lines])


class Resumed(NamedTuple):
    """The place where a stream of events begins, and its first message."""

    after: int
    greeting: bytes = b": gyoji\n\n"


def resume(request: MatchRequest) -> Resumed:
    """Return where a stream goes on: after the event that ``Last-Event-ID`` names, else after ``?after=``.

    Where the log has not come to that event, it begins anew: with ``reset``, which takes the last id away, and then
    all that there is. An ``EventSource`` would take any refusal for the end.
    """
    head, after = request.row.head, _last_event(request.context)
    if after <= head.seq:
        return Resumed(after)
    return Resumed(-1, b"event: reset\nid:\ndata: %s\n\n" % orjson.dumps({"asked": after, "last": head.seq}))


def _last_event(context: RequestContext) -> int:
    last = context.last_event_id
    if last is None:
        return _after(context)
    if not last.isascii() or not last.isdecimal() or len(last) > 10:
        raise HttpProblem("malformed-header")
    return int(last)


class OpenStream(NamedTuple):
    """A stream that holds a thread until it is closed."""

    messages: Iterator[bytes]
    close: Callable[[], None]
    """Gives the thread back, also where no message was asked for."""


def open_stream(request: MatchRequest) -> OpenStream | None:
    """Open a stream of the events from where the caller has left off; ``None`` where nothing is left to come."""
    context, head = request.context, request.row.head
    begin = resume(request)
    if head.status not in RUNNING and begin.after >= head.seq:
        return None
    who = follower(context, request.caller, request.row.match)
    close = take_thread(context, who, request.services.streams)
    return OpenStream(stream(request, begin, close), close)


def stream(request: MatchRequest, begin: Resumed, close: Callable[[], None]) -> Iterator[bytes]:
    """Send server-sent events: one an event, with its ``seq`` as id. The stream ends when the match is over, and at
    once when the service stops, the client has hung up or the store does not answer; the client comes back with
    ``Last-Event-ID``.

    What the caller may read is looked up before every batch, so that a revoked token is sent no more; ``close`` gives
    back what the stream holds.
    """
    services, match = request.services, request.row.match
    reader_now, hung_up = reader_from_now_on(request), hang_up_check(request.context)
    after = begin.after
    try:
        yield begin.greeting
        with services.store.subscribe(match) as is_time:
            sent_at, head = monotonic(), services.store.head(match)
            while head is not None and not (STOP.is_set() or hung_up()):
                if head.seq > after:
                    reader = reader_now()
                    if reader is None:
                        return
                    for entry in services.store.entries(match, after, head.seq, lasting=head.closed):
                        yield _message(reader, entry)
                        after = entry.seq
                    sent_at = monotonic()
                if head.status not in RUNNING:
                    return
                if is_time(POLL):
                    head = services.store.head(match)
                if monotonic() >= sent_at + HEARTBEAT:
                    yield b": still here\n\n"
                    sent_at = monotonic()
    except Unavailable as gone:  # whoever follows comes back, and learns why
        log_aside("stream-ended", gone)
        meters().unavailable(gone.cause)
    finally:
        close()


def _message(reader: Reader, entry: Entry) -> bytes:
    document = project_event(reader, entry)
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (entry.seq, str(document["type"]).encode(), orjson.dumps(document))
