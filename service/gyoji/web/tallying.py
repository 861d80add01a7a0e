"""What a request has stored, for the metrics and for its line in the log."""

from collections.abc import Sequence

from flask import has_request_context, request

from gyoji.app.logs import MADE
from gyoji.app.metrics import EVENTS
from gyoji.log.entries import Entry


def count_events(entries: Sequence[Entry]) -> None:
    """Leave the number of stored events where the metrics find it. What is stored before there are requests, when the
    service starts, is nobody's."""
    if has_request_context():
        environ = request.environ
        environ[EVENTS] = environ.get(EVENTS, 0) + len(entries)


def name_made(match: str) -> None:
    """Leave the id of a match that was made where the log finds it."""
    request.environ[MADE] = match
