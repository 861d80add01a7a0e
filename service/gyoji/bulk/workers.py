"""Workers audit chunks of replays: this process by itself, or several processes of this machine."""

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from threading import enumerate as threads
from typing import NamedTuple, Protocol

from gyoji.bulk.audit_terms import AuditTerms
from gyoji.bulk.locations import BulkError, Location
from gyoji.bulk.outcomes import Outcome, outcomes_of

Batch = tuple[Sequence[Location], list[Outcome]]
"""Some replays, and what came of each."""
Batches = Generator[Batch, None, None]

IN_FLIGHT = 1 << 27
"""Bytes of replays read from archives that wait to be audited."""
JOIN_SECONDS = 5.0
"""Seconds that the threads of a run that is broken off may take to end."""


class ChunkSize(NamedTuple):
    """The size of a chunk, which a worker is given at a time: it is full with so many replays, or so many bytes."""

    replays: int
    size: int = 1 << 21


LOCAL = ChunkSize(8)
"""A few hundredths of a second: at the end nobody waits long for whoever has the last chunk."""
FETCHED = ChunkSize(32)
"""Objects, of which those of a chunk are fetched at once."""


class Workers(Protocol):
    """Audits chunks by the terms, and gives back the outcomes in their order."""

    def __call__(self, terms: AuditTerms, chunks: Iterable[Sequence[Location]]) -> Batches: ...


def split_chunks(places: Iterable[Location], most: ChunkSize) -> Iterator[list[Location]]:
    """Divide the places into chunks; what is larger than a chunk is one by itself."""
    chunk: list[Location] = []
    size = 0
    for place in places:
        if chunk and (len(chunk) == most.replays or size + place.size > most.size):
            yield chunk
            chunk, size = [], 0
        chunk.append(place)
        size += place.size
    if chunk:
        yield chunk


def this_process(terms: AuditTerms, chunks: Iterable[Sequence[Location]]) -> Batches:
    """Audit one chunk after another in this process."""
    for chunk in chunks:
        yield chunk, outcomes_of(terms, chunk)


class Processes(NamedTuple):
    """So many processes of this machine, each of which is sent the terms once."""

    jobs: int

    def __call__(self, terms: AuditTerms, chunks: Iterable[Sequence[Location]]) -> Batches:
        """Audit the chunks and give back the outcomes in their order."""
        with _pool(self.jobs, terms) as pool:
            try:
                yield from ordered_outcomes(lambda chunk: _submit(pool, chunk), chunks, 4 * self.jobs)
            except BrokenProcessPool:
                raise BulkError(
                    "a process has been killed, perhaps for want of memory; what was judged before is in the report's"
                    " .part, if there is one: go on with --resume"
                ) from None


def _submit(pool: ProcessPoolExecutor, chunk: Sequence[Location]) -> Future[list[Outcome]]:
    """Submit a chunk, perhaps to a process that is started for it: a Ctrl-C is for us from the first moment."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(_in_process, chunk)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Pending(Protocol):
    """The outcomes of a chunk that has been submitted to a worker."""

    def result(self) -> list[Outcome]:
        """Wait for the outcomes of the chunk and return them."""
        ...


def ordered_outcomes(
    submit: Callable[[Sequence[Location]], Pending], chunks: Iterable[Sequence[Location]], most: int
) -> Batches:
    """Give back the outcomes in the order of the chunks, of which no more are under way than keep everybody busy."""
    waiting: deque[tuple[Sequence[Location], Pending]] = deque()
    in_flight = 0
    for chunk in chunks:
        while waiting and (len(waiting) >= most or in_flight + _bytes_of(chunk) > IN_FLIGHT):
            first, future = waiting.popleft()
            in_flight -= _bytes_of(first)
            yield first, future.result()
        waiting.append((chunk, submit(chunk)))
        in_flight += _bytes_of(chunk)
    while waiting:
        first, future = waiting.popleft()
        yield first, future.result()


def _bytes_of(chunk: Sequence[Location]) -> int:
    return sum([len(place.body) for place in chunk if place.body is not None])


@contextmanager
def _pool(jobs: int, terms: AuditTerms) -> Iterator[ProcessPoolExecutor]:
    """Start processes that end when the work does, and at once where it is broken off.

    They are forked from a process that has imported what an audit needs and does nothing else: one with threads, as a
    caller may be, must not be forked.
    """
    others, before = set(active_children()), set(threads())
    context = get_context("forkserver")
    context.set_forkserver_preload(["gyoji.bulk.outcomes"])
    pool = ProcessPoolExecutor(jobs, context, _begin, (terms,))
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(active_children()) - others:
            child.kill()
        for thread in set(threads()) - before:
            if not thread.daemon:  # the pool's own: an interpreter that ends before it trips over what it leaves
                thread.join(JOIN_SECONDS)
        raise
    finally:
        pool.shutdown(cancel_futures=True)


_terms: list[AuditTerms] = []
"""Of this process, if it is one of several."""


def _begin(terms: AuditTerms) -> None:
    # the one who started us ends us; a Ctrl-C reaches every process of the terminal
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    _terms.append(terms)


def _end_with_parent() -> None:
    """End this process when its parent has been killed, which cannot end it any more."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _in_process(chunk: Sequence[Location]) -> list[Outcome]:
    return outcomes_of(_terms[0], chunk)
