"""The audit: a verdict on the lines of a replay file, whoever made them.

It reads one event at a time and keeps nothing of those before. Keys and rules come from whoever audits. Whatever the
bytes are, it answers with a verdict.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from gyoji.replay.canonical import canonical, leaf_hash, secret_commitment
from gyoji.replay.files import FORMAT
from gyoji.replay.hiding import concealed
from gyoji.replay.reading import (
    LIMITS,
    Ending,
    Limits,
    OverLimits,
    Unreadable,
    document,
    ending,
    event,
    header,
    opening,
)
from gyoji.replay.retracing import Opened, Retrace, Told
from gyoji.replay.rules import Rulebook
from gyoji.replay.setup import Promise, promised
from gyoji.replay.signatures import Trusted
from gyoji.replay.swift import Swift
from gyoji.replay.verdicts import Check, Ledger, Verdict, Why
from gyoji.replay.vouching import Receipts, untrusted

Source = Callable[[], Iterable[bytes]]
"""Gives the lines of a file from the start each time it is called. Every line but the last ends with LF; none needs to
be longer than the limit and one byte (see ``reading.cut``)."""

OPENING = b'{"opening":'
HEAD = b'{"file":'
SECRET = re.compile(rb'server_secret":"([0-9a-f]{128})"')
MOST_PLACES = 256
"""Places that one opening may fill."""


def audit(
    source: Source,
    rules: Rulebook,
    trusted: Sequence[Trusted] | None = None,
    receipts: Iterable[Any] | None = None,
    limits: Limits = LIMITS,
) -> Verdict:
    """The verdict on a file.

    ``trusted``: the keys that may have signed it; ``None`` if none are given. ``receipts``: documents that movers were
    given, of any matches; ``None`` if none are given.
    """
    secret = disclosed_secret(source(), limits)
    return _Audit(rules, secret, trusted, receipts, limits).of(source())


def disclosed_secret(lines: Iterable[bytes], limits: Limits) -> bytes | None:
    """The server's secret, if the file tells it: shuffles can then be checked as they come."""
    promise: Promise | None = None
    for number, line in enumerate(lines):
        if len(line) > limits.line or number > limits.lines:
            return None
        if number == 1:
            promise = _promise(line, limits)
            if promise is None:
                return None
        elif promise is not None and b'server_secret":"' in line:
            for found in SECRET.finditer(line):
                secret = bytes.fromhex(found[1].decode())
                if promise.is_kept_by(secret):
                    return secret
    return None


def _promise(line: bytes, limits: Limits) -> Promise | None:
    try:
        data = document(line, limits.depth).get("data")
    except (Unreadable, OverLimits):
        return None
    return promised(data) if isinstance(data, dict) else None


class _Heard:
    """The last event that has been read, while its openings come in."""

    __slots__ = ("body", "document", "openings", "places", "salt", "seq", "size")

    def __init__(self, found: Mapping[str, Any], body: bytes) -> None:
        self.seq: int = found["seq"]
        self.document = found
        self.body = body
        self.openings: dict[int, Opened] = {}
        self.places: set[str] = set()
        self.salt: bytes | None = None
        self.size = 0

    def told(self) -> Told:
        return Told(self.seq, self.document, self.body, self.openings, self.salt)


class _Audit:
    """One audit under way."""

    def __init__(
        self,
        rules: Rulebook,
        secret: bytes | None,
        trusted: Sequence[Trusted] | None,
        receipts: Iterable[Any] | None,
        limits: Limits,
    ) -> None:
        self._ledger = Ledger()
        self._retrace = Retrace(self._ledger, rules, secret)
        self._swift: Swift | None = None
        self._trusted = trusted
        self._receipts = receipts
        self._limits = limits
        self._digest = sha256()
        self._header: dict[str, Any] = {}
        self._seq = -1
        self._hash: bytes | None = bytes(32)
        """Of the last event; ``None`` where it is not known because events are missing or broken."""
        self._prev = b"0" * 64
        self._heard: _Heard | None = None
        self._is_broken = False
        self._has_head = False

    def of(self, lines: Iterable[bytes]) -> Verdict:
        lines = iter(lines)
        first = next(lines, b"")
        found = header(first[: self._limits.line + 1], self._limits)
        if found is None:
            return self._malformed(None, Why("no-header"), FORMAT, first[:80].decode("utf-8", "replace") or None)
        self._header = found
        self._vouched = Receipts(self._receipts, self._trusted, found["origin"], found["match"])
        self._digest.update(first)
        try:
            self._read(lines)
        except OverLimits:
            return self._malformed(found["match"], Why("over-limits"), None, None)
        return self._ledger.verdict(found["match"], True)

    def _malformed(self, match: str | None, why: Why, expected: Any, found: Any) -> Verdict:
        self._ledger.part("malformed", "bytes", None, why, expected, found)
        return self._ledger.verdict(match, False)

    def _read(self, lines: Iterator[bytes]) -> None:
        for number, line in enumerate(lines, 2):
            if len(line) > self._limits.line or number > self._limits.lines:
                raise OverLimits
            if self._has_head:
                self._tampered("file", None, Why("after-the-head", {"line": number}))
                break
            self._line(line, number)
        self._settle()
        self._retrace.end()
        self._vouched.end(self._ledger, self._seq)
        if not self._has_head:
            self._cut_short()

    def _line(self, line: bytes, number: int) -> None:
        try:
            if not line.endswith(b"\n"):
                self._last_words(line)
            elif line.startswith(HEAD):
                self._settle()
                self._head(ending(document(line, self._limits.depth)))
            else:
                self._digest.update(line)
                if line.startswith(OPENING):
                    self._opening(line)
                else:
                    self._settle()
                    self._event(line)
        except Unreadable as found:
            self._tampered("bytes", self._seq + 1, Why(found.code, {"line": number}))
            self._lose()

    def _tampered(self, check: Check, seq: int | None, why: Why, expected: Any = None, found: Any = None) -> None:
        self._ledger.part("tampered", check, seq, why, expected, found)

    def _lose(self) -> None:
        """A line could not be read: what it was is not known, nor what follows from it."""
        self._heard, self._hash, self._is_broken = None, None, True
        self._stray(Why("broken"))

    def _stray(self, why: Why) -> None:
        self._swift = None
        if self._retrace.stage != "lost":
            self._retrace.lose(why)

    def _last_words(self, line: bytes) -> None:
        """A last line without its LF: the file ends within it, unless it is whole and something else follows."""
        try:
            document(line, self._limits.depth)
        except Unreadable:
            return
        raise Unreadable("no-line-feed")

    def _cut_short(self) -> None:
        """An end before the head line."""
        self._ledger.part("incomplete", "head", self._seq + 1, Why("no-head"), "head", None, result="not_checkable")
        self._ledger.leave("file", Why("no-head"))

    # events

    def _event(self, line: bytes) -> None:
        if self._swift is not None and self._retrace.stage == "playing":
            hashed = self._swift.hears(line, self._seq + 1, self._prev)
            if hashed is not None:
                self._follow(self._seq + 1, hashed)
                return
        found = document(line, self._limits.depth)
        event(found)
        body = line[:-1]
        self._chained(found)
        self._follow(found["seq"], leaf_hash(body))
        self._heard = _Heard(found, body)

    def _follow(self, seq: int, hashed: bytes) -> None:
        self._seq, self._hash, self._prev = seq, hashed, hashed.hex().encode()
        if self._vouched.hashes:
            self._vouched.see(self._ledger, seq, hashed)

    def _chained(self, found: Mapping[str, Any]) -> None:
        """Whether the event follows the one before it."""
        seq, expected = found["seq"], self._seq + 1
        if found["match"] != self._header["match"]:
            self._tampered("chain", seq, Why("other-match"), self._header["match"], found["match"])
        if seq == 0:
            self._as_announced(found)
        if seq > expected and not self._is_broken:
            self._ledger.part(
                "incomplete",
                "chain",
                expected,
                Why("gap", {"from": expected, "to": seq}),
                expected,
                seq,
                result="not_checkable",
            )
            self._stray(Why("gap", {"from": expected, "to": seq}))
        elif seq < expected:
            self._tampered("chain", seq, Why("out-of-order"), expected, seq)
            self._stray(Why("broken"))
        elif self._hash is None:
            self._ledger.leave("chain", Why("broken"))
        elif found["prev"] != self._hash.hex():
            self._tampered("chain", seq, Why("prev"), self._hash.hex(), found["prev"])
        self._is_broken = False

    def _as_announced(self, found: Mapping[str, Any]) -> None:
        """Whether the first line tells of the match that follows."""
        for name in ("game", "version", "rules_digest"):
            if found["data"].get(name) != self._header[name]:
                self._tampered(
                    "file", 0, Why("header", {"at": f"/{name}"}), found["data"].get(name), self._header[name]
                )

    def _settle(self) -> None:
        """The last event has all its openings."""
        heard, self._heard = self._heard, None
        if heard is None:
            return
        if len(heard.openings) < len(heard.document["secret"]):
            self._ledger.leave("openings", Why("sealed"))
        if heard.document["position"] is not None and heard.salt is None:
            self._ledger.leave("positions", Why("position-sealed"))
        if self._retrace.stage != "lost":
            self._retrace.hear(heard.told())
            if self._swift is None and self._retrace.stage == "playing":
                self._swift = Swift(self._retrace, self._header["match"])
        elif heard.document["type"] in ("match_created", "seed_disclosed"):
            self._retrace.hear(heard.told())

    # openings

    def _opening(self, line: bytes) -> None:
        found = opening(document(line, self._limits.depth))
        heard = self._heard
        if heard is None or found["seq"] != heard.seq:
            if not self._is_broken:
                self._tampered("openings", found["seq"], Why("misplaced"))
            return
        heard.size += len(line)
        if heard.size > self._limits.openings:
            raise OverLimits
        if "position" in found:
            self._position(heard, found)
        else:
            self._secret(heard, found)

    def _position(self, heard: _Heard, found: Mapping[str, Any]) -> None:
        if heard.salt is not None or heard.document["position"] is None:
            self._tampered("openings", heard.seq, Why("misplaced"))
        heard.salt = bytes.fromhex(found["position"])

    def _secret(self, heard: _Heard, found: Mapping[str, Any]) -> None:
        at, payload, secrets = found["index"], found["payload"], heard.document["secret"]
        if at >= len(secrets) or (heard.openings and at <= max(heard.openings)) or heard.salt is not None:
            self._tampered("openings", heard.seq, Why("misplaced"))
            return
        body = canonical(payload)
        commit = secret_commitment(bytes.fromhex(found["salt"]), body)
        if commit != secrets[at]["commit"]:
            self._tampered("openings", heard.seq, Why("commit", {"index": at}), secrets[at]["commit"], commit)
        elif not _fills(heard.document["data"], payload) or not heard.places.isdisjoint(payload):
            self._tampered("openings", heard.seq, Why("not-hidden", {"index": at}))
        else:
            heard.openings[at] = Opened(payload, body)
            heard.places.update(payload)

    # the head

    def _head(self, found: Ending) -> None:
        self._has_head = True
        if found.match != self._header["match"]:
            self._tampered("head", found.seq, Why("other-match"), self._header["match"], found.match)
        self._stands(found)
        self._signed(found)
        digest = self._digest.hexdigest()
        if found.file != digest:
            self._tampered("file", None, Why("digest"), digest, found.file)

    def _stands(self, found: Ending) -> None:
        """Whether the head is that of the last event."""
        if self._hash is None:
            self._ledger.leave("head", Why("broken"))
        elif found.seq > self._seq:
            facts = {"from": self._seq, "to": found.seq}
            self._ledger.part("incomplete", "head", self._seq + 1, Why("beyond", facts), found.seq, self._seq)
        elif found.seq < self._seq:
            self._tampered("head", self._seq, Why("behind"), found.seq, self._seq)
        elif found.hash != self._hash.hex():
            self._tampered("head", self._seq, Why("other-hash"), found.hash, self._hash.hex())

    def _signed(self, found: Ending) -> None:
        """Whether a trusted key vouches for it."""
        if self._trusted is None:
            self._ledger.leave("head", Why("no-trusted-keys"))
            return
        origin, hashed = self._header["origin"], bytes.fromhex(found.hash)
        code = untrusted(self._trusted, "head/1", origin, found.match, found.seq, hashed, found.key, found.sig)
        if code == "signature":
            self._tampered("head", found.seq, Why(code))
        elif code is not None:
            keys = [key.key for key in self._trusted]
            self._ledger.part("key_untrusted", "head", found.seq, Why(code, {"key": found.key}), keys, found.key)


def _fills(data: Any, payload: Mapping[str, Any]) -> bool:
    """Whether the payload replaces only what is hidden in ``data``, each at a place that is there."""
    return 0 < len(payload) <= MOST_PLACES and all(_hides(data, place, value) for place, value in payload.items())


def _hides(node: Any, place: str, value: Any) -> bool:
    if not place.startswith("/"):
        return False
    for step in place[1:].split("/"):
        if isinstance(node, list) and len(step) < 8 and step.isascii() and step.isdecimal() and int(step) < len(node):
            node = node[int(step)]
        elif isinstance(node, dict) and step in node:
            node = node[step]
        else:
            return False
    return bool(node == concealed(value))
