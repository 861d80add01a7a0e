"""Serves what happens in a match, event by event: in pages, waiting for news, or as server-sent events."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any, NamedTuple

import orjson

from gyoji.api.parameters import LONGEST_WAIT, MOST_EVENTS, MOST_SEQ
from gyoji.app.authorization import MatchRequest, caller_of_credential, reader_of_credential, viewer_in
from gyoji.app.logs import log_aside
from gyoji.app.match_news import MOST, MatchNews
from gyoji.app.matches.referee_calls import Calls, calls_document, calls_in_force
from gyoji.app.metrics import meters
from gyoji.app.places import take_place
from gyoji.app.positions import to_act_document
from gyoji.app.problems import malformed_header
from gyoji.app.requests import RequestContext
from gyoji.app.services import Services
from gyoji.app.shutdown import STOP
from gyoji.log.canonical import canonical
from gyoji.log.entries import Entry
from gyoji.log.redaction import Reader, opening_documents, project_event
from gyoji.match.state import MatchState
from gyoji.store.interface import Head, Match, Seating, Unavailable

RUNNING = ("seeding", "playing", "paused")
"""While a match stands so, more events are to be waited for; later at most the secret that was withheld."""

OF_A_GAME = frozenset(["dealt", "move_played", "choice_made", "ruling_made", "clock_expired"])
"""The types of events that hold moves, events or a position, which each game has its own of. The feed says of which
game they are, as the first event of a log does itself."""

READ_CALLS = "readCalls"
"""The operation whose rights decide who is told who calls the referee."""

HEARTBEAT = 10.0
"""Seconds after which a stream without news says that it is still there."""


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


def event_document(reader: Reader, entry: Entry, state: MatchState) -> dict[str, Any]:
    """Write an event as the feed gives it to a reader: the event, of which match and which game it is, and who may move
    after it."""
    return {"match": state.match, **told_event(reader, entry, state.game.slug), "to_act": to_act_document(state)}


def told_event(reader: Reader, entry: Entry, game: str) -> dict[str, Any]:
    """Return an event as a reader may know it; what each game has its own of says of which game it is."""
    event = project_event(reader, entry)
    return {**event, "data": {"game": game, **event["data"]}} if event["type"] in OF_A_GAME else event


def page_document(request: MatchRequest, entries: list[Entry], more: bool) -> dict[str, Any]:
    """Write ``readFeed``: the events as the reader may know them; ``next`` is the next ``after``, null at the end."""
    states = request.services.match_states.after_each(request.row, entries)
    return {
        "events": [event_document(request.reader, *each) for each in zip(entries, states, strict=True)],
        "next": entries[-1].seq if more else None,
    }


def raw_lines(reader: Reader, entries: list[Entry]) -> bytes:
    """Write ``?raw=1``: the canonical bytes of the events, each followed by the reader's openings."""
    lines = []
    for entry in entries:
        lines.append(entry.body)
        lines += [canonical({"opening": document}) for document in opening_documents(reader, entry)]
    return b"".join([line + b"\n" for line in lines])


def wants_calls(context: RequestContext) -> bool:
    """Tell whether a stream is to tell who calls the referee too. Raises 422 for what says neither."""
    return context.whole_number("calls", 0, 1) == 1


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
    told = {"type": "reset", "asked": after, "last": head.seq}
    return Resumed(-1, b"event: reset\nid:\ndata: %s\n\n" % orjson.dumps(told))


def _last_event(context: RequestContext) -> int:
    last, after = context.last_event_id, _after(context)
    if last is None:
        return after
    if not last.isascii() or not last.isdecimal() or len(last) > 10:
        raise malformed_header("Last-Event-ID")
    return min(int(last), MOST_SEQ)


def open_stream(request: MatchRequest) -> "EventStream | None":
    """Open a stream of the events from where the caller has left off; ``None`` where nothing is left to come."""
    head, begin = request.row.head, resume(request)
    wants_calls(request.context)
    if head.status not in RUNNING and begin.after >= head.seq:
        return None
    return EventStream(request, begin, take_place(request.context, request.caller, request.row.match))


def wait_for_news(request: MatchRequest) -> "NewsWait | None":
    """Return what waits for news, where that was asked for, there is none, and the request has not waited yet. At its
    end the caller may have lost, or gained, what it may read, and the match has moved on."""
    context, after, head = request.context, after_of(request), request.row.head
    wait = context.whole_number("wait", 0, LONGEST_WAIT) or 0
    if not wait or context.has_waited or head.seq > after or head.status not in RUNNING:
        return None
    return NewsWait(request, after, monotonic() + wait, take_place(context, request.caller, request.row.match))


class Following:
    """A request that follows a match, as ``Suspended`` has it: woken when there may be news."""

    def __init__(self, request: MatchRequest, after: int, look_at: float, give_back: Callable[[], None]) -> None:
        """``after``: the last event that the caller knows. ``give_back`` is called once, at the end."""
        self._services: Services = request.services
        self._match = request.row.match
        self._after = after
        self.look_at = look_at
        self._give_back = give_back
        self._is_open = True
        self._news: MatchNews
        self._leave: Callable[[], None] = lambda: None

    def subscribe(self, wake: Callable[[], None]) -> None:
        """Follow the match."""
        self._news, self._leave = self._services.news.follow(self._match, wake)

    def close(self) -> None:
        """Follow it no more, and give the place back."""
        if self._is_open:
            self._is_open = False
            self._leave()
            self._give_back()


class NewsWait(Following):
    """A request that is answered as soon as there is news, or its time is over."""

    is_wait = True

    def pull(self) -> bytes | None:
        """Return ``b""`` while there is nothing to answer with; of a store that does not answer the answer tells."""
        if STOP.is_set() or monotonic() >= self.look_at:
            return None
        try:
            news = self._news.latest()
        except Unavailable:
            return None
        is_over = news is None or news.head.seq > self._after or news.head.status not in RUNNING
        return None if is_over else b""


class LiveStream(ABC):
    """Server-sent events that come as things happen. A stream ends at once when the service stops or the store does not
    answer; the client comes back with ``Last-Event-ID``."""

    is_wait = False
    look_at = 0.0

    @abstractmethod
    def _next(self) -> bytes | None:
        """Return the next messages; ``b""`` where there are none, ``None`` at the end. Raises ``Unavailable``."""

    def pull(self) -> bytes | None:
        """Return the next messages, or now and then a sign of life."""
        try:
            found = None if STOP.is_set() else self._next()
        except Unavailable as gone:  # whoever follows comes back, and learns why
            log_aside("stream-ended", gone)
            meters().unavailable(gone.cause)
            return None
        now = monotonic()
        if found == b"" and now >= self.look_at:
            found = b": still here\n\n"
        if found:
            self.look_at = now + HEARTBEAT
        return found


class EventStream(LiveStream, Following):
    """Server-sent events of a match: one an event, with its ``seq`` as id. The stream ends when the match is over.

    What the caller may read is looked up before every batch, so that a revoked token is sent no more.
    """

    def __init__(self, request: MatchRequest, begin: Resumed, give_back: Callable[[], None]) -> None:
        super().__init__(request, begin.after, monotonic(), give_back)
        self._greeting = begin.greeting
        self._operation = request.context.operation.name
        self._authorization = request.context.authorization
        self._calls: Calls | None = () if wants_calls(request.context) else None
        """Who calls the referee, as was told last; ``None``: the caller has not asked for it."""
        self._seen: tuple[Calls, tuple[Seating, ...]] = ((), ())
        """The calls and the seats that were looked at last."""

    def pull(self) -> bytes | None:
        """Return the greeting first, then the next messages."""
        if self._greeting:
            greeting, self._greeting = self._greeting, b""
            return greeting
        return super().pull()

    def _next(self) -> bytes | None:
        events = self._events()
        return events if events is None or self._calls is None else events + self._calls_since(self._calls)

    def _calls_since(self, told: Calls) -> bytes:
        """Write who calls the referee now, if that has changed and the caller may know it."""
        news = self._news.latest()
        seen = self._news.calls().calls, () if news is None else news.row.seats
        if seen == self._seen:
            return b""
        self._seen, row = seen, self._services.store.match(self._match)
        found = () if row is None else calls_in_force(row, seen[0])
        if found == told:
            return b""
        self._calls = found
        caller = None if row is None else caller_of_credential(self._services, self._authorization, row)
        viewer = None if row is None or caller is None else viewer_in(self._services, READ_CALLS, caller, row)
        if viewer is None:
            return b""
        document = {"type": "calls", **calls_document(viewer, self._match, found)}
        return b"event: calls\ndata: %s\n\n" % orjson.dumps(document)

    def _events(self) -> bytes | None:
        news = self._news.latest()
        if news is None:
            return None
        if news.head.seq <= self._after:
            return b"" if news.head.status in RUNNING else None
        if not news.is_all_since(self._after):
            return self._catch_up(news.head)
        if self._authorization not in news.written:
            news.written[self._authorization] = self._written(news.row, news.entries, news.states)
        self._after = news.head.seq
        return news.written[self._authorization]

    def _catch_up(self, head: Head) -> bytes | None:
        """Return the next of the messages that others have had already."""
        store = self._services.store
        row = store.match(self._match)
        until = min(head.seq, self._after + MOST)
        entries = list(store.entries(self._match, self._after, until, lasting=head.closed))
        self._after = until
        return (
            None if row is None else self._written(row, entries, self._services.match_states.after_each(row, entries))
        )

    def _written(self, row: Match, entries: Iterable[Entry], states: Iterable[MatchState]) -> bytes | None:
        """Write the entries as messages; ``None`` for a credential that is void."""
        reader = reader_of_credential(self._services, self._operation, self._authorization, row)
        return (
            None
            if reader is None
            else b"".join([_message(reader, *each) for each in zip(entries, states, strict=True)])
        )


def _message(reader: Reader, entry: Entry, state: MatchState) -> bytes:
    document = event_document(reader, entry, state)
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (entry.seq, str(document["type"]).encode(), orjson.dumps(document))
