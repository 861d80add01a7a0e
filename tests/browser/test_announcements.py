"""A director announces from the desk, and everybody reads it: on the projector, at their page, on the tournament's."""

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.hostile import GIVEN, injected
from browser.house import House
from browser.looks import inaccessible, measured, none_of
from browser.screens import SMALL, Browse, Screen
from browser.tournaments import begun
from gyoji.messages.language import Language
from gyoji.web.pages.templates import words_of

SIZES = ((390, 844), (1280, 800))
LANGUAGES: tuple[Language, ...] = ("en", "ja")
SAID = "Round 3 begins at 20:30 in hall 2"


def sized(browse: Browse, size: tuple[int, int], language: Language) -> Page:
    """A page of that size."""
    page = browse(Screen(size[0], language=language, touch=size[0] < 600))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return page


def rounds(page: Page, language: Language) -> Locator:
    """The rounds of the desk."""
    page.locator("#desk .tabs").get_by_role("button", name=words_of("desk", language)["tab_rounds"], exact=True).press(
        "Enter"
    )
    return page.locator("#desk > section:not([hidden])")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_everybody_reads_what_is_announced(
    browse: Browse, server: House, size: tuple[int, int], language: Language
) -> None:
    found = begun(server, clock={"move": 30, "bank": 3600, "on_expiry": "referee"})
    token = found.seen("/entrants")["entrants"][0]["token"]
    desk, projector, place = (sized(browse, size, language) for _ in range(3))
    projector.goto(server.at(f"{found.page}/projector"))
    place.goto(server.at(f"{found.page}/place"))
    for each in found.seen("/rounds/2")["tables"]:  # it stays, as for whoever comes back from the table
        place.evaluate("(match) => sessionStorage.setItem(`gyoji-led-${match}`, '1')", each["match"])
    place.goto(server.at(f"{found.page}/place#token={token}"))
    place.reload()
    desk.goto(server.at(found.desk))
    desk.locator("#desk[data-state=shown]").wait_for()
    shown = rounds(desk, language)
    words = words_of("desk", language)
    shown.get_by_role("button", name=words["announce_to"]).first.press("Enter")
    field = shown.get_by_label(words["announce_what"])
    expect(field).to_be_focused()
    desk.keyboard.type(SAID)
    desk.wait_for_timeout(2500)  # the desk has looked meanwhile
    expect(field).to_be_focused()
    desk.keyboard.press("Enter")
    for page in (desk, projector, place):
        expect(page.locator(".announced")).to_have_text(SAID)
        none_of(page, [*measured(page), *inaccessible(page, contrast=False)])
    desk.goto(server.at(found.page))
    expect(desk.locator(".announced")).to_have_text(SAID)
    none_of(desk, [*measured(desk), *inaccessible(desk, contrast=False)])
    found.ask("/announcements", {"text": None})
    for page in (projector, place):
        expect(page.locator(".announced")).to_have_text("")


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_the_bar_reads_in_the_order_of_an_evening(page: Page, server: House) -> None:
    found = begun(server, clock={"move": 30, "bank": 3600, "on_expiry": "referee"})
    page.goto(server.at(found.desk))
    page.locator("#desk[data-state=shown]").wait_for()
    shown = rounds(page, "en")
    assert shown.locator("form, .one-round").first.evaluate("(one) => one.tagName") == "FORM"  # to pair the next round
    bar = shown.locator(".one-round").first.locator(".row").first.locator(":scope > a, :scope > button")
    names = [text.split(" (")[0].split(" Round")[0] for text in bar.all_text_contents()]
    assert names[:5] == ["Page for the wall", "Projector", "Links for the players", "Announce…", "Pause all of round 2"]
    found.ask("/rounds/2/pause")
    start = shown.get_by_role("button", name="Start the clocks of round 2")
    expect(start).to_be_visible()
    held = [text.split(" (")[0].split(" Round")[0] for text in bar.all_text_contents()]
    assert held[2:5] == ["Links for the players", "Start the clocks of round 2", "Announce…"]


def test_hostile_announcements_stay_texts(browse: Browse, server: House) -> None:
    found = begun(server)
    projector, page = browse(SMALL), browse(SMALL)
    projector.goto(server.at(f"{found.page}/projector"))
    for text in GIVEN[:10]:
        found.ask("/announcements", {"text": text})
        expect(projector.locator(".announced")).to_have_text(text)
    page.goto(server.at(found.page))
    expect(page.locator(".announced")).to_have_text(GIVEN[9])
    assert injected(projector) == injected(page) == []
