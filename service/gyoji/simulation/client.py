"""An HTTP client that asks again until its server is back; each thread has a connection of its own."""

import json
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from itertools import chain, repeat
from threading import local
from time import monotonic, sleep
from typing import Any, NamedTuple

AWAY_SECONDS = 300.0
"""Seconds that the server may be away, or not come to an answer: on a busy machine some pairings are hard."""
PAUSES = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Seconds before a request is sent again; the last one over and over."""


class Answer(NamedTuple):
    """The answer to a request."""

    status: int
    body: bytes

    @property
    def document(self) -> Any:
        """Read the body as JSON."""
        return json.loads(self.body)


class UnexpectedAnswer(RuntimeError):
    """An answer that a simulation did not expect, which makes its findings void."""


class RetryingClient:
    """A client of the server at a port. A request that finds it away is sent again until it is back; so whatever is
    posted bears an idempotency key, and is done once."""

    def __init__(self, port: int, language: str = "en", patience: float = AWAY_SECONDS) -> None:
        """``patience``: seconds that the server may be away, or not come to an answer."""
        self._port, self._patience = port, patience
        self._headers = {"Content-Type": "application/json", "Accept-Language": language}
        self._here = local()
        self._opened: list[HTTPConnection] = []

    def ask(
        self,
        method: str,
        path: str,
        bearer: str | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request; return whatever is answered. ``bearer`` is a key or a token."""
        own = {**self._headers, **({} if bearer is None else {"Authorization": f"Bearer {bearer}"}), **(headers or {})}
        data = None if body is None else json.dumps(body).encode()
        until, pauses = monotonic() + self._patience, chain(PAUSES, repeat(PAUSES[-1]))
        while True:
            connection = self._connection()
            try:
                connection.request(method, path, data, own)
                answer = connection.getresponse()
                return Answer(answer.status, answer.read())
            except (OSError, HTTPException) as gone:
                connection.close()
                if monotonic() > until:
                    raise UnexpectedAnswer(f"the server does not answer: {type(gone).__name__}") from None
                sleep(next(pauses))

    def get(self, path: str, bearer: str | None = None, headers: Mapping[str, str] | None = None) -> Answer:
        """Return the answer to a GET of a path. Raises ``UnexpectedAnswer``."""
        return _expect(path, self.ask("GET", path, bearer, None, headers), 200)

    def post(
        self, path: str, bearer: str, body: Any, once: str, seq: int | None = None, *, wanted: int = 200
    ) -> Answer:
        """Post to a path; ``once`` is the idempotency key, ``seq`` the event that the match has to stand at."""
        headers = {"Idempotency-Key": once, **({} if seq is None else {"If-Match": f'"{seq}"'})}
        return _expect(path, self.ask("POST", path, bearer, body, headers), wanted)

    def post_anonymously(self, path: str, body: Any, once: str) -> Any:
        """Post to a path without a key what makes something; return the document of the answer."""
        headers = {"Idempotency-Key": once}
        return _expect(path, self.ask("POST", path, None, body, headers), 201).document

    def post_refused(self, path: str, bearer: str, body: Any, code: str, seq: int | None = None) -> Any:
        """Post what has to be refused; return the problem, which has to be of that code."""
        headers = {} if seq is None else {"If-Match": f'"{seq}"'}
        answer = self.ask("POST", path, bearer, body, headers)
        problem = answer.document
        if answer.status < 400 or problem["code"] != code:
            raise UnexpectedAnswer(f"POST {path} was to be refused with {code}, and was answered with {answer.status}")
        return problem

    def _connection(self) -> HTTPConnection:
        if not hasattr(self._here, "connection"):
            self._here.connection = HTTPConnection("127.0.0.1", self._port, timeout=self._patience)
            self._opened.append(self._here.connection)
        connection: HTTPConnection = self._here.connection
        return connection

    def close(self) -> None:
        """Close the connections of all threads; none of them asks any more."""
        for connection in self._opened:
            connection.close()


def _expect(path: str, answer: Answer, status: int) -> Answer:
    if answer.status != status:
        problem = answer.document
        why = problem.get("because") or problem.get("detail")
        raise UnexpectedAnswer(f"{path}: HTTP {answer.status} {problem.get('code')}: {why}")
    return answer
