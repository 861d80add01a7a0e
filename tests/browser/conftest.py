"""A Chromium and a service for each process of tests; contexts in which nothing that must never happen goes unseen."""

import asyncio
from asyncio.events import _set_running_loop
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from browser.chromium import ARGUMENTS, Missing, chromium, japanese_font
from browser.house import REPLAYS, House
from browser.screens import DESK, Browse, Screen
from browser.watch import Watch
from servers import SERVER, serving

TIMEOUT_MS = 20_000
"""Milliseconds after which what should show does not; a machine may be busy."""
THREADS = {"gunicorn": "16", "granian": "64"}[SERVER]
"""Half of them are for streams. granian notices only after ten seconds that a page has been closed, and within these
the next tests open theirs."""


class Running(NamedTuple):
    """A browser, and the event loop by which Playwright talks to it."""

    browser: Browser
    loop: asyncio.AbstractEventLoop


@pytest.fixture(scope="session")
def running() -> Iterator[Running]:
    """The browser of this process of tests."""
    with sync_playwright() as playwright:
        try:
            path = chromium(playwright.chromium.executable_path)
            japanese_font()
        except Missing as missing:
            pytest.fail(str(missing), pytrace=False)
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        loop = asyncio.get_running_loop()
        _set_running_loop(None)
        yield Running(browser, loop)
        _set_running_loop(loop)
        browser.close()
    _set_running_loop(None)


@pytest.fixture
def browser(running: Running) -> Iterator[Browser]:
    """The browser. Playwright leaves its event loop running between calls: it may until the end of the test, so that no
    test that has nothing to do with it finds itself inside a loop."""
    _set_running_loop(running.loop)
    yield running.browser
    _set_running_loop(None)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """``gyoji serve`` with a store of its own that takes the golden replays."""
    store = f"sqlite:///{tmp_path_factory.mktemp('store')}/gyoji.db"
    settings = {"GYOJI_TRUST": str(REPLAYS / "trust.json"), "GYOJI_STORE": store}
    with serving("--workers", "1", "--threads", THREADS, environment=settings) as running:
        yield House(running, store)


@pytest.fixture
def watch(server: House) -> Iterator[Watch]:
    """What the pages of the test ask for; the test fails if a page does what none may."""
    watching = Watch(server.url)
    yield watching
    assert watching.unexpected() == []


@pytest.fixture
def browse(browser: Browser, watch: Watch) -> Iterator[Browse]:
    """Opens pages in contexts of their own, all of them watched; a test may open several."""
    contexts = []

    def opened(screen: Screen = DESK) -> Page:
        context = browser.new_context(
            viewport={"width": screen.width, "height": 740 if screen.width < 600 else 900},
            color_scheme=screen.scheme,
            locale={"en": "en-GB", "ja": "ja-JP"}[screen.language],
            reduced_motion="reduce" if screen.still else "no-preference",
            has_touch=screen.touch,
            timezone_id="UTC",
        )
        contexts.append(context)
        context.set_default_timeout(TIMEOUT_MS)
        expect.set_options(timeout=TIMEOUT_MS)
        watch.over(context)
        return context.new_page()

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def page(browse: Browse, request: pytest.FixtureRequest) -> Page:
    """A page in a fresh context; ``@pytest.mark.parametrize("page", [Screen(360, "dark", "ja")], indirect=True)`` (of
    ``browser.screens``) says how it is looked at."""
    return browse(getattr(request, "param", DESK))
