"""Sends the requests of the demonstration over one connection, and chooses what it plays."""

import json
from collections.abc import Mapping
from http.client import HTTPConnection
from typing import Any


class Conversation:
    """Requests to one server over one connection, in one language."""

    def __init__(self, port: int, language: str) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=30)
        self._headers = {"Accept-Language": language, "Content-Type": "application/json"}

    def get(self, path: str, bearer: str | None = None) -> Any:
        """Return the answer to a GET, with a key or a token if there is one."""
        return json.loads(self.download(path, bearer))

    def download(self, path: str, bearer: str | None = None) -> bytes:
        """Return the bytes of the answer to a GET."""
        return self._ask("GET", path, None, bearer)[1]

    def post(self, path: str, body: Any, bearer: str | None = None) -> tuple[int, Any]:
        """Return status and answer of a POST."""
        status, answer = self._ask("POST", path, json.dumps(body).encode(), bearer)
        return status, json.loads(answer)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _ask(self, method: str, path: str, body: bytes | None, bearer: str | None) -> tuple[int, bytes]:
        own = {} if bearer is None else {"Authorization": f"Bearer {bearer}"}
        self._connection.request(method, path, body, {**self._headers, **own})
        response = self._connection.getresponse()
        return response.status, response.read()


def choose_move(answer: Mapping[str, Any], ply: int) -> Any:
    """Choose a legal move: no strategy, only variety."""
    legal = answer["legal_moves"]
    return legal[(7 * ply + ply // 3) % len(legal)]
