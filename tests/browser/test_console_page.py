"""The referee's console: a dispute is set up, tried, and read out with its rule."""

import json
import re
import subprocess
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.house import House
from browser.looks import measured, none_of
from browser.screens import PHONE, Browse
from browser.watch import Watch
from gyoji.app.conformance import cases
from gyoji.messages.rulebooks import rulebook
from players import JSON

REFUSALS = "status of 4(09|22)"
"""A browser notes in its console every answer that is a refusal."""

BECAUSE = "You hold black cards and black was led, so you must play one of them; B13 is not black."
HOSTILE: dict[str, Any] = {
    "game": "catte",
    "seats": "<img src=x onerror=alert(1)>",
    "table": {
        "hands": [["<script>alert(2)</script>"]],
        "pile": [[["deep"]]],
        "trick": [{"seat": "<b>bold</b>", "card": {}}],
        "__proto__": {"pile": ["javascript:alert(3)"]},
    },
}


def case_of(name: str) -> Any:
    """A conformance case of Catte."""
    return next(case for case in cases("catte") if case["case"] == name)


def fragment(held: Any) -> str:
    """A link's fragment, not compressed."""
    text = held if isinstance(held, str) else json.dumps(held)
    return "j=" + urlsafe_b64encode(text.encode()).decode().rstrip("=")


def opened(page: Page, server: House, path: str) -> Page:
    """The console at an address, loaded afresh, with a position on it."""
    page.goto("about:blank")
    page.goto(server.at(path))
    page.locator("#stage > *").wait_for()
    return page


def test_a_dispute_is_settled_and_the_game_goes_on(page: Page, server: House, watch: Watch) -> None:
    watch.expect(REFUSALS)
    opened(page, server, "/console/cases/CAT-031")
    expect(page.locator("#verdict .said")).to_have_text("Not allowed")
    expect(page.locator("#verdict .because")).to_have_text(BECAUSE)
    rule = rulebook("catte").rule("CAT-3.1")
    assert rule is not None
    expect(page.locator(".cited")).to_contain_text(rule["text"]["en"])
    expect(page.locator(".cited")).to_contain_text(rule["heading"]["en"])
    expect(page.locator(".cited a")).to_have_attribute("href", "/rules/catte#CAT-3.1")
    none_of(page, measured(page))
    instead = page.locator("#grounds [data-move] span")
    expect(instead).to_have_text(["Play Black 1", "Play Black 4", "Play Black 6"])
    page.locator("#grounds [data-move]").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#verdict .said")).to_have_text("Allowed")
    expect(page.locator(".follows li")).to_have_text(["Seat 0 plays K4."])
    expect(page.locator("#stage .status")).to_contain_text("Seat 1 to act")
    expect(page.locator("#legal [aria-pressed=true] span")).to_have_text("Play Black 4")
    page.locator("#go-on").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#history [aria-current]")).to_have_text("Seat 0 · Play Black 4")
    expect(page.locator("#legal h3")).to_have_text("Seat 1")
    page.locator("#undo").click()
    expect(page.locator("#legal h3")).to_have_text("Seat 0")
    page.locator("#redo").click()
    expect(page.locator("#legal h3")).to_have_text("Seat 1")


def test_a_position_is_built_by_hand(page: Page, server: House, watch: Watch) -> None:
    watch.expect(REFUSALS)
    opened(page, server, f"/console#{fragment({'state': case_of('CAT-031')['position']})}")
    page.locator("#build > summary").click()
    hand = page.locator("#place-table-hands-0")
    expect(hand).to_have_value("B7 B13 W4 W12 W13 K1 K4 K6")
    hand.fill("k6, b7 b13 w4 w12 w13 k1 k7")
    hand.press("Tab")
    expect(hand).to_have_value("B7 B13 W4 W12 W13 K1 K6 K7")
    message = "A card that lies here occurs in the state more often than the deck has it."
    expect(page.locator("#place-table-trick-wrong")).to_have_text(message)
    expect(page.locator("#findings li").filter(has_text=message)).to_contain_text("Trick")
    expect(page.locator("#any")).to_be_hidden()
    none_of(page, measured(page))
    page.locator("#findings button", has_text="Trick").click()
    expect(page.locator("#place-table-trick")).to_be_focused()
    page.locator("#place-table-trick").fill("2:k4 3-k3")
    expect(page.locator("#place-table-trick-wrong")).to_contain_text("seat:card")
    page.locator("#place-table-trick").fill("2:k4 3:k3")
    expect(page.locator("#findings")).to_be_empty()
    expect(page.locator("#stage .trick")).to_contain_text("Black 4")
    page.locator("#build button", has_text="No seed").click()
    expect(page.locator("#place-seed")).to_have_value("")
    expect(page.locator("#legal [data-move] span")).to_have_text(["Play Black 1", "Play Black 6", "Play Black 7"])
    assert json.loads(page.locator("#json").input_value())["seed"] is None
    page.locator("#any select").nth(2).select_option("B13")
    page.locator("#any button").click()
    expect(page.locator("#verdict .because")).to_have_text(BECAUSE)


def test_a_link_brings_back_position_and_move(browse: Browse, server: House, watch: Watch) -> None:
    watch.expect(REFUSALS)
    page = opened(browse(), server, "/console/cases/CAT-031")
    expect(page.locator("#verdict .because")).to_be_visible()
    page.locator("#copy-link").click()
    expect(page.locator("#shared-text")).to_have_value(re.compile("#s="))
    link = page.locator("#shared-text").input_value()
    assert link.startswith(f"{server.url}/console#s=")
    assert len(link) < 1000
    other = browse(PHONE)
    other.goto(link)
    expect(other.locator("#verdict .said")).to_have_text("認めません")
    expect(other.locator("#verdict .asked")).to_have_text("席0 · 茶13を出す")
    old = browse()
    old.add_init_script("delete globalThis.CompressionStream")
    opened(old, server, f"/console#{link.partition('#')[2]}")
    expect(old.locator("#verdict .because")).to_have_text(BECAUSE)
    old.locator("#copy-link").click()
    expect(old.locator("#shared-text")).to_have_value(re.compile("#j="))
    plain = old.locator("#shared-text").input_value().partition("#j=")[2]
    case = case_of("CAT-031")
    assert json.loads(urlsafe_b64decode(plain + "==")) == {"state": case["position"], "move": case["move"]}


NONE = {
    "null": "j=bnVsbA",
    "no deflate": "s=AAAA",
    "too long": "s=" + "A" * 9000,
    "no base64": "j=%F0",
    "no JSON": fragment("{"),
    "another game": fragment({"state": {"game": "chess", "table": {}}}),
}
"""Fragments that hold no position."""


def test_a_link_that_is_none_is_told(page: Page, server: House) -> None:
    opened(page, server, f"/console#{NONE['null']}")
    told = page.locator("#notice")
    for held in (*NONE.values(), f"s={bomb(page)}"):
        expect(told).to_contain_text("This link holds no position that could be read")
        expect(page.locator("#stage .table.catte")).to_be_visible()
        told.evaluate("(element) => { element.textContent = ''; }")
        page.evaluate("(held) => { location.hash = held; }", held)
    expect(told).to_contain_text("This link holds no position that could be read")


def bomb(page: Page) -> str:
    """A few characters that inflate to millions."""
    packed: str = page.evaluate(
        """async () => {
          const bytes = new Uint8Array(5_000_000).fill(32);
          const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
          const packed = new Uint8Array(await new Response(stream).arrayBuffer());
          return btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
        }"""
    )
    assert 5000 < len(packed) < 8000
    return packed.replace("+", "-").replace("/", "_").rstrip("=")


def test_a_hostile_link_is_shown_as_text(page: Page, server: House, watch: Watch) -> None:
    watch.expect(REFUSALS)
    move = {"type": "<img src=x onerror=alert(4)>", "seat": "<i>"}
    held = json.dumps({"state": HOSTILE, "move": move})
    opened(page, server, f"/console#{fragment(held)}")
    expect(page.locator("#verdict .said")).to_have_text("No ruling")
    expect(page.locator("#verdict .asked")).to_contain_text("<img src=x onerror=alert(4)>")
    expect(page.locator("#findings li").filter(has_text="Hand · Seat 0")).to_be_visible()
    assert page.locator("main img, main b b, main i, #stage script").count() == 0


@pytest.mark.parametrize("move", [None, "play", [[]], {"type": "play", "seat": {}}])
def test_any_json_may_be_asked_about(page: Page, server: House, watch: Watch, move: Any) -> None:
    watch.expect(REFUSALS)
    state = server.ask("POST", "/v1/games/catte/states", b'{"seats":3}', JSON).document["state"]
    opened(page, server, f"/console#{fragment(json.dumps({'state': state, 'move': move}))}")
    expect(page.locator("#verdict .said")).to_have_text("No ruling")
    expect(page.locator("#verdict .asked")).to_have_text(json.dumps(move, separators=(",", ":")))
    page.locator("#legal button").first.click()
    expect(page.locator("#verdict .said")).to_have_text("Allowed")


def test_the_command_asks_the_same_of_the_service(page: Page, server: House, watch: Watch) -> None:
    watch.expect(REFUSALS)
    opened(page, server, "/console/cases/CAT-031")
    expect(page.locator("#verdict .because")).to_be_visible()
    page.locator("#copy-curl").click()
    assert run(page.locator("#shared-text").input_value())["because"] == BECAUSE
    page.locator("summary", has_text="Write the move as JSON").click()
    odd = {"type": 'it\'s $HOME `id` \\ "quoted" ; é', "seat": 0}
    page.locator("#move").fill(json.dumps(odd))
    page.locator("#raw button").click()
    expect(page.locator("#verdict")).to_contain_text("move › type")
    page.locator("#copy-curl").click()
    command = page.locator("#shared-text").input_value()
    assert [error["pointer"] for error in run(command)["errors"]] == ["/move/type"]
    word = command.partition("--data-raw ")[2]
    echoed = subprocess.run(["sh", "-c", f"printf %s {word}"], capture_output=True, check=True)
    assert json.loads(echoed.stdout)["move"] == odd


def run(command: str) -> Any:
    """What the command prints under a POSIX shell."""
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=True, timeout=20)
    return json.loads(done.stdout)


def test_a_service_that_keeps_its_rulings_to_itself_says_so(page: Page, server: House, watch: Watch) -> None:
    watch.expect("status of 401")
    refusal = {"title": "Who are you?", "detail": "A key is needed.", "code": "unauthenticated", "status": 401}
    page.route("**/states", lambda route: route.fulfill(status=401, json=refusal))
    page.goto(server.at("/console"))
    expect(page.locator("#notice")).to_contain_text("The operator of this service has closed its rulings")
    expect(page.locator("#notice")).to_contain_text("A key is needed.")
    page.locator("#copy-state").click()
    expect(page.locator("#shared-text")).to_be_hidden()


def test_moves_in_order_and_the_score(page: Page, server: House, watch: Watch) -> None:
    watch.expect(REFUSALS)
    opened(page, server, f"/console#{fragment({'state': case_of('CAT-031')['position']})}")
    page.locator("summary", has_text="Write the move as JSON").click()
    moves = [{"type": "play", "seat": 0, "card": "K6"}, {"type": "play", "seat": 1, "card": "B6"}]
    page.locator("#move").fill(json.dumps(moves))
    page.locator("#raw button").click()
    expect(page.locator("#verdict")).to_contain_text("It is move 2 of 2 that is refused")
    expect(page.locator("#grounds h3")).to_have_text("Seat 1 may play")
    page.locator("#explain").click()
    expect(page.locator("#grounds")).to_contain_text("Nothing has been scored yet.")
    due = case_of("CAT-083")
    page.evaluate("(held) => { location.hash = held; }", fragment({"state": due["position"], "move": due["move"]}))
    expect(page.locator("#verdict")).to_contain_text("A shuffle is due and the state carries no seed.")


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_another_game_is_dealt_on_a_phone(page: Page, server: House) -> None:
    opened(page, server, "/console")
    page.locator("#game").select_option("towai")
    page.locator("#seats").select_option("6")
    page.locator("#first").select_option("5")
    page.locator("#deal summary").click()
    page.locator("#option-finishes_to_win").select_option("1")
    page.locator("#deal button").click()
    page.locator("#stage .table.towai").wait_for()
    state = json.loads(page.locator("#json").input_value())
    assert (state["seats"], state["to_act"], state["options"]["finishes_to_win"]) == (6, [5], 1)
    none_of(page, measured(page))
    page.locator("#stage .table button.move").first.tap()
    expect(page.locator("#verdict .said")).to_have_text("認めます")
