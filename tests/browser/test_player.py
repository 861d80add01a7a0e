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
from browser.test_live import following
from browser.watch import Watch
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
    sheet.locator("summary").click()
    page.wait_for_timeout(11_000)
    expect(sheet).to_be_visible()  # it is read
    page.get_by_role("button", name="Next round").click()
    expect(page.locator(".player-bar")).to_contain_text("Round 2")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_columns_of_a_scoring_sheet_stand_under_their_seats(
    browse: Browse, server: House, size: tuple[int, int], language: str
) -> None:
    """In every row, the last one too, and no seat is cut off."""
    page = sized(browse(Screen(size[0], language=language)), size)
    for game in ("catte", "tomorrow-never-meows", "towai"):
        table = seated(server, game)
        server.played(table, 4000, chance=6)
        looking(page, server, table.match, table.tokens[0])
        rows = page.locator(".sheet tr").all()
        edges = [[round(box["right"]) for box in row.evaluate(BOXES)][-4:] for row in rows]
        assert len(rows) >= 2
        assert all(row == edges[0] for row in edges), (game, edges)
        assert page.locator(".sheet-rows").evaluate("(rows) => rows.scrollWidth <= rows.clientWidth"), game


BOXES = "(row) => [...row.cells].map((cell) => cell.getBoundingClientRect().toJSON())"


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_who_holds_nothing_to_play_is_told_so(page: Page, server: House) -> None:
    """The sentence says what is left to do, and every card is dim."""
    table = seated(server, "towai")
    for phase, told in (("combo", r"You hold no other \d that may be played: end your turn"), ("turn", r".*: pass")):
        reach(server, table, phase)
        looking(page, server, table.match, table.tokens[to_act(server, table)])
        expect(page.locator(".instruction")).to_have_text(re.compile(told))
        assert page.locator(".hand button").count() == page.locator(".hand button.dim").count() > 0
        page.goto("about:blank")


def reach(server: House, table: Table, phase: str) -> None:
    """Play until a seat acts in a phase and none of its cards may be played."""
    for chance in range(2000):
        seat = to_act(server, table)
        seen = server.seen(table.match, table.tokens[seat])
        if seen["view"]["phase"] == phase and not any("card" in move for move in seen["legal_moves"]):
            return
        server.played(table, 1, chance=chance)
    raise AssertionError(phase)


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_what_was_played_is_selected_no_more(page: Page, server: House) -> None:
    """Also where the table stops at the trick that it ended: the same card may be dealt again."""
    table = seated(server, "tomorrow-never-meows", move=600)
    server.played(table, 7, chance=4)
    looking(page, server, table.match, table.tokens[to_act(server, table)])
    play_first(page)
    page.locator(".trick.over").wait_for()
    page.get_by_role("button", name="Continue").click()
    expect(page.locator(".trick.over")).to_have_count(0)
    assert page.locator("[aria-pressed=true]").count() == 0


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_another_card_in_a_phase_without_cards_is_told_what_to_do(page: Page, server: House) -> None:
    """A wish is due: the service is not asked about a card."""
    table = seated(server, "tomorrow-never-meows")
    looking(page, server, table.match, table.tokens[to_act(server, table)])
    page.locator(".hand button").first.click()
    expect(page.locator(".notice")).to_have_text("Make your wish")


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


SPY = """
  window.called = [];
  AudioScheduledSourceNode.prototype.start = () => window.called.push("sound");
  AudioScheduledSourceNode.prototype.stop = () => {};
  navigator.vibrate = () => window.called.push("vibration");
"""
"""Notes what would be heard and felt."""


@pytest.mark.parametrize(("letters", "called"), [("", []), ("s", ["sound", "sound"]), ("v", ["vibration"])])
def test_sound_and_vibration_call_whoever_wants_them(
    browse: Browse, server: House, letters: str, called: list[str]
) -> None:
    table = seated(server, "tomorrow-never-meows")
    server.played(table, 4, chance=4)
    first = to_act(server, table)
    page = browse(SMALL)
    page.add_init_script(SPY)
    shown = looking(page, server, table.match, table.tokens[(first + 1) % 4])
    page.get_by_role("button", name="Menu").click()
    for letter, name in (("s", "A sound when"), ("v", "A vibration when")):
        if letter in letters:
            page.get_by_label(name).check()
    page.get_by_role("button", name="Close").click()
    assert page.url.partition("&set=")[2] == letters
    page.evaluate("window.called.length = 0")  # the sound is heard once when it is chosen
    server.played(table, 1, chance=4)
    shown.stands_at(6)
    page.locator(".hand button.may").first.wait_for()
    assert page.evaluate("window.called") == called
    page.reload()
    page.locator(".hand button.may").first.wait_for()
    assert page.evaluate("window.called") == called  # it is the player's turn, and the choice was kept


@pytest.mark.parametrize(("language", "name", "told"), [("en", "Brown", "Seat 1 plays"), ("ja", "茶", "席1は")])
def test_notation_is_there_on_demand(browse: Browse, server: House, language: str, name: str, told: str) -> None:
    table = seated(server, "catte")
    server.played(table, 6, chance=2)
    page = browse(Screen(390, language=language))
    looking(page, server, table.match, table.tokens[1])
    labels = page.locator(".hand button")
    assert not any("(" in (one.get_attribute("title") or "") for one in labels.all())
    page.get_by_role("button", name={"en": "Menu", "ja": "メニュー"}[language]).click()
    page.get_by_label(re.compile("Notation|表記")).click()
    expect(page.locator("dialog")).to_be_hidden()
    page.locator(".hand button").first.wait_for()
    titles = [one.get_attribute("title") or "" for one in labels.all()]
    assert all(re.fullmatch(r"\S+ ?\d+ \([BWK]\d+\)", title) for title in titles)
    page.goto("about:blank")
    page.goto(server.match_page(table.match) + "#set=n")
    page.locator("#match[data-state=shown] .table").wait_for()
    expect(page.locator(".events")).to_contain_text(told)
    page.get_by_role("button", name=re.compile("Notation|表記")).click()
    expect(page.locator(".events")).to_contain_text("Ben")
    assert told not in page.locator(".events").inner_text()
    assert "set=" not in page.url
    assert name in page.locator(".events").inner_text()


@pytest.mark.parametrize("screen", [Screen(1280), Screen(390, "dark", "ja", touch=True)])
def test_a_trick_is_played_by_keyboard_alone(browse: Browse, server: House, watch: Watch, screen: Screen) -> None:
    """A card that may not be played is focused and explained, one that may is played, and the trick acknowledged."""
    table, seat = following(server)
    page = browse(screen)
    shown = looking(page, server, table.match, table.tokens[seat])
    watch.expect("status of 409")
    focused_by_tab(page, ".hand button")
    moved_to(page, ".dim")
    page.keyboard.press("Enter")
    page.locator(".notice").get_by_role("link", name="TNM-3.2").wait_for()
    moved_to(page, ".may")
    seq = shown.place()
    page.keyboard.press("Space")
    assert page.locator(".hand [aria-pressed=true]").count() == 1
    assert page.locator(".notice").inner_text() == ""
    page.keyboard.press("Enter")
    shown.stands_at(seq + 1)
    page.locator(".trick.over").wait_for()  # it was the last card of the trick
    focused_by_tab(page, ".actions button")
    page.keyboard.press("Enter")
    expect(page.locator(".trick.over")).to_have_count(0, timeout=1500)
    focused_by_tab(page, ".last-trick")
    page.keyboard.press("Enter")
    page.locator("dialog .winner").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()
    assert page.evaluate("document.activeElement.className") == "last-trick"


def focused_by_tab(page: Page, selector: str) -> None:
    """The Tab key leads there."""
    for _ in range(60):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


def moved_to(page: Page, selector: str) -> None:
    """An arrow leads to such a card of the hand."""
    for _ in range(20):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"there is no {selector}")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_hand_lies_at_the_bottom_edge_at_every_height(browse: Browse, server: House, width: int) -> None:
    table = seated(server, "familiars-trouble")
    server.played(table, 5, chance=3)
    page = browse(Screen(width))
    looking(page, server, table.match, table.tokens[1])
    for height in (480, 568, 667, 740, 844, 1000, 1366):
        sized(page, (width, height))
        top, bottom = page.evaluate(WHERE)
        assert height - 12 <= bottom <= height, (height, bottom)
        assert bottom - top < 160
        assert page.evaluate("document.documentElement.scrollHeight") <= height


@pytest.mark.parametrize("size", SIZES)
def test_hostile_names_stay_names_at_a_players_table(browse: Browse, server: House, size: tuple[int, int]) -> None:
    for first in range(0, len(GIVEN) - 4, 4):
        table = clocked(server, "catte", seats=[{"name": name} for name in GIVEN[first : first + 4]])
        server.played(table, 6, chance=2)
        page = sized(browse(Screen(size[0])), size)
        looking(page, server, table.match, table.tokens[0])
        assert page.evaluate(HIDDEN) == [], GIVEN[first : first + 4]
        page.locator(".opponents button").first.click()
        page.locator("dialog .seat").wait_for()
        assert injected(page) == []
        page.close()


def test_a_players_page_opens_light(browse: Browse, server: House) -> None:
    for game in SEATS:
        table = seated(server, game)
        server.played(table, 60, chance=5)
        page = browse(SMALL)
        looking(page, server, table.match, table.tokens[0])
        sizes: dict[str, int] = page.evaluate(TRANSFERRED)
        assert 0 < sum(sizes.values()) < LIGHTEST, (game, sum(sizes.values()), sizes)
        page.close()
