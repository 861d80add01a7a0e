"""Validates the bodies of requests against their published shapes.

The compiled JSON Schema answers yes or no and is all that a well-formed body costs. marshmallow, the declaration that
the schemas are made from, speaks only when the answer is no, and says where and why. Either alone would not do. The
schema takes 6 µs of an adjudication's body and the declaration 340 µs, with which an adjudication over HTTP would take
1.9 times as long (with the fields' ``read`` alone, 135 µs, 1.35 times). The schema gives no codes, and of a wrong move
no more than that no variant of the union fits.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import jsonschema_rs

from gyoji.api.json_gate import check_json
from gyoji.games.catalogue import BY_SLUG, is_own
from gyoji.messages.language import messages
from gyoji.names import NameFault, name_fault, normalize_name
from gyoji.published_files import schema

PointedError = tuple[str, str]
"""A JSON Pointer into the body and the code of what is wrong there."""

BodyError = tuple[str, str | NameFault]
"""A JSON Pointer, and what is wrong there."""

SEATED = ("/seats/*/name", "/tags/*")
NAMES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("matches", "matches"): SEATED,
    ("matches", "grouped"): SEATED,
    ("tournaments", "tournaments"): ("/name",),
    ("tournaments", "entrants"): ("/entrants/*/name", "/entrants/*/members/*"),
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
    """The published schema; where it may be about a game that another package installs it is made here."""
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
    """The marshmallow schema of a request; imported only when it has to speak."""
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
    return name[:64].replace("~", "~0").replace("/", "~1")


def _code(text: str) -> str:
    if text in messages()["error"]:
        return text
    if text.startswith("Invalid data type"):
        return "wrong-type"
    return MESSAGES.get(text, "not-allowed")


def _with_names(about: str, call: str, body: Any) -> tuple[Any, list[BodyError]]:
    """The well-formed body with its names as they are stored, and what is wrong with them."""
    wrong: list[BodyError] = []
    places = OF_RULINGS if call == "rulings" else NAMES.get((about, call), ())
    for place in places:
        body = _kept(body, place.split("/")[1:], "", wrong)
    if places and "tags" in body and len({*body["tags"]}) < len(body["tags"]):
        wrong.append(("/tags", "repeated"))  # in two normal forms
    return body, wrong


def _kept(value: Any, path: list[str], pointer: str, wrong: list[BodyError]) -> Any:
    """A copy in which the names that the path leads to are as they are stored; nothing where it leads nowhere."""
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
