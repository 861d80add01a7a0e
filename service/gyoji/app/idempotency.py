"""Recognises a write that is sent twice under one ``Idempotency-Key``: it happens once, and is answered alike."""

import re
from collections.abc import Callable
from typing import TypeVar

from orjson import JSONEncodeError

from gyoji.access.callers import Caller, KeyHolder
from gyoji.api.bodies import Malformed, parse_json
from gyoji.app.problems import HttpProblem, RefusedRequest, malformed_header
from gyoji.app.requests import RequestContext
from gyoji.app.services import Services
from gyoji.log.canonical import canonical
from gyoji.store.interface import IdempotencyRecord, KeyTaken, Remembered

T = TypeVar("T")

_KEY = re.compile(r"[\x21-\x7e]{1,255}")


def read_key(
    context: RequestContext, maker: Caller | None, scope: str, operation: bytes, body: bytes
) -> IdempotencyRecord | None:
    """Read the idempotency key of a request, with the keyed digest of who asks what; ``None`` without the header.

    What is asked is the document, however it is spelt; ``operation`` tells apart what is asked in the same scope.
    Earlier releases took the bytes of the body, and what they have remembered is recognised by these.

    What another API key asks for is another request, so that nobody is answered with what was made for others: a new
    match with its tokens, a webhook with its secret. What earlier releases have remembered does not say which key it
    was, and is nobody's. ``maker`` is ``None`` where the scope names the API key; that of a token names its seat, whose
    requests stay its own when the token is renewed.

    A key is visible ASCII, 1 to 255 characters, with or without the quotes that the draft standard puts around it.
    """
    if context.idempotency_key is None:
        return None
    key = context.idempotency_key.strip()
    if len(key) > 1 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if _KEY.fullmatch(key) is None:
        raise malformed_header("Idempotency-Key")
    digest = context.services.store.digest
    if isinstance(maker, KeyHolder):
        return IdempotencyRecord(scope, key, digest(f"key {maker.id}\n".encode() + operation + _document(body)))
    return IdempotencyRecord(scope, key, digest(operation + _document(body)), older=digest(operation + body))


def _document(body: bytes) -> bytes:
    """Return the canonical bytes of the document; the body as it is where it holds none, for which nothing is ever
    stored."""
    try:
        return canonical(parse_json(body))
    except (Malformed, JSONEncodeError):
        return body


def do_once(
    services: Services, key: IdempotencyRecord | None, do: Callable[[], T], answer_again: Callable[[Remembered], T]
) -> T:
    """Do something once. Where a request was stored before under that key, or is at the same moment, ``answer_again``
    answers it: it may be the very same request that stands in this one's way.

    422 for another request under the same key, and for that of another caller.
    """
    known = _remembered(services, key)
    if known is not None:
        return answer_again(known)
    try:
        return do()
    except (KeyTaken, HttpProblem, RefusedRequest):
        known = _remembered(services, key)
        if known is None:
            raise
        return answer_again(known)


def _remembered(services: Services, key: IdempotencyRecord | None) -> Remembered | None:
    known = None if key is None else services.store.remembered(key.scope, key.key)
    if key is not None and known is not None and known.digest not in (key.digest, key.older):
        raise HttpProblem("idempotency-key-reused")
    return known
