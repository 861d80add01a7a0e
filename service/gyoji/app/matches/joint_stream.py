"""Streams the events of all matches of a caller as one.

The stream begins with what happens from now on, or behind the position that ``Last-Event-ID`` names. Each event is the
one that the same caller is given by the feed of its match. New matches appear in it as they are created.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from time import monotonic

import orjson

from gyoji.access.callers import Caller, KeyHolder
from gyoji.access.rights import match_filter
from gyoji.app.append_cache import ReadAppend
from gyoji.app.authorization import caller_of_credential, reader_of, viewer_in
from gyoji.app.logs import log_unsealing
from gyoji.app.matches.feeds import LiveStream, event_document
from gyoji.app.places import take_place
from gyoji.app.requests import RequestContext
from gyoji.log.redaction import Reader
from gyoji.store.database.appends import Followed, Found, NumberedAppend, Topic

MOST_WAITING = 256
"""Appends that wait to be sent to one caller; whoever has missed more reads them from the store."""

MOST_AT_ONCE = 32
"""Appends that are sent together."""

SCANNED = 5000
"""Numbers of appends that one look into the store goes through: most may be of others."""

STANDS_APART = 60.0
"""Seconds after which a stream without events says where it stands, and whether its credential is void is looked up."""

READ_FEED = "readFeed"
"""The operation whose rights decide what of a match a caller is sent."""


def topics_of(caller: Caller) -> Sequence[Topic]:
    """Return whose appends a caller follows: those of its list of matches."""
    own = match_filter(caller)
    named: list[Topic] = [("match", match) for match in own.among or ()]
    named += [("tournament", tournament) for tournament in own.within]
    return named if own.owner is None else [("owner", own.owner), *named]


def open_joint_stream(context: RequestContext, caller: Caller) -> "JointStream":
    """Open a stream of the events of all matches of a caller."""
    return JointStream(context, topics_of(caller), take_place(context, caller, None))


class Inbox:
    """The appends that wait to be sent to one caller: so many at most, then it is only known that there were more."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._lock = Lock()
        self._waiting: deque[NumberedAppend] = deque()
        self.is_whole = True
        """Whether everything has been put here; if not, all is to be followed anew."""

    def __bool__(self) -> bool:
        return bool(self._waiting) or not self.is_whole

    def put(self, appends: Sequence[NumberedAppend]) -> None:
        """Take appends; none where the store may not answer, or has gone back."""
        with self._lock:
            self.is_whole = self.is_whole and 0 < len(appends) <= MOST_WAITING - len(self._waiting)
            if self.is_whole:
                self._waiting.extend(appends)
            else:
                self._waiting.clear()
        self._wake()

    def take(self) -> list[NumberedAppend]:
        """Give the next of them."""
        with self._lock:
            return [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_AT_ONCE))]


class JointStream(LiveStream):
    """Server-sent events of many matches. The id of a message is a position among all appends of the store; it stands
    at the last event of each append, so that none is cut in two, and now and then alone, so that who hears nothing for
    long does not fall behind."""

    def __init__(self, context: RequestContext, topics: Sequence[Topic], give_back: Callable[[], None]) -> None:
        self._services = context.services
        self._asked = context.last_event_id
        self._authorization = context.authorization
        self._request_id = context.record.request_id
        self._topics = topics
        self._give_back = give_back
        self._is_open = True
        self._followed: Followed | None = None
        self._inbox: Inbox
        self._sent = self._said = 0
        """The position behind which everything is still to be sent, and the last that the caller was told."""
        self._scanned: int | None = None
        """Up to which number the store was looked through for what was found before; ``None``: it need not be."""
        self._stand_at = monotonic() + STANDS_APART
        """When to say next where the stream stands."""
        self._unsealed: set[str] = set()
        self.look_at = monotonic()

    def subscribe(self, wake: Callable[[], None]) -> None:
        """Note whom to wake; the first pull begins to follow."""
        self._wake = wake

    def close(self) -> None:
        """Follow no more, and give the place back."""
        if self._is_open:
            self._is_open = False
            if self._followed is not None:
                self._followed.leave()
            self._give_back()

    def _next(self) -> bytes | None:
        before = followed = self._followed
        if followed is None or not self._inbox.is_whole:
            followed = self._follow()
            greeting = self._begin(before, followed.found)
            if greeting:
                return greeting
        if self._scanned is not None:
            return self._catch_up(followed.found, self._scanned)
        appends = self._inbox.take()
        if not appends:
            return self._stand(followed)
        if self._inbox:
            self._wake()
        generation = followed.found.generation
        return self._written([self._services.appended.get(generation, append) for append in appends])

    def _follow(self) -> Followed:
        """Follow the appends from now on."""
        if self._followed is not None:
            self._followed.leave()
        self._inbox = Inbox(self._wake)
        self._followed = self._services.store.appends.follow(self._topics, self._inbox.put)
        return self._followed

    def _begin(self, before: Followed | None, found: Found) -> bytes:
        """Find where to go on: behind what was sent, if the appends were followed ``before``, or what the caller names.
        Return the greeting, if there is one, which says where everything is to begin now if not there."""
        known: int | None = None
        if before is not None and before.found.generation == found.generation and found.reaches(self._sent):
            known = self._sent
        elif before is None and self._asked is not None:
            known = self._services.store.appends.read_position(found, self._asked)
        if known is not None:
            self._sent = self._said = self._scanned = known
            self._wake()
            return b": gyoji\n\n" if before is None else b""
        self._sent = self._said = found.position
        self._scanned = None
        if before is None and self._asked is None:
            return b"%s: gyoji\n\n" % self._id(found, found.position)
        return b"event: reset\n%sdata: %s\n\n" % (self._id(found, found.position), orjson.dumps({"type": "reset"}))

    def _catch_up(self, found: Found, scanned: int) -> bytes | None:
        """Return the next of what others were sent before this caller began to follow."""
        until = min(scanned + SCANNED, found.highest)
        read = self._services.store.appends.among(self._topics, scanned, until, MOST_AT_ONCE)
        scanned = read[-1].number if len(read) == MOST_AT_ONCE else until
        self._scanned = None if scanned >= found.highest else scanned
        self._wake()
        before = [each._replace(position=min(each.number, found.position)) for each in read if found.holds(each.number)]
        written = self._written([ReadAppend(append) for append in before])
        self._sent = max(self._sent, min(scanned, found.position))
        if self._scanned is None:  # perhaps far behind what the caller was told last
            self._stand_at = monotonic()
        return written

    def _stand(self, followed: Followed) -> bytes | None:
        """Say now and then where the stream stands, if its caller may still hear it."""
        if monotonic() < self._stand_at:
            return b""
        position = followed.position()
        if self._inbox:  # of what was found up to there something is to be sent yet
            return b""
        self._stand_at = monotonic() + STANDS_APART
        if caller_of_credential(self._services, self._authorization) is None:
            return None
        if position <= self._said:
            return b""
        self._sent = self._said = position
        return self._id(followed.found, position) + b"\n"

    def _id(self, found: Found, position: int) -> bytes:
        return b"id: %s\n" % self._services.store.appends.write_position(found, position).encode()

    def _written(self, appends: Sequence[ReadAppend]) -> bytes | None:
        """Write appends as the caller may know them; ``None`` for a credential that is void."""
        if not appends:
            return b""
        caller = caller_of_credential(self._services, self._authorization)
        return None if caller is None else b"".join(self._messages(caller, appends))

    def _messages(self, caller: Caller, appends: Sequence[ReadAppend]) -> Iterator[bytes]:
        for read in appends:
            reader = self._reader(caller, read)
            if reader is not None:
                yield self._message(read, reader)
                self._said = read.append.position
            self._sent = max(self._sent, read.append.position)

    def _reader(self, caller: Caller, read: ReadAppend) -> Reader | None:
        """Return what the caller may read of the match now; ``None`` where that is nothing."""
        store, match = self._services.store, read.append.match
        with read.lock:
            if not read.is_fresh:
                read.read_at, read.row = monotonic(), store.match(match)
            row = read.row
        viewer = None if row is None else viewer_in(self._services, READ_FEED, caller, row)
        if viewer is None:
            return None
        if viewer.unsealed and isinstance(caller, KeyHolder) and match not in self._unsealed:
            self._unsealed.add(match)
            log_unsealing(self._request_id, caller.id, match)
        return reader_of(viewer)

    def _message(self, read: ReadAppend, reader: Reader) -> bytes:
        """Write the events of an append for a reader, once for all who read alike."""
        with read.lock:
            if reader not in read.written:
                read.written[reader] = self._lines(read, reader)
            return read.written[reader]

    def _lines(self, read: ReadAppend, reader: Reader) -> bytes:
        append, row, services = read.append, read.row, self._services
        if row is None or self._followed is None:
            return b""
        if read.events is None:
            entries = list(services.store.entries(row.match, append.first - 1, append.last, lasting=row.head.closed))
            read.events = list(zip(entries, services.match_states.after_each(row, entries), strict=True))
        lines = []
        for entry, state in read.events:
            document = event_document(reader, entry, state)
            last = self._id(self._followed.found, append.position) if entry.seq == append.last else b""
            lines.append(b"%sevent: %s\ndata: %s\n\n" % (last, str(document["type"]).encode(), orjson.dumps(document)))
        return b"".join(lines)
