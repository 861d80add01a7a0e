"""All pages, narrow and wide, light and dark, in English and Japanese: what can be measured of its looks is good."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from browser.house import GOLDEN, SEATS, House
from browser.looks import HEAVIEST, OF_A_MATCH, inaccessible, measured, pale, placed, too_heavy
from browser.screens import Browse, Scheme, Screen
from browser.tournaments import begun
from browser.watch import Watch

Path = Callable[[House], str]

REFERENCE = 3_000_000
"""The API reference brings its own library, and may weigh more."""
WEIGHTS = {"docs": REFERENCE, "closed": OF_A_MATCH, "running": OF_A_MATCH}
"""Bytes that the pages of some groups may have, where that is not ``HEAVIEST``."""

SCREENS = (
    (Screen(360, "light", "ja", touch=True), Screen(1440, "dark", "en")),
    (Screen(1440, "light", "en"), Screen(360, "dark", "ja", touch=True)),
    (Screen(360, "light", "en", touch=True), Screen(1440, "dark", "ja")),
    (Screen(1440, "light", "ja"), Screen(360, "dark", "en", touch=True)),
)
"""Each page is looked at on one of these pairs: both widths, both languages; either in both schemes. On the second axe
looks at it too."""

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
"""What the policy of a page has to say at least."""


def fixed(path: str) -> Path:
    """A page that is the same at all times."""
    return lambda _server: path


def closed(game: str) -> Path:
    """A golden replay: anybody may look at one whose match is public; at the others who has the operator's key."""
    return lambda server: f"/matches/{server.golden(GOLDEN[game])}#token={server.operator}&at=20"


def running(game: str) -> Path:
    """A match that a seat plays in."""

    def path(server: House) -> str:
        table = server.opened(game)
        server.played(table, 6)
        view = server.seen(table.match)["view"]
        return f"/matches/{table.match}#token={table.tokens[view['to_act'][0]]}"

    return path


def tournament(more: str = "") -> Path:
    """A page of a tournament in its second round, with clocks."""
    clock = {"move": 30, "bank": 600, "increment": 5, "on_expiry": "referee"}
    return lambda server: f"{begun(server, clock=clock).page}{more.format(key=server.operator)}"


GROUPS: dict[str, tuple[tuple[Screen, ...], tuple[Path, ...]]] = {
    "closed": (SCREENS[0], tuple(closed(game) for game in SEATS)),
    "running": (SCREENS[1], tuple(running(game) for game in SEATS)),
    "reading": (SCREENS[2], tuple(map(fixed, ("/rules", "/rules/catte", "/problems", "/problems/illegal-move")))),
    "guides": (SCREENS[0], tuple(map(fixed, ("/docs/guides", "/docs/guides/matches", "/docs/guides/versioning")))),
    "rulebooks": (SCREENS[1][1:], tuple(fixed(f"/rules/{game}") for game in SEATS if game != "catte")),
    "working": (SCREENS[3], tuple(map(fixed, ("/", "/rule", "/audit", "/console", "/console/cases/CAT-031")))),
    "tournaments": (
        SCREENS[0],
        (
            fixed("/tournaments"),
            fixed("/tournaments/new"),
            fixed("/matches/new"),
            tournament(),
            tournament("/rounds/1"),
            tournament("/place"),
            tournament("/join"),
        ),
    ),
    "desks": (SCREENS[3], (tournament("/desk"), tournament("/desk#key={key}"))),
    "docs": (SCREENS[2], (fixed("/docs"), fixed("/docs?tag=catte"))),
}
"""The pages, in groups that are looked at one after the other, and how."""


def ready(page: Page) -> None:
    """Wait until a page shows what it has to show."""
    page.wait_for_load_state("load")
    if "/matches/" in page.url and not page.url.endswith("/new"):
        page.locator("#match[data-state=shown] .table").wait_for()
    if page.url.endswith("/desk"):
        page.locator("#key-field").wait_for()
    elif "/desk#" in page.url:
        page.locator("#desk[data-state=shown] .watched li").first.wait_for()
    if page.locator("#reference").count():
        page.locator("#reference .opblock-tag").first.wait_for()


def strict(headers: dict[str, str]) -> bool:
    """Whether the policy of a page lets nothing inline and no other host in."""
    policy = dict(directive.split(maxsplit=1) for directive in headers["content-security-policy"].split(";"))
    return POLICY.items() <= policy.items() and not any(
        "unsafe" in values or ":/" in values for values in policy.values()
    )


@pytest.mark.parametrize("group", GROUPS)
def test_pages_look_good(browse: Browse, server: House, watch: Watch, group: str) -> None:
    watch.expect("status of 409.*/adjudications")  # a case of a move that is refused
    screens, paths = GROUPS[group]
    addresses = [server.at(path(server)) for path in paths]
    faults: list[str] = []
    for screen in screens:
        page = browse(screen)
        for address in addresses:
            response = page.goto(address)
            assert response is not None
            assert response.ok, address
            assert strict(response.headers)
            assert page.locator("html").get_attribute("lang") == screen.language
            ready(page)
            found = [*measured(page), *too_heavy(page, WEIGHTS.get(group, HEAVIEST))]
            if screen is screens[-1]:
                found += inaccessible(page, contrast=address == server.at("/"))
            page.emulate_media(color_scheme=opposite(screen.scheme))
            found += pale(page)
            page.emulate_media(color_scheme=screen.scheme)
            faults += placed(page, found)
    assert faults == [], "\n".join(faults)


def opposite(scheme: Scheme) -> Scheme:
    """The other scheme."""
    return "dark" if scheme == "light" else "light"
