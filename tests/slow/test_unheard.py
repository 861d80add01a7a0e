"""A log that nobody takes for long: the service goes on; what found no room is counted, and told of when it can be."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import orjson
import pytest

from servers import WAIT
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


FULL = """mount -t tmpfs -o size=128k none "$0" && head -c 114688 /dev/zero > "$0/ballast" && exec "$@" 2> "$0/log"
"""
"""A disk that nobody else sees, with room for some forty lines."""


def test_a_log_on_a_full_disk_goes_on_where_it_was(tmp_path: Path) -> None:
    """When there is room again every line is there, whole; that takes somebody who may mount."""
    disk = tmp_path / "disk"
    disk.mkdir()
    within = ["unshare", "-rm", "sh", "-c", FULL, str(disk)]
    with unheard(tmp_path, subprocess.DEVNULL, within=within) as server:
        there = Path(f"/proc/{server.process.pid}/root{disk}")
        names = [f"request-{number}" for number in range(200)]
        for name in names:
            assert server.asked("GET", "/healthz", name=name)[0] == 200
        assert (there / "log").stat().st_size <= 16_384
        (there / "ballast").unlink()
        until = monotonic() + WAIT
        while len(found := _requests(there / "log")) < len(names):
            assert monotonic() < until
            sleep(0.1)
        assert sorted(found) == sorted(names)
        assert dropped(server) == 0
        assert server.stop() == 0


def _requests(log: Path) -> list[str]:
    """The names of the requests that whole lines of the log are about."""
    lines = [orjson.loads(line) for line in log.read_bytes().rpartition(b"\n")[0].splitlines()]
    assert all(line["event"] != "log-lines-dropped" for line in lines)
    return [line["request_id"] for line in lines if line.get("route") == "/healthz"]
