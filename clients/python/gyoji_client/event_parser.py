"""Parses server-sent events from bytes (HTML Standard, section 9.2.6)."""

from collections.abc import Iterator
from typing import NamedTuple


class StreamEvent(NamedTuple):
    """One event of a stream."""

    id: str
    """The id of the last event that had one."""
    type: str
    """``message`` where the stream does not say."""
    data: str


END = StreamEvent("", "end", "")
"""In place of an event: the service has said that none is left to come (204)."""


class EventParser:
    """Takes the bytes of a stream as they come, and gives the events that are complete."""

    def __init__(self) -> None:
        self.last = ""
        """The id behind which to go on: of an event without data, which is none, too."""
        self._rest = b""
        self._id = ""
        self._type = ""
        self._data: list[str] = []

    def feed(self, received: bytes) -> Iterator[StreamEvent]:
        """Take more bytes; list the events that they complete."""
        *lines, self._rest = (self._rest + received).replace(b"\r\n", b"\n").split(b"\n")
        for line in lines:
            if line:
                self._take(line.decode("utf-8"))
            elif event := self._complete():
                yield event

    def _take(self, line: str) -> None:
        name, _colon, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "id":
            self._id = value
        elif name == "event":
            self._type = value
        elif name == "data":
            self._data.append(value)

    def _complete(self) -> StreamEvent | None:
        """An event without data is none; its id counts all the same. One that broke off counts for nothing."""
        self.last = self._id
        kind, data = self._type or "message", "\n".join(self._data)
        has_data = bool(self._data)
        self._type, self._data = "", []
        return StreamEvent(self._id, kind, data) if has_data else None
