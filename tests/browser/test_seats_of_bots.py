"""Matches with seats that the service plays: set up on a page, and played to the end by one person on a phone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from browser.house import House
from browser.looks import measured, none_of
from browser.screens import PHONE
from servers import serving


@pytest.fixture(scope="module")
def server() -> Iterator[House]:
    """A service that gives seats to bots."""
    with serving("--workers", "1", environment={"GYOJI_BOTS": "random,greedy"}) as running:
        yield House(running)


PRESS = """() => {
  for (const place of [".came", ".actions button", ".hand button.may", "button.move"]) {
    const one = document.querySelector(place);
    if (one !== null && place !== ".came") one.click();
    if (one !== null) return place;
  }
  return null;
}"""
"""Presses the first thing that whoever plays may press, and says where it stood; ``.came`` is the result."""


LEAST = {"towai": 2, "catte": 3, "familiars-trouble": 3, "tomorrow-never-meows": 3}
"""The least number of players of each game."""


@pytest.mark.parametrize("page", [PHONE], indirect=True)
@pytest.mark.parametrize("game", LEAST)
def test_a_newcomer_plays_a_whole_match_alone(page: Page, server: House, game: str) -> None:
    page.goto(server.at(f"/matches/new?lang=en#key={server.operator}"))
    page.get_by_label("Game").select_option(game)
    page.locator("#count").select_option(str(LEAST[game]))
    for seat in range(2, LEAST[game] + 1):
        page.get_by_label(f"Who plays seat {seat}").select_option("random")
        expect(page.get_by_label(f"Seat {seat}", exact=True)).to_be_disabled()
    none_of(page, measured(page))
    page.get_by_role("button", name="Set it up").click()
    expect(page.locator(".slips li")).to_have_count(1)  # the service needs no link
    page.goto(page.locator(".slips code").inner_text())
    expect(page.locator(".opponents li").first).to_contain_text("random (bot)")
    pressed = ""
    while pressed != ".came":
        pressed = page.wait_for_function(PRESS, polling=100).json_value()
    match = page.url.split("/matches/")[1].partition("#")[0]
    assert server.seen(match, server.operator)["status"] == "finished"
