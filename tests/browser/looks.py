"""How a page looks, as far as it can be measured: each function gives the faults that it finds, as sentences.

Targets are at least 44 px wide and high, except for links in running text, whose size the lines of the text give (as
WCAG 2.5.8 has it). A box of a tick or a file counts with its label. Cards, and the number of them, may lie on each
other in a fan or a stack (``.fan``, ``.backs``, ``.stack``, ``[data-fan]``). What stays in sight while the page scrolls
(fixed, sticky) may lie on the rest.
"""

import re
import subprocess
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

HEAVIEST = 150_000
"""Bytes of HTML, styles and scripts that a page may have, and of how its game is drawn."""

OF_A_MATCH = 175_000
"""The same of the page of a match: it draws a table, and a player's or a viewer around it. It is sent packed,
and may be no more than 100,000 bytes (``test_player``)."""

MEASURE = (Path(__file__).parent / "looks.js").read_text("utf-8")

SPOKEN = re.compile(r"[぀-ヿ㐀-鿿]")
"""Kana and kanji."""

SETTLED = """() => Promise.all(document.getAnimations()
  .filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime))
  .map((one) => one.finished.catch(() => null)))"""
"""What moves comes to its end: while something is faded in, it is pale."""

WRITTEN = """() => {
  const kinds = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!/[\\u3040-\\u30ff\\u3400-\\u9fff]/.test(node.data) || !element.checkVisibility()) continue;
    if (element.closest("script, option, title, .unseen, [lang=en]")) continue;
    const style = getComputedStyle(element);
    const kind = `${style.fontFamily} ${style.fontWeight} ${style.fontStyle} ${element.namespaceURI}`;
    if (!kinds.has(kind)) kinds.set(kind, [element, node.data]);
  }
  for (const old of document.querySelectorAll("[data-written]")) delete old.dataset.written;
  return [...kinds.values()].map(([element, text], place) => {
    element.dataset.written = place;
    return text;
  });
}"""
"""One element with Japanese text for each kind of letters on the page is marked; their texts."""

WEIGHT = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const isRead = (entry) => /\\.(css|m?js)$|^\\/static\\/.*\\.json$/.test(new URL(entry.name).pathname);
  const loaded = performance.getEntriesByType("resource").filter(isRead);
  return Object.fromEntries([page, ...loaded].map((entry) => [entry.name, entry.decodedBodySize]));
}"""

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")


def good_looks(page: Page, heaviest: int = HEAVIEST) -> None:
    """All of it, for a page as it stands; raises with every fault that it finds."""
    none_of(page, [*measured(page), *inaccessible(page), *too_heavy(page, heaviest)])


def none_of(page: Page, faults: list[str]) -> None:
    """Raises where a page has a fault."""
    assert faults == [], "\n".join(placed(page, faults[:40]))


def placed(page: Page, faults: list[str]) -> list[str]:
    """Faults with the page that has them."""
    size = page.viewport_size or {"width": 0}
    return [f"{page.url} at {size['width']} px: {fault}" for fault in faults]


def measured(page: Page) -> list[str]:
    """Overlapping boxes, small targets, sideways scroll, pale text; Japanese letters that no Japanese font draws."""
    page.evaluate(SETTLED)
    faults: list[str] = page.evaluate(MEASURE, False)
    return [*faults, *(not_in_japanese(page) if page.locator("html").get_attribute("lang") == "ja" else [])]


def pale(page: Page) -> list[str]:
    """Pale text alone, for a page that has been measured in the other scheme."""
    page.evaluate(SETTLED)
    faults: list[str] = page.evaluate(MEASURE, True)
    return faults


def inaccessible(page: Page, *, contrast: bool = True) -> list[str]:
    """What axe finds. Of its rules that of contrast is by far the slowest, and ``measured`` looks at it as well."""
    page.evaluate(AXE)
    options = {"resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": contrast}}}
    found: Any = page.evaluate("(options) => axe.run(document, options)", options)
    return [
        f"{violation['id']}: {node['target']} {node['html'][:160]} {node['failureSummary']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


def too_heavy(page: Page, heaviest: int = HEAVIEST) -> list[str]:
    """The bytes of HTML, styles and scripts, uncompressed, if they are too many."""
    weight: dict[str, int] = page.evaluate(WEIGHT)
    return [] if 0 < sum(weight.values()) <= heaviest else [f"weight of {sum(weight.values())}: {weight}"]


def not_in_japanese(page: Page) -> list[str]:
    """Japanese letters, of each kind of letters that the page has, that no font with Japanese glyphs draws."""
    texts: list[str] = page.evaluate(WRITTEN)
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    faults = [] if texts else ["no Japanese text"]
    for place, text in enumerate(texts):
        node = session.send("DOM.querySelector", {"nodeId": root, "selector": f"[data-written='{place}']"})["nodeId"]
        fonts = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        drawn = sum(font["glyphCount"] for font in fonts if _is_japanese(font["familyName"]))
        if drawn < len(SPOKEN.findall(text)):
            faults.append(f"{text[:40]!r} is drawn by {[(font['familyName'], font['glyphCount']) for font in fonts]}")
    session.detach()
    return faults


@cache
def _japanese_families() -> frozenset[str]:
    listed = subprocess.run(["fc-list", ":lang=ja", "family"], capture_output=True, text=True, check=True).stdout
    return frozenset(name.strip() for line in listed.splitlines() for name in line.split(","))


def _is_japanese(family: str) -> bool:
    """Chinese and Korean fonts have the letters too, in forms that are not those of Japan."""
    return family in _japanese_families() and not re.search(r" (SC|TC|HK|KR)$", family)
