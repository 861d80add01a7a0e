"""Runs a soak: mixed traffic at a fixed rate for long; every answer checked, every match audited, memory watched."""

from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from sys import setswitchinterval
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread
from typing import Any, NamedTuple

import orjson

from benchmarks.soak import streams as listening
from benchmarks.soak.monitor import EVERY, Monitor
from benchmarks.soak.reads import read_forever
from benchmarks.soak.report import SoakResult
from benchmarks.soak.requests import Connection, SoakRequest
from benchmarks.soak.service import SoakService, run_service, store_of
from benchmarks.soak.stateless import play_stateless
from benchmarks.soak.tables import Tables, play_stored
from benchmarks.soak.traffic import Traffic, TrafficKind
from benchmarks.surroundings import calibration, progress

LISTENERS = (listening.listen, listening.wait)
"""Two threads of the server at most are lent to listeners, so that downloads never find all of them lent."""

TELL_EVERY = 60.0


class SoakPlan(NamedTuple):
    """The plan of a soak."""

    minutes: float = 30
    rate: float = 150
    """Requests a second."""
    store: str | None = None
    """Its URL; ``postgresql`` for a server that goes with the soak, ``None`` for such an SQLite database."""
    server: str = "gunicorn"
    seed: int = 1
    tables: int = 48
    """Matches that are under way at the same time."""


class Auditor:
    """Audits replay files in a process of its own, so that it holds up nobody here who measures."""

    def __init__(self, keys: Any) -> None:
        self._keys = keys
        self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
        self._lock = Lock()
        self._waiting: list[Future[str]] = []
        self.verdicts: dict[str, int] = {}

    def file(self, replay: bytes) -> None:
        """Take a file. Verdicts that are there by now are counted."""
        with self._lock:
            self._waiting.append(self._pool.submit(verdict_of, replay, self._keys))
            there = [future for future in self._waiting if future.done()]
            self._waiting = [future for future in self._waiting if not future.done()]
            self._count(there)

    def close(self) -> None:
        """Wait for the last verdicts."""
        with self._lock:
            self._count(self._waiting)
            self._waiting.clear()
        self._pool.shutdown()

    def _count(self, futures: Sequence[Future[str]]) -> None:
        for future in futures:
            failure = future.exception()
            verdict = future.result() if failure is None else f"no verdict, {type(failure).__name__}"
            self.verdicts[verdict] = self.verdicts.get(verdict, 0) + 1


def verdict_of(replay: bytes, keys: Any) -> str:
    """Audit a file under the keys that the service publishes; return the verdict."""
    from gyoji.audit.audit import audit  # noqa: PLC0415 - only the process that audits needs them
    from gyoji.messages.verdicts import rules_for  # noqa: PLC0415
    from gyoji.trust.trusted_keys import read_trusted_keys  # noqa: PLC0415

    lines = replay.splitlines(keepends=True)
    return audit(lambda: lines, rules_for, read_trusted_keys(keys)).verdict


def run_soak(plan: SoakPlan) -> SoakResult:
    """Start the service, ask for so many minutes, stop it again; return what was found."""
    speeds = [calibration()]
    setswitchinterval(0.001)  # a check of one answer must not hold up the next request for long
    with (
        TemporaryDirectory(prefix="gyoji-soak-") as folder,
        store_of(plan.store) as store,
        run_service(Path(folder), store, plan.server) as started,
    ):
        found = _ask(plan, started)
    speeds.append(calibration())
    found.calibration = speeds
    return found


def _stop(started: SoakService) -> int:
    """Stop the service by SIGTERM, which ends its streams; return its exit status."""
    started.process.terminate()
    return started.process.wait(60)


def _ask(plan: SoakPlan, started: SoakService) -> SoakResult:
    keys = _keys(started.port)
    with closing(Auditor(keys)) as auditor:
        house = Tables(started.operator, auditor.file)
        sorts = (
            TrafficKind(0.50, 64, play_stateless),
            TrafficKind(0.38, plan.tables, partial(play_stored, house)),
            TrafficKind(0.12, 32, partial(read_forever, house)),
        )
        traffic = Traffic(started.port, plan.rate, sorts, plan.seed)
        watch, stop = Monitor(started.process.pid, started.store, started.log), Event()
        seconds = plan.minutes * 60
        beside = [
            Thread(target=watch.run, args=(stop, min(EVERY, seconds / 12)), daemon=True),
            Thread(target=_report_progress, args=(traffic, house, stop), daemon=True),
            *[
                Thread(target=each, args=(started.port, house, traffic.tally, stop, number), daemon=True)
                for number, each in enumerate(LISTENERS)
            ],
        ]
        for thread in beside:
            thread.start()
        try:
            took = traffic.run(seconds, stop)
            watch.look()
        finally:
            stop.set()
        status = _stop(started)
        for thread in beside:
            thread.join(listening.SILENCE)
    return SoakResult(plan._asdict(), took, traffic.tally, watch, auditor.verdicts, house.finished, status)


def _keys(port: int) -> Any:
    line = Connection(port)
    with closing(line):
        return orjson.loads(line.ask(SoakRequest("keys", "GET", "/v1/keys")).body)


def _report_progress(traffic: Traffic, house: Tables, stop: Event) -> None:
    """Print a line a minute for whoever waits."""
    minutes = 0
    while not stop.wait(TELL_EVERY):
        minutes += 1
        asked = sum(len(times) for times in traffic.tally.latencies.values())
        errors = traffic.tally.errors.total()
        progress(f"{minutes} min: {asked:,} answers, {house.finished:,} matches finished, {errors} errors")
