"""Receives webhooks of gyoji: ``GYOJI_WEBHOOK_SECRET=whsec_… python3 receiver.py 8001``. Python 3.11, nothing else."""

import base64
import hmac
import json
import os
import sys
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any

SECRET = base64.b64decode(os.environ["GYOJI_WEBHOOK_SECRET"].removeprefix("whsec_"))
PATIENCE = 300
"""Seconds that the time of a message may be off."""
LONGEST = 1024 * 1024
"""Bytes of a body."""
MOST_REMEMBERED = 100_000

seen: OrderedDict[str, None] = OrderedDict()
"""The ids of what was taken: a message that is sent again has the same. Keep them in a database, if it matters."""
turn = Lock()


def is_genuine(name: str, when: str, signatures: str, body: bytes) -> bool:
    """Tell whether one of the signatures is that of the message, and its time is now."""
    if not (when.isascii() and when.isdigit()) or abs(time.time() - int(when)) > PATIENCE:
        return False
    digest = hmac.digest(SECRET, f"{name}.{when}.".encode() + body, "sha256")
    right = b"v1," + base64.b64encode(digest)
    return any(hmac.compare_digest(each.encode(), right) for each in signatures.split())


def is_new(name: str) -> bool:
    """Remember the id of a message; tell whether it was not seen before."""
    with turn:
        known = name in seen
        seen[name] = None
        if len(seen) > MOST_REMEMBERED:
            seen.popitem(last=False)
    return not known


def take(message: dict[str, Any]) -> None:
    """Do something about a message; here it is printed. What it holds is in openapi.yaml, under webhooks."""
    data = message["data"]
    sys.stdout.write(f"{message['type']} {data.get('match', '')} {data.get('seq', '')}\n")
    sys.stdout.flush()


class Receiver(BaseHTTPRequestHandler):
    """Answers 204 to what is genuine, whether it is new or not, and 400 to all else."""

    timeout = 20

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > LONGEST:
            self.answer(413 if length.isdigit() else 411)
            return
        body = self.rfile.read(int(length))
        name, when, signatures = (self.headers.get(f"webhook-{each}", "") for each in ("id", "timestamp", "signature"))
        if not is_genuine(name, when, signatures, body):
            self.answer(400)
            return
        self.answer(204)
        if is_new(name):
            take(json.loads(body))

    def answer(self, status: int) -> None:
        """Send an answer without a body, before any work is done."""
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.flush()
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Print no line for each request."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
