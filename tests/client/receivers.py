"""What every receiver of webhooks has to do, put to a running one."""

import base64
import hmac
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from secrets import token_bytes, token_hex
from signal import SIGKILL
from socket import create_server
from time import time
from typing import NamedTuple

import orjson

from gyoji.published_files import CHECKOUT
from waiting import until

FOLDER = CHECKOUT / "clients" / "receivers"
BODY = orjson.dumps({"type": "match.moved", "timestamp": "2026-01-01T00:00:00.000Z", "data": {"match": "m", "seq": 7}})


class Receiver(NamedTuple):
    """A running receiver."""

    process: subprocess.Popen[str]
    port: int
    secret: bytes

    def post(self, body: bytes, headers: dict[str, str]) -> int:
        """Post a message; return the status of the answer."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            connection.request("POST", "/", body, headers)
            with connection.getresponse() as answer:
                return answer.status

    def signed(self, body: bytes, name: str, when: float, key: bytes | None = None) -> dict[str, str]:
        """Sign a message as Standard Webhooks say."""
        stamp = str(int(when))
        digest = hmac.digest(key or self.secret, f"{name}.{stamp}.".encode() + body, "sha256")
        signature = f"v1,{base64.b64encode(digest).decode()}"
        return {"webhook-id": name, "webhook-timestamp": stamp, "webhook-signature": signature}


@contextmanager
def receiver(command: Sequence[str]) -> Iterator[Receiver]:
    """Run a receiver, with a secret of its own."""
    secret = token_bytes(24)
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {**os.environ, "GYOJI_WEBHOOK_SECRET": f"whsec_{base64.b64encode(secret).decode()}"}
    command = [*command, str(port)]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            running = Receiver(process, port, secret)
            assert until(lambda: _answers(running))
            yield running
        finally:
            os.killpg(process.pid, SIGKILL)


def _answers(running: Receiver) -> bool:
    try:
        return running.post(b"", {}) == 400
    except OSError:
        return False


def check_receiver(command: Sequence[str]) -> None:
    """What is genuine is taken once; nothing else is."""
    with receiver(command) as running:
        now = time()
        good = running.signed(BODY, "msg_1", now)
        assert running.post(BODY, good) == 204
        assert running.post(BODY, good) == 204, "it has come again"
        assert running.post(BODY, running.signed(BODY, "msg_2", now, token_bytes(24))) == 400
        assert running.post(BODY + b" ", running.signed(BODY, "msg_3", now)) == 400
        assert running.post(BODY, {**running.signed(BODY, "msg_4", now), "webhook-id": "msg_5"}) == 400
        assert running.post(BODY, running.signed(BODY, "msg_6", now - 3600)) == 400
        assert running.post(BODY, running.signed(BODY, "msg_7", now + 3600)) == 400
        for header in good:
            assert running.post(BODY, {name: value for name, value in good.items() if name != header}) == 400
        for odd in ("", "v1,", "v1", "v2,AAAA", "v1,ä", "v1,AA AA"):
            signed = {**running.signed(BODY, "msg_8", now), "webhook-signature": odd.encode().decode("latin-1")}
            assert running.post(BODY, signed) == 400, odd
        for odd in ("-1", "+1", "1e9", "now", "9" * 40):
            assert running.post(BODY, {**running.signed(BODY, "msg_9", now), "webhook-timestamp": odd}) == 400, odd
        renewed = running.signed(BODY, "msg_10", now)
        two = f"v1,{base64.b64encode(token_bytes(32)).decode()} {renewed['webhook-signature']}"
        assert running.post(BODY, {**renewed, "webhook-signature": two}) == 204, "one of two keys"
        assert _refuses_length(running)
        assert running.post(BODY, running.signed(BODY, "msg_11", time())) == 204, "it goes on"
        stdout = running.process.stdout
        assert stdout is not None
        assert [stdout.readline() for _ in range(3)] == ["match.moved m 7\n"] * 3


def _refuses_length(running: Receiver) -> bool:
    """Whether more than it takes is refused, by an answer or by hanging up."""
    body = token_hex(1024 * 1024).encode()
    try:
        return running.post(body, running.signed(body, "msg_12", time())) == 413
    except OSError:
        return True
