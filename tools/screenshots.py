"""Takes the pictures of the README, docs/pictures/*.png, of golden replays in a real browser.

usage: make screenshots
       PYTHONPATH=tests python -m tools.screenshots [NAME...]

Times, names and cards of a golden replay are always the same, so that a picture changes only if the look does, or the
fonts of the machine. Chromium is found as the tests of the pages find it.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from browser.chromium import ARGUMENTS, Missing, chromium, japanese_font
from browser.house import REPLAYS, House
from browser.screens import Scheme
from servers import serving

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
LARGEST = 220 * 1024
"""Bytes that a picture may have."""


class Picture(NamedTuple):
    """What is in a picture, and how it is looked at."""

    path: str
    """Of the page; a golden replay stands for its match."""
    at: int | None = None
    """The event of a match that is shown."""
    width: int = 1400
    height: int = 1090
    scheme: Scheme = "light"
    language: str = "en"
    top: str | None = None
    """What stands at the top of the picture; ``None``: the top of the page."""
    seat: int | None = None
    """Whose eyes a match is seen with; ``None``: everything that is open."""
    plays: bool = False
    """Whether that seat plays on from there, in a match of its own."""
    taps: tuple[str, ...] = ()
    """What is tapped before the picture is taken."""


RULING = ("[data-game=catte]", "[data-card=W4]", "[data-card=K15]", "[data-answer=yes]")
"""The taps of a quick ruling."""

PICTURED: Mapping[str, Picture] = {
    "catte": Picture("catte/shared-win", 46),
    "towai": Picture("towai/six-seats", 60),
    "tomorrow-never-meows": Picture("tomorrow-never-meows/every-wish", 60),
    "familiars-trouble": Picture("familiars-trouble/replenishing-several", 30),
    "dark": Picture("tomorrow-never-meows/every-wish", 60, scheme="dark"),
    "phone": Picture("towai/names-and-tags", 30, width=390, height=844, language="ja", seat=0),
    "player": Picture("catte/shared-win", 36, width=390, height=844, seat=0, plays=True, taps=(".hand button.may",)),
    "rule": Picture("/rule", width=390, height=844, taps=RULING),
    "console": Picture("/console/cases/CAT-031", width=1280, top="#position-title"),
    "audit": Picture("/audit", width=1280),
}


def main(names: list[str]) -> int:
    """Take the pictures, or these of them; the exit status."""
    wanted = {name: PICTURED[name] for name in names} if names else PICTURED
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        try:
            path = chromium(playwright.chromium.executable_path)
            japanese_font()
        except Missing as missing:
            sys.stderr.write(f"{missing}\n")
            return 1
        browser = playwright.chromium.launch(executable_path=path, args=[*ARGUMENTS, "--font-render-hinting=none"])
        with serving("--workers", "1", environment={"GYOJI_TRUST": str(REPLAYS / "trust.json")}) as server:
            house = House(server)
            sizes = [taken(browser, house, name, picture) for name, picture in wanted.items()]
        browser.close()
    return 0 if max(sizes) <= LARGEST else 1


def taken(browser: Browser, house: House, name: str, picture: Picture) -> int:
    """Take one picture and write it; return its size in bytes."""
    context = browser.new_context(
        viewport={"width": picture.width, "height": picture.height},
        color_scheme=picture.scheme,
        locale={"en": "en-GB", "ja": "ja-JP"}[picture.language],
        timezone_id="UTC",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(house.at(path_of(house, picture)))
    shown(page, picture)
    file = PICTURES / f"{name}.png"
    page.screenshot(path=file, animations="disabled")
    context.close()
    sys.stdout.write(f"{file.relative_to(PICTURES.parent.parent)} {file.stat().st_size}\n")
    return file.stat().st_size


def path_of(house: House, picture: Picture) -> str:
    """Return the URL path of what is in a picture."""
    if picture.path.startswith("/"):
        return picture.path
    if picture.plays and picture.seat is not None:
        seated = house.forked(picture.path, picture.at or 0)
        return f"/matches/{seated.match}#token={seated.tokens[picture.seat]}"
    eyes = "" if picture.seat is None else f"&as={picture.seat}"
    return f"/matches/{house.golden(picture.path)}#token={house.operator}&at={picture.at}{eyes}"


def shown(page: Page, picture: Picture) -> None:
    """Wait until everything is there."""
    page.wait_for_load_state("networkidle")
    if picture.path == "/audit":
        page.set_input_files("#trust", REPLAYS / "trust.json")
        page.set_input_files("#file", REPLAYS / "towai" / "names-and-tags.jsonl")
        page.locator("#second code").wait_for()
    for tap in picture.taps:
        page.locator(tap).first.click()
    page.locator(".stamp" if picture.path == "/rule" else ".table").first.wait_for()
    page.evaluate("scrollTo(0, 0)")
    if picture.top is not None:
        page.locator(picture.top).last.evaluate("(part) => scrollTo(0, part.getBoundingClientRect().top - 16)")
    page.evaluate("document.fonts.ready")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
