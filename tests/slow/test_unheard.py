"""A log that nobody takes for long: the service goes on; what found no room is counted, and told of when it can be."""

import os
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import orjson
import pytest

from web.test_metrics import of
from web.test_unheard import Unheard, unheard

MOST = 12_000
"""Requests whose lines are more than pipe and queue hold."""


class Reader:
    """Reads a pipe to its end, once it has begun."""

    def __init__(self, descriptor: int) -> None:
        self.found = bytearray()
        self._descriptor = descriptor
        self._thread = Thread(target=self._read)

    def begin(self) -> None:
        """Read from now on."""
        self._thread.start()

    def lines(self) -> list[bytes]:
        """All lines, when nobody writes any more."""
        self._thread.join()
        return bytes(self.found).splitlines()

    def _read(self) -> None:
        while piece := os.read(self._descriptor, 65_536):
            self.found += piece


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """A pipe: the ends for reading and for writing."""
    read, write = os.pipe()
    yield read, write
    os.close(read)


def dropped(server: Unheard) -> float:
    """How many lines have found no room."""
    return of(server.counted(), "log_lines_dropped_total")


def caught_up(server: Unheard, reader: Reader) -> None:
    """Ask until a request's own line has come: then none waits that is older."""
    for number in range(MOST):
        name = f"caught-up-{number}"
        assert server.asked("GET", "/nowhere", name=name)[0] == 404
        if b"caught-up-" in reader.found:
            return
    raise AssertionError("the log does not come back")


def test_what_found_no_room_is_counted_and_told_of(tmp_path: Path, pipe: tuple[int, int]) -> None:
    reader = Reader(pipe[0])
    with unheard(tmp_path, pipe[1], workers=1) as server:
        os.close(pipe[1])
        asked = 0
        while not (asked % 500 == 0 and dropped(server) > 100):
            assert server.asked("GET", "/healthz")[0] == 200
            asked += 1
            assert asked < MOST
        reader.begin()
        caught_up(server, reader)
        counted = dropped(server)
        assert server.stop() == 0
    lines = [orjson.loads(line) for line in reader.lines()]
    told = [line["lines"] for line in lines if line["event"] == "log-lines-dropped"]
    assert told[0] > 100
    assert sum(told) == counted
    written = [line for line in lines if line["event"] == "request"]
    assert len([line for line in written if line["route"] == "/healthz"]) >= asked - counted
    print(f"{asked} requests, {len(written)} lines, told of {told}")  # noqa: T201 - the figures of the run
