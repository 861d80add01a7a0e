"""The watch over the pages sees what it is there to see: a page that did what none may would fail its test."""

import pytest
from playwright.sync_api import Error, Page

from browser.house import House
from browser.screens import PHONE, Browse
from browser.watch import Watch

TIMEOUT_MS = 20_000
MOMENT = 20
"""Milliseconds: how long to wait at most, and how often to look."""

POLICY = ("console: policy violated: script-src-elem inline", "console: policy violated: style-src-attr inline")


def seen(page: Page, watch: Watch, *faults: str) -> None:
    """Wait until all of these are among the faults; they come when the browser tells of them."""
    for _ in range(TIMEOUT_MS // MOMENT):
        if all(any(known.startswith(fault) for known in watch.faults) for fault in faults):
            return
        page.wait_for_timeout(MOMENT)
    raise AssertionError(watch.faults)


def test_a_request_to_another_host_is_seen(page: Page, server: House, watch: Watch) -> None:
    page.goto(server.at("/problems"))
    page.evaluate("fetch('http://127.0.0.1:9/fetched').catch(() => null)")
    seen(page, watch, "console: policy violated: connect-src http://127.0.0.1:9/fetched")
    with pytest.raises(Error, match="ERR_"):
        page.goto("http://127.0.0.1:9/elsewhere")
    assert "a request left the server: http://127.0.0.1:9/elsewhere" in watch.faults
    watch.expect(r"127\.0\.0\.1:9")


def test_scripts_and_styles_inline_are_seen(page: Page, server: House, watch: Watch) -> None:
    page.goto(server.at("/problems"))
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.ran = true";
          const styled = document.createElement("p");
          styled.setAttribute("style", "color: red");
          document.body.append(script, styled);
        }"""
    )
    seen(page, watch, *POLICY)
    assert page.evaluate("window.ran") is None
    watch.expect("policy violated|Content Security Policy")


def test_errors_and_dialogs_are_seen(browse: Browse, server: House, watch: Watch) -> None:
    page = browse(PHONE)
    page.goto(server.at("/problems"))
    page.evaluate("setTimeout(() => { alert('hello'); throw new Error('fell over'); })")
    page.evaluate("console.error('said so')")
    seen(page, watch, "dialog: hello", "script: ", "console: said so")
    watch.expect("hello|fell over|said so")
    assert page.locator("html").get_attribute("lang") == "ja"
