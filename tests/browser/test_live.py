"""A match that is being played, in several browsers at once: what each is told, and what none is told."""

import re
from contextlib import closing

import orjson
import pytest
from playwright.sync_api import Page, Route

from browser.house import House
from browser.listening import Heard
from browser.matches import looking, play_first, told_of
from browser.screens import PHONE, SMALL, Browse
from browser.watch import Watch
from gyoji.access.tokens import issue
from gyoji.store import open_store, store_key
from players import Table

WEATHER = "tomorrow-never-meows"
"""Each of its cards is there once."""

KEPT = """async () => ({
  local: Object.keys(localStorage),
  session: Object.keys(sessionStorage),
  cookies: document.cookie,
  databases: (await indexedDB.databases()).map((one) => one.name),
  caches: window.isSecureContext ? await caches.keys() : [],
  workers: (await navigator.serviceWorker.getRegistrations()).length,
  name: window.name,
})"""

NOTHING_KEPT = {"local": [], "session": [], "cookies": "", "databases": [], "caches": [], "workers": 0, "name": ""}


def begun(server: House, moves: int = 6) -> tuple[Table, int]:
    """A match with some cards on the table, and the seat that is to act."""
    table = server.opened(WEATHER)
    assert server.played(table, moves, chance=4) == moves
    return table, server.seen(table.match)["view"]["to_act"][0]


def following(server: House) -> tuple[Table, int]:
    """A match whose deal has given the seat that is to act a card of the suit that was led, and others."""
    for _ in range(20):
        table, seat = begun(server, 7)
        seen = server.seen(table.match, table.tokens[seat])
        lead = seen["view"]["table"]["trick"][0]["card"]
        suits = {card[0] for card in seen["view"]["table"]["hands"][seat]}
        if {move["card"][0] for move in seen["legal_moves"]} == {lead[0]} < suits:
            return table, seat
    raise AssertionError("no such deal")


def hand(server: House, table: Table, seat: int) -> list[str]:
    """The hand of a seat, as it sees it itself."""
    held: list[str] = server.seen(table.match, table.tokens[seat])["view"]["table"]["hands"][seat]
    return held


def named(card: str) -> re.Pattern[str]:
    """A card by its code, or by its name (Fine 7)."""
    suits = {"F": "Fine", "C": "Cloudy", "R": "Rainy", "T": "Thunder", "S": "Snow"}
    return re.compile(rf"(?<![\w#-])(?:{card}|{suits[card[0]]} {card[1:]})(?![\w.-])")


def test_a_card_is_played_in_one_browser_and_seen_in_another(browse: Browse, server: House, watch: Watch) -> None:
    table, seat = begun(server)
    own, other = browse(SMALL), browse(PHONE)
    playing = looking(own, server, table.match, table.tokens[seat])
    watching = looking(other, server, table.match)
    assert watching.place() == playing.place() == 7
    name = play_first(own)
    playing.stands_at(8)
    watching.stands_at(8)
    assert other.locator(".table .fresh, .table .trick svg").count() > 0
    assert server.seen(table.match)["seq"] == 8
    assert name in own.locator(".trick title").all_text_contents()
    assert name.rpartition(" ")[2] in other.locator(".caption").inner_text()  # which is in Japanese
    assert own.locator(".hand button.may").count() == 0
    server.played(table, 1)
    playing.stands_at(9)
    watching.stands_at(9)
    assert not any(token in asked.url for token in table.tokens for asked in watch.asked)
    assert not any(token.encode() in line for token in table.tokens for line in list(server.server.raw))


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_card_that_may_not_be_played_says_why(page: Page, server: House, watch: Watch) -> None:
    table, seat = following(server)
    seen = server.seen(table.match, table.tokens[seat])
    held = seen["view"]["table"]["hands"][seat]
    legal = {move["card"] for move in seen["legal_moves"]}
    shown = looking(page, server, table.match, table.tokens[seat])
    watch.expect("status of 409")
    assert page.locator(".instruction").inner_text().startswith("Follow ")
    page.locator(".hand button.dim").first.click()
    notice = page.locator("#match .notice")
    notice.get_by_role("link", name="TNM-3.2").wait_for()
    assert shown.place() == seen["seq"] == server.seen(table.match)["seq"]
    assert page.locator(".hand button.dim").count() == len(held) - len(legal)


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_move_that_is_refused_is_explained(page: Page, server: House, watch: Watch) -> None:
    """The page offers what is legal alone; so what it sends is changed on the way."""
    table, seat = begun(server)
    foreign = hand(server, table, (seat + 1) % 4)[0]
    looking(page, server, table.match, table.tokens[seat])
    body = orjson.dumps({"move": {"type": "play", "seat": seat, "card": foreign}})
    page.route("**/moves", lambda route: route.continue_(post_data=body))
    watch.expect("status of 409")
    play_first(page)
    page.locator(".notice", has_text="Not allowed").wait_for()
    assert re.search(rf"Seat {seat + 1} does not hold \w+ {foreign[1:]}\.", page.locator(".notice").inner_text())
    assert page.locator(".hand button.may").count() > 0
    assert server.seen(table.match)["seq"] == 7


def test_a_seat_never_learns_another_hand(browse: Browse, server: House) -> None:
    table, seat = begun(server)
    page = browse(SMALL)
    heard = Heard(page)
    shown = looking(page, server, table.match, table.tokens[seat])
    server.played(table, 2, chance=4)
    shown.stands_at(9)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Review the match").click()
    page.locator("#match .steps").wait_for()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    hidden = [card for other in range(4) if other != seat for card in hand(server, table, other)]
    own = hand(server, table, seat)
    bodies = told_of(server, table.match, page, heard)
    bodies["streams"] = heard.streams
    bodies["page"] = page.evaluate("document.getElementById('main').outerHTML")
    assert len(hidden) > 15
    assert "move_played" in bodies["streams"]
    assert all(any(named(card).search(body) for body in bodies.values()) for card in own), (
        "the search finds what is there"
    )
    found = {(card, where) for card in hidden for where, body in bodies.items() if named(card).search(body)}
    assert found == set()
    assert page.evaluate(KEPT) == NOTHING_KEPT


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_page_that_has_seen_another_log_begins_again(page: Page, server: House) -> None:
    """The stream says ``reset`` where the log has not come to what the page has seen: a backup was restored."""
    table, _seat = begun(server)
    asked: list[str | None] = []

    def restored(route: Route) -> None:
        asked.append(route.request.headers.get("last-event-id"))
        if len(asked) > 1:
            route.continue_()
            return
        route.fulfill(content_type="text/event-stream", body='event: reset\nid:\ndata: {"asked":7,"last":3}\n\n')

    page.route(f"**/v1/matches/{table.match}/events", restored)
    with page.expect_request(lambda one: one.is_navigation_request() and len(asked) == 1):
        looking(page, server, table.match)
    page.locator("#match[data-state=shown] .table").wait_for()
    assert asked[0] == "7"


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_where_its_streams_are_taken_a_page_asks_now_and_then(page: Page, server: House, watch: Watch) -> None:
    table, _seat = begun(server)
    refusal = {"status": 429, "code": "rate-limited"}
    watch.expect("status of 429")
    page.route("**/events", lambda route: route.fulfill(status=429, json=refusal, headers={"Retry-After": "5"}))
    shown = looking(page, server, table.match)
    server.played(table, 1)
    shown.stands_at(8)


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_spectator_sees_backs_alone(page: Page, server: House) -> None:
    for game in ("catte", "towai", "familiars-trouble"):
        table = server.opened(game)
        server.played(table, 3)
        looking(page, server, table.match)
        assert page.locator(".table .seat .backs").count() == len(table.tokens)
        assert page.locator(".table button.move").count() == 0
    assert page.evaluate(KEPT) == NOTHING_KEPT


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_token_that_no_header_can_carry_is_nobodys(page: Page, server: House, watch: Watch) -> None:
    """It must not look as if the service were away; and of the one before nothing is left on the page."""
    table = server.opened("catte", [{"name": "Aki"}, {"name": "Ben"}, {"name": "Cho"}])
    looking(page, server, table.match, table.tokens[1])
    assert "Ben" in page.locator(".own").inner_text()
    watch.expect("status of 401")
    for token in ("%E3%81%82", "a%0D%0Ab", ""):
        page.evaluate(f"location.hash = '#token={token}'")
        page.locator("#match[data-state=lost]", has_text="unknown or was revoked").wait_for()
        assert [page.locator(part).inner_text() for part in ("#role", "#standing", "#network")] == ["", "", ""]
        page.evaluate("location.hash = '#at=0'")
        page.locator("#match[data-state=shown]").wait_for()


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_move_that_does_not_get_through_says_so_and_is_made_later(page: Page, server: House, watch: Watch) -> None:
    table, seat = begun(server)
    playing = looking(page, server, table.match, table.tokens[seat])
    watch.expect("ERR_INTERNET_DISCONNECTED|ERR_NETWORK")
    page.context.set_offline(True)
    play_first(page)
    page.locator("#network", has_text="The service does not answer").wait_for()
    page.context.set_offline(False)
    playing.stands_at(8)
    page.wait_for_function("document.querySelector('#network').textContent === ''")
    assert server.seen(table.match)["seq"] == 8


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_wrong_key_takes_nothing_away_from_whoever_looks(page: Page, server: House, watch: Watch) -> None:
    table = server.opened("catte", 3)
    looking(page, server, table.match)
    watch.expect("status of 401")
    page.locator("#for-referees summary").click()
    page.locator("#key").fill("gyoji_ref_nobodys")
    page.get_by_role("button", name="Use the key").click()
    page.locator("#key-said", has_text="Nobody has this key here").wait_for()
    page.locator("#match[data-state=shown] .table").wait_for()
    page.locator("#key").fill(server.operator)
    page.get_by_role("button", name="Use the key").click()
    page.get_by_role("button", name="Rule on this position").wait_for()


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_token_whose_time_is_over_says_so(page: Page, server: House, watch: Watch) -> None:
    table = server.opened("catte", 3, visibility="private")
    assert server.store is not None
    with closing(open_store(server.store, store_key(server.store, None))) as store:
        expired = issue(store.token_key(), table.match, 1, 0, 1_769_000_000)
    watch.expect("status of 401")
    page.goto(f"{server.url}/matches/{table.match}#token={expired}")
    page.locator("#match[data-state=lost]", has_text="The token has expired").wait_for()
    assert "whoever created the match can make a new one" in page.locator("#match").inner_text()
