"""An evening: a director opens registration, players join by the code with their telephones and check in, and rounds
are paired of those who are there."""

import re
import tomllib
from collections.abc import Callable
from importlib.resources import files

import pytest
from playwright.sync_api import Page, expect

from browser.house import House
from browser.looks import good_looks
from browser.screens import Browse, Screen
from browser.tournaments import Cup, cup
from browser.watch import Watch

WORDS = tomllib.loads(files("gyoji.web").joinpath("words.toml").read_text("utf-8"))
HOSTILE = "<img src=x onerror=alert(1)>"

SCREENS = (Screen(390, "dark", "ja", touch=True), Screen(1280))
HEIGHTS = {390: 844, 1280: 800}

Word = Callable[[str, str], str]


def opened(browse: Browse, screen: Screen, address: str) -> Page:
    """A page at that address, as large as the screen."""
    page = browse(screen)
    page.set_viewport_size({"width": screen.width, "height": HEIGHTS[screen.width]})
    page.goto(address)
    return page


def words(screen: Screen) -> Word:
    """The words of the pages in the language of the screen, with facts that differ in the place of any text."""
    return lambda table, key: str(WORDS[table][key][screen.language])


def desk_part(desk: Page, found: Cup, name: str) -> None:
    """A part of the desk, opened with the operator's key."""
    if not desk.locator("#desk[data-state=shown]").count():
        desk.goto(found.server.at(found.desk))
        desk.locator("#desk[data-state=shown]").wait_for()
    desk.locator("#desk .tabs").get_by_role("button", name=name, exact=True).click()


def joined(phone: Page, name: str, word: Word) -> None:
    """Somebody who has typed a name, and pressed Enter; the personal link stands there at once."""
    phone.get_by_label(word("join", "name")).fill(name)
    phone.get_by_label(word("join", "name")).press("Enter")
    expect(phone.get_by_role("heading", level=2)).to_be_focused()
    expect(phone.locator(".joined")).to_contain_text(name)
    expect(phone.locator(".joined .qr")).to_be_visible()
    expect(phone.locator(".joined code")).to_contain_text("/place")
    assert (
        phone.locator(".joined code")
        .inner_text()
        .endswith((phone.get_by_role("link", name=word("join", "go")).get_attribute("href") or "?").partition("#")[2])
    )
    good_looks(phone)


@pytest.mark.parametrize("screen", SCREENS, ids=["phone", "desk"])
def test_an_evening_on_which_players_join_and_check_in(browse: Browse, server: House, screen: Screen) -> None:
    word = words(screen)
    found = cup(server, (), game="towai", seats=[2], rounds=2, check_in=True, visibility="private")
    desk = opened(browse, screen, server.at(found.desk))
    desk_part(desk, found, word("desk", "tab_entrants"))
    desk.get_by_role("button", name=word("desk", "join_open")).click()
    code = desk.locator(".slips .qr")
    expect(code).to_be_visible()
    good_looks(desk)
    link = desk.locator(".slips code").inner_text()

    phones = [opened(browse, screen, link) for _ in range(3)]
    for phone, name in zip(phones, ("Aki", HOSTILE, "Cho"), strict=True):
        joined(phone, name, word)
        phone.get_by_role("link", name=word("join", "go")).click()
        expect(phone.locator("#name")).to_have_text(name)
        expect(phone.locator("#presence")).to_contain_text(word("place", "is_away"))
    here = [phone.get_by_role("button", name=word("place", "here")) for phone in phones]
    box = here[0].bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert box["y"] + box["height"] < HEIGHTS[screen.width], "in view without scrolling"
    for button, phone in zip(here[:2], phones[:2], strict=True):
        button.press("Enter")
        expect(phone.locator("#presence")).to_contain_text(word("place", "is_here"))
    good_looks(phones[0])
    good_looks(phones[2])
    counted = word("tournament", "checked_in").format(present=2, count=3)
    expect(desk.get_by_role("heading", name=counted)).to_be_visible(timeout=15_000)
    expect(desk.locator(".entrants [aria-pressed=true]")).to_have_count(2)
    expect(desk.locator(".entrants li", has_text=word("tournament", "absent"))).to_contain_text("Cho")
    good_looks(desk)

    desk_part(desk, found, word("desk", "tab_rounds"))
    desk.get_by_role("button", name=word("desk", "propose"), exact=True).click()
    expect(desk.locator(".proposed")).to_contain_text(f"{word('tournament', 'absentees')}{word('common', 'colon')}Cho")
    good_looks(desk)
    desk.get_by_role("button", name=word("desk", "create_round").format(round=1)).click()
    for phone in phones[:2]:
        phone.wait_for_url(re.compile("/matches/.*#token=gyoji_seat_"), timeout=15_000)
    expect(phones[2].locator("#place")).to_contain_text(word("place", "absent"), timeout=15_000)
    (table,) = found.seen("/rounds/1")["tables"]
    assert {seat["name"] for seat in table["seats"]} == {"Aki", HOSTILE}

    phones[2].get_by_role("button", name=word("place", "here")).click()
    expect(phones[2].locator("#presence")).to_contain_text(word("place", "is_here"))
    phones[0].go_back()
    phones[0].get_by_role("button", name=word("place", "leave")).click()
    expect(phones[0].locator("#presence")).to_contain_text(word("place", "is_away"))
    found.settled(found.seen("/rounds/1"))
    found.ask("/rounds/1/close")
    after = found.pair()
    assert {seat["name"] for seat in after["tables"][0]["seats"]} == {HOSTILE, "Cho"}
    assert after["absent"] == ["e1"]
    phones[2].wait_for_url(re.compile("/matches/.*#token=gyoji_seat_"), timeout=15_000)


@pytest.mark.parametrize("screen", SCREENS, ids=["phone", "desk"])
def test_the_director_says_who_is_here_and_closes_registration(
    browse: Browse, server: House, screen: Screen, watch: Watch
) -> None:
    word = words(screen)
    found = cup(server, ("Aki", "Ben"), check_in=True)
    desk = opened(browse, screen, server.at(found.desk))
    desk_part(desk, found, word("desk", "tab_entrants"))
    ben = desk.locator(".entrants li", has_text="Ben").get_by_role("button", name=word("desk", "here"))
    ben.press("Enter")
    expect(ben).to_have_attribute("aria-pressed", "true")
    expect(ben).to_be_focused()
    toggle = desk.get_by_role("button", name=word("desk", "join_open"))
    toggle.press("Enter")
    link = desk.locator(".slips code").inner_text()
    late = opened(browse, screen, link)
    late.get_by_label(word("join", "name")).fill("Aki")
    watch.expect("status of 409.*/registrations")
    late.get_by_role("button", name=word("join", "enter")).click()
    expect(late.locator(".said-here")).to_contain_text("Aki")
    expect(late.get_by_label(word("join", "name"))).to_have_value("Aki")
    desk.get_by_role("button", name=word("desk", "join_close")).press("Enter")
    expect(desk.locator(".slips li")).to_have_count(0)
    expect(desk.get_by_role("button", name=word("desk", "join_open"))).to_be_focused()
    late.get_by_label(word("join", "name")).fill("Zoe")
    late.get_by_role("button", name=word("join", "enter")).click()
    expect(late.locator(".said-here")).to_contain_text(
        "Registration is closed" if screen.language == "en" else "締め切られて"
    )
    late.reload()
    expect(late.locator("#join")).to_contain_text(word("join", "closed"))
    good_looks(late)
    assert [entrant["present"] for entrant in found.seen()["entrants"]] == [False, True]


def test_a_team_joins_with_its_players(browse: Browse, server: House) -> None:
    found = cup(server, (), game="familiars-trouble", seats=[3])
    token = found.ask("/registration", {"open": True})["token"]
    phone = opened(browse, SCREENS[0], server.at(f"{found.page}/join?lang=en#token={token}"))
    phone.get_by_label("Name of the team").fill("Owls")
    for number, name in enumerate(("Ann", "Ben", "Cho"), 1):
        phone.get_by_label(f"Player {number}").fill(name)
    good_looks(phone)
    phone.get_by_role("button", name="Join", exact=True).click()
    expect(phone.locator(".joined")).to_contain_text("Owls")
    assert found.seen()["entrants"][0]["members"] == ["Ann", "Ben", "Cho"]
    phone.reload()
    expect(phone.locator(".joined")).to_contain_text("Owls")
    phone.get_by_role("button", name="Somebody else joins here").click()
    expect(phone.get_by_label("Name of the team")).to_have_value("")


def test_the_desk_opens_the_projector_with_the_code_before_any_round(browse: Browse, server: House) -> None:
    """It is given the key, which is not left in the address: everybody in the room reads that."""
    found = cup(server, (), check_in=True)
    desk = browse(Screen(1280))
    desk_part(desk, found, "Entrants")
    expect(desk.get_by_role("link", name="Projector")).to_be_hidden()
    desk.get_by_role("button", name="Open registration").click()
    with desk.context.expect_page() as coming:
        desk.get_by_role("link", name="Projector").click()
    wall = coming.value
    expect(wall.locator(".invitation .qr")).to_be_visible()
    assert server.operator not in wall.url


@pytest.mark.parametrize("screen", SCREENS, ids=["phone", "desk"])
def test_the_projector_shows_the_code_while_registration_is_open(browse: Browse, server: House, screen: Screen) -> None:
    word = words(screen)
    found = cup(server, ("Aki", "Ben"), check_in=True)
    found.ask("/registration", {"open": True})
    wall = opened(browse, screen, server.at(f"{found.page}/projector#key={server.operator}"))
    expect(wall.locator(".invitation .qr")).to_be_visible()
    expect(wall.locator(".invitation")).to_contain_text(word("tournament", "checked_in").format(present=0, count=2))
    good_looks(wall)
    found.ask("/registration", {"open": False})
    expect(wall.locator(".invitation")).to_have_count(0, timeout=15_000)
    stranger = opened(browse, screen, server.at(f"{found.page}/projector"))
    found.ask("/registration", {"open": True})
    expect(stranger.locator("#round .call")).to_be_visible()
    expect(stranger.locator(".invitation")).to_have_count(0)


def test_links_that_do_not_hold_are_told_so(browse: Browse, server: House, watch: Watch) -> None:
    watch.expect("status of 422.*/invitations")
    watch.expect("status of 401.*/invitations")
    found = cup(server, ("Aki",))
    for token in ("", "#token=x", f"#token=gyoji_join_{'A' * 71}"):
        page = opened(browse, SCREENS[1], server.at(f"{found.page}/join{token}"))
        expect(page.locator("#join")).to_contain_text("This link does not hold")
