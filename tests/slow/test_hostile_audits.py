"""Audits that cost as much as they can, from callers who hang up and from callers who come again: the others pass."""

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep

import pytest

from hostile.logs import costliest
from replay.tampering import entries_of, file_of
from servers import Server, answer_of, serving

LINES = {"Content-Type": "application/jsonl"}
HOSTILE = b"".join(costliest(15))
"""Some 16 MB that take as many seconds to audit as a file of that size can."""
HONEST = b"".join(file_of(entries_of("towai")))
TICK = os.sysconf("SC_CLK_TCK")


@pytest.fixture
def server() -> Iterator[Server]:
    """A server of two workers: four audits at a time."""
    with serving("--workers", "2") as running:
        assert audited(running)[0] == 200
        yield running


def audited(server: Server) -> tuple[int, float]:
    """The status of an honest audit, and the seconds that it took."""
    began = monotonic()
    status, body = server.asked("POST", "/v1/audits", HONEST, LINES)
    assert status != 200 or json.loads(body)["match"] is not None
    return status, monotonic() - began


def processor_time(server: Server) -> float:
    """Seconds of processor time that the workers have taken."""
    times = [Path(f"/proc/{worker}/stat").read_text("ascii").rpartition(")")[2].split() for worker in server.workers()]
    return sum([int(told[11]) + int(told[12]) for told in times]) / TICK


def sent(server: Server) -> socket.socket:
    """A hostile file, sent to its last byte."""
    sock = server.socket()
    lines = ["POST /v1/audits HTTP/1.1", "Host: x", "Content-Type: application/jsonl"]
    sock.sendall("\r\n".join([*lines, f"Content-Length: {len(HOSTILE)}", "", ""]).encode() + HOSTILE)
    return sock


def wait_until_idle(server: Server) -> float:
    """The processor time when the workers have taken none for a while."""
    taken = processor_time(server)
    while True:
        sleep(1)
        now = processor_time(server)
        if now - taken < 0.05:
            return now
        taken = now


def test_what_is_asked_by_callers_who_hang_up_is_not_done(server: Server) -> None:
    """Of one who stays the audit takes its seconds; of four who have gone all four take less than that."""
    before = processor_time(server)
    with sent(server) as sock:
        status, body = answer_of(sock)
    assert (status, json.loads(body)["verdict"]) == (200, "tampered")
    one = wait_until_idle(server) - before
    for sock in [sent(server) for _ in range(4)]:
        sock.close()
    status, _seconds = audited(server)
    four = wait_until_idle(server) - before - one
    print(f"processor time: {one:.1f} s of one who stays, {four:.1f} s of four who hang up")  # noqa: T201 - the figures
    assert status == 200
    assert four < one


class Attacker(Thread):
    """Sends the file again and again, and takes every answer."""

    def __init__(self, server: Server, enough: Event) -> None:
        super().__init__(daemon=True)
        self.server, self.enough = server, enough
        self.statuses: list[int] = []
        self.start()

    def run(self) -> None:
        while not self.enough.is_set():
            try:
                with sent(self.server) as sock:
                    sock.settimeout(300)
                    self.statuses.append(answer_of(sock)[0])
            except OSError:  # cut: the body took too long
                self.statuses.append(0)


def test_honest_audits_pass_while_four_hostile_callers_go_on(server: Server) -> None:
    enough = Event()
    attackers = [Attacker(server, enough) for _ in range(4)]
    sleep(5)
    answers = []
    for _ in range(20):
        answers.append(audited(server))
        sleep(0.5)
    enough.set()
    for attacker in attackers:
        attacker.join(300)
    seconds = sorted([seconds for _status, seconds in answers])
    hostile = [status for attacker in attackers for status in attacker.statuses]
    print(f"honest audits: {seconds[10]:.2f} s, at most {seconds[-1]:.2f} s; hostile: {sorted(hostile)}")  # noqa: T201 - the same
    assert [status for status, _seconds in answers] == [200] * 20
    assert set(hostile) <= {0, 200, 413, 503}
