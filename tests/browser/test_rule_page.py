"""Quick rulings: a follow-suit question is settled on a phone by a few taps on real cards."""

import pytest
from playwright.sync_api import Page, expect

from browser.house import House
from browser.looks import measured, none_of
from browser.screens import Browse, Screen
from browser.watch import Watch
from gyoji.messages.rulebooks import rulebook

PHONE = Screen(390, touch=True)
MOST_TAPS = 11
SCREENS = {
    "phone": PHONE,
    "phone, Japanese, dark": Screen(390, "dark", "ja", touch=True),
    "desk": Screen(1280),
    "desk, Japanese": Screen(1280, language="ja"),
}


class Taps:
    """Taps, and counts them."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def __call__(self, selector: str) -> None:
        self.page.locator(f"#rule {selector}").click()
        self.count += 1


def opened(page: Page, server: House, path: str = "/rule") -> Taps:
    page.goto("about:blank")
    page.goto(server.at(path))
    page.locator("#rule h2").wait_for()
    return Taps(page)


def test_a_follow_suit_question_takes_few_taps(browse: Browse, server: House) -> None:
    tap = opened(browse(PHONE), server)
    page = tap.page
    for selector in ("[data-game=catte]", "[data-card=W4]", "[data-card=K15]"):
        tap(selector)
    expect(page.locator("#rule h2")).to_have_text("Does the player hold any White card?")
    tap("[data-answer=yes]")
    expect(page.locator(".stamp")).to_have_text("否")
    expect(page.locator(".because")).to_have_text(
        "You hold white cards and white was led, so you must play one of them; Black 15 is not white."
    )
    rule = rulebook("catte").rule("CAT-3.1")
    assert rule is not None
    expect(page.locator(".law")).to_contain_text(rule["text"]["en"])
    expect(page.locator(".qr")).to_be_visible()
    assert tap.count == 4 <= MOST_TAPS
    size = page.locator(".law p").nth(1).evaluate("p => parseFloat(getComputedStyle(p).fontSize)")
    assert size >= 20
    assert "K15" not in page.locator("main").inner_text()


def test_with_the_whole_hand_it_is_still_under_twelve(browse: Browse, server: House) -> None:
    tap = opened(browse(PHONE), server)
    for selector in ("[data-game=tomorrow-never-meows]", "[data-card=F5]", "[data-card=C1]", "summary"):
        tap(selector)
    for card in ("C3", "R1", "T2", "S1"):
        tap(f"details [data-card={card}]")
        expect(tap.page.locator(f"details [data-card={card}]")).to_have_attribute("aria-pressed", "true")
    tap("#all")
    expect(tap.page.locator(".stamp")).to_have_text("可")
    assert tap.count <= MOST_TAPS


@pytest.mark.parametrize("screen", SCREENS.values(), ids=[*SCREENS])
def test_every_step_is_sound_to_look_at(browse: Browse, server: House, screen: Screen) -> None:
    tap = opened(browse(screen), server)
    for selector in ("[data-game=towai]", "[data-card=T5]", "[data-card=D6]", "[data-answer=no]", "[data-answer=yes]"):
        none_of(tap.page, measured(tap.page))
        tap(selector)
    expect(tap.page.locator(".stamp")).to_have_text("可")
    none_of(tap.page, measured(tap.page))


def test_whoever_leads_declares(browse: Browse, server: House) -> None:
    tap = opened(browse(PHONE), server)
    for selector in ("[data-game=towai]", "[data-none]", "[data-card=N4]", "[data-word=day]"):
        tap(selector)
    expect(tap.page.locator(".stamp")).to_have_text("否")
    tap = opened(tap.page, server)
    for selector in ("[data-game=towai]", "[data-none]", "[data-move=pass]"):
        tap(selector)
    expect(tap.page.locator(".stamp")).to_have_text("否")
    expect(tap.page.locator(".law")).to_contain_text("TOW-2.2")


def test_by_keyboard_alone_and_back_again(page: Page, server: House) -> None:
    opened(page, server)
    for selector in ("[data-game=familiars-trouble]", "[data-card=R9]", "[data-card=G3]", "[data-answer=no]"):
        page.locator(f"#rule {selector}").focus()
        page.keyboard.press("Enter")
    expect(page.locator(".stamp")).to_have_text("可")
    expect(page.locator("#rule h2")).to_be_focused()
    page.go_back()
    expect(page.locator("#rule h2")).to_have_text("Does the player hold any Red, Red-blue or Red-green card?")


def test_a_question_is_answered_once_however_long_the_service_takes(browse: Browse, server: House) -> None:
    tap = opened(browse(PHONE), server)
    page = tap.page
    for selector in ("[data-game=catte]", "[data-card=W4]", "[data-card=K15]"):
        tap(selector)
    places = [page.locator(f"[data-answer={word}]").bounding_box() for word in ("yes", "no")]
    slow = {"offline": False, "latency": 500, "downloadThroughput": -1, "uploadThroughput": -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    for place in places:
        assert place is not None
        page.mouse.click(place["x"] + 5, place["y"] + 5)
    expect(page.locator(".stamp")).to_have_text("否")
    page.reload()
    expect(page.locator(".stamp")).to_have_text("否")


def test_its_address_opens_the_same_ruling(browse: Browse, server: House) -> None:
    tap = opened(browse(PHONE), server)
    for selector in ("[data-game=catte]", "[data-card=W4]", "[data-card=W9]"):
        tap(selector)
    expect(tap.page.locator(".stamp")).to_have_text("可")
    address = tap.page.url
    other = browse(PHONE)
    other.goto(address)
    expect(other.locator(".stamp")).to_have_text("可")
    assert len(address) < 400


def test_hostile_names_and_addresses_do_nothing(browse: Browse, server: House, watch: Watch) -> None:
    tap = opened(browse(PHONE), server)
    for selector in ("[data-game=catte]", "[data-card=W4]", "[data-card=K15]", "summary"):
        tap(selector)
    hostile = "<img src=x onerror=alert(1)>"
    tap.page.locator("#asker").fill(hostile)
    tap.page.locator("#asker").press("Tab")
    expect(tap.page.locator("#rule h2")).to_have_text(f"Does {hostile} hold any White card?")
    tap("[data-answer=yes]")
    expect(tap.page.locator(".stamp")).to_have_text("否")
    expect(tap.page.locator(".so-far")).to_contain_text(hostile)
    none_of(tap.page, measured(tap.page))
    for fragment in ("j=bm9uc2Vuc2U", "s=AAAA", "j=eyJnYW1lIjoiX19wcm90b19fIn0"):
        opened(tap.page, server, f"/rule#{fragment}")
        expect(tap.page.locator("#rule h2")).to_have_text("Which game?")


def test_home_leads_there(page: Page, server: House) -> None:
    page.goto(server.at("/"))
    page.locator("main a[href='/rule']").first.click()
    expect(page.locator("#rule h2")).to_have_text("Which game?")
    expect(page.locator(".masthead [aria-current=page]")).to_have_text("Quick ruling")


@pytest.mark.parametrize("screen", SCREENS.values(), ids=[*SCREENS])
def test_the_headline_of_home_is_not_clipped(browse: Browse, server: House, screen: Screen) -> None:
    """What letters have below their line is within the box that cuts off what is outside it."""
    page = browse(screen)
    page.goto(server.at("/"))
    room = page.locator(".hero h1").evaluate(
        """h1 => {
          const pen = document.createElement("canvas").getContext("2d"), style = getComputedStyle(h1);
          pen.font = style.font;
          const letters = pen.measureText("gjpqy"), ink = letters.actualBoundingBoxDescent;
          const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = letters;
          const box = h1.lastElementChild.getBoundingClientRect(), line = parseFloat(style.lineHeight);
          return h1.getBoundingClientRect().bottom - (box.bottom - line + (line - up - down) / 2 + up + ink);
        }"""
    )
    assert room >= 0
