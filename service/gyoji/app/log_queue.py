"""Log lines on their way out: whoever has one to say neither waits nor fails.

A thread of each process writes them. What the device does not take is held and tried again; meanwhile so many lines
wait, the rest is dropped, counted, and told of in one line as soon as there is room for one.
"""

import os
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Event, Lock, RLock, Thread
from time import sleep

MOST = 8192
"""Lines that wait in a process: some three megabytes."""

MOST_AT_ONCE = 512
"""Lines that are taken out of the queue together."""

PIECE = 4096
"""Bytes that are written together: what is no longer than that gets into a pipe as a whole, and is not mixed with the
lines of other processes."""

GATHERED = 0.01
"""Seconds between two looks: under load many lines cost one call, and no request wakes the thread."""

AGAIN = 0.25
"""Seconds after which what was not taken is tried again."""

LAST_WORDS = 1.0
"""Seconds that a process which ends waits for its lines to be taken."""


class LogQueue:
    """The lines of this process that are not written yet. A forked process begins with none of them."""

    def __init__(self, descriptor: Callable[[], int], note: Callable[[int], bytes], most: int = MOST) -> None:
        """``descriptor`` is asked for where the lines go, once they do; ``note`` for a line about so many dropped."""
        self._descriptor = descriptor
        self._note = note
        self._most = most
        self.on_drop: Callable[[], None] = lambda: None
        """Called for every line that is dropped."""
        self._begin()
        os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        self._waiting: SimpleQueue[bytes | Event] = SimpleQueue()
        self._starting = Lock()
        self._writer: Thread | None = None
        self._counting = RLock()  # a signal's handler may log while its own thread does
        self._dropped = 0

    def put(self, line: bytes) -> None:
        """A line to be written, with its end; or to be dropped where too many wait."""
        if self._waiting.qsize() >= self._most:
            with self._counting:
                self._dropped += 1
            self.on_drop()
            return
        self._waiting.put(line)
        if self._writer is None:
            self._start()

    def flush(self, seconds: float = LAST_WORDS) -> bool:
        """Wait until everything that was put has been written, no longer than so many seconds; whether it has."""
        if self._writer is None:
            return self._waiting.empty()
        written = Event()
        self._waiting.put(written)
        return written.wait(seconds)

    def _start(self) -> None:
        """Start the thread; where the system has none to give, the next line tries again."""
        if not self._starting.acquire(blocking=False):
            return  # somebody else does, or this very thread that a signal has interrupted
        try:
            if self._writer is None:
                writer = Thread(target=self._write_all, name="log", daemon=True)
                writer.start()
                self._writer = writer
        except RuntimeError:  # "can't start new thread": the line waits
            return
        finally:
            self._starting.release()

    def _write_all(self) -> None:
        """The life of the thread."""
        to = self._descriptor()
        while True:
            lines, asked = self._taken()
            for piece in pieces(lines):
                _written(to, piece)
            self._tell_dropped(to)
            if asked is not None:
                asked.set()
            sleep(GATHERED)

    def _taken(self) -> tuple[list[bytes], Event | None]:
        """The lines that wait, at least one; or those before somebody who waits for them."""
        lines = list[bytes]()
        while not lines or (len(lines) < MOST_AT_ONCE and not self._waiting.empty()):
            one = self._waiting.get()
            if isinstance(one, Event):
                return lines, one
            lines.append(one)
        return lines, None

    def _tell_dropped(self, to: int) -> None:
        with self._counting:
            dropped, self._dropped = self._dropped, 0
        if dropped:
            _written(to, self._note(dropped))


def pieces(lines: list[bytes]) -> Iterator[bytes]:
    """The lines together, as many as fit into a piece; a longer one by itself."""
    piece = b""
    for line in lines:
        if piece and len(piece) + len(line) > PIECE:
            yield piece
            piece = b""
        piece += line
    if piece:
        yield piece


def _written(to: int, piece: bytes) -> None:
    """Write all of it, however long the device refuses: a line that was cut goes on where it was."""
    left = memoryview(piece)
    while left:
        try:
            left = left[os.write(to, left) :]
        except OSError:  # full, or nobody reads: lines are dropped meanwhile, which is told
            sleep(AGAIN)
