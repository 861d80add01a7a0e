"""Counts what Prometheus asks for, and adds up what all workers have counted.

Labels are chosen here, from closed sets: methods, the URL rules of the operations (never a URL), statuses, problem
codes. No value of a request gets in.

prometheus-client decides when it is imported whether processes share their metrics, so it is imported here when the
application is made, after ``shared`` has said where.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from platform import python_version
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, Literal, get_args

from gyoji import __version__, is_compiled
from gyoji.app.logs import log_refused
from gyoji.app.request_record import RequestRecord
from gyoji.app.settings import WrongSetting
from gyoji.app.shared_counts import REFUSED, SharedCounts, refusal
from gyoji.store.database.port import Operation
from gyoji.store.interface import CAUSES, Cause

if TYPE_CHECKING:
    from prometheus_client import Counter, Gauge, Histogram

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder in which processes share their metrics."""

MEMORY = "/dev/shm"  # noqa: S108 - every folder made in it has a name of its own
"""Where that folder is made, if there: a full or a slow disk must not hold up whoever counts."""

TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8"
"""The media type of what Prometheus reads."""

Outcome = Literal["delivered", "failed", "given_up"]
"""How an attempt to deliver to a webhook ends."""

ALARMING = ("internal-error", "unavailable", "too-many-at-once")
"""Codes of problems that are somebody's to look into."""

METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"})
OTHER = "other"
"""The method of requests whose method nobody knows, and the route of those that lead nowhere."""

STORE_SECONDS = (0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 30.0)
"""Upper ends of the buckets of what is asked of the store."""

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 30.0)
"""Upper ends of the buckets of requests."""


class Meters:
    """The metrics that this process counts."""

    def __init__(self) -> None:
        import prometheus_client

        prometheus_client.values.MmapedDict = SharedCounts  # type: ignore[attr-defined, assignment]
        self._client = prometheus_client
        self.registry = prometheus_client.CollectorRegistry()
        self._requests = self._counter(
            "gyoji_http_requests",
            "Requests answered, by method, rule of the address and status.",
            ("method", "route", "status"),
        )
        self._seconds = self._histogram(
            "gyoji_http_request_seconds", "Seconds until the answer begins.", "route", SECONDS
        )
        self._problems = self._counter("gyoji_http_problems", "Requests answered with problem details.", ("code",))
        self._counting: dict[tuple[str, str, int], tuple[Callable[[], None], Callable[[float], None]]] = {}
        """How a request of one kind is counted and timed: to look up labels takes longer than to count."""
        in_flight = self._gauge(
            "gyoji_http_requests_in_flight", "Requests that are being answered, until their answer begins.", "livesum"
        )
        self.begin, self.end = in_flight.inc, in_flight.dec
        """To be called when a request comes, and when its answer begins."""
        self._add_process_metrics()
        self._add_store_metrics()
        self._add_webhook_metrics()
        self._begin_at_zero()

    def _counter(self, name: str, meaning: str, labels: tuple[str, ...] = ()) -> "Counter":
        return self._client.Counter(name, meaning, labels, registry=self.registry)

    def _gauge(
        self, name: str, meaning: str, mode: Literal["livesum", "livemax"], labels: tuple[str, ...] = ()
    ) -> "Gauge":
        return self._client.Gauge(name, meaning, labels, registry=self.registry, multiprocess_mode=mode)

    def _histogram(self, name: str, meaning: str, label: str, buckets: tuple[float, ...]) -> "Histogram":
        return self._client.Histogram(name, meaning, (label,), buckets=buckets, registry=self.registry)

    def _add_process_metrics(self) -> None:
        build = self._gauge(
            "gyoji_build_info",
            "Always 1; the labels say what runs.",
            "livemax",
            ("version", "python", "compiled"),
        )
        build.labels(__version__, python_version(), str(is_compiled()).lower()).set(1)
        self.streams = self._gauge(
            "gyoji_streams_open", "Streams of events, waits for news and downloads that are open.", "livesum"
        )
        self._unwritten = self._counter(
            "gyoji_log_lines_dropped",
            "Lines of the log that found no room, since standard error does not take them fast enough.",
        )

    def _add_store_metrics(self) -> None:
        self._unavailable = self._counter(
            "gyoji_unavailable",
            "Times that the store did not do what a request, or work beside requests, asked, by cause.",
            ("cause",),
        )
        seconds = self._histogram(
            "gyoji_store_seconds", "Seconds until the database has answered, or refused to.", "asked", STORE_SECONDS
        )
        self._timing = {asked: seconds.labels(asked).observe for asked in get_args(Operation)}
        events = self._counter("gyoji_log_events_stored", "Log events stored in matches.")
        self.stored_events: Callable[[int], None] = events.inc
        """To be called with the number of events that have been stored."""

    def _add_webhook_metrics(self) -> None:
        self._deliveries = self._counter(
            "gyoji_webhook_attempts", "Messages sent to webhooks, by how that ended.", ("outcome",)
        )
        self.undelivered = self._gauge(
            "gyoji_webhook_messages_waiting", "Messages that wait for their webhook.", "livemax"
        )
        self.oldest_undelivered = self._gauge(
            "gyoji_webhook_oldest_message_seconds",
            "Age of the oldest message that waits for its webhook; 0 where none does.",
            "livemax",
        )

    def _begin_at_zero(self) -> None:
        """Begin what an alarm waits for at 0: Prometheus sees no increase in what begins at 1."""
        for cause in CAUSES:
            self._unavailable.labels(cause)
        for code in ALARMING:
            self._problems.labels(code)
        for outcome in get_args(Outcome):
            self._deliveries.labels(outcome)

    def count(self, record: RequestRecord, status: int, seconds: float) -> None:
        """Count one request that was answered."""
        kind = (record.method if record.method in METHODS else OTHER, record.route or OTHER, status)
        counted, timed = self._counting.get(kind) or self._new(kind)
        counted()
        timed(seconds)
        if status >= 400:
            self._problems.labels(_code(record)).inc()
        if record.cause is not None:
            self.unavailable(record.cause)
        while REFUSED and (failure := refusal()):
            log_refused("metrics-not-shared", failure)

    def asked_store(self, asked: Operation, seconds: float) -> None:
        """Count something that the store was asked, and how long the answer took."""
        self._timing[asked](seconds)

    def unavailable(self, cause: Cause) -> None:
        """Count a failure of the store, by its cause."""
        self._unavailable.labels(cause).inc()

    def dropped_line(self) -> None:
        """Count one line of the process log that was dropped."""
        self._unwritten.inc()

    def delivered(self, outcome: Outcome) -> None:
        """Count one attempt to deliver a message to a webhook."""
        self._deliveries.labels(outcome).inc()

    def _new(self, kind: tuple[str, str, int]) -> tuple[Callable[[], None], Callable[[float], None]]:
        method, route, status = kind
        made = self._requests.labels(method, route, str(status)).inc, self._seconds.labels(route).observe
        self._counting[kind] = made
        return made

    def text(self) -> bytes:
        """Write the metrics of all processes in the text format of Prometheus."""
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        registry = self.registry
        if FOLDER in os.environ and Path(os.environ[FOLDER]).is_dir():
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def _code(record: RequestRecord) -> str:
    if record.failure is not None:
        return "internal-error"
    code: str = (record.problem or {}).get("code", OTHER)
    return code


@cache
def meters() -> Meters:
    """Return the metrics that this process counts. They are made before workers are forked, which each count in files
    of their own."""
    return Meters()


@contextmanager
def shared() -> Iterator[None]:
    """Make an empty folder in which the workers that are started in the block share their metrics.

    It is one of our own, removed at the end, unless the variable names another.
    """
    if FOLDER in os.environ:
        _empty(Path(os.environ[FOLDER]))
        yield
        return
    maker = os.getpid()
    os.environ[FOLDER] = mkdtemp(prefix="gyoji-metrics-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None)
    try:
        yield
    finally:
        if os.getpid() == maker:  # a forked worker leaves the block too when it ends
            rmtree(os.environ.pop(FOLDER), ignore_errors=True)


def _empty(folder: Path) -> None:
    """Empty the folder: what an earlier run has counted must not be added to what this one counts."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob("*.db"):
            left.unlink()
    except OSError as failure:
        raise WrongSetting(f"{FOLDER}: {failure.strerror}") from None


def forget(_arbiter: Any, worker: Any) -> None:
    """Remove the open streams of a worker that has ended from the metrics: gunicorn's ``child_exit``."""
    forget_process(worker.pid)


def forget_process(process: int) -> None:
    """Remove what is open in a process that has ended from the metrics, where processes share them; its counts stay."""
    from prometheus_client.multiprocess import mark_process_dead

    if FOLDER in os.environ:
        mark_process_dead(process)  # type: ignore[no-untyped-call]
