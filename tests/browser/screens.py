"""How a page is looked at."""

from typing import Literal, NamedTuple, Protocol

from playwright.sync_api import Page

Scheme = Literal["light", "dark"]


class Screen(NamedTuple):
    """How a page is looked at."""

    width: int = 1440
    scheme: Scheme = "light"
    language: str = "en"
    still: bool = False
    """Whether whoever looks wants reduced motion."""
    touch: bool = False


DESK = Screen()
"""A wide screen in English."""

SMALL = Screen(1000)
"""Wide enough, and quick to draw: for what looks are not the point of."""

PHONE = Screen(360, "dark", "ja", touch=True)
"""A phone in the dark, in Japanese."""


class Browse(Protocol):
    """Opens a page in a fresh context: ``browse(PHONE)``."""

    def __call__(self, screen: Screen = DESK) -> Page:
        """The page, empty."""
