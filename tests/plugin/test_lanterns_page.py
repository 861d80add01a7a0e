"""The fifth game on the pages, in a real browser: its cards are drawn and moved with as it says itself."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from browser.chromium import ARGUMENTS, chromium
from operators import OPERATOR
from plugin.installed import SLUG, environment, played
from servers import Server, serving


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A service with the game."""
    with serving("--workers", "1", environment={"PYTHONPATH": environment()["PYTHONPATH"]}) as running:
        yield running


expect.set_options(timeout=20_000)


@pytest.fixture
def page(server: Server) -> Iterator[Page]:
    """A page of a browser; the test fails where a script does."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(playwright.chromium.executable_path), args=list(ARGUMENTS)
        )
        page = browser.new_page(base_url=f"http://127.0.0.1:{server.port}", locale="en")
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        yield page
        browser.close()
        assert wrong == []


def test_its_table_lies_on_the_console_and_a_move_is_ruled_on(page: Page) -> None:
    page.goto("/console")
    expect(page.locator("section.table .seat").first).to_be_visible()
    page.locator("#game").select_option(SLUG)
    page.locator("#deal button[type=submit]").click()
    table = page.locator(f"section.table.{SLUG}")
    expect(table.locator(".seat")).to_have_count(3)
    expect(table.locator(".seat.turn .card")).to_have_count(8)
    expect(table.get_by_text("Tricks").first).to_be_visible()
    expect(table.locator(".seat.turn .card title").first).to_have_text(re.compile("(Amber|Blue|Crimson) [1-9]"))
    table.locator("button.move").first.click()
    expect(page.locator("#verdict .verdict.good")).to_be_visible()
    expect(page.locator("#grounds")).to_contain_text("Seat 0 plays")


def test_its_disputed_move_is_refused_by_its_rule(page: Page) -> None:
    page.goto("/console/cases/LAN-004")
    expect(page.locator("#verdict .verdict.bad")).to_be_visible()
    expect(page.locator("#grounds")).to_contain_text("LAN-2.2")


def test_a_match_of_it_is_watched(page: Page, server: Server) -> None:
    body = {"game": SLUG, "seats": 3, "visibility": "public"}
    created = json.loads(server.asked("POST", "/v1/matches", body, OPERATOR)[1])
    page.goto(f"/matches/{created['match']}")
    expect(page.locator(f"section.table.{SLUG}")).to_be_visible()
    expect(page.locator(f"section.table.{SLUG} .seat")).to_have_count(3)


def test_a_match_of_it_is_audited_by_both_verifiers(page: Page, server: Server) -> None:
    status, replay = server.asked("GET", f"{played(server)['path']}/replay", None, OPERATOR)
    assert status == 200
    page.goto("/audit")
    page.set_input_files("#file", {"name": "match.jsonl", "mimeType": "application/jsonl", "buffer": replay})
    expect(page.locator("#service code")).to_have_text("verified")
    expect(page.locator("#second strong")).to_have_text("It agrees.")
    expect(page.locator("#replay .table")).to_be_visible()
