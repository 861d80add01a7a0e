"""What happens in a match, event by event: in pages, waiting for news, or as a stream of server-sent events."""

from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any, NamedTuple

import orjson
from flask import request

from gyoji.api.parameters import LONGEST_WAIT, MOST_EVENTS, MOST_SEQ
from gyoji.app.application import Desk
from gyoji.app.logs import log_aside
from gyoji.app.metrics import meters
from gyoji.app.problems import HttpProblem
from gyoji.app.shutdown import STOP
from gyoji.log.canonical import canonical
from gyoji.log.entries import Entry
from gyoji.log.readers import Reader, opening_documents, project_event
from gyoji.store.interface import Head, Unavailable
from gyoji.web.matches.asking import Asked
from gyoji.web.matches.lending import lent_to
from gyoji.web.matches.reading import whole, wrong_query

RUNNING = ("seeding", "playing", "paused")
"""While a match stands so, more events are to be waited for; later at most the secret that was withheld."""

POLL = 0.1
"""Seconds after which whoever waits sees whether there is anybody left to wait for it; and looks at the head of the
match, where the database wakes nobody."""
HEARTBEAT = 10.0
"""Seconds after which a stream without news says that it is still there."""


def awaited(asked: Asked, hung_up: Callable[[], bool]) -> bool:
    """Wait for news, where that was asked for and there is none. Whether it has waited: then who asks may have lost,
    or gained, what it may read, and the match has moved on."""
    after, wait = asked_after(asked), whole("wait", 0, LONGEST_WAIT) or 0
    here, head = asked.desk, asked.row.head
    if not wait or head.seq > after or head.status not in RUNNING:
        return False
    match, until = asked.row.match, monotonic() + wait
    with lent_to(asked), here.store.subscribe(match) as is_time:
        head = here.store.head(match) or head
        while head.seq <= after and head.status in RUNNING and monotonic() < until and not (STOP.is_set() or hung_up()):
            if is_time(POLL):
                head = here.store.head(match) or head
    return True


def page(asked: Asked) -> tuple[list[Entry], bool]:
    """The entries of the page that was asked for, and whether more follow."""
    after = asked_after(asked)
    limit = whole("limit", MOST_EVENTS, MOST_EVENTS, least=1) or MOST_EVENTS
    head = asked.row.head
    last = min(head.seq, after + limit)
    entries = list(asked.desk.store.entries(asked.row.match, after, last, lasting=head.closed))
    return entries, bool(entries) and entries[-1].seq < head.seq


def asked_after(asked: Asked) -> int:
    """The ``seq`` after which events are asked for; -1 for all of them. 422 for one that the log has not come to: who
    has heard of it has heard of another log, and would wait for ever for what comes after it."""
    after = _after()
    if after > asked.row.head.seq:
        raise wrong_query("after", "no-such-event")
    return after


def _after() -> int:
    found = whole("after", None, MOST_SEQ)
    return -1 if found is None else found


def page_document(reader: Reader, entries: list[Entry], more: bool) -> dict[str, Any]:
    """``readFeed``: the events as the reader may know them; ``next`` is the next ``after``, null at the end."""
    return {
        "events": [project_event(reader, entry) for entry in entries],
        "next": entries[-1].seq if more else None,
    }


def raw_lines(reader: Reader, entries: list[Entry]) -> bytes:
    """``?raw=1``: the canonical bytes of the events, each followed by the reader's openings."""
    lines = []
    for entry in entries:
        lines.append(entry.body)
        lines += [canonical({"opening": document}) for document in opening_documents(reader, entry)]
    return b"".join([line + b"\n" for line in lines])


class Resumed(NamedTuple):
    """Where a stream begins, and what it says first."""

    after: int
    greeting: bytes = b": gyoji\n\n"


def resumed(head: Head) -> Resumed:
    """The stream that goes on after the event that ``Last-Event-ID`` names, else after ``?after=``.

    Where the log has not come to that event, it begins anew: with ``reset``, which takes the last id away, and then
    all that there is. An ``EventSource`` would take any refusal for the end.
    """
    after = _last_event()
    if after <= head.seq:
        return Resumed(after)
    return Resumed(-1, b"event: reset\nid:\ndata: %s\n\n" % orjson.dumps({"asked": after, "last": head.seq}))


def _last_event() -> int:
    last = request.environ.get("HTTP_LAST_EVENT_ID")
    if last is None:
        return _after()
    if not last.isascii() or not last.isdecimal() or len(last) > 10:
        raise HttpProblem("malformed-header")
    return int(last)


def stream(
    here: Desk,
    match: str,
    reader_now: Callable[[], Reader | None],
    begin: Resumed,
    hung_up: Callable[[], bool],
    done: Callable[[], None],
) -> Iterator[bytes]:
    """Server-sent events: one an event, with its ``seq`` as id. Ends when the match is over, and at once when the
    service stops, the client has ``hung_up`` or the store does not answer; the client comes back with
    ``Last-Event-ID``.

    ``reader_now`` is asked again before every batch, so that a revoked token hears no more; ``done`` gives back what
    the stream holds.
    """
    after = begin.after
    try:
        yield begin.greeting
        with here.store.subscribe(match) as is_time:
            said, head = monotonic(), here.store.head(match)
            while head is not None and not (STOP.is_set() or hung_up()):
                if head.seq > after:
                    reader = reader_now()
                    if reader is None:
                        return
                    for entry in here.store.entries(match, after, head.seq, lasting=head.closed):
                        yield _message(reader, entry)
                        after = entry.seq
                    said = monotonic()
                if head.status not in RUNNING:
                    return
                if is_time(POLL):
                    head = here.store.head(match)
                if monotonic() >= said + HEARTBEAT:
                    yield b": still here\n\n"
                    said = monotonic()
    except Unavailable as gone:  # whoever follows comes back, and is told why
        log_aside("stream-ended", gone)
        meters().unavailable(gone.cause)
    finally:
        done()


def _message(reader: Reader, entry: Entry) -> bytes:
    told = project_event(reader, entry)
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (entry.seq, str(told["type"]).encode(), orjson.dumps(told))
