"""A service that is none: it answers with what gyoji has answered once, for the tests of programs that use a client.

``with FakeService() as fake: Gyoji(fake.url, key="any")``, or for programs in other languages ``python -m
gyoji_client.fake --port 8010``. Every operation has one answer, the example of the contract; nothing is kept. Whoever
comes with the code of a problem in the place of a key or a token (``illegal-move``) is refused with it.
"""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from threading import Thread
from types import TracebackType
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit

RECORDED: Mapping[str, Any] = json.loads(files("gyoji_client").joinpath("recorded.json").read_text("utf-8"))
"""``answers``: method, path, operation, status, type and body of each; ``problems`` by code."""

STREAM = "text/event-stream"


class Asked(NamedTuple):
    """A request that came."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    """By their names in lower case."""
    body: Any
    """What JSON it was, or ``None``."""


class Answer(NamedTuple):
    """What is sent back."""

    status: int
    type: str | None
    content: bytes


def answer_to(asked: Asked) -> Answer:
    """Answer a request as the service has answered one like it."""
    credential = asked.headers.get("authorization", "").removeprefix("Bearer ")
    refusal = RECORDED["problems"].get(credential)
    if refusal is not None:
        return _refused(refusal)
    for recorded in RECORDED["answers"]:
        if recorded["method"] == asked.method and _is_at(asked.path, recorded["path"]):
            return _recorded(recorded, asked)
    return _refused(RECORDED["problems"]["not-found"])


def _is_at(path: str, template: str) -> bool:
    """Tell whether a path is one of those that a template of the contract stands for."""
    parts, places = path.split("/"), template.split("/")
    return len(parts) == len(places) and all(
        place == part or (place.startswith("{") and part != "") for part, place in zip(parts, places, strict=True)
    )


def _refused(problem: Mapping[str, Any]) -> Answer:
    return Answer(problem["status"], "application/problem+json", _written(problem))


def _recorded(recorded: Mapping[str, Any], asked: Asked) -> Answer:
    body = recorded["body"]
    if recorded["type"] == STREAM:
        if asked.headers.get("last-event-id") == str(body["seq"]):
            return Answer(204, None, b"")  # nothing is left to come
        return Answer(
            200, STREAM, b"id: %d\nevent: %s\ndata: %s\n\n" % (body["seq"], body["type"].encode(), _written(body))
        )
    content = b"" if body is None else body.encode() if isinstance(body, str) else _written(body)
    return Answer(recorded["status"], recorded["type"], content)


def _written(document: Any) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


@dataclass
class FakeService:
    """The recorded service, which listens on this machine."""

    port: int = 0
    """0: any that is free."""
    asked: list[Asked] = field(default_factory=list)
    """Whatever came, in order."""

    def __enter__(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), _handler(self))
        self.port = self._server.server_address[1]
        self._thread = Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """The address that clients take."""
        return f"http://127.0.0.1:{self.port}"

    def wait(self) -> None:
        """Wait until the service ends."""
        self._thread.join()


def _handler(fake: FakeService) -> type[BaseHTTPRequestHandler]:
    """Make what answers the requests that come."""

    class Handler(BaseHTTPRequestHandler):
        """Answers one request after the other."""

        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            """Answer a request for a document."""
            self._answer()

        def do_POST(self) -> None:
            """Answer a request with a document."""
            self._answer()

        def do_DELETE(self) -> None:
            """Answer a request to take something away."""
            self._answer()

        def _answer(self) -> None:
            target = urlsplit(self.path)
            sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            is_json = headers.get("content-type", "").startswith("application/json")
            asked = Asked(self.command, target.path, target.query, headers, json.loads(sent) if is_json else None)
            fake.asked.append(asked)
            self._send(answer_to(asked))

        def _send(self, answer: Answer) -> None:
            self.send_response(answer.status)
            self.send_header("Access-Control-Allow-Origin", "*")
            if answer.type is not None:
                self.send_header("Content-Type", answer.type)
            if answer.status != 204:
                self.send_header("Content-Length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

        def log_message(self, format: str, *values: object) -> None:  # noqa: A002 - its name in the standard library
            """Say nothing."""

    return Handler


def main() -> None:
    """Answer until it is stopped."""
    parser = ArgumentParser(prog="python -m gyoji_client.fake", description="Answers as gyoji has answered once.")
    parser.add_argument("--port", type=int, default=8010)
    with FakeService(parser.parse_args().port) as fake:
        sys.stdout.write(f"{fake.url}: recorded answers, for tests\n")
        sys.stdout.flush()
        fake.wait()


if __name__ == "__main__":
    main()
