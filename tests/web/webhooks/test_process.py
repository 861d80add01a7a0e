"""The process that delivers, beside a service's workers and by hand."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL
from time import monotonic, sleep

from operators import OPERATOR
from servers import ENVIRONMENT, WAIT, Server, is_running, serving
from web.webhooks.receivers import answering, receiving

NAMED = b"Delivering to webhooks with pid: "
TO = {"GYOJI_WEBHOOKS_TO": "anywhere"}


def beside(server: Server, which: int = 0) -> int:
    """The process, when it is there: the first, or one of those after it."""
    until = monotonic() + WAIT
    while True:
        found = [line for line in list(server.raw) if NAMED in line]
        if len(found) > which:
            return int(found[which].partition(NAMED)[2].split(b'"')[0])
        assert monotonic() < until
        sleep(0.02)


def gone(process: int) -> None:
    """It ends, by itself."""
    until = monotonic() + WAIT
    while is_running(process):
        assert monotonic() < until
        sleep(0.02)


def told(server: Server, url: str) -> None:
    """A webhook for tests, and a test of it."""
    status, body = server.asked("POST", "/v1/webhooks", {"url": url, "types": ["match.created"]}, OPERATOR)
    assert status == 201, body
    assert server.asked("POST", "/v1/matches", {"game": "catte", "seats": 3}, OPERATOR)[0] == 201


def test_a_service_delivers_and_starts_the_process_anew_and_stops_it() -> None:
    with receiving(answering(200)) as receiver, serving("--workers", "1", environment=TO) as server:
        first = beside(server)
        os.kill(first, SIGKILL)
        second = beside(server, 1)
        told(server, receiver.url())
        (message,) = receiver.wait(1)
        assert message.document["type"] == "match.created"
        assert second not in (first, *server.workers())
        until = monotonic() + WAIT
        counted = b'gyoji_webhook_attempts_total{outcome="delivered"} 1.0'
        while counted not in server.asked("GET", "/metrics")[1]:
            assert monotonic() < until
            sleep(0.02)
        assert server.stop() == 0
        gone(second)


def test_it_does_not_outlive_a_master_that_was_killed() -> None:
    with serving("--workers", "1") as server:
        process = beside(server)
        server.kill()
        gone(process)
        server.bury()


def test_a_service_can_do_without_and_another_process_delivers(tmp_path: Path) -> None:
    store = {"GYOJI_STORE": f"sqlite:///{tmp_path}/gyoji.db"}
    settings = {**store, **TO, "GYOJI_WEBHOOKS": "off"}
    command = [sys.executable, "-m", "gyoji", "webhooks", "run"]
    with receiving(answering(200)) as receiver, serving("--workers", "1", environment=settings) as server:
        told(server, receiver.url())
        assert not [line for line in server.raw if NAMED in line]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, env={**ENVIRONMENT, **store, **TO})
        try:
            receiver.wait(1)
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(WAIT)
            assert process.stderr is not None
            process.stderr.close()
        assert process.returncode == 0


def test_without_a_store_it_says_so(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gyoji", "webhooks", "run", "--store", f"sqlite:///{tmp_path}/none.db"]
    done = subprocess.run(command, capture_output=True, env=ENVIRONMENT, check=False)
    assert done.returncode == 1
    assert b"the database cannot be opened" in done.stderr
