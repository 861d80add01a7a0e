"""Tournaments in a browser: their public pages without a script, and the desk of referees and directors."""

import re
from datetime import datetime

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from browser.house import House
from browser.looks import good_looks
from browser.screens import DESK, PHONE, SMALL, Browse, Screen
from browser.tournaments import NAMES, Cup, begun, cup
from browser.watch import Watch

CLOCK = {"move": 1, "on_expiry": "referee"}
SLOW = {"move": 30, "bank": 3600, "increment": 5, "on_expiry": "forfeit"}


def at_desk(page: Page, found: Cup, part: str = "Matches") -> Locator:
    """The desk, opened with the operator's key; the part of it that is shown."""
    page.goto(found.server.at(found.desk))
    page.locator("#desk[data-state=shown]").wait_for()
    return turned(page, part)


def turned(page: Page, part: str) -> Locator:
    """Another part of the desk."""
    page.locator("#desk .tabs").get_by_role("button", name=part, exact=True).click()
    return page.locator("#desk > section:not([hidden])")


def by_somebody_else(found: Cup, name: str) -> None:
    """Another director enters a player meanwhile."""
    found.ask("/entrants", {"entrants": [{"name": name}]})


def test_the_public_page_needs_no_script(browse: Browse, server: House) -> None:
    found = begun(server)
    page = browse(SMALL)
    page.route("**/*.mjs", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(server.at(found.page))
    rows = page.locator(".standings details")
    standings = found.seen("/standings")["rows"]
    expect(rows).to_have_count(len(standings))
    assert [row.inner_text() for row in page.locator(".standings .who").all()] == [row["name"] for row in standings]
    rows.first.locator("summary").press("Enter")
    first = standings[0]["lines"][0]
    line = rows.first.locator(".why li").first
    expect(line).to_contain_text(first["why"])
    line.get_by_role("link").click()
    expect(page).to_have_url(re.compile(first["match"]))


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_key_that_is_typed_in_opens_the_desk_and_stays_in_the_page(page: Page, server: House, watch: Watch) -> None:
    found = begun(server, visibility="private", clock=SLOW)
    watch.expect("status of 40[14]")
    page.goto(server.at(f"{found.page}/desk"))
    field = page.locator("#key-field")
    field.fill("gyoji_ref_of-another-tournament")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    field.fill(server.operator)
    field.press("Enter")
    expect(page.locator(".watched > li")).to_have_count(3)
    good_looks(page)
    assert server.operator not in page.url + page.title() + page.content()
    assert page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]
    assert not [asked for asked in watch.asked if server.operator in asked.url]


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_what_waits_for_somebody_comes_first_and_opens_where_it_stands(page: Page, server: House) -> None:
    found = cup(server, clock=CLOCK)
    tables = found.pair()["tables"]
    found.rule(tables[0]["match"], {"kind": "result", "winners": [1], "scores": [1, 7, 2]}, "Played on paper")
    found.rule(tables[1]["match"], {"kind": "pause"}, "A spilt cup")
    shown = at_desk(page, found)
    rows = shown.locator(".watched > li")
    expect(shown.locator(":scope > .said-here")).to_have_text("Waiting for somebody: 2. Still played: 2. Over: 1.")
    expect(rows.nth(0)).to_contain_text("nobody has claimed it")
    expect(rows.nth(0).locator(".time.over")).to_contain_text("over by")
    over = rows.nth(0).locator("li", has=page.locator(".time.over"))
    expect(over.get_by_role("timer")).to_have_accessible_name(
        re.compile(r"^\w+: over by (\d+ minutes? )?\d+ seconds?$")
    )
    expect(rows.nth(1)).to_contain_text("paused by a referee")
    expect(rows.nth(2)).to_contain_text("won")
    shown.get_by_label("Show").select_option("over")
    expect(rows).to_have_count(1)
    shown.get_by_label("Show").select_option("all")
    shown.get_by_label("Name or table").fill(tables[1]["seats"][2]["name"].upper())
    expect(rows).to_have_count(1)
    link = rows.get_by_role("link")
    assert link.get_attribute("href") == f"/matches/{tables[1]['match']}"
    with page.context.expect_page() as opened:
        link.click()
    seq = server.seen(tables[1]["match"], server.operator)["seq"]
    opened.value.wait_for_url(re.compile(rf"/matches/{tables[1]['match']}#key=.*&at={seq}$"))
    shown.get_by_label("Name or table").fill("3")
    shown.get_by_role("button", name="Claim").click()
    expect(rows.first).to_contain_text("a referee has to rule")
    assert server.seen(tables[2]["match"], server.operator)["status"] == "paused"


def seconds(shown: str) -> int:
    """A time as clocks show it, in seconds."""
    total = 0
    for part in shown.split(":"):
        total = total * 60 + int(part)
    return total


def test_the_desk_a_players_table_and_the_api_have_one_clock(browse: Browse, server: House) -> None:
    found = cup(server, ("Aki", "Ben", "Cho"), clock=SLOW)
    (table,) = found.pair()["tables"]
    desk, seat = (browse(DESK) for _ in range(2))
    shown = at_desk(desk, found)
    seat.goto(server.at(f"/matches/{table['match']}#token={table['seats'][0]['token']}"))
    seat.locator(".seat-clock.running").wait_for()
    clock = server.seen(table["match"], server.operator)["clock"]
    now = datetime.fromisoformat(clock["now"])
    told = [
        (datetime.fromisoformat(each["deadline"]) - now).total_seconds()
        if each["running"]
        else float(str(SLOW["move"])) + (each["bank_ms"] - each["spent_ms"]) / 1000
        for each in clock["seats"]
    ]
    names = [each["name"] for each in table["seats"]]
    rows = shown.locator(".sitters li")
    at_table = {
        **{name: seat.locator(".opponents li", has_text=name).locator(".seat-clock") for name in names[1:]},
        names[0]: seat.locator(".own-seat .seat-clock, .own .seat-clock").first,
    }
    for name, rest in zip(names, told, strict=True):
        faces = [rows.filter(has_text=name).locator(".time"), at_table[name]]
        for face in faces:
            assert abs(seconds(face.inner_text()) - rest) <= 5, (name, face.inner_text(), rest)
    standing = [name for name, each in zip(names, clock["seats"], strict=True) if not each["running"]]
    for name in standing:
        assert rows.filter(has_text=name).locator(".time").inner_text() == at_table[name].inner_text()


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_rows_change_while_one_looks(page: Page, server: House) -> None:
    found = begun(server)
    shown = at_desk(page, found)
    expect(shown.locator(":scope > .said-here")).to_contain_text("Waiting for somebody: 0.")
    shown.get_by_role("link").nth(1).focus()
    before = page.evaluate("document.activeElement.href")
    found.rule(found.seen("/rounds/2")["tables"][2]["match"], {"kind": "void"}, "The wrong players")
    expect(shown.locator(":scope > .said-here")).to_contain_text("Waiting for somebody: 1.")
    expect(shown.locator(".watched > li").first).to_contain_text("void")
    assert page.evaluate("document.activeElement.href") == before


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_director_enters_pairs_closes_and_corrects(page: Page, server: House) -> None:
    found = cup(server, ())
    shown = at_desk(page, found, "Entrants")
    shown.get_by_label("One name a line").fill("Aki\n\n Ben \nCho\nDan\nEve\nFay\nGus")
    shown.get_by_role("button", name="Enter all of them").click()
    expect(shown.locator(".entrants li")).to_have_count(7)
    shown.locator(".entrants li").nth(6).get_by_role("button", name="Withdraw").click()
    shown.get_by_role("button", name="Yes").click()
    expect(shown.locator(".entrants li").nth(6)).to_contain_text("withdrawn after round 0")
    shown = turned(page, "Rounds")
    shown.get_by_role("button", name="Propose").click()
    expect(shown.locator(".tables > li")).to_have_count(2)
    assert found.seen()["paired"] == []
    proposed = [item.inner_text() for item in shown.locator(".tables bdi").all()]
    shown.get_by_role("button", name="Make round 1").click()
    expect(shown.locator(".said-here").first).to_contain_text("Round 1 is made")
    paired = found.seen("/rounds/1")
    assert [seat["name"] for table in paired["tables"] for seat in table["seats"]] == proposed
    found.settled(paired)
    shown.get_by_role("button", name="Close round 1").click()
    shown.get_by_role("button", name="Yes").click()
    expect(shown.locator(".one-round")).to_contain_text("closed: its results stand")
    shown = turned(page, "Standings")
    expect(shown.locator(".standings details")).to_have_count(7)
    shown.get_by_label("Entrant").select_option(label="Fay")
    shown.get_by_label("Points").fill("50/3")
    shown.get_by_label("Reason").fill("Found a lost sheet")
    shown.get_by_role("button", name="Correct", exact=True).click()
    expect(shown.locator(".standings .who").first).to_have_text("Fay")
    assert found.seen()["corrections"] == [{"entrant": "e6", "points": "50/3", "reason": "Found a lost sheet"}]
    shown.get_by_role("button", name="Close the tournament").click()
    shown.get_by_role("button", name="Yes").click()
    expect(page.locator("#about")).to_contain_text("final")
    assert found.seen()["status"] == "closed"


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_by_hand_whoever_is_chosen_changes_places(page: Page, server: House) -> None:
    found = cup(server, pairing="hand")
    shown = at_desk(page, found, "Rounds")
    shown.get_by_role("button", name="Propose").click()
    first, last = shown.get_by_label("Table 1, seat 1"), shown.get_by_label("Table 3, seat 3")
    before, other = first.input_value(), last.input_value()
    first.select_option(other)
    expect(last).to_have_value(before)
    expect(first).to_be_focused()
    shown.get_by_role("button", name="Make round 1").click()
    expect(shown.locator(".said-here").first).to_contain_text("Round 1 is made")
    tables = found.seen("/rounds/1")["tables"]
    assert (tables[0]["seats"][0]["entrant"], tables[2]["seats"][2]["entrant"]) == (other, before)


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_conflicts_and_refusals_are_told_and_nothing_typed_is_lost(page: Page, server: House, watch: Watch) -> None:
    watch.expect("status of 4(09|12|22)")
    found = begun(server)
    shown = at_desk(page, found, "Rounds")
    shown.get_by_role("button", name="Propose").click()
    expect(shown.locator(".said-here.wrong")).to_contain_text("Matches are not over yet")
    shown.get_by_label("although matches are still played").check()
    shown.get_by_role("button", name="Propose").click()
    expect(shown.locator(".tables > li")).to_have_count(3)
    by_somebody_else(found, "Jun")
    shown.get_by_role("button", name="Make round 3").click()
    expect(shown.locator(".said-here.wrong")).to_contain_text("Somebody else has changed the tournament")
    expect(shown.locator(".tables > li")).to_have_count(3)
    assert len(found.seen()["paired"]) == 2
    shown = turned(page, "Entrants")
    names = shown.get_by_label("One name a line")
    names.fill("Kim\nJun")
    shown.get_by_role("button", name="Enter all of them").click()
    expect(shown.locator(".said-here.wrong")).to_contain_text("Jun")
    expect(names).to_have_value("Kim\nJun")
    assert "Kim" not in [entrant["name"] for entrant in found.seen()["entrants"]]


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_what_had_no_answer_is_sent_again_and_happens_once(page: Page, server: House, watch: Watch) -> None:
    watch.expect("ERR_FAILED")
    found = begun(server)
    shown = at_desk(page, found, "Standings")
    shown.get_by_label("Points").fill("3")
    shown.get_by_label("Reason").fill("Helped the referee")

    def lost(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/corrections", lost, times=1)
    shown.get_by_role("button", name="Correct", exact=True).click()
    expect(shown.locator("form .said-here")).to_contain_text("No answer came")
    expect(shown.get_by_label("Reason")).to_have_value("Helped the referee")
    expect(shown.locator(".corrections li")).to_have_count(1)
    shown.get_by_role("button", name="Correct", exact=True).click()
    expect(shown.locator("form .said-here")).to_contain_text("stands in the log")
    assert len(found.seen()["corrections"]) == 1


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_links_for_the_players_lead_to_their_seats(page: Page, server: House) -> None:
    found = begun(server)
    page.goto(server.at(found.desk))
    page.locator("#desk[data-state=shown]").wait_for()
    shown = turned(page, "ラウンド")
    shown.get_by_role("button", name="参加者用リンク").first.click()
    slips = shown.locator(".slips li")
    expect(slips).to_have_count(9)
    good_looks(page)
    table = found.seen("/rounds/2?tokens=1")["tables"][0]
    expect(slips.first).to_contain_text(table["seats"][0]["name"])
    link = slips.first.locator("code").inner_text()
    assert link == server.at(f"/matches/{table['match']}#token={table['seats'][0]['token']}")
    page.emulate_media(media="print")
    expect(slips.first).to_be_visible()
    expect(shown.locator("form").first).to_be_hidden()


def test_one_link_leads_an_entrant_through_the_whole_event(page: Page, server: House) -> None:
    found = cup(server, ("Aki", "Ben", "Cho"), rounds=2)
    at_desk(page, found, "Entrants").get_by_role("button", name="Personal links").click()
    expect(page.locator(".slips li")).to_have_count(3)
    expect(page.locator(".slips .qr")).to_have_count(3)
    mine = page.locator(".slips li").filter(has=page.get_by_text("Aki", exact=True)).locator("code").inner_text()
    good_looks(page)
    page.goto(mine)
    expect(page.locator("#title")).to_have_text("Spring cup")
    expect(page.locator("#name")).to_have_text("Aki")
    expect(page.locator("#place")).to_contain_text("No round has been paired yet.")
    (table,) = found.pair()["tables"]
    page.wait_for_url(f"**/matches/{table['match']}#token=gyoji_seat_*", timeout=15_000)  # by itself, and once
    page.go_back()
    expect(page.locator("#place .number")).to_have_text("Table 1")
    expect(page.get_by_role("link", name="Go to your seat")).to_be_visible()
    good_looks(page)
    found.settled(found.seen("/rounds/1"))
    expect(page.locator("#place")).to_contain_text("This match is over.", timeout=15_000)
    found.ask("/rounds/1/close")
    (after,) = found.pair()["tables"]
    page.wait_for_url(f"**/matches/{after['match']}#token=gyoji_seat_*", timeout=15_000)


def test_a_link_that_does_not_hold_is_told_so(page: Page, server: House, watch: Watch) -> None:
    watch.expect("status of 422.*/places")
    watch.expect("status of 401.*/places")
    found = cup(server, ("Aki", "Ben", "Cho"))
    for token in ("", "#token=x", f"#token=gyoji_ent_{'A' * 71}"):
        page.goto(server.at(f"{found.page}/place?lang=ja{token}"))
        page.reload()
        expect(page.locator("#place")).to_contain_text("このリンクは無効か")


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_void_match_is_replaced(page: Page, server: House) -> None:
    found = cup(server)
    match = found.pair()["tables"][1]["match"]
    found.rule(match, {"kind": "void"}, "The wrong players")
    shown = at_desk(page, found, "Rounds")
    shown.get_by_role("button", name="New match at table 2").click()
    shown.get_by_role("button", name="Yes").click()
    expect(shown.locator(".one-round .said-here")).to_contain_text("new match at table 2")
    assert found.seen("/rounds/1")["tables"][1]["match"] != match


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_the_desk_opens_where_there_is_something_to_do(page: Page, server: House) -> None:
    """With the entrants, then with the first round, then with its matches."""
    empty = cup(server, ())
    chosen = page.locator("#desk .tabs [aria-pressed=true]")
    for found, part in ((empty, "Entrants"), (cup(server), "Rounds"), (begun(server), "Matches")):
        page.goto("about:blank")
        page.goto(server.at(found.desk))
        expect(chosen).to_have_text(part)
    shown = at_desk(page, cup(server), "Rounds")
    expect(shown.get_by_label("although matches are still played")).to_be_hidden()


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_round_that_nobody_has_begun_is_taken_back(page: Page, server: House) -> None:
    found = cup(server)
    match = found.pair()["tables"][0]["match"]
    shown = at_desk(page, found, "Rounds")
    shown.get_by_role("button", name="Close round 1").click()
    shown.get_by_role("button", name="Take round 1 back").click()
    expect(shown.get_by_role("button", name="Yes")).to_have_count(1)  # one question at a time
    expect(shown.get_by_role("button", name="Close round 1")).to_be_visible()
    shown.get_by_role("button", name="Yes").click()
    expect(shown.locator(".said-here").first).to_contain_text("Round 1 is taken back")
    expect(shown.locator(".one-round")).to_have_count(0)
    assert (found.seen()["paired"], server.seen(match, server.operator)["status"]) == ([], "voided")
    again = found.pair()
    button = shown.get_by_role("button", name="Take round 1 back")
    expect(button).to_have_count(1, timeout=15_000)
    found.rule(again["tables"][1]["match"], {"kind": "pause"}, "Fire alarm")
    expect(button).to_have_count(0, timeout=15_000)


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_referee_sees_the_matches_and_is_offered_nothing_to_run(page: Page, server: House) -> None:
    found = begun(server, visibility="private")
    page.goto(server.at(f"{found.page}/desk#key={server.referee('--tournament', found.tournament)}"))
    page.locator("#desk[data-state=shown]").wait_for()
    expect(page.locator("#about")).to_contain_text("You are a referee here.")
    assert page.locator(".tabs button").all_inner_texts() == ["Matches", "Standings"]
    expect(page.locator(".watched > li")).to_have_count(3)
    shown = turned(page, "Standings")
    expect(shown.locator(".standings details")).to_have_count(9)
    expect(shown.get_by_role("button")).to_have_text(["CSV", "Log"])


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_whoever_may_only_look_is_told_so(page: Page, server: House) -> None:
    found = begun(server)
    token = found.seen("/rounds/2?tokens=1")["tables"][0]["seats"][0]["token"]
    page.goto(server.at(f"{found.page}/desk#key={token}"))
    expect(page.locator("#about")).to_contain_text("You may look on.")
    assert page.locator(".tabs button").all_inner_texts() == ["Matches", "Standings"]


@pytest.mark.parametrize("page", [PHONE, Screen(1440)], indirect=True)
def test_every_part_of_the_desk_looks_good(page: Page, server: House) -> None:
    found = begun(server, clock=SLOW, tie_breaks=["wins", "score", "opponents", "head_to_head", "lot"])
    page.goto(server.at(found.desk))
    page.locator("#desk[data-state=shown]").wait_for()
    tabs = page.locator("#desk .tabs button")
    tabs.nth(1).click()
    page.locator("#desk form:visible input[type=checkbox]").check()
    page.locator("#desk form:visible button").first.click()
    page.locator(".proposed .row button").nth(1).click()
    expect(page.locator(".proposed select")).to_have_count(9)
    page.locator(".one-round .sure button:visible").first.click()
    good_looks(page)
    tabs.nth(2).click()
    page.locator(".entrants .sure button:visible").first.click()
    good_looks(page)
    tabs.nth(3).click()
    page.locator(".standings summary").first.click()
    good_looks(page)


@pytest.mark.parametrize("media", ["screen", "print"])
def test_standings_and_pairings_print_on_paper(browse: Browse, server: House, media: str) -> None:
    found = begun(server, clock=SLOW)
    page = browse(Screen(720))
    page.emulate_media(media="print" if media == "print" else "screen")
    page.goto(server.at(found.page))
    hidden = media == "print"
    for chrome in (".masthead", ".colophon", ".ways", "#rounds"):
        expect(page.locator(chrome).first).to_be_visible(visible=not hidden)
    expect(page.locator(".standings summary").first).to_be_visible()
    page.goto(server.at(f"{found.page}/rounds/2"))
    expect(page.locator(".tables h3").first).to_be_visible()
    expect(page.locator(".how").first).to_be_visible(visible=not hidden)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


A4_WITHIN_MARGINS = round((210 - 2 * 15) / 25.4 * 96)
"""The width in pixels that a sheet leaves for what is printed on it."""


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(("players", "rounds"), [(30, 1), (6, 10)])
def test_a_round_and_the_standings_fit_on_paper(
    browse: Browse, server: House, language: str, players: int, rounds: int
) -> None:
    """Every name, place and score is on the sheets, nothing is cut off at the right edge, and they are no more than
    needed: of 30 players two with standings and points by round, and one and a half that say how they are counted."""
    names = [f"Player {number}{' of a rather long name' * (number % 5 == 0)}" for number in range(1, players + 1)]
    ties = ["opponents", "head_to_head", "wins", "score", "lot"]
    found = cup(server, names, clock=SLOW, tie_breaks=ties, rounds=rounds)
    for number in range(1, rounds + 1):
        found.settled(found.pair())
        found.ask(f"/rounds/{number}/close")
    page = browse(Screen(A4_WITHIN_MARGINS, language=language))
    rows = found.seen("/standings")["rows"]
    for path, most in ((found.page, 4), (f"{found.page}/rounds/1", 2)):
        page.goto(server.at(path))
        sheets = page.pdf(prefer_css_page_size=True)
        assert re.findall(rb"/MediaBox *\[0 0 ([0-9]+)[0-9.]* ([0-9]+)", sheets)[0] == (b"594", b"841")
        assert len(re.findall(rb"/Type */Page\b", sheets)) <= most
        page.emulate_media(media="print")
        shown = page.locator("main").inner_text()
        assert [row["name"] for row in rows if row["name"] not in shown] == []
        assert page.evaluate(CUT_OFF, A4_WITHIN_MARGINS) == []
        page.emulate_media(media="null")
    scores = page.locator(".tables .score").all_inner_texts()
    assert scores == [str(score) for table in found.seen("/rounds/1")["tables"] for score in table["result"]["scores"]]


CUT_OFF = """width => [...document.querySelectorAll("main *")].filter((one) => {
  const box = one.getBoundingClientRect();
  const clips = one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible";
  return box.width > 1 && (box.right > width + 1 || box.left < -1 || clips);
}).map((one) => `${one.tagName} ${one.className}: ${one.textContent.trim().slice(0, 40)}`)"""


@pytest.mark.parametrize("page", [Screen(390, touch=True), Screen(1280)], indirect=True)
def test_clocks_run_when_the_director_starts_them(page: Page, server: House) -> None:
    found = cup(server, clock=SLOW)
    shown = at_desk(page, found, "Rounds")
    shown.get_by_role("button", name="Propose").click()
    expect(shown.get_by_label("Clocks stand still until I start them")).to_be_checked()
    shown.get_by_role("button", name="Make round 1").click()
    expect(shown.locator(".one-round")).to_contain_text("clocks stand still at tables: 3")
    assert {table["status"] for table in found.seen("/rounds/1")["tables"]} == {"paused"}
    expect(turned(page, "Matches").locator(":scope > .said-here")).to_contain_text("Waiting for somebody: 0.")
    expect(page.locator(".watched > li").first).to_contain_text("not started yet")
    shown = turned(page, "Rounds")
    good_looks(page)
    shown.get_by_role("button", name="Start the clocks of round 1").press("Enter")
    expect(shown.locator(".one-round .said-here")).to_contain_text("The clocks of round 1 run")
    assert {table["status"] for table in found.seen("/rounds/1")["tables"]} == {"playing"}
    shown.get_by_role("button", name="Pause all of round 1").press("Enter")
    expect(shown.locator(".one-round .said-here")).to_contain_text("All matches of round 1 are paused.")
    assert {table["status"] for table in found.seen("/rounds/1")["tables"]} == {"paused"}


def test_without_clocks_nothing_is_held(page: Page, server: House) -> None:
    found = cup(server)
    shown = at_desk(page, found, "Rounds")
    shown.get_by_role("button", name="Propose").click()
    shown.get_by_role("button", name="Make round 1").click()
    expect(shown.locator(".said-here").first).to_contain_text("Round 1 is made")
    assert {table["status"] for table in found.seen("/rounds/1")["tables"]} == {"playing"}


@pytest.mark.parametrize("page", [Screen(390, "dark", "ja", touch=True), Screen(1280)], indirect=True)
def test_the_projector_follows_the_tournament(page: Page, server: House) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    found = cup(server, (*NAMES[:-2], hostile), clock=SLOW, visibility="private")
    page.goto(server.at(f"{found.page}/projector#key={server.operator}"))
    expect(page.locator(".call")).to_be_visible()
    assert server.operator not in page.url  # everybody in the room reads the address
    found.ask("/rounds", {"held": True})
    tables = page.locator(".tables > li")
    expect(tables).to_have_count(2)
    expect(page.locator(".rest, .sitters").filter(has_text=hostile)).to_have_count(1)
    assert page.locator("x-injected, img[src=x]").count() == 0
    before = page.locator(".call").inner_text()
    good_looks(page)
    size = page.locator(".sitters").first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
    assert size >= (28 if page.viewport_size == {"width": 1280, "height": 900} else 19)
    found.ask("/rounds/1/start")
    expect(page.locator(".call")).not_to_have_text(before)


def test_a_private_round_is_projected_to_nobody_without_a_key(page: Page, server: House, watch: Watch) -> None:
    watch.expect("status of 404")
    found = begun(server, visibility="private")
    page.goto(server.at(f"{found.page}/projector"))
    expect(page.locator("#round")).to_contain_text("takes a key")


# Somebody is not there


def missing(shown: Locator, table: int = 1) -> Locator:
    """What is done about a no-show at a table, opened."""
    row = shown.locator(".watched > li").filter(has=shown.page.locator("h3", has_text=re.compile(f"^{table} ")))
    panel = row.locator(".no-shows")
    panel.locator("summary").press("Enter")
    return panel


@pytest.mark.parametrize("page", [Screen(390, touch=True), Screen(1280)], indirect=True)
def test_who_is_not_there_is_removed_at_the_table(page: Page, server: House) -> None:
    found = cup(server, ("Aki", "Ben", "Cho", "Dan"), seats=[4], clock=SLOW)
    (table,) = found.ask("/rounds", {"held": True})["tables"]
    shown = at_desk(page, found)
    panel = missing(shown)
    good_looks(page)
    panel.get_by_label("Who?").select_option(label="Ben")
    panel.get_by_label("Remove:").check()
    panel.get_by_role("button", name="Remove", exact=True).press("Enter")
    expect(panel.get_by_role("group", name="This match becomes void")).to_be_visible()
    panel.get_by_role("button", name="Yes").press("Enter")
    expect(panel.get_by_role("status")).to_contain_text("The others play without")
    expect(panel.locator(".missing")).to_contain_text("was not there, and is out of this match")
    good_looks(page)
    (left,) = found.seen("/rounds/1")["tables"]
    assert sorted(seat["name"] for seat in left["seats"]) == ["Aki", "Cho", "Dan"]
    assert (left["match"] != table["match"], left["status"]) == (True, "paused")


@pytest.mark.parametrize("page", [Screen(390, touch=True), Screen(1280)], indirect=True)
def test_who_forfeits_at_the_desk_ends_nothing_for_the_others(page: Page, server: House, watch: Watch) -> None:
    watch.expect("status of 409")
    found = cup(server, ("Aki", "Ben", "Cho"), clock=SLOW)
    (table,) = found.pair()["tables"]
    gone = next(seat for seat in table["seats"] if seat["name"] == "Ben")
    shown = at_desk(page, found)
    panel = missing(shown)
    panel.get_by_label("Who?").select_option(label="Ben")
    panel.get_by_label("Forfeit, and the others play on:").check()
    panel.get_by_role("button", name="Let them forfeit").click()
    panel.get_by_role("button", name="Yes").click()
    expect(panel.get_by_role("status")).to_contain_text("say who plays on in the seat")
    panel.get_by_label("Who plays on").fill("<b>Zoe")
    panel.get_by_role("button", name="Let them forfeit").click()
    panel.get_by_role("button", name="Yes").click()
    expect(panel.get_by_role("status")).to_contain_text("has forfeited; the others play on")
    link = panel.locator(".slips code").inner_text()
    good_looks(page)
    (after,) = found.seen("/rounds/1")["tables"]
    assert (after["match"], after["status"]) == (table["match"], "playing")
    seat = server.seen(table["match"], server.operator)["seats"][gone["seat"]]
    assert seat["name"] == "<b>Zoe"
    other = page.context.new_page()
    other.goto(link)
    expect(other.locator(".own-seat, .own").first).to_be_visible()
    other.close()
    panel.get_by_role("button", name="Undo the forfeit").click()
    panel.get_by_role("button", name="Yes").click()
    expect(panel.get_by_role("status")).to_contain_text("has not forfeited")
    assert "no_shows" not in found.seen("/rounds/1")["tables"][0]


@pytest.mark.parametrize("page", [DESK], indirect=True)
def test_somebody_else_plays_for_who_is_not_there(page: Page, server: House) -> None:
    found = cup(server, ("Aki", "Ben", "Cho"), clock=SLOW)
    (table,) = found.pair()["tables"]
    shown = at_desk(page, found)
    panel = missing(shown)
    panel.get_by_label("Who?").select_option(label="Cho")
    panel.get_by_label("Replace:").check()
    panel.get_by_label("Who plays on").fill("Yuki")
    panel.get_by_role("button", name="Replace", exact=True).click()
    panel.get_by_role("button", name="Yes").click()
    expect(panel.locator(".slips")).to_contain_text("Yuki")
    assert "Yuki" in [seat["name"] for seat in server.seen(table["match"], server.operator)["seats"]]
    expect(panel.get_by_label("Remove:")).to_have_count(0)


@pytest.mark.parametrize("page", [PHONE, Screen(1280, language="ja")], indirect=True)
def test_the_three_ways_are_told_in_japanese_under_any_name(page: Page, server: House) -> None:
    found = cup(server, ("<i>Ann</i>", "\u0627\u0628 W" + "w" * 50, "Cho"), seats=[3], clock=SLOW)
    found.pair()
    page.goto(server.at(found.desk))
    page.locator("#desk[data-state=shown]").wait_for()
    panel = missing(page.locator("#desk"))
    for way in ("没収負けにして続ける：", "代わりの人を座らせる："):
        panel.get_by_label(way).check()
        good_looks(page)
    panel.get_by_role("button", name="代わりの人を座らせる").click()
    good_looks(page)
