"""A list that is longer than its shape allows is one error, whatever it holds: nothing in it is read."""

from typing import Any

import pytest

from bodies import Plain, body
from gyoji.api.bodies import body_errors

PLACES: tuple[tuple[str, str, str], ...] = (
    ("tomorrow-never-meows", "scores", "/state/table/rounds"),
    ("tomorrow-never-meows", "views", "/state/table/trick"),
    ("catte", "legal-moves", "/state/table/rounds"),
    ("catte", "scores", "/state/table/hands"),
    ("towai", "scores", "/state/table/rounds"),
    ("familiars-trouble", "scores", "/state/options/errands"),
    ("familiars-trouble", "states", "/options/errands"),
)


def _with(document: Plain, pointer: str, value: Any) -> Plain:
    *path, last = pointer.split("/")[1:]
    inner = document
    for name in path:
        inner = inner.setdefault(name, {})
    inner[last] = value
    return document


@pytest.mark.parametrize(("slug", "call", "pointer"), PLACES)
def test_a_list_too_long_is_not_read(slug: str, call: str, pointer: str) -> None:
    document = _with(body(slug, call), pointer, [{"x": []}] * 20_000)
    assert body_errors(slug, call, document) == [(pointer, "too-long")]


@pytest.mark.parametrize("moves", [[], [{}] * 501, [{"type": "play"}] * 20_000])
def test_nor_are_too_many_moves(moves: list[Plain]) -> None:
    document = {"state": body("catte", "scores")["state"], "moves": moves}
    assert body_errors("catte", "adjudications", document) == [("/moves", "not-allowed")]
