"""Threads that are lent for longer than a request usually takes: counted, and their connections not cut meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager

from flask import request

from gyoji.web.stopping import PATIENT, Streams


@contextmanager
def lent(streams: Streams) -> Iterator[None]:
    """The thread of this request, for as long as the block takes; 503 where too many are lent already."""
    connection = request.environ.get("gunicorn.socket")
    with streams.one():
        PATIENT.add(connection)
        try:
            yield
        finally:
            PATIENT.discard(connection)
