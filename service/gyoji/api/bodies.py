"""Parses the bodies of requests as strict JSON, and validates them against their published shapes.

Python's parser accepts more than JSON has and less than a referee may rely on (RFC 8259 leaves duplicate names and
large numbers to the reader). Here a document is refused that is not UTF-8, has a byte-order mark, repeats a name,
holds a number that is not an integer within plus or minus 2^53 - 1 (RFC 7493, section 2.2; ``4.0`` is an integer),
nests deeper than ``MAX_DEPTH`` or holds a lone surrogate.

Whether a document has the published shape the compiled JSON Schema says, which is all that a well-formed body costs.
marshmallow, the declaration that the schemas are made from, speaks only when the answer is no, and says where and why.
Either alone would not do. The schema takes 6 µs of an adjudication's body and the declaration 340 µs, with which an
adjudication over HTTP would take 1.9 times as long (with the fields' ``read`` alone, 135 µs, 1.35 times). The schema
gives no codes, and of a wrong move no more than that no variant of the union fits.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, NoReturn

import jsonschema_rs

from gyoji.games.catalogue import BY_SLUG, is_own
from gyoji.games.records import MAX_INTEGER
from gyoji.messages.language import messages
from gyoji.names import NameFault, name_fault, normalize_name
from gyoji.published_files import schema

MAX_DEPTH = 32

SHOWN = 64
"""Characters of what a caller has sent that a problem repeats at most."""

LONG_NUMBER = "…"


class Malformed(Exception):
    """Bytes are no JSON that this service accepts; ``why`` is a key of the messages, ``facts`` say where it breaks, or
    at what."""

    def __init__(self, why: str, **facts: object) -> None:
        super().__init__(why)
        self.why = why
        self.facts = facts


def parse_json(body: bytes) -> Any:
    """Parse the bytes of a JSON document. Raises ``Malformed``. Depth, strings and large integers are left to
    ``check_json``."""
    try:
        text = body.decode()
    except UnicodeDecodeError as wrong:
        raise Malformed("not-utf-8", byte=wrong.start + 1) from None
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise Malformed("too-deep") from None
    except json.JSONDecodeError as wrong:
        raise Malformed("not-json", line=wrong.lineno, column=wrong.colno) from None
    except ValueError:  # Python refuses to read an integer of thousands of digits
        raise Malformed("number", number=LONG_NUMBER) from None


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
            raise _no_number(value)


def _no_number(number: object) -> Malformed:
    return Malformed("number", number=str(number)[:SHOWN])


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
        counted = Counter(name for name, _value in pairs)
        raise Malformed("duplicate-name", name=counted.most_common(1)[0][0][:SHOWN])
    return members


def _whole(text: str) -> int:
    """Read a number with a fraction or an exponent exactly: a float would round ``4.00000000000000000001`` to 4."""
    try:
        number = Decimal(text)
    except ArithmeticError:
        raise _no_number(text) from None
    _sign, digits, exponent = number.as_tuple()
    within = -MAX_INTEGER <= number <= MAX_INTEGER  # arithmetic would raise for the greatest exponents
    if not isinstance(exponent, int) or not within or (exponent < 0 and any(digits[exponent:])):
        raise _no_number(text)
    return int(number)


def _no_constant(name: str) -> NoReturn:
    raise _no_number(name)


_DECODER = json.JSONDecoder(object_pairs_hook=_distinct, parse_float=_whole, parse_constant=_no_constant)

PointedError = tuple[str, str]
"""A JSON Pointer into the body and the code of what is wrong there."""

BodyError = tuple[str, str | NameFault]
"""A JSON Pointer, and what is wrong there."""

SEATED = ("/seats/*/name", "/tags/*")
NAMES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("matches", "matches"): SEATED,
    ("matches", "grouped"): SEATED,
    ("tournaments", "tournaments"): ("/name",),
    ("tournaments", "registrations"): ("/name", "/members/*"),
    ("tournaments", "entrants"): ("/entrants/*/name", "/entrants/*/members/*"),
    ("tournaments", "no-shows"): ("/stand_in",),
}
"""Where bodies hold names, which are stored in their normal form: by what a body is about and its call, as JSON
Pointers; a star is every item of a list."""
OF_RULINGS = ("/ruling/name",)

MESSAGES: Mapping[str, str] = {
    "Missing data for required field.": "missing",
    "Unknown field.": "unknown-member",
    "Field may not be null.": "wrong-type",
    "Not a valid list.": "wrong-type",
    "Invalid type.": "wrong-type",
    "Invalid input type.": "wrong-type",
}
"""What marshmallow itself says, as our codes."""


@cache
def _compiled(slug: str, call: str) -> Any:
    return jsonschema_rs.validator_for(_schema(f"{slug}/{call}-request"))


def _schema(name: str) -> Any:
    """Return the published schema; where it may be about a game that another package installs it is made here."""
    if all(map(is_own, BY_SLUG.values())):
        return schema(name)
    from gyoji.api.contract import request_schemas

    made = request_schemas()
    return made[name] if name in made else schema(name)


def body_errors(slug: str, call: str, body: Any) -> list[PointedError]:
    """List what is wrong with the body of a game's call; empty if nothing is. The slugs ``matches``, ``tournaments``
    and ``webhooks`` stand for calls about stored ones.

    Raises ``Malformed`` for a body that JSON may not hold.
    """
    if is_valid(slug, call, body):
        return []
    check_json(body)
    found = sorted(set(declared_errors(slug, call, body)))
    if not found:
        raise RuntimeError(f"{slug}/{call}: the compiled schema refuses what its declaration accepts")
    return found


def validate_body(slug: str, call: str, body: Any) -> tuple[Any, Sequence[BodyError]]:
    """Validate a body; return it with its names in normal form, and what is wrong with it, names included."""
    wrong = body_errors(slug, call, body)
    return (body, wrong) if wrong else _with_names(slug, call, body)


def is_valid(slug: str, call: str, body: Any) -> bool:
    """Tell whether the compiled JSON Schema accepts a body."""
    try:
        return bool(_compiled(slug, call).is_valid(body))
    except ValueError:  # a lone surrogate, or more levels than the validator reads
        return False


def declared_errors(slug: str, call: str, body: Any) -> Iterator[PointedError]:
    """List the errors that the marshmallow declaration finds in a body."""
    if not isinstance(body, dict):
        return iter([("", "wrong-type")])
    return _pointed("", _declaration(slug, call)().validate(body))


@cache
def _declaration(slug: str, call: str) -> Any:
    """Return the marshmallow schema of a request; imported only when it has to speak."""
    from gyoji.api.contract import bodies

    return bodies()[slug][call]


def _pointed(pointer: str, found: Any) -> Iterator[PointedError]:
    if isinstance(found, Mapping):
        for name, inner in found.items():
            yield from _pointed(pointer if name == "_schema" else f"{pointer}/{_escaped(str(name))}", inner)
    else:
        for text in [found] if isinstance(found, str) else found:
            yield pointer, _code(text)


def _escaped(name: str) -> str:
    """RFC 6901, section 3; a name is the sender's own, so it is cut short."""
    return name[:SHOWN].replace("~", "~0").replace("/", "~1")


def _code(text: str) -> str:
    if text in messages()["error"]:
        return text
    if text.startswith("Invalid data type"):
        return "wrong-type"
    return MESSAGES.get(text, "not-allowed")


def _with_names(about: str, call: str, body: Any) -> tuple[Any, list[BodyError]]:
    """Return the well-formed body with its names as they are stored, and what is wrong with them."""
    wrong: list[BodyError] = []
    places = OF_RULINGS if call == "rulings" else NAMES.get((about, call), ())
    for place in places:
        body = _kept(body, place.split("/")[1:], "", wrong)
    if places and "tags" in body and len({*body["tags"]}) < len(body["tags"]):
        wrong.append(("/tags", "repeated"))  # in two normal forms
    return body, wrong


def _kept(value: Any, path: list[str], pointer: str, wrong: list[BodyError]) -> Any:
    """Return a copy in which the names that the path leads to are as they are stored; nothing where it leads
    nowhere."""
    if not path:
        return _name(value, pointer, wrong) if isinstance(value, str) else value
    first, *rest = path
    if first == "*" and isinstance(value, list):
        return [_kept(item, rest, f"{pointer}/{at}", wrong) for at, item in enumerate(value)]
    if isinstance(value, dict) and first in value:
        return {**value, first: _kept(value[first], rest, f"{pointer}/{first}", wrong)}
    return value


def _name(name: str, pointer: str, wrong: list[BodyError]) -> str:
    found = name_fault(name)
    if found is not None:
        wrong.append((pointer, found))
    return normalize_name(name)
