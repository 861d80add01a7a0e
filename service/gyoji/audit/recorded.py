"""A recorded event is an event as a file states it, with those of its openings that fit."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gyoji.audit.verdicts import Explanation, Findings
from gyoji.log.canonical import canonical, secret_commitment
from gyoji.log.parser import Limits, Unreadable, parse_object, parse_opening
from gyoji.log.redaction import InvalidPointer, is_placeholder, merge, step_into, steps_of


class Opened(NamedTuple):
    """An opening that fits its commitment; ``body`` are the canonical bytes of the payload."""

    payload: Mapping[str, Any]
    body: bytes


class RecordedEvent(NamedTuple):
    """A recorded event of the log with the openings that fit it."""

    seq: int
    document: Mapping[str, Any]
    body: bytes
    openings: Mapping[int, Opened]
    salt: bytes | None
    """Of the position, where it is opened."""

    @property
    def kind(self) -> str:
        """The type of the event."""
        return str(self.document["type"])

    @property
    def truth(self) -> Any:
        """The ``data`` of the event with all openings merged in."""
        return merge(self.document["data"], [opened.payload for opened in self.openings.values()])

    @property
    def is_open(self) -> bool:
        """Whether every secret of the event is opened."""
        return len(self.openings) == len(self.document["secret"])


def read_recorded(
    found: Mapping[str, Any], body: bytes, lines: Sequence[bytes], number: int, findings: Findings, limits: Limits
) -> RecordedEvent:
    """Parse the openings on the ``lines`` after an event, of which ``number`` is the first. Return the event with those
    that fit."""
    openings = Openings(found, findings)
    for at, line in enumerate(lines):
        try:
            openings.read(parse_opening(parse_object(line, limits.depth)))
        except Unreadable as fault:
            findings.diverge("tampered", "bytes", openings.seq, Explanation(fault.code, {"line": number + at}))
    if len(openings.opened) < len(found["secret"]):
        findings.skip("openings", Explanation("sealed"))
    if found["position"] is not None and openings.salt is None:
        findings.skip("positions", Explanation("position-sealed"))
    return RecordedEvent(openings.seq, found, body, openings.opened, openings.salt)


class Openings:
    """Collects the openings of one event; an opening that does not fit is reported and left out."""

    def __init__(self, found: Mapping[str, Any], findings: Findings) -> None:
        self.seq: int = found["seq"]
        self.opened: dict[int, Opened] = {}
        self.salt: bytes | None = None
        self._event = found
        self._findings = findings
        self._places: set[str] = set()
        self._last = -1

    def read(self, found: Mapping[str, Any]) -> None:
        """Check one more well-formed opening, and collect it if it fits."""
        if found["seq"] != self.seq or self.salt is not None:
            self._wrong(Explanation("misplaced"))
        elif "position" in found:
            self._position(found)
        else:
            self._secret(found)

    def _wrong(self, why: Explanation, expected: Any = None, found: Any = None) -> None:
        self._findings.diverge("tampered", "openings", self.seq, why, expected, found)

    def _position(self, found: Mapping[str, Any]) -> None:
        if self._event["position"] is None:
            self._wrong(Explanation("misplaced"))
        else:
            self.salt = bytes.fromhex(found["position"])

    def _secret(self, found: Mapping[str, Any]) -> None:
        at, payload, secrets = found["index"], found["payload"], self._event["secret"]
        if at >= len(secrets) or at <= self._last:
            self._wrong(Explanation("misplaced"))
            return
        body = canonical(payload)
        commit = secret_commitment(bytes.fromhex(found["salt"]), body)
        if commit != secrets[at]["commit"]:
            self._wrong(Explanation("commit", {"index": at}), secrets[at]["commit"], commit)
        elif not _fills(self._event["data"], payload) or not self._places.isdisjoint(payload):
            self._wrong(Explanation("not-hidden", {"index": at}))
        else:
            self._last = at
            self.opened[at] = Opened(payload, body)
            self._places.update(payload)


def _fills(data: Any, payload: Mapping[str, Any]) -> bool:
    """Tell whether the payload replaces only what is hidden in ``data``, each at a place that is there."""
    return len(payload) > 0 and all(_hides(data, place, value) for place, value in payload.items())


def _hides(node: Any, place: str, value: Any) -> bool:
    try:
        for step in steps_of(place):
            node = node[step_into(node, step)]
    except InvalidPointer:
        return False
    return is_placeholder(node, value)
