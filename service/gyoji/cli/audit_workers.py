"""Who does the work of ``gyoji audit``: this process, or several of this machine."""

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

import click

from gyoji.cli.audit_sources import Place
from gyoji.cli.audit_words import Told, told
from gyoji.cli.auditing import Terms

Batch = tuple[Sequence[Place], list[Told]]
"""Some replays, and what is told of each."""
Batches = Generator[Batch, None, None]

IN_FLIGHT = 1 << 27
"""Bytes of replays read from archives that wait to be judged."""
PATIENCE = 5.0
"""Seconds that the threads of a run that is broken off may take to end."""


class Load(NamedTuple):
    """What is given out at a time: a chunk is full with so many replays, or so many bytes."""

    replays: int
    size: int = 1 << 21


HERE = Load(8)
"""A few hundredths of a second: at the end nobody waits long for whoever has the last chunk."""
FETCHED = Load(32)
"""Objects, of which those of a chunk are fetched at once."""


class Workers(Protocol):
    """Judges chunks by the terms, and gives back what is told of them in their order."""

    def __call__(self, terms: Terms, chunks: Iterable[Sequence[Place]]) -> Batches: ...


def chunks(places: Iterable[Place], load: Load) -> Iterator[list[Place]]:
    """The places in chunks; what is larger than a chunk is one by itself."""
    chunk: list[Place] = []
    size = 0
    for place in places:
        if chunk and (len(chunk) == load.replays or size + place.size > load.size):
            yield chunk
            chunk, size = [], 0
        chunk.append(place)
        size += place.size
    if chunk:
        yield chunk


def alone(terms: Terms, chunks: Iterable[Sequence[Place]]) -> Batches:
    """One after another in this process."""
    for chunk in chunks:
        yield chunk, told(terms, chunk)


class Processes(NamedTuple):
    """So many processes of this machine, each of which is told the terms once."""

    jobs: int

    def __call__(self, terms: Terms, chunks: Iterable[Sequence[Place]]) -> Batches:
        """What is told of the chunks in their order."""
        with _pool(self.jobs, terms) as pool:
            try:
                yield from in_turn(lambda chunk: _given(pool, chunk), chunks, 4 * self.jobs)
            except BrokenProcessPool:
                raise click.ClickException(
                    "a process has been killed, perhaps for want of memory; what was judged before is in the report's"
                    " .part, if there is one: go on with --resume"
                ) from None


def _given(pool: ProcessPoolExecutor, chunk: Sequence[Place]) -> Future[list[Told]]:
    """The chunk on its way, perhaps to a process that is started for it: a Ctrl-C is for us from the first moment."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(_told, chunk)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Pending(Protocol):
    """What will be told of a chunk that has been given out."""

    def result(self) -> list[Told]:
        """It, once it is there."""
        ...


def in_turn(submit: Callable[[Sequence[Place]], Pending], chunks: Iterable[Sequence[Place]], most: int) -> Batches:
    """The results in the order of the chunks, of which no more are under way than keep everybody busy."""
    waiting: deque[tuple[Sequence[Place], Pending]] = deque()
    held = 0
    for chunk in chunks:
        while waiting and (len(waiting) >= most or held + _held(chunk) > IN_FLIGHT):
            first, future = waiting.popleft()
            held -= _held(first)
            yield first, future.result()
        waiting.append((chunk, submit(chunk)))
        held += _held(chunk)
    while waiting:
        first, future = waiting.popleft()
        yield first, future.result()


def _held(chunk: Sequence[Place]) -> int:
    return sum([len(place.body) for place in chunk if place.body is not None])


@contextmanager
def _pool(jobs: int, terms: Terms) -> Iterator[ProcessPoolExecutor]:
    """Processes that end when the work does, and at once where it is broken off."""
    others, before = set(active_children()), set(threads())
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (terms,))
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(active_children()) - others:
            child.kill()
        for thread in set(threads()) - before:
            if not thread.daemon:  # the pool's own: an interpreter that ends before it trips over what it leaves
                thread.join(PATIENCE)
        raise
    finally:
        pool.shutdown(cancel_futures=True)


_terms: list[Terms] = []
"""Of this process, if it is one of several."""


def _begin(terms: Terms) -> None:
    # the one who started us ends us; a Ctrl-C reaches every process of the terminal
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_the_one_who_started_us, daemon=True).start()
    _terms.append(terms)


def _end_with_the_one_who_started_us() -> None:
    """Who was killed cannot end us any more, and nobody else would."""
    starter = parent_process()
    if starter is not None:
        starter.join()
        os._exit(1)


def _told(chunk: Sequence[Place]) -> list[Told]:
    return told(_terms[0], chunk)
