"""Log lines on their way out: nobody waits for them, what finds no room is counted, and told of once."""

import errno
import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import run
from threading import Thread
from typing import Any

import pytest

from gyoji.app import logs
from gyoji.app.logs import PIECE, LogQueue, pieces

ROOM = 65_536
"""Bytes that a pipe takes before it is full."""

DEVICE = -7
"""The descriptor of one that is not there."""


def note(lines: int) -> bytes:
    """What is said about lines that were dropped."""
    return b"dropped %d\n" % lines


@contextmanager
def unread() -> Iterator[tuple[int, int]]:
    """A pipe, from which nothing is read yet: both ends."""
    read, write = os.pipe()
    try:
        yield read, write
    finally:
        os.close(read)


def all_of(read: int, write: int, queue: LogQueue) -> list[bytes]:
    """Everything that comes out of the pipe until the queue has written what it holds."""
    found = bytearray()

    def drain() -> None:
        while piece := os.read(read, ROOM):
            found.extend(piece)

    reader = Thread(target=drain)
    reader.start()
    assert queue.flush(30)
    os.close(write)
    reader.join()
    return bytes(found).splitlines()


def test_lines_are_written_in_their_order() -> None:
    with unread() as (read, write):
        queue = LogQueue(lambda: write, note)
        lines = [b"line %d" % number for number in range(2000)]
        for line in lines:
            queue.put(line + b"\n")
        assert all_of(read, write, queue) == lines


def test_nobody_waits_for_a_pipe_that_is_not_read_and_what_was_dropped_is_told_once() -> None:
    with unread() as (read, write):
        queue, dropped = LogQueue(lambda: write, note, most=100), list[int]()
        queue.on_drop = lambda: dropped.append(1)
        queue.put(b"-1" + b" " * ROOM + b"\n")  # with that the thread is busy from now on
        sent = 5000
        for number in range(sent):
            queue.put(b"%d\n" % number)
        assert not queue.flush(0.05)
        found = all_of(read, write, queue)
    told = [line for line in found if line.startswith(b"dropped")]
    numbers = [int(line) for line in found if line not in told]
    assert told == [b"dropped %d" % len(dropped)]
    assert len(numbers) + len(dropped) == sent + 1
    assert numbers == sorted(numbers)
    assert 100 <= len(numbers) <= 102 + logs.MOST_LINES_TAKEN


def test_after_it_was_told_of_what_is_dropped_next_is_told_of_anew() -> None:
    with unread() as (read, write):
        queue = LogQueue(lambda: write, note, most=1)
        queue.put(b"x" * ROOM * 2 + b"\n")
        for _line in range(20):
            queue.put(b"y\n")
        os.read(read, ROOM)
        for _line in range(20):
            queue.put(b"z\n")
        told = [int(line.split()[1]) for line in all_of(read, write, queue) if line.startswith(b"dropped")]
    assert 20 + 20 - 3 <= sum(told) <= 20 + 20


def test_a_line_that_the_device_cut_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that takes seven bytes and then refuses, again and again."""
    taken, turn, write_elsewhere = bytearray(), iter(range(1_000_000)), os.write

    def write(descriptor: int, data: Any) -> int:
        if descriptor != DEVICE:
            return write_elsewhere(descriptor, data)
        if next(turn) % 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        taken.extend(data[:7])
        return min(7, len(data))

    monkeypatch.setattr(logs, "RETRY_SECONDS", 0.0)
    monkeypatch.setattr(os, "write", write)
    queue = LogQueue(lambda: DEVICE, note)
    for number in range(100):
        queue.put(b'{"line":%d}\n' % number)
    assert queue.flush(30)
    assert bytes(taken) == b"".join(b'{"line":%d}\n' % number for number in range(100))


def test_a_forked_process_writes_its_own_lines_and_not_those_of_the_other() -> None:
    with unread() as (read, write):
        queue = LogQueue(lambda: write, note)
        queue.put(b"x" * ROOM * 2 + b"\n")  # the thread is busy with it, and this waits behind it:
        queue.put(b"of the first\n")
        child = os.fork()
        if not child:
            queue.put(b"of the second\n")
            queue.flush(30)
            os._exit(0)
        found = bytearray()
        while not (found.count(b"first\n") and found.count(b"second\n")):
            found.extend(os.read(read, ROOM))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        os.close(write)
    assert (found.count(b"of the first\n"), found.count(b"of the second\n")) == (1, 1)


def test_where_no_thread_can_be_had_the_line_waits_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: Thread) -> None:
        raise RuntimeError("can't start new thread")

    with unread() as (read, write):
        queue = LogQueue(lambda: write, note)
        with monkeypatch.context() as patched:
            patched.setattr(Thread, "start", refuse)
            queue.put(b"first\n")
            assert not queue.flush(0)
        queue.put(b"second\n")
        assert all_of(read, write, queue) == [b"first", b"second"]


def test_nothing_is_awaited_of_a_process_that_has_said_nothing() -> None:
    assert LogQueue(lambda: 2, note).flush(0)


def test_what_is_written_together_gets_into_a_pipe_as_a_whole() -> None:
    lines = [b"a" * (PIECE - 1) + b"\n", b"b" * (2 * PIECE) + b"\n", b"c\n", b"d\n", b"e" * (PIECE - 4) + b"\n"]
    assert list(pieces(lines)) == [lines[0], lines[1], lines[2] + lines[3], lines[4]]
    assert list(pieces([])) == []


def test_a_record_that_makes_no_line_fails_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    put = list[bytes]()
    monkeypatch.setattr(logs.LINES, "put", put.append)
    handler = logs.LineHandler()
    handler.setFormatter(logs.formatter())
    handler.handle(logging.LogRecord("gunicorn.error", logging.ERROR, "", 0, "%d cards", ("seven of clubs",), None))
    handler.handle(logging.LogRecord("gunicorn.error", logging.ERROR, "", 0, "\ud800", (), None))
    told, odd = map(json.loads, put)
    assert (told["event"], told["logger"], told["failure"]["kind"]) == (
        "record-not-formatted",
        "gunicorn.error",
        "TypeError",
    )
    assert "clubs" not in str(told)
    assert odd["event"] == "\ud800"


def test_a_process_without_standard_error_writes_into_no_other_file(tmp_path: Path) -> None:
    """Whatever is opened first gets the number that standard error would have."""
    script = (
        "import sys; other = open(sys.argv[1], 'w'); assert other.fileno() == 2\n"
        "from gyoji.app import logs; logs.configure_logs(); logs.REQUESTS.info('request')\n"
        "assert logs.LINES.flush()"
    )
    kept = tmp_path / "other"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    close = ["sh", "-c", 'exec "$@" 2>&-', "sh"]
    assert run([*close, sys.executable, "-c", script, kept], env=environment, check=False).returncode == 0
    assert kept.read_bytes() == b""
