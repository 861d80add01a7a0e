"""The referee's desk on the page of a match: what it shows, what it tries, what it rules, and what it tells nobody."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.house import House
from browser.listening import Heard
from browser.looks import OF_A_MATCH, good_looks
from browser.matches import MatchPage, looking, told_of
from browser.refereeing import asked, clocked, ruled
from browser.screens import SMALL, Browse, Screen
from browser.test_live import KEPT, NOTHING_KEPT, hand, named
from browser.watch import Watch
from players import Table

WEATHER = "tomorrow-never-meows"

WITH_DESK = 198_000
"""Bytes of a page whose desk was opened, which is loaded then."""


def begun(server: House, moves: int = 7) -> tuple[Table, str]:
    """A match with some cards on the table, and the key of a referee who sees the hands."""
    table = server.opened(WEATHER)
    assert server.played(table, moves, chance=4) == moves
    return table, server.referee("--match", table.match)


def refereeing(page: Page, server: House, table: Table, key: str, at: int | None = None) -> tuple[MatchPage, Locator]:
    """The page of a match with a referee's key, and its desk, opened at an event."""
    page.goto(server.at(f"/matches/{table.match}#key={key}") + ("" if at is None else f"&at={at}"))
    page.locator("#match[data-state=shown] .table").wait_for()
    page.get_by_role("button", name="Rule on this position").click()
    page.locator("#desk .ruling-form").wait_for()
    return MatchPage(page), page.locator("#desk")


def filled(desk: Locator, kind: str, reason: str = "Seat 0 led out of turn.") -> None:
    """A kind of ruling is chosen, and its reason written."""
    desk.get_by_role("combobox", name="Ruling", exact=True).select_option(kind)
    desk.get_by_role("textbox", name="Reason", exact=True).fill(reason)


def tried(desk: Locator) -> Locator:
    """It is tried; what it would do."""
    desk.get_by_role("button", name="See what it would do").click()
    desk.get_by_role("heading", name="What it would do").wait_for()
    return desk.locator(".ruling-answer")


def rule(desk: Locator) -> None:
    """It is ruled."""
    desk.get_by_role("button", name="Rule", exact=True).click()


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_misplay_is_taken_back(page: Page, server: House, watch: Watch) -> None:
    table, key = begun(server, 8)
    before = server.seen(table.match)["seq"]
    shown, desk = refereeing(page, server, table, key, at=6)
    could = desk.locator(".could li").all_inner_texts()
    page_could = page.locator(".possible li").all_inner_texts()
    assert could == page_could != []
    expect(desk.get_by_label("Back to the position after event")).to_have_value("6")
    filled(desk, "take_back")
    desk.get_by_label("Search the rulebook").press_sequentially("tnm-3.2")
    page.keyboard.press("Enter")
    assert desk.locator(".rule-choice li:visible").count() == 2  # that rule, and none
    desk.get_by_role("radio", name="TNM-3.2").check()
    assert desk.get_by_role("button", name="Rule", exact=True).count() == 0
    would = tried(desk)
    expect(would).to_contain_text("Events that would be taken back to the position after event 6: 3.")
    expect(would).to_contain_text("Since then this has become known")
    assert would.locator(".revealed li").count() == 3
    assert server.seen(table.match)["seq"] == before
    desk.get_by_role("textbox", name="Reason", exact=True).fill("Another reason.")
    assert desk.get_by_role("button", name="Rule", exact=True).count() == 0  # it is another ruling now
    tried(desk)
    rule(desk)
    expect(desk).to_contain_text(f"Ruled, in event {before + 1}. The match is now: live.")
    shown.stands_at(before + 1)
    page.locator(".events", has_text="Another reason.").wait_for()
    made = server.ask("GET", f"{table.path}/events?after={before}", None, {}).document["events"][0]
    assert made["data"]["ruling"] == {"kind": "take_back", "to": 6}
    assert (made["data"]["rule"], made["actor"]["role"]) == ("TNM-3.2", "referee")
    assert page.locator("#match .events .taken").count() == 3
    assert not any(key in request.url for request in watch.asked)
    assert key not in page.title()
    assert key not in page.evaluate("document.documentElement.outerHTML")
    assert page.evaluate(KEPT) == NOTHING_KEPT


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_every_kind_has_its_own_fields(page: Page, server: House) -> None:
    table = clocked(server, WEATHER, seats=4)
    server.played(table, 6, chance=4)
    key = server.referee("--match", table.match)
    _, desk = refereeing(page, server, table, key)
    kinds = (
        desk.get_by_role("combobox", name="Ruling", exact=True)
        .locator("option")
        .evaluate_all("(all) => all.map((one) => one.value)")
    )
    assert "resume" not in kinds
    filled(desk, "points")
    desk.get_by_role("combobox", name="Seat", exact=True).select_option("2")
    desk.get_by_role("spinbutton", name="Points", exact=True).fill("-3")
    tried(desk)
    rule(desk)
    desk.get_by_text("Ruled, in event").wait_for()
    page.get_by_role("button", name="Rule on this position").click()
    filled(desk, "time")
    desk.get_by_label("Seconds").fill("90")
    tried(desk)
    rule(desk)
    desk.get_by_text("Ruled, in event").wait_for()
    page.get_by_role("button", name="Rule on this position").click()
    filled(desk, "play")
    desk.get_by_role("combobox", name="Move", exact=True).select_option(index=0)
    tried(desk)
    rule(desk)
    desk.get_by_text("Ruled, in event").wait_for()
    page.get_by_role("button", name="Rule on this position").click()
    filled(desk, "result")
    desk.locator(".boxes").first.get_by_label("Seat 4").check()
    desk.get_by_label("Change the scores too").check()
    for seat, score in enumerate((1, 2, 3, 9)):
        desk.locator(".ruling-fields .ruling-fields input").nth(seat).fill(str(score))
    expect(tried(desk)).to_contain_text("Won by Seat 4. Seat 1 1, Seat 2 2, Seat 3 3, Seat 4 9.")
    rule(desk)
    page.locator("#about", has_text="The result is a ruling of the referee.").wait_for()
    seen = server.seen(table.match)
    assert seen["adjustments"] == [0, 0, -3, 0]
    assert seen["result"] == {"by": "ruling", "winners": [3], "scores": [1, 2, 3, 9], "forfeited": []}
    rulings = [event["data"]["ruling"] for event in events(server, table) if event["type"] == "ruling_made"]
    assert rulings[1] == {"kind": "time", "seat": 0, "add_ms": 90_000}
    assert [one["kind"] for one in rulings] == ["points", "time", "play", "result"]


def events(server: House, table: Table) -> list[Any]:
    """What the feed tells everybody."""
    found: list[Any] = server.ask("GET", f"{table.path}/events", None, {}).document["events"]
    return found


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_two_referees_one_wins_and_the_other_is_told(page: Page, server: House, watch: Watch) -> None:
    table, key = begun(server)
    _, desk = refereeing(page, server, table, key)
    filled(desk, "points", reason="Talked about the hand.")
    tried(desk)
    seq = server.seen(table.match)["seq"]
    page.route("**/frames?**", lambda route: route.abort())  # so that the page does not hear of it by itself
    page.route("**/events", lambda route: route.abort())
    watch.expect("status of 412|ERR_FAILED")
    ruled(server, table, "note", reason="The other one was faster.")
    rule(desk)
    page.unroute("**/frames?**")
    answer = desk.locator(".ruling-answer")
    expect(answer).to_contain_text("Nothing was ruled. Since then:")
    expect(answer).to_contain_text(f"Event {seq + 1} A referee's note. Reason: The other one was faster.")
    assert desk.get_by_role("button", name="Rule", exact=True).count() == 0
    assert desk.get_by_role("textbox", name="Reason", exact=True).input_value() == "Talked about the hand."
    assert server.seen(table.match)["seq"] == seq + 1
    tried(desk)
    rule(desk)
    desk.get_by_text(f"Ruled, in event {seq + 2}").wait_for()


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_refusal_says_why(page: Page, server: House, watch: Watch) -> None:
    table, key = begun(server)
    _, desk = refereeing(page, server, table, key)
    watch.expect("status of 409")
    filled(desk, "points")
    desk.get_by_role("spinbutton", name="Points", exact=True).fill("0")
    desk.get_by_role("button", name="See what it would do").click()
    expect(desk.locator(".ruling-answer")).to_contain_text("The ruling would change nothing.")
    desk.get_by_role("button", name="Close").click()
    expect(desk).to_be_hidden()


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_substitute_gets_a_link_that_is_shown_once(page: Page, server: House, watch: Watch) -> None:
    table, key = begun(server)
    _, desk = refereeing(page, server, table, key)
    filled(desk, "substitute", reason="Seat 1 was taken ill.")
    desk.get_by_role("combobox", name="Seat", exact=True).select_option("1")
    desk.get_by_label("Name of the new player").fill("Dai")
    tried(desk)
    assert desk.get_by_label("Link of the new player").count() == 0
    rule(desk)
    link = desk.get_by_label("Link of the new player").input_value()
    expect(page.locator("#players")).to_contain_text("Dai")
    watch.expect("status of 401")
    assert server.ask("GET", table.path, None, table.sits(1)).status == 401
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#role")).to_have_text("You are looking as seat 2 (Dai).")


def test_a_key_that_opens_no_hands_learns_none(browse: Browse, server: House, watch: Watch) -> None:
    """It is typed in; and it rules all the same."""
    table, _ = begun(server)
    key = server.referee("--match", table.match, unsealed=False)
    page = browse(SMALL)
    heard = Heard(page)
    looking(page, server, table.match)
    page.get_by_text("For referees").click()
    page.get_by_label("Key of a referee or operator").fill(key)
    page.get_by_role("button", name="Use the key").click()
    expect(page.locator("#role")).to_have_text("You are looking as a referee.")
    assert key not in page.url
    page.get_by_role("button", name="Rule on this position").click()
    desk = page.locator("#desk")
    expect(desk.locator(".could")).to_contain_text("matches:unseal")
    filled(desk, "play")
    expect(desk).to_contain_text("cannot be tried first")
    assert desk.get_by_role("button", name="See what it would do").count() == 0
    seat = server.seen(table.match)["view"]["to_act"][0]
    legal = server.seen(table.match, table.tokens[seat])["legal_moves"]
    other = next(card for card in hand(server, table, (seat + 1) % 4))
    desk.get_by_role("textbox", name="another").fill(other)
    watch.expect("status of 409")
    rule(desk)
    expect(desk.locator(".ruling-answer")).to_contain_text("Not ruled.")
    hidden = [card for one in range(4) for card in hand(server, table, one) if card not in (other, legal[0]["card"])]
    bodies = told_of(server, table.match, page, heard)
    assert len(bodies) >= 2
    assert {(card, at) for card in hidden for at, body in bodies.items() if named(card).search(body)} == set()
    desk.get_by_role("textbox", name="another").fill(legal[0]["card"])
    rule(desk)
    desk.get_by_text("Ruled, in event").wait_for()
    assert not any(key in request.url for request in watch.asked)
    assert page.evaluate(KEPT) == NOTHING_KEPT
    page.reload()
    expect(page.locator("#role")).to_have_text("You are looking as a spectator.")


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_private_match_is_opened_by_a_key_that_is_typed_in(page: Page, server: House, watch: Watch) -> None:
    table = server.opened("catte", 3, visibility="private")
    key = server.referee("--match", table.match)
    watch.expect("status of 404")
    page.goto(server.match_page(table.match))
    page.locator("#match[data-state=lost]").wait_for()
    page.get_by_text("For referees").click()
    page.get_by_label("Key of a referee or operator").fill(key)
    page.keyboard.press("Enter")
    page.locator("#match[data-state=shown] .table").wait_for()
    assert page.locator("#for-referees").is_hidden()
    assert re.fullmatch(rf".*/matches/{table.match}(#at=\d+)?", page.url)


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_seats_and_spectators_have_no_desk(page: Page, server: House, watch: Watch) -> None:
    table, _ = begun(server)
    for token in (table.tokens[0], None):
        looking(page, server, table.match, token)
        assert page.get_by_role("button", name="Rule on this position").count() == 0
        page.goto("about:blank")
    assert not any(re.search(r"/ruling(s|\.mjs)", request.url) for request in watch.asked)
    body = {"ruling": {"kind": "note"}, "reason": "I say so."}
    assert asked(server, table, body, table.tokens[0], 8).status == 403


@pytest.mark.parametrize("screen", [Screen(360, "dark", "en", touch=True), Screen(1440, "light", "en")])
def test_the_desk_looks_good(browse: Browse, server: House, screen: Screen) -> None:
    table, key = begun(server)
    page = browse(screen)
    page.goto(server.at(f"/matches/{table.match}#key={key}"))
    page.locator("#match[data-state=shown] .table").wait_for()
    good_looks(page, OF_A_MATCH)
    _, desk = refereeing(page, server, table, key, at=5)
    filled(desk, "take_back")
    tried(desk)
    good_looks(page, WITH_DESK)
    for kind in ("accept", "result", "substitute"):
        desk.get_by_role("combobox", name="Ruling", exact=True).select_option(kind)
        good_looks(page, WITH_DESK)
