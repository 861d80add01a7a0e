"""A client asks the server of a simulation: by every thread over a connection of its own, which outlives the server."""

import json
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from itertools import chain, repeat
from threading import local
from time import monotonic, sleep
from typing import Any, NamedTuple

AWAY = 300.0
"""Seconds that the server may be away, or not come to an answer: on a busy machine some pairings are hard."""
PAUSES = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Seconds before it is asked again; the last one over and over."""


class Answer(NamedTuple):
    """What came back."""

    status: int
    body: bytes

    @property
    def document(self) -> Any:
        """The body, understood."""
        return json.loads(self.body)


class Unwanted(RuntimeError):
    """An answer that the simulation did not look for: its findings are void."""


class Client:
    """Requests to the server at a port. Whoever finds it away asks again until it is back; so whatever is posted bears
    an idempotency key, and is done once."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._here = local()
        self._opened: list[HTTPConnection] = []

    def ask(
        self,
        method: str,
        path: str,
        bearer: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Whatever is answered."""
        own = {"Authorization": f"Bearer {bearer}", "Content-Type": "application/json", **(headers or {})}
        data = None if body is None else json.dumps(body).encode()
        until, pauses = monotonic() + AWAY, chain(PAUSES, repeat(PAUSES[-1]))
        while True:
            connection = self._connection()
            try:
                connection.request(method, path, data, own)
                answer = connection.getresponse()
                return Answer(answer.status, answer.read())
            except (OSError, HTTPException) as gone:
                connection.close()
                if monotonic() > until:
                    raise Unwanted(f"the server does not answer: {type(gone).__name__}") from None
                sleep(next(pauses))

    def get(self, path: str, bearer: str, headers: Mapping[str, str] | None = None) -> Answer:
        """What stands there."""
        return _wanted(path, self.ask("GET", path, bearer, None, headers), 200)

    def post(
        self, path: str, bearer: str, body: Any, once: str, seq: int | None = None, *, wanted: int = 200
    ) -> Answer:
        """What comes of it; ``once`` is its idempotency key, ``seq`` where the match has to stand."""
        headers = {"Idempotency-Key": once, **({} if seq is None else {"If-Match": f'"{seq}"'})}
        return _wanted(path, self.ask("POST", path, bearer, body, headers), wanted)

    def refused(self, path: str, bearer: str, body: Any, code: str, seq: int | None = None) -> Any:
        """The problem of that code."""
        headers = {} if seq is None else {"If-Match": f'"{seq}"'}
        answer = self.ask("POST", path, bearer, body, headers)
        problem = answer.document
        if answer.status < 400 or problem["code"] != code:
            raise Unwanted(f"POST {path} was to be refused with {code}, and was answered with {answer.status}")
        return problem

    def _connection(self) -> HTTPConnection:
        if not hasattr(self._here, "connection"):
            self._here.connection = HTTPConnection("127.0.0.1", self._port, timeout=AWAY)
            self._opened.append(self._here.connection)
        connection: HTTPConnection = self._here.connection
        return connection

    def close(self) -> None:
        """Hang up, in every thread; none of them asks any more."""
        for connection in self._opened:
            connection.close()


def _wanted(path: str, answer: Answer, status: int) -> Answer:
    if answer.status != status:
        told = answer.document
        raise Unwanted(f"{path}: HTTP {answer.status} {told.get('code')}: {told.get('because') or told.get('detail')}")
    return answer
