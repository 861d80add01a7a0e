"""Faults put into sound bodies, and what compiled schema and declaration make of them."""

from random import Random
from typing import Any

from gyoji.api.bodies import declared_errors, is_valid
from gyoji.games.records import MAX_INTEGER

OTHERS: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    7,
    999,
    MAX_INTEGER,
    -MAX_INTEGER,
    MAX_INTEGER + 1,
    10**400,
    "",
    "x",
    "B1",
    "F1\n",
    "ab" * 64,
    "ab" * 64 + "\n",
    "行司",
    [],
    [0],
    [None],
    ["D1", "D1"],
    [[]],
    {},
    {"count": 3},
    {"count": -1},
    {"x": None},
)
"""What is put in place of a value: other types, other sizes, near misses."""


def agree(slug: str, call: str, document: Any) -> bool:
    """Whether the document is valid, by both."""
    declared = list(declared_errors(slug, call, document))
    assert is_valid(slug, call, document) == (not declared), f"{slug}/{call}: {declared} of {str(document)[:2000]}"
    return not declared


def mutated(document: Any, random: Random) -> Any:
    """A copy with one thing changed somewhere: dropped, added, doubled, renamed, or another value in its place."""
    if isinstance(document, dict) and document and random.random() < 0.85:
        name = random.choice(list(document))
        return {**document, name: mutated(document[name], random)}
    if isinstance(document, list) and document and random.random() < 0.5:
        at = random.randrange(len(document))
        return [*document[:at], mutated(document[at], random), *document[at + 1 :]]
    return random.choice([_other, _without_one, _with_one_more])(document, random)


def _other(_value: Any, random: Random) -> Any:
    return random.choice(OTHERS)


def _without_one(value: Any, random: Random) -> Any:
    if isinstance(value, dict) and value:
        dropped = random.choice(list(value))
        return {name: inner for name, inner in value.items() if name != dropped}
    if isinstance(value, list) and value:
        return value[1:]
    return value + random.choice((-1, 1)) if isinstance(value, int) else None


def _with_one_more(value: Any, random: Random) -> Any:
    if isinstance(value, dict):
        return {**value, random.choice(("extra", "seat", "type", "")): random.choice(OTHERS)}
    if isinstance(value, list):
        return value + (value or [0]) * random.choice((1, 2, 70))
    return f"{value} " if isinstance(value, str) else [value]
