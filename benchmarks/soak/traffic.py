"""Makes open-loop traffic: requests on a schedule that does not wait for answers.

Request ``n`` is due ``n / rate`` seconds after the beginning, whatever became of those before it, and its latency is
counted from then: if the server or this process stalls, every request that fell due meanwhile has waited. Threads take
requests in turn; while one waits for its answer, others go on.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from http.client import HTTPException
from itertools import count
from queue import Queue
from random import Random
from threading import Event, Lock, Thread
from time import perf_counter
from typing import NamedTuple

from benchmarks.soak.requests import Answer, Connection, Course, SoakRequest, WrongAnswer

THREADS = 24
"""Requests that can be under way at the same time."""

TOLD = 20
"""Errors that are told with their text; all are counted."""


class TrafficKind(NamedTuple):
    """A kind of traffic: its share, and how many of its courses there are."""

    share: float
    courses: int
    course: Callable[[int], Course]
    """Makes the course of a number."""


class Tally:
    """Latencies and errors by kind of request."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.latencies: dict[str, array[float]] = {}
        self.late = array("d")
        """Seconds that requests were sent after they were due."""
        self.errors: Counter[str] = Counter()

    def add(self, kind: str, seconds: float, late: float = 0.0) -> None:
        """Count one answer."""
        with self._lock:
            self.latencies.setdefault(kind, array("d")).append(seconds)
            self.late.append(late)

    def add_aside(self, kind: str, seconds: float) -> None:
        """Count something timed that was on no schedule."""
        with self._lock:
            self.latencies.setdefault(kind, array("d")).append(seconds)

    def wrong(self, text: str) -> None:
        """Count one error. Texts beyond the first few kinds are not told apart."""
        with self._lock:
            self.errors[text if text in self.errors or len(self.errors) < TOLD else "others"] += 1


class _Course:
    """A course that is under way, and its next request."""

    def __init__(self, make: Callable[[int], Course], numbers: Callable[[], int]) -> None:
        self._make, self._numbers = make, numbers
        self._begin()

    def _begin(self) -> None:
        self._course = self._make(self._numbers())
        self.asks: SoakRequest = next(self._course)

    def go_on(self, answer: Answer, tally: Tally) -> None:
        """Check the answer and make the next request. After a wrong one the course begins anew."""
        try:
            self.asks = self._course.send(answer)
        except Exception as wrong:  # whatever a wrong answer leads to is an error of the soak, and not its end
            tally.wrong(str(wrong) if isinstance(wrong, WrongAnswer) else f"{self.asks.kind}: {type(wrong).__name__}")
            self._begin()

    def broken(self, failure: Exception, tally: Tally) -> None:
        """Begin anew where no answer came."""
        tally.wrong(f"{self.asks.kind}: no answer, {type(failure).__name__}")
        self._begin()


class Traffic:
    """All kinds of traffic together, at one rate."""

    def __init__(self, port: int, rate: float, sorts: Sequence[TrafficKind], seed: int) -> None:
        self._port, self._rate = port, rate
        self._shares = [sort.share for sort in sorts]
        numbers = count(seed * 1_000_000).__next__
        self._idle: list[Queue[_Course]] = []
        for sort in sorts:
            idle: Queue[_Course] = Queue()
            for _course in range(sort.courses):
                idle.put(_Course(sort.course, numbers))
            self._idle.append(idle)
        self._random = Random(seed)
        self._lock = Lock()
        self._next = 0
        self.tally = Tally()

    def run(self, seconds: float, stop: Event) -> float:
        """Ask until then, or until told to stop; return how many seconds it took, from the first due to the last
        answer."""
        begun = perf_counter()
        threads = [Thread(target=self._ask, args=(begun, seconds, stop), daemon=True) for _thread in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return perf_counter() - begun

    def _ask(self, begun: float, seconds: float, stop: Event) -> None:
        line = Connection(self._port)
        while not stop.is_set():
            with self._lock:
                due = begun + self._next / self._rate
                self._next += 1
                idle = self._random.choices(self._idle, self._shares)[0]
            if due >= begun + seconds:
                break
            if stop.wait(max(0.0, due - perf_counter())):
                break
            self._one(line, idle, due)
        line.close()

    def _one(self, line: Connection, idle: "Queue[_Course]", due: float) -> None:
        course = idle.get()
        kind, late = course.asks.kind, perf_counter() - due
        try:
            answer = line.ask(course.asks)
        except (OSError, HTTPException) as failure:
            course.broken(failure, self.tally)
        else:
            self.tally.add(kind, answer.at - due, late)
            if answer.status >= 500:
                self.tally.wrong(f"{kind}: {answer.status}")
            course.go_on(answer, self.tally)
        finally:
            idle.put(course)
