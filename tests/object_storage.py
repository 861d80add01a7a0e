"""Serves object storage that speaks as much of S3 as a place for packs takes, in memory."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

WHEN = "2026-01-01T00:00:00.000Z"


class ObjectStorage(ThreadingHTTPServer):
    """The objects of a storage, and who has asked for them."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.held: dict[str, bytes] = {}
        """By bucket and name: ``bucket/prefix/name``."""
        self.ids: set[str] = set()
        """The ids of the keys that requests were signed with."""

    @property
    def url(self) -> str:
        """Return the URL of the server."""
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    """The handler of one request; signatures are not looked into, only which key they name."""

    server: ObjectStorage
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - the base's name
        """Log nothing."""

    def _asked(self) -> tuple[str, dict[str, list[str]]]:
        found = re.search(r"Credential=(\w+)/", self.headers.get("Authorization", ""))
        self.server.ids.add(found[1] if found else "nobody")
        parts = urlsplit(self.path)
        return unquote(parts.path).strip("/"), parse_qs(parts.query, keep_blank_values=True)

    def _answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT"}.items():
            self.send_header(name, value)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _missing(self) -> None:
        self._answer(404, b"<Error><Code>NoSuchKey</Code><Message>none</Message></Error>")

    def do_PUT(self) -> None:
        """Store an object."""
        name, _query = self._asked()
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if "aws-chunked" in self.headers.get("Content-Encoding", ""):
            body = _unchunked(body)
        self.server.held[name] = body
        self._answer(200, ETag='"0"')

    def do_HEAD(self) -> None:
        """Answer with the size of an object, or that there is a bucket."""
        name, _query = self._asked()
        if name in self.server.held:
            self._answer(200, self.server.held[name], ETag='"0"')
        else:
            self._missing()

    def do_GET(self) -> None:
        """Answer with an object, a part of it, or a list of them."""
        name, query = self._asked()
        if "list-type" in query:
            self._answer(200, _listed(self.server.held, name, query["prefix"][0]), Content_Type="application/xml")
        elif name not in self.server.held:
            self._missing()
        else:
            body = self.server.held[name]
            asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
            if asked is None:
                self._answer(200, body, ETag='"0"')
            else:
                start, end = int(asked[1]), int(asked[2] or len(body) - 1)
                part = body[start : end + 1]
                self._answer(206, part, Content_Range=f"bytes {start}-{end}/{len(body)}", ETag='"0"')

    def do_DELETE(self) -> None:
        """Delete an object."""
        name, _query = self._asked()
        self.server.held.pop(name, None)
        self._answer(204)


def _listed(held: dict[str, bytes], bucket: str, prefix: str) -> bytes:
    """List all names of a bucket with that prefix; nobody here asks for folders."""
    names = {name.removeprefix(f"{bucket}/"): body for name, body in held.items() if name.startswith(f"{bucket}/")}
    contents = "".join(
        f"<Contents><Key>{escape(name)}</Key><LastModified>{WHEN}</LastModified><ETag>0</ETag>"
        f"<Size>{len(body)}</Size><StorageClass>STANDARD</StorageClass></Contents>"
        for name, body in sorted(names.items())
        if name.startswith(prefix)
    )
    count = contents.count("<Key>")
    return (
        f"<ListBucketResult><Name>{bucket}</Name><Prefix>{escape(prefix)}</Prefix><KeyCount>{count}</KeyCount>"
        f"<IsTruncated>false</IsTruncated>{contents}</ListBucketResult>"
    ).encode()


def _unchunked(body: bytes) -> bytes:
    """Join what was sent in chunks with their sizes, and a checksum at the end."""
    whole = b""
    while True:
        size, _line, body = body.partition(b"\r\n")
        length = int(size.partition(b";")[0], 16)
        if length == 0:
            return whole
        whole, body = whole + body[:length], body[length + 2 :]


@contextmanager
def object_storage() -> Iterator[ObjectStorage]:
    """Run a server while the block lasts."""
    with ObjectStorage() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
