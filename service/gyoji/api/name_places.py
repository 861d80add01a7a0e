"""Where bodies hold names: each is checked there, and stored in its normal form."""

from collections.abc import Mapping
from typing import Any

from gyoji.names import Fault, fault, kept

Wrong = tuple[str, str | Fault]
"""A JSON Pointer, and what is wrong there."""

SEATED = ("/seats/*/name", "/tags/*")
PLACES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("matches", "matches"): SEATED,
    ("matches", "grouped"): SEATED,
    ("tournaments", "tournaments"): ("/name",),
    ("tournaments", "entrants"): ("/entrants/*/name", "/entrants/*/members/*"),
}
"""By what a body is about and its call, as JSON Pointers; a star is every item of a list."""
OF_RULINGS = ("/ruling/name",)


def named(about: str, call: str, body: Any) -> tuple[Any, list[Wrong]]:
    """The well-formed body with its names as they are stored, and what is wrong with them."""
    wrong: list[Wrong] = []
    places = OF_RULINGS if call == "rulings" else PLACES.get((about, call), ())
    for place in places:
        body = _kept(body, place.split("/")[1:], "", wrong)
    if places and "tags" in body and len({*body["tags"]}) < len(body["tags"]):
        wrong.append(("/tags", "repeated"))  # in two normal forms
    return body, wrong


def _kept(value: Any, path: list[str], pointer: str, wrong: list[Wrong]) -> Any:
    """A copy in which the names that the path leads to are as they are stored; nothing where it leads nowhere."""
    if not path:
        return _name(value, pointer, wrong) if isinstance(value, str) else value
    first, *rest = path
    if first == "*" and isinstance(value, list):
        return [_kept(item, rest, f"{pointer}/{at}", wrong) for at, item in enumerate(value)]
    if isinstance(value, dict) and first in value:
        return {**value, first: _kept(value[first], rest, f"{pointer}/{first}", wrong)}
    return value


def _name(name: str, pointer: str, wrong: list[Wrong]) -> str:
    found = fault(name)
    if found is not None:
        wrong.append((pointer, found))
    return kept(name)
