"""Wakes whoever follows a match when there is news of it: the subscribers of one process, and what watches for them.

A process watches, by one thread, only while somebody follows a match in it, or all of somebody's matches, and for a
little longer. The watcher compares the heads of all matches that are followed with those that it knows, so that it
costs the same whether one follows a match or thousands do; and it reads the appends that are new, for whoever follows
many. A database that can tell of news itself does so beside it.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from threading import Event, Lock, Thread
from time import monotonic

from gyoji.store.database.appends import AppendFollowers, Followed, Tell, Topic
from gyoji.store.database.statements import Row
from gyoji.store.records import Unavailable

Wake = Callable[[], None]
"""Called when there may be news, from any thread; quick, and raises nothing."""

HEADS = """SELECT m.match, m.seq, coalesce(c.version, 0) FROM matches AS m
LEFT JOIN referee_calls AS c ON c.match = m.match WHERE m.match IN ({})"""

GONE = (None, 0)
"""How a match stands that is not there."""

HEADS_AT_ONCE = 512
"""Matches whose heads are read by one query."""

LINGER = 10.0
"""Seconds for which a process goes on watching when nobody follows anything in it any more."""

SHARE = 9
"""The watcher pauses for so many times as long as its last look took, at least: it takes a tenth of a core at most."""

RETRY_SECONDS = 0.5
"""Seconds until the next look where the database does not answer."""


class Subscriptions:
    """The subscribers of one process to news of matches."""

    def __init__(
        self,
        look: Callable[["Subscriptions"], float],
        appends: AppendFollowers,
        listen: Callable[["Subscriptions", Event], None] = lambda _news, _over: None,
    ) -> None:
        """``look`` looks for news, if need be by ``compare``, and returns the seconds until the next look. ``listen``
        calls ``advance``, in a thread of its own, until its event is set. ``appends``: who follows all matches of an
        account, or some."""
        self._look = look
        self._appends = appends
        self._are_appends_due = False
        self._listen = listen
        self._lock = Lock()
        self.followed: dict[str, dict[object, Wake]] = {}
        """By match: whom to wake."""
        self._known: dict[str, int | None] = {}
        """By match: the ``seq`` of its head that its subscribers have been woken for."""
        self._beside: dict[str, int] = {}
        """By match: the version of what is beside its log that its subscribers have been woken for."""
        self._left = 0.0
        """When the last subscriber went, on the clock of ``monotonic``."""
        self._over = Event()
        """Set where nothing is watched; every watch has one of its own."""
        self._over.set()
        self._moved = deque[tuple[str, int | None]]()
        self._hurry = Event()
        """Set where something has moved, or the watch is over."""
        self._threads: list[Thread] = []

    def subscribe(self, match: str, wake: Wake) -> Callable[[], None]:
        """Have ``wake`` called at every news of the match; the function that is returned ends that."""
        key = object()
        with self._lock:
            self.followed.setdefault(match, {})[key] = wake
            self._begin()
        return partial(self._unsubscribe, match, key)

    def follow(self, topics: Sequence[Topic], tell: Tell) -> Followed:
        """Have ``tell`` called with all appends of these topics that are found from now on, as ``AppendFollowers`` has
        it. Raises ``Unavailable``."""
        followed = self._appends.follow(topics, tell)
        with self._lock:
            self._begin()
        return followed._replace(leave=partial(self._leave_appends, followed.leave))

    def _leave_appends(self, leave: Callable[[], None]) -> None:
        leave()
        with self._lock:
            self._left = monotonic()

    def _begin(self) -> None:
        """Watch, if nothing is watched yet."""
        if not self._over.is_set():
            return
        self._over = over = Event()
        self._threads = [
            Thread(target=self._watch, args=(over,), name="watcher", daemon=True),
            Thread(target=self._listen, args=(self, over), name="notifier", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def _unsubscribe(self, match: str, key: object) -> None:
        with self._lock:
            wakes = self.followed.get(match, {})
            if wakes.pop(key, None) is not None and not wakes:
                del self.followed[match]
                self._known.pop(match, None)
                self._beside.pop(match, None)
                self._left = monotonic()

    def advance(self, match: str, seq: int | None) -> None:
        """Wake the subscribers of a match whose head is known to stand at ``seq``, if they have not been; or that has
        news beside its log."""
        if self._appends and seq is not None:
            self._are_appends_due = True
            self._hurry.set()
        with self._lock:
            known = self._known.get(match)
            if seq is None:
                wakes: Iterable[Wake] = list(self.followed.get(match, {}).values())
            else:
                wakes = self._note(match, seq) if known is None or known < seq else ()
        for wake in wakes:
            wake()

    def hurry(self, match: str, seq: int | None) -> None:
        """Have the watcher do as ``advance`` does, at once: who has moved does not wait until all are woken."""
        if match in self.followed or self._appends:
            self._moved.append((match, seq))
            self._hurry.set()

    def compare(self, query: Callable[[str, Row], list[Row]]) -> None:
        """Read the heads of all matches that are followed, and wake the subscribers of those that have moved."""
        with self._lock:
            rest = iter(list(self.followed))
        while matches := list(islice(rest, HEADS_AT_ONCE)):
            found = {match: (seq, beside) for match, seq, beside in query(*heads(matches))}
            with self._lock:
                moved = [match for match in matches if self._knows(match) != found.get(match, GONE)]
                wakes = [wake for match in moved for wake in self._note(match, *found.get(match, GONE))]
            for wake in wakes:
                wake()
        self._appends.read()

    def _knows(self, match: str) -> tuple[int | None, int]:
        return self._known.get(match, -1), self._beside.get(match, 0)

    def _note(self, match: str, seq: int | None, beside: int | None = None) -> Iterable[Wake]:
        """Note where a match that is followed stands, and give whom to wake."""
        if match not in self.followed:
            return ()
        self._known[match] = seq
        if beside is not None:
            self._beside[match] = beside
        return list(self.followed[match].values())

    def wake_all(self) -> None:
        """Wake everybody: whoever asks the database itself finds out what is wrong with it."""
        with self._lock:
            wakes = [wake for of_match in self.followed.values() for wake in of_match.values()]
        for wake in wakes:
            wake()
        self._appends.doubt()

    def close(self) -> None:
        """Watch no more."""
        self._over.set()
        self._hurry.set()
        for thread in self._threads:
            thread.join(2 * RETRY_SECONDS)

    def _watch(self, over: Event) -> None:
        look_at = rested_at = 0.0
        try:
            while not over.is_set():
                while self._moved:
                    self.advance(*self._moved.popleft())
                began = monotonic()
                if began >= look_at:
                    pause = self._looked(self._look)
                    ended = monotonic()
                    look_at = ended + max(pause, SHARE * (ended - began))
                    with self._lock:
                        if not (self.followed or self._appends) and ended > self._left + LINGER:
                            over.set()
                elif self._are_appends_due and began >= rested_at:
                    self._are_appends_due = False
                    pause = self._looked(Subscriptions._read_appends)
                    ended = monotonic()
                    rested_at = ended + max(pause, SHARE * (ended - began))
                self._hurry.wait(max(0.0, min(look_at, rested_at if self._are_appends_due else look_at) - monotonic()))
                self._hurry.clear()
        finally:
            over.set()  # whatever has ended it: the next subscriber begins another

    def _read_appends(self) -> float:
        self._appends.read()
        return 0.0

    def _looked(self, look: Callable[["Subscriptions"], float]) -> float:
        try:
            return look(self)
        except Unavailable:
            self.wake_all()
            return RETRY_SECONDS


def heads(matches: Sequence[str]) -> tuple[str, Row]:
    """Write the query for the heads of those matches, and how often what is beside their logs has changed; of one of
    few lengths, so that it is prepared."""
    length = 1 << (len(matches) - 1).bit_length()
    put = (*matches, *[matches[-1]] * (length - len(matches)))
    return HEADS.format(", ".join("?" * length)), put
