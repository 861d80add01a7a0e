"""Parses JSON strictly: bytes in, plain data out, parsed once.

Python's parser accepts more than JSON has and less than a referee may rely on (RFC 8259 leaves duplicate names and
large numbers to the reader). Here a document is refused that is not UTF-8, has a byte-order mark, repeats a name,
holds a number that is not an integer within plus or minus 2^53 - 1 (RFC 7493, section 2.2; ``4.0`` is an integer),
nests deeper than ``MAX_DEPTH`` or holds a lone surrogate.
"""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NoReturn

MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 32


class Malformed(Exception):
    """Bytes are no JSON that this service accepts; ``why`` is a key of the messages."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def parse_json(body: bytes) -> Any:
    """Parse the bytes of a JSON document. Raises ``Malformed``. Depth, strings and large integers are left to
    ``check_json``."""
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


def check_json(document: Any) -> None:
    """Check a parsed document for depth, lone surrogates and integer bounds. Raises ``Malformed``.

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
