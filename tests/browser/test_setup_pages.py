"""The forms that set up a tournament or a match: presets, the preview, faults beside fields, links for players."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from browser.hostile import GIVEN, injected
from browser.house import House
from browser.looks import good_looks, measured, none_of
from browser.screens import Browse, Screen
from browser.watch import Watch

PHONE = Screen(390, touch=True)
WIDE = Screen(1280)
SCREENS = {
    "phone": PHONE,
    "phone, Japanese, dark": Screen(390, "dark", "ja", touch=True),
    "wide": WIDE,
    "wide, Japanese": Screen(1280, language="ja"),
}
TOURNAMENT, MATCH = "/tournaments/new", "/matches/new"


def opened(page: Page, server: House, path: str, key: str | None = None) -> Page:
    """The form, with the operator's key or another one in its address, or without one."""
    page.goto(server.at(path) + ("" if key is None else f"#key={key}"))
    page.locator("[data-preset][aria-pressed=true]").wait_for()
    return page


def tournament_at(page: Page, server: House) -> dict[str, object]:
    """The tournament on whose desk the page is."""
    page.locator("#desk[data-state=shown]").wait_for()
    found = re.search(r"/tournaments/([0-9a-f-]{36})/desk", page.url)
    assert found is not None
    answer = server.ask("GET", f"/v1/tournaments/{found[1]}", None, {"Authorization": f"Bearer {server.operator}"})
    assert answer.status == 200
    document: dict[str, object] = answer.document
    return document


@pytest.mark.parametrize("page", [PHONE, WIDE], indirect=True)
def test_a_club_evening_is_two_presses_away(page: Page, server: House) -> None:
    opened(page, server, TOURNAMENT, server.operator)
    expect(page.locator("#key")).to_be_hidden()
    page.get_by_label("Name of the tournament").fill("First of May")
    page.get_by_role("button", name="Set it up").click()
    made = tournament_at(page, server)
    assert (made["name"], made["rounds"], made["pairing"], made["seats"]) == ("First of May", 3, "swiss", [4, 3])
    assert made["points"] == {"by": "rank", "points": [3, 2, 1, 0], "forfeit": 0}
    assert made["clock"] == {"move": 0, "bank": 600, "increment": 5, "on_expiry": "referee"}
    assert made["visibility"] == "private"


@pytest.mark.parametrize("page", [PHONE, Screen(1280, language="ja")], indirect=True)
def test_tables_of_different_sizes_count_alike_where_one_wants_it(page: Page, server: House) -> None:
    """Six points for each player at a table, as docs/tournaments.md says; whatever is typed instead stands."""
    opened(page, server, TOURNAMENT, server.operator)
    places = page.locator("[name='/points/points']")
    alike = page.locator("#alike")
    alike.check()
    expect(places).to_have_value("11, 7, 4, 2")
    expect(page.locator("#places-3")).to_have_value("10, 6, 2")
    good_looks(page)
    alike.uncheck()
    expect(places).to_have_value("3, 2, 1, 0")
    expect(page.locator("#places-3")).to_have_count(0)
    page.locator("#also input").first.uncheck()
    expect(page.locator("#uneven")).to_be_hidden()
    page.locator("#also input").first.check()
    alike.check()
    page.locator("#places-3").fill("9, 6, 3")
    page.locator("#form button.first").click()
    made = tournament_at(page, server)
    assert made["points"] == {"by": "rank", "points": [11, 7, 4, 2], "forfeit": 0, "by_size": [[9, 6, 3]]}


def test_the_preview_says_tables_byes_and_minutes(page: Page, server: House) -> None:
    opened(page, server, TOURNAMENT)
    preview = page.locator("#preview")
    page.get_by_label("How many players do you expect?").fill("13")
    page.get_by_label("Minutes for a round").fill("35")
    expect(preview).to_contain_text("1 table of 4")
    expect(preview).to_contain_text("3 tables of 3")
    expect(preview).to_contain_text("Nobody rests.")
    expect(preview).to_contain_text("About 105 minutes in all (1:45 h).")
    page.get_by_role("checkbox", name="3 players").uncheck()
    expect(preview).to_contain_text("3 tables of 4")
    expect(preview).to_contain_text("Resting in each round (bye): 1.")
    page.get_by_label("How many players do you expect?").fill("")
    expect(preview).to_contain_text("Fill in players and rounds")


def test_everybody_meets_everybody_offers_what_is_possible(page: Page, server: House) -> None:
    opened(page, server, TOURNAMENT, server.operator)
    page.get_by_label("How many players do you expect?").fill("9")
    page.get_by_role("button", name="Everybody meets everybody").click()
    page.get_by_role("button", name="4 rounds at tables of 3").click()
    expect(page.locator("#preview")).to_contain_text("3 tables of 3")
    expect(page.get_by_label("Rounds", exact=True)).to_have_value("4")
    page.get_by_role("button", name="Set it up").click()
    made = tournament_at(page, server)
    assert (made["pairing"], made["rounds"], made["seats"], made["clock"]) == ("rotation", 4, [3], None)


def test_teams_are_offered_what_teams_can_have(page: Page, server: House) -> None:
    opened(page, server, TOURNAMENT, server.operator)
    page.get_by_label("Game", exact=True).select_option("familiars-trouble")
    expect(page.locator("#preview")).to_contain_text("12 teams of 3")
    page.get_by_role("button", name="Everybody meets everybody").click()
    page.get_by_label("How many players do you expect?").fill("5")
    expect(page.locator("#preview")).to_contain_text("5 teams of 3, each at a table of its own")
    page.get_by_role("button", name="Set it up").click()
    made = tournament_at(page, server)
    assert (made["teams"], made["pairing"], made["points"]) == (True, "draw", {"by": "score"})


def test_faults_are_told_beside_their_fields(page: Page, server: House, watch: Watch) -> None:
    watch.expect("status of 422")
    opened(page, server, TOURNAMENT, server.operator)
    page.get_by_label("Name of the tournament").fill("")
    page.get_by_label("Rounds", exact=True).fill("many")
    page.get_by_label("Points for the first place").fill("1, 2, 3, 4")
    page.get_by_role("button", name="Set it up").click()
    name, rounds = page.get_by_label("Name of the tournament"), page.get_by_label("Rounds", exact=True)
    expect(name).to_be_focused()
    for wrong in (name, rounds):
        expect(wrong).to_have_attribute("aria-invalid", "true")
        assert wrong.evaluate("one => document.getElementById(one.getAttribute('aria-describedby')).textContent") != ""
    name.fill("Cup")
    rounds.fill("3")
    page.get_by_role("button", name="Set it up").click()
    points = page.get_by_label("Points for the first place")
    expect(points).to_be_focused()
    expect(points.locator("xpath=..").locator(".fault")).to_have_count(1)
    expect(name).not_to_have_attribute("aria-invalid", "true")
    expect(rounds).to_have_value("3")


def test_a_clock_without_time_is_blamed_on_the_clock(page: Page, server: House, watch: Watch) -> None:
    watch.expect("status of 422")
    opened(page, server, MATCH, server.operator)
    page.get_by_role("button", name="10 minutes each").click()
    page.get_by_label("Minutes each player has besides").fill("")
    page.get_by_label("Seconds added after each move").fill("0")
    page.get_by_role("button", name="Set it up").click()
    expect(page.get_by_label("Free seconds for each move")).to_be_focused()


def test_a_key_is_asked_for_and_stays_in_the_page(page: Page, server: House, watch: Watch) -> None:
    watch.expect("status of 401")
    opened(page, server, MATCH)
    key = page.get_by_label("Your key")
    page.get_by_role("button", name="Set it up").click()
    expect(key).to_be_focused()
    key.fill("gyoji_op_nobody")
    page.get_by_role("button", name="Set it up").click()
    expect(key).to_have_attribute("aria-invalid", "true")
    key.fill(server.operator)
    page.get_by_role("button", name="Set it up").click()
    expect(page.locator(".slips li")).to_have_count(4)
    assert server.operator not in page.url + page.title() + page.content()
    assert page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]
    assert not [asked for asked in watch.asked if server.operator in asked.url]


def test_what_had_no_answer_is_sent_again_and_made_once(page: Page, server: House, watch: Watch) -> None:
    watch.expect("ERR_FAILED")
    opened(page, server, TOURNAMENT, server.operator)
    name = "Lost and found cup"
    page.get_by_label("Name of the tournament").fill(name)

    def lost(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/v1/tournaments", lost, times=1)
    page.get_by_role("button", name="Set it up").click()
    expect(page.locator("#said")).to_contain_text("No answer came")
    page.get_by_role("button", name="Set it up").click()
    tournament_at(page, server)
    listed = server.ask("GET", "/v1/tournaments", None, {"Authorization": f"Bearer {server.operator}"}).document
    assert [one["name"] for one in listed["tournaments"]].count(name) == 1


@pytest.mark.parametrize("page", [PHONE, Screen(1280, language="ja")], indirect=True)
def test_links_of_a_match_lead_to_its_seats(page: Page, server: House) -> None:
    opened(page, server, MATCH, server.operator)
    page.locator("#count").select_option("3")
    fields = page.locator("#names input")
    expect(fields).to_have_count(3)
    for field, name in zip(fields.all(), ("Aki", "Ben", "千代"), strict=True):
        field.fill(name)
    page.locator("#form button.first").click()
    slips = page.locator(".slips li")
    expect(slips).to_have_count(3)
    expect(page.locator("#made-title")).to_be_focused()
    expect(slips.nth(2)).to_contain_text("千代")
    expect(slips.nth(2).locator("svg.qr")).to_be_visible()
    good_looks(page)
    link = slips.nth(1).locator("code").inner_text()
    match, token = re.fullmatch(rf"{server.url}/matches/([0-9a-f-]+)#token=(\S+)", link).groups()  # type: ignore[union-attr]
    seen = server.seen(match, token)
    assert seen["viewer"] == {"role": "seat", "seat": 1}
    page.goto(link)
    page.locator("#match[data-state=shown]").wait_for()


@pytest.mark.parametrize("path", [TOURNAMENT, MATCH])
@pytest.mark.parametrize("screen", SCREENS.values(), ids=[*SCREENS])
def test_every_field_is_sound_to_look_at(browse: Browse, server: House, screen: Screen, path: str) -> None:
    page = opened(browse(screen), server, path)
    good_looks(page)
    for radio in page.locator("[name='/points/by'][value=wins], [name=clock][value=some]").all():
        radio.check()
    page.locator("#form button.first").click()
    expect(page.locator(".fault")).to_have_count(1)
    none_of(page, measured(page))


def test_by_keyboard_alone(page: Page, server: House) -> None:
    opened(page, server, MATCH, server.operator)
    page.locator("[data-preset=fast]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-preset=fast]")).to_have_attribute("aria-pressed", "true")
    page.locator("#name-0").focus()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("Aki")
    page.keyboard.press("Enter")
    expect(page.locator(".slips li").first).to_contain_text("Aki")
    match = re.search(r"/matches/([0-9a-f-]+)#", page.locator(".slips code").first.inner_text())
    assert match is not None
    assert server.seen(match[1], server.operator)["clock"]["control"]["on_expiry"] == "default"


def test_hostile_names_stay_names(page: Page, server: House, watch: Watch) -> None:
    hostile = [text for text in GIVEN if "<" in text][:3]
    opened(page, server, MATCH, server.operator)
    page.locator("#count").select_option("3")
    for field, name in zip(page.locator("#names input").all(), hostile, strict=True):
        field.fill(name)
    page.locator("#form button.first").click()
    expect(page.locator(".slips bdi")).to_have_text(hostile)
    assert injected(page) == []
    opened(page, server, TOURNAMENT, server.operator)
    page.get_by_label("Name of the tournament").fill(hostile[0])
    page.get_by_role("button", name="Set it up").click()
    expect(page.locator("#title")).to_have_text(hostile[0])
    assert injected(page) == []


def test_the_navigation_leads_to_both(page: Page, server: House) -> None:
    page.goto(server.at("/"))
    page.locator(".masthead").get_by_role("link", name="New match").click()
    expect(page.locator("h1")).to_have_text("Set up a match")
    expect(page.locator(".masthead [aria-current=page]")).to_have_text("New match")
    page.locator(".masthead").get_by_role("link", name="Tournaments").click()
    page.locator("main").get_by_role("link", name="Set up a tournament").click()
    expect(page.locator("h1")).to_have_text("Set up a tournament")


def test_where_no_bots_are_allowed_none_is_offered(page: Page, server: House) -> None:
    opened(page, server, MATCH, server.operator)
    expect(page.locator("#names select")).to_have_count(0)
