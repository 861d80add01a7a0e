"""A player calls the referee from the own table: the desk shows it, a referee attends to it, the player sees it."""

import re
from time import monotonic

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.hostile import GIVEN, injected
from browser.house import House
from browser.looks import inaccessible, measured, none_of
from browser.matches import looking
from browser.refereeing import clocked
from browser.screens import SMALL, Browse, Screen
from browser.tournaments import Cup, begun
from gyoji.messages.language import Language
from gyoji.web.pages.templates import words_of

SIZES = ((390, 844), (1280, 800))
LANGUAGES: tuple[Language, ...] = ("en", "ja")
SAID = "I hold Brown 12, and he says <b>I may not</b> play it"
SOON = 2.5
"""Seconds within which the desk shows a call: it looks every two."""


def sized(browse: Browse, size: tuple[int, int], language: Language) -> Page:
    """A page of that size."""
    page = browse(Screen(size[0], language=language, touch=size[0] < 600))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return page


def called(page: Page, text: str, language: Language) -> None:
    """The player calls, by keys alone."""
    page.locator(".player-bar .referee").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".call-dialog input")).to_be_focused()
    none_of(page, [*measured(page), *inaccessible(page, contrast=False)])
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    expect(calls(page)).to_contain_text(words_of("referee-call", language)["own_open"])


def calls(page: Page) -> Locator:
    """What the page of a match says of calls."""
    return page.locator("#referee-calls")


def seated(found: Cup) -> tuple[str, list[str]]:
    """The second match of the round that is played, and the tokens of its seats."""
    table = found.seen("/rounds/2?tokens=1")["tables"][1]
    return table["match"], [seat["token"] for seat in table["seats"]]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_a_call_reaches_the_desk_and_the_answer_the_player(
    browse: Browse, server: House, size: tuple[int, int], language: Language
) -> None:
    found = begun(server, visibility="private", clock={"move": 30, "bank": 3600, "on_expiry": "referee"})
    match, tokens = seated(found)
    player, other, desk = (sized(browse, each, language) for each in (SIZES[0], size, size))
    desk.goto(server.at(found.desk))
    first = desk.locator(".watched > li").first
    expect(first.locator("h3")).to_contain_text("1")
    looking(other, server, match, tokens[1], f"&lang={language}")
    looking(player, server, match, tokens[0])
    called(player, SAID, language)
    began = monotonic()
    expect(first.locator(".called q")).to_have_text(SAID)
    assert monotonic() - began < SOON
    expect(first.locator(".called .time")).to_have_text(re.compile(r"0:0\d"))
    expect(calls(other).locator("li")).to_have_count(1)
    assert SAID not in other.content()
    for page in (player, other, desk):
        none_of(page, [*measured(page), *inaccessible(page, contrast=False)])
    with desk.context.expect_page() as opened:
        first.locator(".go a").press("Enter")
    judge = opened.value
    judge.set_viewport_size({"width": size[0], "height": size[1]})
    expect(calls(judge).locator("q")).to_have_text(SAID)
    none_of(judge, [*measured(judge), *inaccessible(judge, contrast=False)])
    calls(judge).get_by_role("button", name=re.compile(words_of("referee-call", language)["attend"])).press("Enter")
    expect(calls(player)).to_contain_text(words_of("referee-call", language)["own_attended"])
    expect(calls(judge)).to_be_hidden()
    expect(desk.locator(".called")).to_have_count(0)
    none_of(player, [*measured(player), *inaccessible(player, contrast=False)])
    calls(player).get_by_role("button").press("Enter")
    expect(calls(player)).to_be_hidden()
    expect(calls(other)).to_be_hidden()


def test_a_call_is_taken_back_and_others_see_it_go(browse: Browse, server: House) -> None:
    table = clocked(server)
    player, other, watcher = (browse(SMALL) for _ in range(3))
    looking(player, server, table.match, table.tokens[0])
    looking(other, server, table.match, table.tokens[1])
    looking(watcher, server, table.match)
    called(player, "", "en")
    expect(calls(other)).to_contain_text("has called the referee")
    expect(calls(player)).to_contain_text(re.compile(r"0:0[1-9] ago"))
    calls(player).get_by_role("button", name="Take back").press("Enter")
    for page in (player, other):
        expect(calls(page)).to_be_hidden()
    assert calls(watcher).inner_html() == ""


def test_the_referee_pauses_beside_the_call_and_the_clock_stands(browse: Browse, server: House) -> None:
    table = clocked(server)
    player, judge = browse(SMALL), browse(SMALL)
    looking(judge, server, table.match, server.operator)
    looking(player, server, table.match, table.tokens[0])
    called(player, "", "en")
    calls(judge).get_by_role("button", name=re.compile("Pause the match")).press("Enter")
    expect(judge.locator("#standing")).to_have_text("paused")
    assert server.seen(table.match)["status"] == "paused"
    expect(calls(judge).get_by_role("button", name=re.compile("Pause"))).to_have_count(0)
    expect(calls(judge).get_by_role("button", name=re.compile("Attend to it"))).to_be_visible()


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_calling_is_left_without_a_call(page: Page, server: House) -> None:
    table = clocked(server)
    looking(page, server, table.match, table.tokens[0])
    page.locator(".referee").press("Enter")
    page.locator("dialog[open]").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator(".referee")).to_be_focused()
    assert server.seen(table.match, table.tokens[0])["status"] == "playing"
    expect(calls(page)).to_be_hidden()


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_whoever_presses_twice_is_asked_once(page: Page, server: House) -> None:
    table = clocked(server)
    looking(page, server, table.match, table.tokens[0])
    page.evaluate("() => { for (const _ of '12') document.querySelector('.referee').click(); }")
    page.locator(".call-dialog").first.wait_for()
    page.wait_for_timeout(200)
    expect(page.locator(".call-dialog")).to_have_count(1)


def test_hostile_texts_and_names_stay_texts(browse: Browse, server: House) -> None:
    table = clocked(server, seats=[{"name": name} for name in GIVEN[:3]])
    judge, player = browse(SMALL), browse(SMALL)
    looking(judge, server, table.match, server.operator)
    looking(player, server, table.match, table.tokens[0])
    for text in GIVEN[:12]:
        player.locator(".referee").press("Enter")
        player.locator(".call-dialog input").fill(text)
        player.keyboard.press("Enter")
        expect(calls(judge).locator("q")).to_have_text(text)
    assert injected(judge) == injected(player) == []
