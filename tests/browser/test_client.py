"""The client for TypeScript in a browser, on a page of another origin: it plays a match of every game to its end."""

import json
import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser

from browser.house import House
from client.players import SHORT
from client.test_typescript import NODE, PACKAGE
from gyoji.games.catalogue import GAMES, is_own
from gyoji_client import Gyoji
from operators import OPERATOR_KEY

HERE = Path(__file__).parent
PLAY = (HERE / "play.js").read_text("utf-8").partition("\n")[2]


def served(modules: dict[str, str]) -> type[BaseHTTPRequestHandler]:
    """What answers with a page, and with the modules of the client."""

    class Handler(BaseHTTPRequestHandler):
        """Answers a browser."""

        def do_GET(self) -> None:
            """A module, or the page."""
            module = modules.get(self.path.removeprefix("/"))
            self.send_response(200)
            self.send_header("Content-Type", "text/html" if module is None else "text/javascript")
            self.end_headers()
            self.wfile.write((module or "<!doctype html><title>A page elsewhere</title>").encode())

        def log_message(self, format: str, *values: object) -> None:  # noqa: A002 - its name in the standard library
            """Say nothing."""

    return Handler


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """A site of another origin that has the client, its types stripped as Node does it."""
    command = [NODE, "--disable-warning=ExperimentalWarning", str(HERE / "strip.mjs"), str(PACKAGE / "src")]
    modules = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    with ThreadingHTTPServer(("127.0.0.1", 0), served(modules)) as site:
        Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{site.server_address[1]}/"
        site.shutdown()


@pytest.mark.parametrize("game", [game.slug for game in GAMES if is_own(game)])
def test_a_match_is_played_by_a_page_elsewhere(browser: Browser, server: House, elsewhere: str, game: str) -> None:
    page = browser.new_page()
    failures: list[str] = []
    page.on("pageerror", lambda failure: failures.append(str(failure)))
    page.goto(elsewhere)
    found = page.evaluate(PLAY, [server.url, OPERATOR_KEY, game, 3, SHORT.get(game, {})])
    page.close()
    assert failures == []
    assert (found["status"], found["verdict"]) == ("finished", "verified")
    assert found["results"] == [found["result"]] * len(found["receipts"])
    with Gyoji(server.url, OPERATOR_KEY) as gyoji:
        events = gyoji.matches.get(found["match"]).feed()
        moves = [event["actor"]["seat"] for event in events if event["actor"].get("role") == "seat"]
    assert [moves.count(seat) for seat in range(len(found["receipts"]))] == found["receipts"]
