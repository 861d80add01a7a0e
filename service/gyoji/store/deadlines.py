"""Keeps deadlines for answers from servers by this side's clock.

A server that is stopped still has a kernel, which takes what it is sent and acknowledges it: no time-out of TCP ever
comes to its end then, and none of the server's own. So one thread of a process looks several times a second at who
waits for an answer, and cuts the connection of whoever has waited for too long. Whoever waits in C for it wakes at
once, and finds the connection broken.
"""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Event, Lock, Thread
from time import monotonic
from typing import Protocol, TypeVar

Answer = TypeVar("Answer")


class Cuttable(Protocol):
    """A connection that can be cut from another thread."""

    deadline: float
    """When the answer has to be there that is waited for, on the clock of ``monotonic``; infinite where none is."""

    def cut(self) -> None:
        """Break the connection, so that whoever waits for it wakes; called from another thread."""


class Deadlines:
    """The watched connections of one process, and the thread that cuts those that are waited for too long.

    Waiting costs no more than to set ``deadline`` before and after. So an answer that comes in the very moment of its
    deadline may be taken, and its connection be cut all the same.
    """

    def __init__(self, tick: float) -> None:
        """``tick``: the seconds between two looks, and so how late a connection is cut at most."""
        self._tick = tick
        self._watched: set[Cuttable] = set()
        self._lock = Lock()
        self._closed: Event | None = None

    def watch(self, connection: Cuttable) -> None:
        """Watch a connection: it is cut when an answer is waited for beyond its deadline."""
        with self._lock:
            self._watched.add(connection)
            if self._closed is None:
                self._closed = Event()
                Thread(target=self._look, args=(self._closed,), name="deadlines", daemon=True).start()

    def forget(self, connection: Cuttable) -> None:
        """Watch a connection no more: it is not cut after this returns."""
        with self._lock:
            self._watched.discard(connection)

    def close(self) -> None:
        """End the thread; whoever is watched next starts another."""
        with self._lock:
            if self._closed is not None:
                self._closed.set()
                self._closed = None

    def _look(self, closed: Event) -> None:
        while not closed.wait(self._tick):
            with self._lock:
                now = monotonic()
                for connection in [each for each in self._watched if each.deadline <= now]:
                    self._watched.remove(connection)
                    connection.cut()


def within(
    seconds: float, work: Callable[[], Answer], late: Callable[[Answer], object] = lambda _answer: None
) -> Answer:
    """Do work that cannot be cut, such as the look-up of a name, in a thread of its own, and give back its answer.

    ``TimeoutError`` where it takes longer than so many seconds; its answer is then given to ``late``.
    """
    done: Future[Answer] = Future()

    def run() -> None:
        try:
            answer = work()
        except BaseException as failure:
            if done.set_running_or_notify_cancel():
                done.set_exception(failure)
            return
        if done.set_running_or_notify_cancel():
            done.set_result(answer)
        else:
            late(answer)

    Thread(target=run, name="within", daemon=True).start()
    try:
        return done.result(seconds)
    except TimeoutError:
        if done.cancel():
            raise
        return done.result()


class Outage:
    """A circuit breaker: it remembers that the far end does not answer, so that nobody else waits to find out.

    One thread goes on asking, and as soon as it is answered, with whatever, all is as before.
    """

    def __init__(self, answers: Callable[[], bool], pause: float) -> None:
        """``answers`` asks the far end, within a time; it is asked again after so many seconds of ``pause``."""
        self._answers = answers
        self._pause = pause
        self._lock = Lock()
        self._over: Event | None = None
        self.is_on = False
        """Whether no new connection is to be made."""
        self.is_total = False
        """Whether the connections that there are answer nothing either."""
        self.last = 0.0
        """When they were last found not to, on the clock of ``monotonic``; none of before is to be used again."""

    def begin(self, is_total: bool) -> None:
        """Remember that no answer came in time: on a new connection, or (``is_total``) on one that has answered
        before."""
        with self._lock:
            if is_total:
                self.last = monotonic()
                self.is_total = True
            self.is_on = True
            if self._over is None:
                self._over = Event()
                Thread(target=self._ask, args=(self._over,), name="outage", daemon=True).start()

    def close(self) -> None:
        """Stop asking the far end whether it answers, and end the outage."""
        if self._over is not None:
            self._end(self._over)

    def _ask(self, over: Event) -> None:
        while not (over.is_set() or self._answers()):
            over.wait(self._pause)
        self._end(over)

    def _end(self, over: Event) -> None:
        """End that outage; there may be another by now."""
        with self._lock:
            over.set()
            if self._over is over:
                self._over = None
                self.is_on = self.is_total = False
