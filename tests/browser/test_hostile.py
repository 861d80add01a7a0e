"""Names, notes, files and addresses that are hostile are shown as text, on every page."""

import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

import orjson
import pytest
from playwright.sync_api import FilePayload, Page, expect

from browser.hostile import CORPUS, GIVEN, TURNING, injected, unturned
from browser.house import GOLDEN, REPLAYS, House
from browser.matches import looking
from browser.refereeing import ruled
from browser.screens import SMALL
from browser.tournaments import cup
from browser.watch import Watch
from players import JSON, Table
from replay.tampering import Parts, entries_of, file_of, forged

SEATED = [GIVEN[first : first + 6] for first in range(0, len(GIVEN), 6)]
"""Six at a table."""

ALL = " ".join(CORPUS)

FILE = (REPLAYS / f"{GOLDEN['catte']}.jsonl").read_bytes().splitlines()


SHOWN = """() => [document.title, document.body.innerText, ...[...document.querySelectorAll("*")].flatMap((one) =>
  ["aria-label", "title", "alt", "placeholder"].map((name) => one.getAttribute(name) ?? ""))].join("\\n")"""
"""All that is read, by eye or ear."""


def only_text(page: Page, *texts: str) -> None:
    """Each is there to be read, at least its beginning, and nothing came of it."""
    read = unturned(page.evaluate("document.body.innerText"))
    assert [text for text in texts if unturned(text)[:16] not in read] == []
    assert injected(page) == []
    assert not re.search(f"[{TURNING}]", page.evaluate(SHOWN))
    assert page.evaluate("Object.keys(Object.prototype).length") == 0


def table_of(server: House, names: Sequence[str]) -> Table:
    """A public match with these names, notes and tags, with some moves played."""
    seats = [{"name": name} for name in (*names, "Aki")[:6]]
    table = server.opened(
        "towai", seats, tags=list(names), metadata={f"note {at}": name for at, name in enumerate((*names, CORPUS[-1]))}
    )
    server.played(table, 4)
    return table


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_names_notes_and_tags(page: Page, server: House) -> None:
    for names in SEATED:
        table = table_of(server, names)
        looking(page, server, table.match, table.tokens[0])
        page.keyboard.press("Home")
        page.keyboard.press("End")
        only_text(page, *names)
    page.goto(server.at("/"))
    only_text(page, *GIVEN)
    page.goto(server.at("/audit"))
    given(page, server.ask("GET", f"{table.path}/replay").body)
    expect(page.locator("#replay")).to_contain_text(names[0])
    only_text(page, *names)


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_reasons_and_substitutes(page: Page, server: House, watch: Watch) -> None:
    watch.expect("status of 409")  # nothing is there to be taken back
    table = table_of(server, CORPUS[:5])
    for text in CORPUS:
        ruled(server, table, "note", reason=text)
    for seat, name in enumerate(CORPUS[6:12]):
        ruled(server, table, "substitute", reason=ALL, seat=seat, name=name)
    ruled(server, table, "take_back", reason=CORPUS[4], to=2)
    looking(page, server, table.match, server.operator)
    only_text(page, *CORPUS, *CORPUS[6:12])
    page.locator("#match .lines").get_by_role("button", name="As ruled").click()
    page.get_by_role("button", name="Rule on this position").click()
    page.locator("#desk .ruling-form").wait_for()
    page.get_by_role("textbox", name="Reason", exact=True).fill(ALL)
    page.get_by_role("button", name="See what it would do").click()
    page.locator(".ruling-answer ul, .ruling-answer .bad").first.wait_for()
    only_text(page, *CORPUS[6:12])


def given(page: Page, file: bytes, name: str = "replay.jsonl") -> None:
    """A file is chosen, and both have judged it."""
    page.set_input_files("#file", FilePayload(name=name, mimeType="application/jsonl", buffer=file))
    expect(page.locator("#subject")).to_contain_text(name[:12])
    expect(page.locator("#second code")).to_be_visible()
    expect(page.locator("#service code")).to_be_visible()


def put(path: Sequence[str | int], value: Any) -> Callable[[Any], None]:
    """Puts a value where the path leads to."""

    def change(document: Any) -> None:
        for name in path[:-1]:
            document = document[name]
        document[path[-1]] = value

    return change


FORGERIES: dict[str, tuple[int, Callable[[Any], None]]] = {
    **{f"header {name}": (0, put([name], ALL)) for name in ("match", "game", "origin")},
    **{f"first {name}": (1, put([name], ALL)) for name in ("type", "at")},
    "options": (1, put(["data", "options"], {ALL: ALL})),
    "names": (2, put(["opening", "payload", "/names"], list(CORPUS[:4]))),
    "actor": (12, put(["actor"], {"role": ALL, "seat": ALL})),
    "type": (12, put(["type"], ALL)),
    "data": (12, put(["data"], {ALL: {ALL: ALL}})),
    "move": (12, put(["data", "move"], {"type": ALL, "card": ALL, "seat": 1})),
    "events": (
        12,
        put(
            ["data", "events"],
            [{"type": ALL, "rule": ALL, "card": ALL, "seat": 0}, {"type": "card_played", "card": ALL}],
        ),
    ),
}
"""By name: the line of a golden replay that is forged, and how."""


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_tournaments_entrants_and_reasons(page: Page, server: House) -> None:
    found = cup(server, CORPUS[:30], name=CORPUS[4])
    found.pair()
    found.ask("/corrections", {"entrant": "e1", "points": "1", "reason": CORPUS[7]})
    page.goto(server.at(found.page))
    only_text(page, CORPUS[4], CORPUS[7], *CORPUS[:30])
    page.goto(server.at(f"{found.page}/rounds/1"))
    only_text(page, *CORPUS[:30])
    page.goto(server.at("/tournaments"))
    only_text(page, CORPUS[4])
    page.goto(server.at(found.desk))
    expect(page.locator(".watched > li")).to_have_count(10)
    only_text(page, CORPUS[4], *CORPUS[:30])
    for part, shown in (("Rounds", "Links for the players"), ("Entrants", "Withdraw")):
        page.locator(".tabs").get_by_role("button", name=part, exact=True).click()
        page.get_by_role("button", name=shown).first.click()
        expect(page.locator(".slips li").first if part == "Rounds" else page.locator(".asking:visible")).to_be_visible()
        only_text(page, *CORPUS[:30])
    page.locator(".tabs").get_by_role("button", name="Standings", exact=True).click()
    expect(page.locator(".standings details")).to_have_count(30)
    only_text(page, CORPUS[7], *CORPUS[:30])


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_hostile_replay_files(page: Page, server: House, watch: Watch) -> None:
    watch.expect("status of 400.*/audit/frames")  # what cannot be read has none
    page.goto(server.at("/audit"))
    for name, (line, change) in FORGERIES.items():
        lines = [orjson.loads(one) for one in FILE]
        change(lines[line])
        given(page, b"".join(orjson.dumps(one) + b"\n" for one in lines), f"{name} {CORPUS[4]}.jsonl")
        only_text(page, f"{name} {CORPUS[4]}")
    given(page, ALL.encode(), CORPUS[6])
    only_text(page)


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_names_of_an_older_log_turn_nothing(page: Page, server: House) -> None:
    """Ann + U+202E, Bob and Cho with 13, 12 and 45 points were read as Ann54 ohC ,21 boB ,31."""
    page.goto(server.at("/audit"))
    names = ["Ann\u202e", "\u05d3\u05d5\u05d3", "Cho\u200f"]

    def called(parts: Parts) -> None:
        parts.events[0].data["names"] = {"count": len(names)}
        parts.events[0].openings[0]["payload"]["/names"] = names

    given(page, b"".join(forged(file_of(entries_of("catte")), called)))
    expect(page.locator("#replay")).to_contain_text("Ann")
    only_text(page, *names)
    assert "Ann\ufffd" in page.evaluate(SHOWN)


def asked_of_console(server: House, game: str) -> list[Any]:
    """Positions and moves that are none."""
    answer = server.ask("POST", f"/v1/games/{game}/states", b'{"seats":3}', JSON)
    state = answer.document["state"]
    hands = [list(CORPUS[:3]), list(CORPUS[3:9]), [ALL]]
    return [
        {
            "state": {**state, "table": {**state["table"], "hands": hands}},
            "move": {"type": "play", "seat": 0, "card": CORPUS[0]},
        },
        {"state": {**state, "options": {ALL: ALL}, "phase": ALL}, "move": {"type": ALL, ALL: ALL}},
        {"state": {**state, "table": dict.fromkeys(state["table"], ALL)}, "moves": [ALL]},
        {"state": state, "move": {"type": ALL, "seat": 0, "card": ALL, "wish": ALL, "errand": ALL}},
        {"state": {"game": ALL, "table": ALL}, "move": ALL},
    ]


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_hostile_links_to_the_console(page: Page, server: House, watch: Watch) -> None:
    watch.expect("status of 4")  # what the service says no to stands in the console of the browser, too
    hostile = [document for game in GOLDEN for document in asked_of_console(server, game)]
    for document in hostile[::3]:
        page.goto(server.at("/problems"))
        page.goto(server.at(f"/console#j={urlsafe_b64encode(orjson.dumps(document)).decode().rstrip('=')}"))
        page.wait_for_load_state("networkidle")
        only_text(page)


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_hostile_addresses(page: Page, server: House, watch: Watch) -> None:
    watch.expect("status of 4")
    for text in (CORPUS[0], CORPUS[4], CORPUS[6], CORPUS[11], CORPUS[-1]):
        written = quote(text, safe="")
        for path in (
            "/matches/",
            "/tournaments/",
            "/rules/",
            "/problems/",
            "/console/cases/",
            "/?lang=",
            "/rules/catte?lang=",
            "/audit?match=",
        ):
            answer = server.ask("GET", path + written, None, {"Accept": "text/html"})
            assert answer.status in (200, 404)
            assert "html" not in answer.headers["Content-Type"] or text.encode() not in answer.body, path
    for path in ("/matches/", "/console#", "/audit#", "/rules/catte#", "/?lang="):
        page.goto(server.at(path + quote(CORPUS[6], safe="")))
        page.wait_for_load_state("networkidle")
        only_text(page)
