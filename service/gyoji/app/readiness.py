"""Tells probes whether the store does its work, at once, also where the store hangs.

The store is asked by a thread of its own, once a second at most, however often it is asked here.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from time import monotonic

from gyoji.store.interface import Unavailable

FRESH_SECONDS = 1.0
"""Seconds for which an answer of the store counts."""

ANSWER_SECONDS = 1.0
"""Seconds within which the store answers, or else counts as one that does not."""


class Readiness:
    """The last answer of the store to the question whether it works."""

    def __init__(self, check: Callable[[], None], clock: Callable[[], float] = monotonic) -> None:
        self._check = check
        self._clock = clock
        self._lock = Lock()
        self._thread = ThreadPoolExecutor(1, "readiness")
        self._answer: Future[None] | None = None
        self._began = 0.0

    def look(self) -> None:
        """Raise ``Unavailable`` unless the store answered a check that is a second old at most."""
        answer, began = self._asked()
        try:
            failure = answer.exception(max(0.0, began + ANSWER_SECONDS - self._clock()))
        except TimeoutError:
            raise Unavailable("the store does not answer in time", "timeout") from None
        if isinstance(failure, Unavailable):
            raise Unavailable(str(failure), failure.cause) from None
        if failure is not None:
            raise failure

    def _asked(self) -> tuple[Future[None], float]:
        """Return the question that is under way, or was answered a moment ago, and when it was put."""
        with self._lock:
            now = self._clock()
            if self._answer is None or (self._answer.done() and now >= self._began + FRESH_SECONDS):
                self._answer, self._began = self._thread.submit(self._check), now
            return self._answer, self._began
