"""A player's table: what is in view, what it says, what it stops at, and how cards are played."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.hostile import GIVEN, injected
from browser.house import SEATS, House
from browser.looks import inaccessible, measured, none_of
from browser.matches import MatchPage, looking, play_first
from browser.refereeing import clocked, ruled
from browser.screens import SMALL, Browse, Screen
from players import Table

NAMES = ("Aiko", "Ben", "Chidi", "Dominika")
SIZES = ((390, 844), (1280, 800))
LANGUAGES = ("en", "ja")
LIGHTEST = 100_000
"""Bytes that a live page may take to open, as they are transferred."""

WHERE = """() => {
  const { top, bottom } = document.querySelector(".hand").getBoundingClientRect();
  return [top, bottom];
}"""
"""The edges of the hand."""

TRANSFERRED = """() => Object.fromEntries(
  ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
    .map((one) => [one.name, one.transferSize]),
)"""
"""Bytes that were transferred, by address."""

HIDDEN = """() => {
  const parts = ".hand button, .instruction, .opponents li, .seat-clock, .own, .trick, .sky, .piles, .errand, .moves *";
  const clips = [...document.querySelectorAll(".middle-of-table, .hand")];
  const over = clips.filter((one) => one.scrollHeight > one.clientHeight + 1);
  const faults = over.map((one) => `${one.className} ${one.scrollHeight} > ${one.clientHeight}`);
  for (const one of document.querySelectorAll(parts)) {
    const box = one.getBoundingClientRect();
    const isIn = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight + 1 && box.right <= innerWidth + 1;
    if (!isIn) faults.push(`${one.className} at ${Math.round(box.top)} to ${Math.round(box.bottom)}`);
  }
  const high = document.documentElement.scrollHeight;
  if (high > innerHeight) faults.push(`the page is ${high} high`);
  return faults;
}"""
"""What a player would have to scroll to."""


def seated(server: House, game: str, **more: Any) -> Table:
    """A match with names and clocks."""
    return clocked(server, game, seats=[{"name": name} for name in NAMES[: SEATS[game]]], **more)


def to_act(server: House, table: Table) -> int:
    """The first seat that is to act."""
    seat: int = server.seen(table.match)["view"]["to_act"][0]
    return seat


def sized(page: Page, size: tuple[int, int]) -> Page:
    """The page at a size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", SEATS)
def test_all_of_it_is_in_view_without_scrolling(
    browse: Browse, server: House, game: str, size: tuple[int, int], language: str
) -> None:
    table = seated(server, game)
    page = sized(browse(Screen(size[0], language=language, touch=size[0] < 600)), size)
    for moves in (0, 5, 4):
        server.played(table, moves, chance=3)
        page.goto("about:blank")
        looking(page, server, table.match, table.tokens[to_act(server, table)])
        assert page.locator(".seat-clock").count() == SEATS[game]
        assert page.evaluate(HIDDEN) == [], (game, moves)
        faults = measured(page) if moves else []
        none_of(page, [*faults, *(inaccessible(page, contrast=False) if moves == 4 else [])])
        names = page.locator("button:visible").evaluate_all(
            "(all) => all.map((one) => one.ariaLabel ?? one.textContent)"
        )
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("size", SIZES)
def test_the_hand_never_moves(browse: Browse, server: House, size: tuple[int, int]) -> None:
    table = seated(server, "catte")
    page = sized(browse(Screen(size[0])), size)
    shown = looking(page, server, table.match, table.tokens[1])
    first = page.evaluate(WHERE)
    assert size[1] - 12 <= first[1] <= size[1]
    for move in range(14):
        server.played(table, 1, chance=move)
        shown.stands_at(server.seen(table.match)["seq"])
        assert page.evaluate(WHERE) == first
        if page.locator(".trick.over").count():
            page.locator(".middle-of-table").click(position={"x": 5, "y": 5})


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_only_a_players_table_fills_the_screen(page: Page, server: House) -> None:
    """The class that hides the rest is set or not set; it is never toggled by how often somebody has looked."""
    table = seated(server, "catte")
    body, masthead = page.locator("body"), page.locator(".masthead")
    for token, plays in ((None, False), (table.tokens[0], True), (server.operator, False), (None, False)):
        page.goto("about:blank")
        looking(page, server, table.match, token)
        assert (body.evaluate("(body) => body.classList.contains('playing')"), masthead.is_visible()) == (
            plays,
            not plays,
        )
    page.goto("about:blank")
    looking(page, server, table.match, table.tokens[0])
    for button, plays in (("Menu", True), ("Review the match", False), ("Back to your table", True)):
        page.get_by_role("button", name=button).click()
        expect(masthead).to_be_visible(visible=not plays)


def ended_trick(page: Page, server: House) -> tuple[MatchPage, Table]:
    """A page on which the first trick of a match has just ended."""
    table = seated(server, "tomorrow-never-meows", move=600)
    server.played(table, 7, chance=4)
    shown = looking(page, server, table.match, table.tokens[0])
    server.played(table, 1, chance=4)
    page.locator(".trick.over").wait_for()
    return shown, table


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_finished_trick_stays_for_two_seconds_or_until_it_is_acknowledged(page: Page, server: House) -> None:
    _, table = ended_trick(page, server)
    won = server.seen(table.match)["view"]["table"]["lead"]
    expect(page.locator(".trick.over li.winner .by")).to_contain_text(NAMES[won])
    assert page.locator(".trick.over .crown").count() == 1
    expect(page.locator(".reasons")).to_contain_text(re.compile(r"wins the trick.*TNM-4\.\d"))
    page.wait_for_timeout(1300)
    assert page.locator(".trick.over").count() == 1
    expect(page.locator(".trick.over")).to_have_count(0, timeout=2000)
    page.get_by_role("button", name="Last trick").click()
    expect(page.locator("dialog li.winner .by")).to_contain_text(NAMES[won])
    page.get_by_role("button", name="Close").click()
    server.played(table, 4, chance=4)
    page.locator(".trick.over").wait_for()
    page.get_by_role("button", name="Continue").press("Enter")
    expect(page.locator(".trick.over")).to_have_count(0, timeout=1000)


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_finished_round_shows_its_sheet_over_the_old_table_and_then_deals(page: Page, server: House) -> None:
    table = seated(server, "catte")
    while server.seen(table.match)["view"]["round"] == 1:
        view, seq = server.seen(table.match)["view"], server.seen(table.match)["seq"]
        server.played(table, 1, chance=view["ply"])
    page.route("**/events", lambda route: route.abort())  # the page asks for what is new by itself
    body = server.ask("GET", f"/matches/{table.match}/frames?after=-1", None, {"Accept": "application/json"}).document
    assert body["frames"][seq + 1]["ends"][-1]["type"] == "round_scored"
    page.unroute("**/events")
    held = {**body, "seq": seq, "frames": body["frames"][: seq + 1]}
    page.route("**/frames?last=*", lambda route: route.fulfill(json={**held, "viewer": {"role": "seat", "seat": 0}}))
    page.goto(server.match_page(table.match, table.tokens[0]))
    page.locator(".trick.over").wait_for()
    page.get_by_role("button", name="Continue").click()
    sheet = page.locator(".sheet")
    expect(sheet.locator("thead")).to_contain_text("Aiko")
    expect(sheet.locator("tbody")).to_contain_text("CAT-6.1")
    points = body["frames"][seq + 1]["ends"][-1]["points"]
    shown = sheet.locator("tfoot tr").first.locator("td").all_inner_texts()
    assert [int(one.replace("−", "-")) for one in shown] == points
    assert "Round 1" in page.locator(".player-bar").inner_text()
    page.get_by_role("button", name="Next round").click()
    expect(page.locator(".player-bar")).to_contain_text("Round 2")


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_one_tap_selects_and_a_second_plays_unless_one_is_chosen_to(page: Page, server: House) -> None:
    table = seated(server, "tomorrow-never-meows")
    server.played(table, 4, chance=4)
    shown = looking(page, server, table.match, table.tokens[to_act(server, table)])
    assert page.locator(".instruction").inner_text() == "Lead any card"
    seq = shown.place()
    page.locator(".hand button.may").first.click()
    page.keyboard.press("Escape")
    assert page.locator(".hand [aria-pressed=true]").count() == 0
    play_first(page)
    shown.stands_at(seq + 1)
    waits = page.locator(".instruction").inner_text()
    assert waits == f"Waiting for {NAMES[to_act(server, table)]}"
    assert re.fullmatch(r"\d+:\d\d", page.locator(".saying .time").inner_text())
    page.goto("about:blank")
    page.goto(server.match_page(table.match, table.tokens[to_act(server, table)]) + "&set=t")
    page.locator(".hand button.may").first.click()
    shown.stands_at(seq + 2)


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_ruling_is_a_banner_with_what_was_before_and_is_after(page: Page, server: House) -> None:
    table = seated(server, "catte")
    server.played(table, 3, chance=2)
    looking(page, server, table.match, table.tokens[0])
    ruled(server, table, "points", reason="Talked about the hand.", seat=1, points=-3, rule="CAT-3.1")
    banner = page.locator(".ruling-banner")
    expect(banner).to_contain_text("By the operator.")
    expect(banner).to_contain_text("Reason: Talked about the hand.")
    expect(banner.get_by_role("link", name="CAT-3.1")).to_be_visible()
    assert banner.locator("dd").all_inner_texts() == ["Ben 0", "Ben −3"]
    banner.get_by_role("button").click()
    expect(banner).to_have_count(0)
    ruled(server, table, "take_back", reason=GIVEN[4], to=2)
    expect(banner).to_contain_text("Taken back")
    assert injected(page) == []


@pytest.mark.parametrize("page", [SMALL], indirect=True)
@pytest.mark.parametrize(("game", "first"), [("towai", r"Won by \w+\."), ("familiars-trouble", r"The team scored \d+")])
def test_the_result_comes_first(page: Page, server: House, game: str, first: str) -> None:
    table = seated(server, game)
    server.played(table, 4000, chance=6)
    looking(page, server, table.match, table.tokens[0])
    assert re.match(first, page.locator(".came > h2").inner_text())


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_the_summary_card_is_one_tap_away(page: Page, server: House) -> None:
    table = seated(server, "towai")
    looking(page, server, table.match, table.tokens[0])
    page.get_by_role("button", name="Summary", exact=True).click()
    expect(page.locator("dialog .summary-card li")).to_have_count(10)


def test_a_players_page_opens_light(browse: Browse, server: House) -> None:
    for game in SEATS:
        table = seated(server, game)
        server.played(table, 60, chance=5)
        page = browse(SMALL)
        looking(page, server, table.match, table.tokens[0])
        sizes: dict[str, int] = page.evaluate(TRANSFERRED)
        assert 0 < sum(sizes.values()) < LIGHTEST, (game, sum(sizes.values()), sizes)
        page.close()
