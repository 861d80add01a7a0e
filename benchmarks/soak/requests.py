"""The requests of a soak, and the checks of their answers.

Whoever asks is a course: a generator that yields one request after the other, is sent the answer to each and checks it.
It waits for nobody, so that any number of them can be kept going by a few threads.
"""

from collections.abc import Generator, Mapping
from http.client import HTTPConnection
from time import perf_counter
from typing import Any, NamedTuple

import orjson

from benchmarks.servers import HOST

ANSWER_SECONDS = 60.0
"""Seconds after which an answer is not waited for any longer."""

IDLE = 3.0
"""Seconds after which a connection is not used again: the server closes it after five."""

JSON = {"Content-Type": "application/json"}


class SoakRequest(NamedTuple):
    """One request, and what kind of request it is counted as."""

    kind: str
    method: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = JSON


class Answer(NamedTuple):
    """The answer to a request."""

    status: int
    body: bytes
    at: float
    """When it was there, by ``perf_counter``."""

    @property
    def document(self) -> Any:
        """Read the body as JSON."""
        return orjson.loads(self.body)


class WrongAnswer(Exception):
    """An answer that should not have been given. The text names statuses, codes and kinds; no card, key or token."""


Course = Generator[SoakRequest, Answer, None]


class Connection:
    """A connection of one thread, made anew when it has been idle for long or has broken."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection(HOST, port, timeout=ANSWER_SECONDS)
        self._used = 0.0

    def ask(self, asked: SoakRequest) -> Answer:
        """Send one request; return its answer."""
        if perf_counter() - self._used > IDLE:
            self._connection.close()
        try:
            self._connection.request(asked.method, asked.path, asked.body, dict(asked.headers))
            response = self._connection.getresponse()
            body = response.read()
        except BaseException:
            self._connection.close()
            raise
        self._used = perf_counter()
        return Answer(response.status, body, self._used)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def check_status(answer: Answer, status: int, kind: str) -> Answer:
    """Return the answer, if it has that status."""
    if answer.status != status:
        raise WrongAnswer(f"{kind}: {answer.status} {_code(answer)}, expected {status}")
    return answer


def check_equal(found: Any, expected: Any, kind: str, what: str) -> None:
    """Check that what the service said is what the rules say. Tuples and lists are the same here."""
    if found != expected and found != plain(expected):
        raise WrongAnswer(f"{kind}: another {what} than the rules say")


def plain(value: Any) -> Any:
    """Return a value as it is after being written as JSON and read again."""
    return orjson.loads(orjson.dumps(value))


def _code(answer: Answer) -> str:
    try:
        return str(answer.document.get("code", ""))
    except (orjson.JSONDecodeError, AttributeError):
        return ""
