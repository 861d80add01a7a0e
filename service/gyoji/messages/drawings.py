"""Reads how a game is drawn, on the pages and at a terminal: its ``drawing.toml``."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from gyoji.games.catalogue import BY_SLUG


class Drawing(NamedTuple):
    """How one game is drawn."""

    sign: str
    """The sign of the game, as the inside of an SVG of 48 by 48."""
    terminal: Mapping[str, int]
    """By the letters of a card's code, the longest first: its colour, out of the 256 of a terminal."""
    page: Mapping[str, Any]
    """All that the scripts of pages draw by: suits, shapes, and the layout of the table."""


@cache
def drawing(slug: str) -> Drawing:
    """Return how the game with that slug is drawn."""
    data = tomllib.loads(files(BY_SLUG[slug].package).joinpath("drawing.toml").read_text("utf-8"))
    colours = {letters: suit["terminal"] for letters, suit in data["suits"].items()}
    page = {name: value for name, value in data.items() if name != "sign"}
    if "tasks" in page:
        page["tasks"] = {**page["tasks"], "deck": BY_SLUG[slug].tables[page["tasks"]["option"]]}
    return Drawing(data["sign"], dict(sorted(colours.items(), key=lambda colour: -len(colour[0]))), page)
