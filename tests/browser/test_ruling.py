"""Rulings and clocks on the page of a match: both lines, the list of events, scores, time and the result."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.house import House
from browser.looks import OF_A_MATCH, good_looks
from browser.matches import looking
from browser.refereeing import clocked, ruled
from browser.screens import PHONE, SMALL, Browse, Screen
from browser.test_viewer import events_of
from players import Table

WEATHER = "tomorrow-never-meows"


def taken_back(server: House) -> Table:
    """A match of fourteen events: 5 to 10, of which the last takes two points, are taken back by the eleventh."""
    table = server.opened(WEATHER)
    server.played(table, 8, chance=4)
    ruled(server, table, "points", seat=1, points=-2, rule="TNM-3.2")
    assert ruled(server, table, "take_back", to=4)["seq"] == 11
    server.played(table, 3, chance=9)
    return table


def line(page: Page, name: str) -> Locator:
    """The button of a line."""
    return page.locator("#match .lines").get_by_role("button", name=name)


def event(page: Page, number: int) -> Locator:
    """An event in the list of those that happened."""
    return page.locator("#match .events > li").filter(has=page.locator("b", has_text=re.compile(rf"^{number}$")))


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_both_lines_are_stepped_through(page: Page, server: House) -> None:
    table = taken_back(server)
    shown = looking(page, server, table.match, None, "#at=4")
    steps = []
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        steps.append(shown.place())
    assert steps == [5, 6, 7, 8]
    expect(page.locator(".caption")).to_contain_text("Taken back by the ruling in event 11")
    line(page, "As ruled").click()
    page.wait_for_url("**?line=ruled*")
    shown.stands_at(4)  # what was shown is not on that line
    page.keyboard.press("ArrowRight")
    shown.stands_at(11)
    assert page.locator("#match .events > li b").all_inner_texts() == [
        str(at) for at in (0, 1, 2, 3, 4, 11, 12, 13, 14)
    ]
    page.wait_for_url("**?line=ruled#at=11")
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    shown.stands_at(11)
    expect(line(page, "As ruled")).to_have_attribute("aria-pressed", "true")
    line(page, "As played").click()
    page.wait_for_function("location.search === ''")
    assert page.locator("#match .events > li").count() == 15
    page.locator("[data-language]").click()
    page.wait_for_url("**?lang=ja#at=11")


TAKEN_BACK = ("tomorrow-never-meows/taken-back-into-another-round", "towai/taken-back-across-a-re-formed-deck")
"""Golden replays in which moves were taken back."""


def in_force(path: str) -> list[str]:
    """The numbers of the events of a golden replay that no ruling has taken back."""
    line: list[int] = []
    for document in events_of(path):
        if document["type"] == "ruling_made" and document["data"]["ruling"]["kind"] == "take_back":
            line = [seq for seq in line if seq <= document["data"]["ruling"]["to"]]
        line.append(document["seq"])
    return [str(seq) for seq in line]


@pytest.mark.parametrize("page", [SMALL], indirect=True)
@pytest.mark.parametrize("path", TAKEN_BACK)
def test_golden_replays_have_both_lines(page: Page, server: House, path: str) -> None:
    every, ruled_line = [str(event["seq"]) for event in events_of(path)], in_force(path)
    assert len(ruled_line) < len(every)
    shown = looking(page, server, server.golden(path), server.operator)
    numbers = page.locator("#match .events > li b")
    assert numbers.all_inner_texts() == every
    assert page.locator("#match .events .taken-note").count() == len(every) - len(ruled_line)
    line(page, "As ruled").click()
    assert numbers.all_inner_texts() == ruled_line
    page.keyboard.press("Home")
    for seq in ruled_line[1:]:
        page.keyboard.press("ArrowRight")
        assert shown.place() == int(seq)


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_rulings_are_told_with_reason_and_rule_and_points_are_explained(page: Page, server: House) -> None:
    table = taken_back(server)
    looking(page, server, table.match)
    expect(event(page, 11)).to_contain_text("Reason: Seat 0 led out of turn.")
    assert event(page, 10).get_by_role("link", name="TNM-3.2").get_attribute("href") == f"/rules/{WEATHER}#TNM-3.2"
    expect(event(page, 10)).to_contain_text("what it gave stays")
    expect(event(page, 9)).to_contain_text("Taken back by the ruling in event 11")
    assert event(page, 14).get_by_text("Taken back").count() == 0
    expect(page.locator(".by-seat li", has_text="Seat 2")).to_contain_text("− 2 by a ruling = −2")
    ruled(server, table, "forfeit", seats=[0], reason="Seat 0 has left.")
    about = page.locator("#about")
    expect(about).to_contain_text("Decided by forfeit (Seat 1).")
    expect(about).to_contain_text("Seat 2 −2 (0 − 2 by a ruling)")
    winners = server.seen(table.match)["result"]["winners"]
    expect(about).to_contain_text(f"Won by {', '.join(f'Seat {seat + 1}' for seat in winners)}.")


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_take_back_comes_while_somebody_looks(page: Page, server: House) -> None:
    table = server.opened("catte", 3)
    server.played(table, 5)
    shown = looking(page, server, table.match)
    assert page.locator("#match .lines").is_hidden()
    ruled(server, table, "take_back", to=3)
    shown.stands_at(7)
    expect(page.locator("#match .lines")).to_be_visible()
    assert page.locator("#match .events .taken").count() == 3
    line(page, "As ruled").click()
    server.played(table, 1)
    shown.stands_at(8)
    ruled(server, table, "take_back", to=2)
    shown.stands_at(9)
    assert page.locator("#match .events > li b").all_inner_texts() == ["0", "1", "2", "9"]
    assert server.seen(table.match)["status"] == "playing"


def seconds(text: str) -> int:
    """A time as clocks show it."""
    minutes, rest = text.split(":")
    return 60 * int(minutes) + int(rest)


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_the_clock_of_whoever_is_to_act_runs(page: Page, server: House) -> None:
    table = clocked(server)
    seat = server.seen(table.match)["view"]["to_act"][0]
    looking(page, server, table.match)
    clocks = page.locator("#clocks li")
    assert [clocks.nth(at).get_attribute("class") for at in range(3)] == [
        "running" if at == seat else "" for at in range(3)
    ]
    times = [clocks.nth(at).get_by_role("timer") for at in range(3)]
    assert [times[at].inner_text() for at in range(3) if at != seat] == ["6:00", "6:00"]
    first = seconds(times[seat].inner_text())
    page.wait_for_timeout(1300)
    assert first - 4 <= seconds(times[seat].inner_text()) < first <= 360
    still = [at for at in range(3) if at != seat]
    for at in still:
        expect(times[at]).to_have_accessible_name(f"Seat {at + 1}: 6 minutes left")
    expect(times[seat]).to_have_accessible_name(re.compile(rf"^Seat {seat + 1}: 5 minutes \d+ seconds? left$"))
    expect(page.locator("#clocks")).to_contain_text("1 minute for each move. A bank of 5 minutes. 5 s more after each")
    ruled(server, table, "pause")
    expect(page.locator("#standing")).to_have_text("paused")
    expect(page.locator("#about")).to_contain_text("no moves are taken")
    assert page.locator("#clocks .running").count() == 0
    ruled(server, table, "resume")
    expect(page.locator("#clocks .running")).to_have_count(1)
    expect(page.locator("#standing")).to_have_text("live")


def test_whose_time_is_up_is_flagged_and_claimed(browse: Browse, server: House) -> None:
    table = clocked(server, move=1, bank=None, increment=0)
    playing, watching = browse(SMALL), browse(SMALL)
    seat = server.seen(table.match)["view"]["to_act"][0]
    looking(playing, server, table.match, table.tokens[(seat + 1) % 3])
    looking(watching, server, table.match)
    watching.locator("#clocks .flag", has_text="time is up").wait_for()
    for timer in (watching.locator("#clocks .flag").get_by_role("timer"), playing.locator(".seat-clock.flag")):
        expect(timer).to_have_accessible_name(f"Seat {seat + 1}: time is up")
    for status in (watching.locator("#clocks [role=status]"), playing.locator(".instruction")):
        expect(status).to_have_text(f"The time of Seat {seat + 1} is up.")
    assert watching.get_by_role("button", name="Claim the expiry").count() == 0
    playing.get_by_role("button", name="Claim the expiry").click()
    expect(watching.locator("#standing")).to_have_text("paused")
    expect(watching.locator(".events")).to_contain_text("a referee has to rule")
    expect(playing.locator(".instruction")).to_contain_text("no moves are taken")
    assert playing.get_by_role("button", name="Claim the expiry").count() == 0
    assert watching.locator("#clocks .flag").count() + playing.locator(".seat-clock.flag").count() == 0
    assert server.seen(table.match)["paused"]


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_clock_says_in_japanese_what_is_left(page: Page, server: House) -> None:
    table = clocked(server, move=3661, bank=None, increment=0)
    seat = (server.seen(table.match)["view"]["to_act"][0] + 1) % 3
    looking(page, server, table.match, None, "?lang=ja")
    timer = page.locator("#clocks li").nth(seat).get_by_role("timer")
    expect(timer).to_have_text("1:01:01")
    expect(timer).to_have_accessible_name(f"席{seat + 1}：残り1時間1分1秒")
    expect(page.locator("#clocks")).to_contain_text("一手ごとに1時間1分1秒。")


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_claim_that_comes_too_early_says_why(page: Page, server: House, watch: Any) -> None:
    """The page offers none; one that was offered by a clock that runs ahead of the service's is refused."""
    table = clocked(server)
    page.add_init_script(
        "const now = performance.now.bind(performance);"
        "performance.now = () => now() + (document.querySelector('.seat-clock') ? 400000 : 0);"
    )
    looking(page, server, table.match, table.tokens[0])
    watch.expect("status of 409")
    page.get_by_role("button", name="Claim the expiry").click()
    expect(page.locator(".player .notice")).to_contain_text("Nobody's time is up")
    assert server.seen(table.match)["status"] == "playing"


@pytest.mark.parametrize("screen", [Screen(360, "light", "en", touch=True), Screen(1440, "dark", "ja")])
def test_lines_and_clocks_look_good(browse: Browse, server: House, screen: Screen) -> None:
    table = clocked(
        server, WEATHER, seats=[{"name": name} for name in ("Aki", "Benedetta Pereira-Santos", "ちよ", "D")]
    )
    server.played(table, 6, chance=4)
    ruled(server, table, "points", seat=1, points=-2, rule="TNM-3.2")
    ruled(server, table, "take_back", to=4)
    page = browse(screen)
    looking(page, server, table.match, table.tokens[0])
    good_looks(page, OF_A_MATCH)
    assert (screen.language == "ja") == (PHONE.language == page.locator("html").get_attribute("lang"))
