"""The replay viewer: golden replays are stepped through, by keyboard, mouse and touch, without a request."""

from typing import Any

import orjson
import pytest
from playwright.sync_api import Page

from browser.house import GOLDEN, REPLAYS, House
from browser.matches import MatchPage, looking
from browser.screens import PHONE, SMALL, Browse, Screen
from browser.watch import Watch

STEPPED = (
    "catte/shared-deals-table-1",
    "towai/reset-inside-a-combo",
    "tomorrow-never-meows/snow-beats-thunder",
    "familiars-trouble/errand-exchange",
)
"""A short replay of each game."""


def events_of(path: str) -> list[Any]:
    """The events of a golden replay."""
    lines = map(orjson.loads, (REPLAYS / f"{path}.jsonl").read_bytes().splitlines())
    return [line for line in lines if "type" in line]


@pytest.mark.parametrize("page", [SMALL], indirect=True)
@pytest.mark.parametrize("path", STEPPED)
def test_stepping_through_a_replay_ends_at_its_scores(page: Page, server: House, watch: Watch, path: str) -> None:
    events = events_of(path)
    outcome = next(event["data"]["outcome"] for event in events if event["type"] == "match_finished")
    names = [f"Seat {seat + 1}" for seat in range(len(outcome["scores"]))]
    shown = looking(page, server, server.golden(path), server.operator)
    asked = len(watch.asked)
    page.keyboard.press("Home")
    for event in events[1:]:
        page.keyboard.press("ArrowRight")
        if event["seq"] % 10 == 0:
            assert shown.place() == event["seq"]
    assert shown.place() == events[-1]["seq"]
    assert shown.scores(names) == outcome["scores"]
    won = page.locator(".table .seat:has(.chip.won)").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
    assert set(won) == {names[seat] for seat in outcome["winners"]}
    page.keyboard.press("ArrowRight")
    assert shown.place() == events[-1]["seq"]
    assert watch.since(asked) == []
    assert [asked.url for asked in watch.asked if asked.kind == "fetch"] == [
        server.at(f"/matches/{server.golden(path)}/frames?after=-1&limit=500"),
        server.at(f"/static/games/{path.partition('/')[0]}.en.json"),
    ]


def opened(page: Page, server: House, more: str = "") -> MatchPage:
    """A replay of Catte of some seventy events, at the fifth."""
    return looking(page, server, server.golden(GOLDEN["catte"]), server.operator, f"&at=5{more}")


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_jumps_by_mouse(page: Page, server: House, watch: Watch) -> None:
    shown = opened(page, server)
    asked = len(watch.asked)
    assert page.locator(".caption time").inner_text() == "01/01/2026, 00:00:05"  # as they write it in Britain
    shown.button("One step on").click()
    shown.stands_at(6)
    shown.button("One step back").click()
    shown.stands_at(5)
    page.locator(".events li[data-index='12'] button").click()
    shown.stands_at(12)
    page.get_by_role("slider").click()  # in its middle
    assert 30 <= shown.place() <= 40
    page.locator("svg.chart").click(position={"x": 60, "y": 60})
    assert shown.place() < 20
    shown.button("To the end").click()
    shown.stands_at(69)
    shown.button("To the beginning").click()
    shown.stands_at(0)
    assert watch.since(asked) == []
    shown.button("One step on").click()
    shown.button("One step on").click()
    shown.stands_at(2)
    assert page.locator(".table .seat .backs").count() == 0
    page.locator("#as").select_option("2")
    page.wait_for_url("**&as=2")
    page.locator(".table .seat .backs").nth(2).wait_for()
    assert page.locator(".table .seat .backs").count() == 3
    assert watch.asked[-1].url.endswith("/frames?after=-1&limit=500&as=2")


SLOW = """() => [...document.querySelectorAll("*")].map((element) => getComputedStyle(element))
  .flatMap((style) => [...style.transitionDuration.split(","), ...style.animationDuration.split(",")])
  .filter((duration) => Number.parseFloat(duration) > 0.01)"""


@pytest.mark.parametrize("page", [Screen(1000, still=True)], indirect=True)
def test_jumps_by_keyboard_and_nothing_moves_for_whom_it_shall_not(page: Page, server: House) -> None:
    shown = opened(page, server)
    assert page.evaluate(SLOW) == []
    page.keyboard.press("?")  # somebody dictates a question, and nothing has the focus
    assert page.get_by_role("dialog").count() == 0
    page.keyboard.press("End")
    shown.stands_at(69)
    page.keyboard.press("ArrowLeft")
    shown.stands_at(68)
    page.get_by_role("slider").focus()
    page.keyboard.press("Home")
    shown.stands_at(0)
    page.keyboard.press("ArrowDown")  # from a trick to the next
    begun = shown.place()
    page.keyboard.press("ArrowDown")
    assert begun < shown.place() <= begun + 5
    page.keyboard.press("ArrowUp")
    shown.stands_at(begun)
    assert page.evaluate("document.getAnimations().filter((one) => one.playState === 'running').length") == 0
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_it_plays_by_itself_until_somebody_steps(page: Page, server: House) -> None:
    page.clock.install()
    shown = opened(page, server)
    page.keyboard.press("Space")
    page.clock.run_for(3500)
    shown.stands_at(8)
    page.keyboard.press("ArrowLeft")
    page.clock.run_for(3500)
    shown.stands_at(7)


def test_swipes(browse: Browse, server: House) -> None:
    page = browse(PHONE)
    shown = opened(page, server)
    page.locator(".events li[data-index='9'] button").tap()
    shown.stands_at(9)
    page.locator(".stage").evaluate("(stage) => stage.scrollIntoView({ block: 'start' })")
    box = page.locator(".stage").bounding_box()
    assert box is not None
    touch = page.context.new_cdp_session(page)

    def swipe(across: int) -> None:
        x, y = box["x"] + 180, box["y"] + 20
        for kind, points in (
            ("touchStart", [{"x": x, "y": y}]),
            ("touchMove", [{"x": x + across, "y": y + 4}]),
            ("touchEnd", []),
        ):
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    swipe(-90)
    shown.stands_at(10)
    swipe(-90)
    shown.stands_at(11)
    swipe(90)
    shown.stands_at(10)


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_position_goes_on_the_console_and_the_match_to_the_audit(page: Page, server: House, watch: Watch) -> None:
    opened(page, server)
    page.get_by_role("link", name="On the console").click()
    page.wait_for_url("**/console#s=*")
    page.locator(".table .seat").first.wait_for()
    assert orjson.loads(page.locator("#json").input_value())["ply"] == 4
    page.go_back()
    page.get_by_role("link", name="Audit the match").click()
    page.wait_for_url("**/audit#match=*")
    page.get_by_text("Everything was checked and is true.", exact=True).wait_for()
    assert not any(server.operator in asked.url for asked in watch.asked)
