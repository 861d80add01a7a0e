"""The least that gunicorn can serve: a WSGI application without a framework, which always answers the same.

Run by gunicorn as ``benchmarks.peers.bare:app``.
"""

from collections.abc import Callable, Iterable
from typing import Any

BODY = b'{"status":"ok"}'
HEADERS = [("Content-Type", "application/json"), ("Content-Length", str(len(BODY)))]


def app(_environ: dict[str, Any], start_response: Callable[[str, list[tuple[str, str]]], object]) -> Iterable[bytes]:
    """Answer."""
    start_response("200 OK", HEADERS)
    return [BODY]
