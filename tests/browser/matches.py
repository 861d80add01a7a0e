"""The page of a match, as the tests look at it and handle it."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from playwright.sync_api import Locator, Page

from browser.house import House
from browser.listening import Heard

SCREENFUL = 10_000
"""Milliseconds to wait for what a step shows."""


class MatchPage(NamedTuple):
    """A page that shows a match."""

    page: Page

    @property
    def table(self) -> Locator:
        """The table."""
        return self.page.locator("#match .table")

    def place(self) -> int:
        """The number of the event that is shown."""
        own = self.page.locator("#match .player")
        said = own.get_attribute("data-seq") or "" if own.count() else self.page.locator("#match .place").inner_text()
        shown = re.match(r"\d+", said)
        assert shown is not None
        return int(shown[0])

    def stands_at(self, seq: int) -> None:
        """Wait until that event is shown."""
        own = self.page.locator(f"#match .player[data-seq='{seq}']")
        self.page.locator("#match .place", has_text=re.compile(rf"^{seq} ")).or_(own).wait_for()

    def scores(self, names: Sequence[str]) -> list[int]:
        """The scores on the table of the seats that are called so."""
        shown: dict[str, str] = self.page.evaluate(
            "() => Object.fromEntries([...document.querySelectorAll('.table .seat')]"
            ".map((seat) => [seat.getAttribute('aria-label'), seat.querySelector('.score b').textContent]))"
        )
        return [int(shown[name].replace("−", "-")) for name in names]

    def button(self, name: str) -> Locator:
        """A control of the viewer, by its name."""
        return self.page.locator("#match .steps").get_by_role("button", name=name, exact=True)


def play_first(page: Page) -> str:
    """The first card of the hand that may be played is tapped twice; what it is called."""
    card = page.locator(".hand button.may").first
    name = card.get_attribute("aria-label")
    assert name is not None
    card.click()
    page.locator(".actions").get_by_role("button", name=f"Play {name}", exact=True).wait_for()
    card.click()
    return name


def looking(page: Page, server: House, match: str, token: str | None = None, more: str = "") -> MatchPage:
    """A page that has been opened on a match."""
    page.goto(server.match_page(match, token) + more)
    page.locator("#match[data-state=shown] .table").wait_for()
    return MatchPage(page)


def told_of(server: House, match: str, page: Page, heard: Heard) -> dict[str, str]:
    """What the page was told of the match, by URL, but for its document: that is the same for every match, which is
    looked at, and names codes of the cards of all games."""
    document, other = server.at(f"/matches/{match}"), server.opened("catte").match
    same = page.context.request.get(server.at(f"/matches/{other}")).text().replace(other, match)
    told = {url: body for url, body in heard.bodies().items() if f"/matches/{match}" in url}
    assert told.pop(document) == same
    return told
