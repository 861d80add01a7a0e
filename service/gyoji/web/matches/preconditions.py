"""``If-Match`` (RFC 9110, section 13.1.1) and ``Idempotency-Key`` of a write."""

import re
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from flask import request
from orjson import JSONEncodeError

from gyoji.access.callers import Caller, Keyed
from gyoji.api.json_gate import Malformed, parsed
from gyoji.app.application import Desk
from gyoji.app.problems import HttpProblem
from gyoji.log.canonical import canonical
from gyoji.match.state import MatchState
from gyoji.store.interface import KeyTaken, Remembered, Request
from gyoji.web.matches.asking import Refusal

T = TypeVar("T")

_TAG = re.compile(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')
_TAGS = re.compile(rf"{_TAG.pattern}(?:[ \t]*,[ \t]*{_TAG.pattern})*")
_OWN_TAG = re.compile(r'"(0|[1-9][0-9]{0,9})"')
_KEY = re.compile(r"[\x21-\x7e]{1,255}")


class Precondition(NamedTuple):
    """What the caller saw: the ``seq`` of its view, or of several; ``None`` without a precondition, and for ``*``."""

    seqs: tuple[int, ...] | None


def if_match(demanded: bool) -> Precondition:
    """The precondition of this request. 428 where the match demands one; 400 for a header that is no list of tags.

    A weak tag, or one that is not of this service, is no match for anything: the comparison is strong.
    """
    header = request.environ.get("HTTP_IF_MATCH")
    if header is None:
        if demanded:
            raise HttpProblem("precondition-required")
        return Precondition(None)
    tags = header.strip()
    if tags == "*":
        return Precondition(None)
    if _TAGS.fullmatch(tags) is None:
        raise HttpProblem("malformed-header")
    own = [_OWN_TAG.fullmatch(tag) for tag in _TAG.findall(tags)]
    return Precondition(tuple([int(found[1]) for found in own if found is not None]))


def must_hold(seen: Precondition, standing: MatchState) -> None:
    """412 if the match has moved on since the caller saw it.

    A choice that all make at the same time conflicts with nobody's: it may rest on anything since the decision opened.
    """
    if seen.seqs is None or standing.seq in seen.seqs:
        return
    together = standing.state is not None and standing.game.simultaneous(standing.state)
    if not (together and any(standing.decision <= seq < standing.seq for seq in seen.seqs)):
        raise HttpProblem("stale-position")


def idempotency(here: Desk, maker: Caller | None, scope: str, operation: bytes, body: bytes) -> Request | None:
    """The idempotency key of this request, with the keyed digest of who asks what; ``None`` without the header.

    What is asked is the document, however it is spelt; ``operation`` tells apart what is asked in the same scope.
    Earlier releases took the bytes of the body, and what they have remembered is recognised by these.

    What another API key asks for is another request, so that nobody is answered with what was made for others: a new
    match with its tokens, a webhook with its secret. What earlier releases have remembered does not say which key it
    was, and is nobody's. ``maker`` is ``None`` where the scope names the API key; that of a token names its seat, whose
    requests stay its own when the token is renewed.

    A key is visible ASCII, 1 to 255 characters, with or without the quotes that the draft standard puts around it.
    """
    header = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if header is None:
        return None
    key = header.strip()
    if len(key) > 1 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if _KEY.fullmatch(key) is None:
        raise HttpProblem("malformed-header")
    digest = here.store.digest
    if isinstance(maker, Keyed):
        return Request(scope, key, digest(f"key {maker.id}\n".encode() + operation + _document(body)))
    return Request(scope, key, digest(operation + _document(body)), older=digest(operation + body))


def _document(body: bytes) -> bytes:
    """The canonical bytes of the document; the body as it is where it is none, which nothing is ever stored for."""
    try:
        return canonical(parsed(body))
    except (Malformed, JSONEncodeError):
        return body


def once(here: Desk, key: Request | None, make: Callable[[], T], told: Callable[[Remembered], T]) -> T:
    """What ``make`` leads to; of a request that was stored before under that key, or is at the same moment, what
    ``told`` tells of it: it may be the very same request that stands in this one's way.

    422 for another request under the same key, and for that of another caller.
    """
    known = _remembered(here, key)
    if known is not None:
        return told(known)
    try:
        return make()
    except (KeyTaken, HttpProblem, Refusal):
        known = _remembered(here, key)
        if known is None:
            raise
        return told(known)


def _remembered(here: Desk, key: Request | None) -> Remembered | None:
    known = None if key is None else here.store.remembered(key.scope, key.key)
    if key is not None and known is not None and known.digest not in (key.digest, key.older):
        raise HttpProblem("idempotency-key-reused")
    return known
