"""The strict JSON gate: bytes in, plain data out, parsed once.

Python's parser accepts more than JSON has and less than a referee may rely on (RFC 8259 leaves duplicate names and
large numbers to the reader). Here a document is refused that is not UTF-8, has a byte-order mark, repeats a name,
holds a number that is not an integer within plus or minus 2^53 - 1 (RFC 7493, section 2.2; ``4.0`` is an integer),
nests deeper than ``MAX_DEPTH`` or holds a lone surrogate.
"""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NoReturn

import orjson

MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 32

_OF_FLOATS = (b".", orjson.dumps(1e16)[2:-2], orjson.dumps(1e-7)[2:-1])
"""What is in every float that orjson writes: a point, or the sign of an exponent, + or -. An orjson that writes no +
has every body read strictly."""

_BEGINNING = 64
"""Bytes of a body that tell whether its sender writes spaces."""


class Malformed(Exception):
    """The bytes are no JSON that this service reads; ``why`` is a key of the messages."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def parsed(body: bytes) -> Any:
    """The document, unless its bytes are malformed. Depth, strings and large integers: see ``checked``."""
    document = _plain(body)
    return _strictly(body) if document is None else document


def _plain(body: bytes) -> Any:
    """The document of bytes that are all that it takes to write it, read by orjson; ``None``: ask ``_strictly``.

    orjson takes the last of several members of a name and reads great numbers as floats, but it gives back neither what
    it has dropped nor a float without a mark of one. Where a space follows a name, as from most who write spaces,
    nothing is tried.
    """
    point, plus, minus = _OF_FLOATS
    if point in body or plus in body or minus in body or b'": ' in body[:_BEGINNING]:
        return None
    try:
        document = orjson.loads(body)
        return document if orjson.dumps(document) == body else None
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):  # the latter: more levels than it writes
        return None


def _strictly(body: bytes) -> Any:
    """The same by the strict reading, of any bytes."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise Malformed("not-utf-8") from None
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise Malformed("too-deep") from None
    except json.JSONDecodeError:
        raise Malformed("not-json") from None
    except ValueError:  # Python refuses to read an integer of thousands of digits
        raise Malformed("number") from None


def checked(document: Any) -> None:
    """Depth, lone surrogates and integer bounds of a parsed document.

    A document that satisfies a published request schema needs none of this: the schemas bound depth, strings and
    integers. So it is asked only once a schema has said no.
    """
    for depth, value in _values(document):
        if depth > MAX_DEPTH:
            raise Malformed("too-deep")
        if isinstance(value, str) and not value.isascii():
            _without_surrogates(value)
        elif isinstance(value, int) and not -MAX_INTEGER <= value <= MAX_INTEGER:
            raise Malformed("number")


def _values(document: Any) -> Iterator[tuple[int, Any]]:
    """Every value and every name in the document with its depth; a list or an object is one deeper than what holds
    it. Iterative, since the parser may admit more levels than Python's stack does."""
    waiting = [(0, document)]
    while waiting:
        depth, value = waiting.pop()
        if isinstance(value, dict | list):
            depth += 1
            inner = (*value.keys(), *value.values()) if isinstance(value, dict) else value
            waiting.extend((depth, item) for item in inner)
        yield depth, value


def _without_surrogates(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Malformed("surrogate") from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Malformed("duplicate-name")
    return members


def _whole(text: str) -> int:
    """A number with a fraction or an exponent, read exactly: a float would round ``4.00000000000000000001`` to 4."""
    try:
        number = Decimal(text)
    except ArithmeticError:
        raise Malformed("number") from None
    _sign, digits, exponent = number.as_tuple()
    within = -MAX_INTEGER <= number <= MAX_INTEGER  # arithmetic would raise for the greatest exponents
    if not isinstance(exponent, int) or not within or (exponent < 0 and any(digits[exponent:])):
        raise Malformed("number")
    return int(number)


def _no_constant(_name: str) -> NoReturn:
    raise Malformed("number")


_DECODER = json.JSONDecoder(object_pairs_hook=_distinct, parse_float=_whole, parse_constant=_no_constant)
