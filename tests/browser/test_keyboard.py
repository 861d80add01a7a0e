"""Without a mouse: Tab leads to every control of a page and out of it again, and shows where it is."""

import pytest
from playwright.sync_api import Page

from browser.house import GOLDEN, House
from browser.matches import looking
from browser.refereeing import clocked, ruled
from browser.screens import PHONE, SMALL
from browser.tournaments import begun

STOPS = """() => {
  const all = "a[href], button, input, select, textarea, summary, [tabindex]";
  const grouped = (one) => one.type === "radio" && !one.checked;
  const can = (one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true });
  window.stops = [...document.querySelectorAll(all)].filter((one) => can(one) && !grouped(one));
  return window.stops.map((one) => one.outerHTML.slice(0, 120));
}"""

FOCUSED = """() => {
  const focused = document.activeElement;
  if (focused === document.body) return null;
  const style = getComputedStyle(focused);
  const ringed = style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2;
  const box = focused.getBoundingClientRect();
  const seen = box.bottom > 0 && box.top < innerHeight && box.right > 0;
  return { place: window.stops.indexOf(focused), ringed, seen };
}"""

PAGES = ("/", "/rule", "/audit", "/console", "/rules", "/tournaments", "/problems/illegal-move")


def walked(page: Page) -> None:
    """Tab from the beginning to the end."""
    page.evaluate("document.activeElement.blur()")
    stops: list[str] = page.evaluate(STOPS)
    assert len(stops) > 5
    met: list[int] = []
    for _ in range(len(stops) + 5):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None or [focused["place"]] == met[:1]:  # out of the page, or round it
            break
        name = stops[focused["place"]] if focused["place"] >= 0 else page.evaluate("document.activeElement.outerHTML")
        assert focused["ringed"], f"no ring: {name}"
        assert focused["seen"], f"out of sight: {name}"
        met.append(focused["place"])
    assert [stop for place, stop in enumerate(stops) if place not in met] == []
    assert met == sorted(met), f"{page.url}: not the order of the page"


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_tab_reaches_everything_in_a_match(page: Page, server: House) -> None:
    looking(page, server, server.golden(GOLDEN["familiars-trouble"]), server.operator, "&at=20")
    walked(page)


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_tab_reaches_everything_of_a_tournament(page: Page, server: House) -> None:
    found = begun(server)
    page.goto(server.at(found.page))
    walked(page)
    page.goto(server.at(found.desk))
    for part in range(4):
        page.reload()  # so that the Tab key begins at the top
        page.locator("#desk[data-state=shown] .watched li").first.wait_for()
        page.evaluate("(part) => document.querySelectorAll('#desk .tabs button')[part].click()", part)
        walked(page)


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_tab_reaches_everything(page: Page, server: House) -> None:
    for path in PAGES:
        page.goto(server.at(path))
        page.wait_for_load_state("networkidle")
        walked(page)


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_tab_reaches_everything_at_the_desk_of_a_referee(page: Page, server: House) -> None:
    table = clocked(server, "familiars-trouble")
    server.played(table, 5)
    ruled(server, table, "take_back", to=3)
    looking(page, server, table.match, server.operator)
    page.get_by_role("button", name="Rule on this position").press("Enter")
    page.locator("#desk .ruling-form").wait_for()
    assert page.evaluate("document.activeElement.closest('#desk') !== null")
    page.get_by_role("radio").nth(3).check()
    page.locator("footer a").last.focus()
    page.keyboard.press("Tab")  # out of the page, so that the next one begins at its top
    walked(page)


@pytest.mark.parametrize("page", [SMALL], indirect=True)
def test_a_match_is_played_by_keyboard_alone(page: Page, server: House) -> None:
    table = server.opened("tomorrow-never-meows")
    server.played(table, 4)
    seat = server.seen(table.match)["view"]["to_act"][0]
    shown = looking(page, server, table.match, table.tokens[seat])
    seq = shown.place()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.hand button')"):
            break
    while not page.evaluate("document.activeElement.matches('.may')"):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    shown.stands_at(seq + 1)
    assert server.seen(table.match)["seq"] == seq + 1
