"""A page of another origin calls the service: it fetches, listens to a stream, plays a whole match, and verifies it."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page

from browser.conftest import TIMEOUT_MS
from browser.house import House
from servers import serving

EMPTY = b"<!doctype html><html lang=en><title>Elsewhere</title>"

SERVICE = """
globalThis.call = async (path, token, method = "GET", body = undefined, headers = {}) => {
  const bearer = token === null ? {} : { Authorization: `Bearer ${token}` };
  const media = body === undefined ? {} : { "Content-Type": "application/json" };
  const answer = await fetch(`${globalThis.service}${path}`, {
    method, headers: { ...bearer, ...media, ...headers }, body: body === undefined ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  const named = ["ETag", "Location", "Link", "Retry-After", "X-Request-ID", "WWW-Authenticate", "Content-Language"];
  return {
    status: answer.status,
    headers: Object.fromEntries(named.map((name) => [name, answer.headers.get(name)])),
    body: answer.headers.get("Content-Type").includes("json") && !path.includes("/replay") ? JSON.parse(text) : text,
  };
};
"""
"""How the page calls the service, which ``service`` names."""

FETCHED = """async ([key]) => {
  const made = await call("/v1/matches", key, "POST", { game: "catte", seats: 3 }, { "Idempotency-Key": "once" });
  const [token] = made.body.seats.map((seat) => seat.token);
  const seen = await call(made.headers.Location, token);
  const refused = await call(`${made.headers.Location}/moves`, token, "POST", { move: null }, { "If-Match": '"1"' });
  return {
    made, seen, refused,
    stranger: await call(made.headers.Location, null, "GET", undefined, { "X-Request-ID": "from-elsewhere" }),
    nobody: await call("/v1/matches", "nobody", "GET", undefined, { "Accept-Language": "ja" }),
    nowhere: await call("/v1/nowhere", key),
    probe: await call("/healthz", null),
  };
}"""

PLAYED = """async ([key, game, seats]) => {
  const made = await call("/v1/matches", key, "POST", { game, seats });
  const path = made.headers.Location;
  const tokens = made.body.seats.map((seat) => seat.token);
  const receipts = [];
  for (let played = 0; played < 2000; played += 1) {
    const seen = await call(path, tokens[0]);
    if (seen.body.status === "finished") break;
    const seat = seen.body.view.to_act[0];
    const own = seat === 0 ? seen : await call(path, tokens[seat]);
    const headers = { "If-Match": own.headers.ETag, "Idempotency-Key": `move-${played}` };
    const answer = await call(`${path}/moves`, tokens[seat], "POST", { move: own.body.legal_moves[0] }, headers);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    receipts.push(answer.body.receipt);
  }
  const over = (await call(path, tokens[0])).body;
  const { verify } = await import(`${globalThis.service}/static/verify.mjs`);
  const replay = (await call(`${path}/replay`, tokens[0])).body;
  const trust = (await call("/v1/keys", null)).body;
  const verdict = await verify(new TextEncoder().encode(replay), { trust, receipts });
  const checks = verdict.checks.filter((check) => check.result !== "pass");
  return { status: over.status, outcome: over.outcome, verdict: verdict.verdict, checks };
}"""

LISTENED = """async ([path, tokens, move]) => {
  const headers = { Accept: "text/event-stream", Authorization: `Bearer ${tokens[0]}`, "Last-Event-ID": "0" };
  const answer = await fetch(`${globalThis.service}${path}/events`, { headers });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const until = async (part) => {
    while (!text.includes(part)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the stream has ended: ${text}`);
      text += value;
    }
  };
  await until("id: 1\\n");
  const played = await call(`${path}/moves`, tokens[move.seat], "POST", { move });
  await until(`id: ${played.body.seq}\\n`);
  await reader.cancel();
  return { status: answer.status, media: answer.headers.get("Content-Type"), played: played.status, text };
}"""


class Blank(BaseHTTPRequestHandler):
    """Answers everything with an empty page."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(EMPTY)))
        self.end_headers()
        self.wfile.write(EMPTY)

    def log_request(self, *_counted: object) -> None:
        """Say nothing of it."""


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    """Another origin than that of the service: a server of its own, which knows nothing of it."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Blank) as elsewhere:
        Thread(target=elsewhere.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{elsewhere.server_address[1]}"
        elsewhere.shutdown()


@pytest.fixture
def stranger(browser: Browser, origin: str) -> Iterator[Page]:
    """A page of that origin."""
    context = browser.new_context()
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    page.goto(origin)
    yield page
    context.close()


def told(page: Page, url: str, script: str, *facts: Any) -> Any:
    """What the script returns in the page, which calls the service at that URL."""
    page.evaluate(f"() => {{ globalThis.service = {url!r};\n{SERVICE} }}")
    return page.evaluate(script, list(facts))


def test_a_page_elsewhere_fetches_and_reads_headers_and_refusals(server: House, stranger: Page) -> None:
    found = told(stranger, server.url, FETCHED, server.operator)
    made, seen = found["made"], found["seen"]
    assert (made["status"], seen["status"]) == (201, 200)
    assert made["headers"]["Location"] == f"/v1/matches/{made['body']['match']}"
    assert (seen["headers"]["ETag"], seen["body"]["viewer"]["seat"]) == ('"1"', 0)
    assert (found["refused"]["status"], found["refused"]["body"]["code"]) == (422, "invalid-request")
    assert (found["stranger"]["status"], found["stranger"]["headers"]["X-Request-ID"]) == (404, "from-elsewhere")
    nobody = found["nobody"]
    assert (nobody["status"], nobody["body"]["code"]) == (401, "unauthenticated")
    assert (nobody["headers"]["WWW-Authenticate"], nobody["headers"]["Content-Language"]) == ("Bearer", "ja")
    assert (found["nowhere"]["status"], found["nowhere"]["body"]["code"]) == (404, "not-found")
    assert (found["probe"]["status"], found["probe"]["body"]) == (200, {"status": "ok"})


def test_a_page_elsewhere_hears_a_move_on_a_stream(server: House, stranger: Page) -> None:
    table = server.opened("catte", 3)
    seat = server.seen(table.match)["view"]["to_act"][0]
    move = server.seen(table.match, table.tokens[seat])["legal_moves"][0]
    found = told(stranger, server.url, LISTENED, table.path, list(table.tokens), move)
    assert (found["status"], found["played"]) == (200, 200)
    assert found["media"].startswith("text/event-stream")
    assert "event: move_played" in found["text"]


@pytest.mark.parametrize(("game", "seats"), [("catte", 3), ("familiars-trouble", 3)])
def test_a_page_elsewhere_plays_a_match_and_verifies_it(server: House, stranger: Page, game: str, seats: int) -> None:
    found = told(stranger, server.url, PLAYED, server.operator, game, seats)
    assert found["status"] == "finished"
    assert found["outcome"] is not None
    assert found["verdict"] == "verified_partial"  # what follows from the rules of play that verifier leaves to others
    left = {check["check"]: check["result"] for check in found["checks"]}
    assert left == dict.fromkeys(("moves", "positions", "scores", "result"), "not_checkable")


def test_a_page_of_an_origin_that_is_not_named_reads_nothing(server: House, stranger: Page, origin: str) -> None:
    """The same page may read where its origin is named, and may not where another is."""
    for named, reads in (
        (f"https://play.example,{origin}", True),
        ("https://play.example,https://club.example", False),
    ):
        with serving("--workers", "1", environment={"GYOJI_CORS_ORIGIN": named}) as running:
            url = f"http://127.0.0.1:{running.port}"
            for token in (None, server.operator):  # with the second the browser asks first
                if reads:
                    found = told(stranger, url, "([token]) => call('/v1/games', token)", token)
                    assert found["status"] == 200
                else:
                    with pytest.raises(Error, match="Failed to fetch"):
                        told(stranger, url, "([token]) => call('/v1/games', token)", token)
            with pytest.raises(Error, match="Failed to fetch"):
                told(stranger, url, "() => call('/docs', null)")
