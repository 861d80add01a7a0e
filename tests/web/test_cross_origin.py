"""Pages of other origins: which may call the service from a browser, by the rules of the Fetch standard."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from answers import CheckedClient, checked_client
from bodies import body
from gyoji.api.operations import ROWS
from gyoji.api.parameters import HEADERS
from gyoji.app.preparation import prepare_store
from gyoji.app.settings import Settings, WrongSetting, settings_from
from gyoji.web import catalogue
from gyoji.web.app import create_app
from gyoji.web.cross_origin import EXPOSED_HEADERS, METHODS
from operators import OPERATOR, OPERATOR_KEY
from servers import serving

PLAY, CLUB, STRANGER = "https://play.example", "http://club.example:8080", "https://stranger.example"
ALLOW, EXPOSE = "Access-Control-Allow-Origin", "Access-Control-Expose-Headers"
POLICY = "Cross-Origin-Resource-Policy"

READABLE = {"Cache-Control", "Content-Language", "Content-Length", "Content-Type", "Expires", "Last-Modified", "Pragma"}
"""What every page may read: the CORS-safelisted response-header names of the Fetch standard."""

PREFLIGHT = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
}

SENT = "Authorization Content-Type Idempotency-Key If-Match If-None-Match Last-Event-ID Accept-Language X-Request-ID"
"""What issue 19 has pages send."""


def service(folder: Path, origin: str) -> Iterator[CheckedClient]:
    """Make a service with that setting; its client."""
    settings = Settings(store=f"sqlite:///{folder}/gyoji.db", operator_key=OPERATOR_KEY, cors_origin=origin)
    prepare_store(settings)
    app = create_app(settings)
    yield checked_client(app)
    app.extensions["gyoji.services"].store.close()


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CheckedClient]:
    """A service for two origins."""
    yield from service(tmp_path_factory.mktemp("named"), f"{PLAY}, {CLUB}")


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CheckedClient]:
    """A service for one origin."""
    yield from service(tmp_path_factory.mktemp("single"), PLAY)


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CheckedClient]:
    """A service for its own pages alone."""
    yield from service(tmp_path_factory.mktemp("closed"), "off")


def words(response: TestResponse, name: str) -> set[str]:
    """The words of a list in a header."""
    return {word.strip() for word in response.headers[name].split(",")}


def sharing(response: TestResponse) -> Mapping[str, str]:
    """All headers of an answer that are about other origins, but who may load it unread."""
    return {name: value for name, value in response.headers if name.startswith("Access-Control-")}


def asked(client: CheckedClient, origin: str | None = PLAY) -> Iterator[tuple[int, TestResponse]]:
    """Requests with and without a credential, answered and refused: the status that is expected, and what came."""
    from_page = {} if origin is None else {"Origin": origin}
    states = "/v1/games/catte/states"
    yield 200, client.get("/v1/games", headers=from_page)
    yield 200, client.post(states, json={"seats": 3}, headers=from_page)
    yield 409, client.post("/v1/games/catte/adjudications", json=illegal(), headers=from_page)
    yield 422, client.post(states, json={}, headers=from_page)
    yield 400, client.post(states, data=b"{", content_type="application/json", headers=from_page)
    yield 415, client.post(states, data=b"{}", content_type="text/plain", headers=from_page)
    yield 405, client.delete(states, headers=from_page)
    yield 404, client.get("/v1/nowhere", headers=from_page)
    yield 404, client.get("//v1/games", headers=from_page)
    yield 401, client.get("/v1/matches", headers={**from_page, "Authorization": "Bearer nobody"})
    yield 200, client.get("/v1/matches", headers={**from_page, **OPERATOR})
    made = client.post("/v1/matches", json={"game": "catte", "seats": 3}, headers={**from_page, **OPERATOR})
    yield 201, made
    yield 200, client.get(f"/v1/matches/{made.get_json()['match']}", headers={**from_page, **OPERATOR})
    yield 404, client.get(f"/v1/matches/{made.get_json()['match']}", headers=from_page)
    for path in ("/openapi.json", "/healthz", "/readyz", "/v1/keys", "/static/verify.mjs", "/static/names.mjs"):
        yield 200, client.get(path, headers=from_page)
    yield 404, client.get("/static/nowhere.mjs", headers=from_page)


def illegal() -> dict[str, Any]:
    """A move of a seat whose turn it is not."""
    request = body("catte", "adjudications")
    return {**request, "move": {**request["move"], "seat": (request["move"]["seat"] + 1) % 3}}


def test_any_page_may_read_every_answer(client: CheckedClient) -> None:
    for origin in (PLAY, "null", None):
        for status, answer in asked(client, origin):
            assert (answer.status_code, answer.headers[ALLOW]) == (status, "*")
            assert answer.headers.get_all(POLICY) == ["cross-origin"]
            assert "Origin" not in answer.headers.get("Vary", "")


def test_no_answer_allows_credentials(client: CheckedClient, named: CheckedClient) -> None:
    """With them a page could use what the browser adds for its user."""
    for each in (client, named):
        for _status, answer in asked(each):
            assert "Access-Control-Allow-Credentials" not in answer.headers
        assert "Access-Control-Allow-Credentials" not in each.options("/v1/games", headers=preflight()).headers


def test_what_an_answer_may_carry_can_be_read(client: CheckedClient) -> None:
    """All headers of the contract, and those that the issue names."""
    named = {"ETag", "Link", "Location", "Retry-After", "X-Request-ID", "Allow", "Content-Disposition"}
    promised = {header.name for header in HEADERS.values()} | named
    assert promised - READABLE <= {*EXPOSED_HEADERS}
    for _status, answer in asked(client):
        assert words(answer, EXPOSE) == {*EXPOSED_HEADERS}


def preflight(origin: str = PLAY) -> dict[str, str]:
    """What a browser asks with before it sends a request of a page."""
    return {"Origin": origin, **PREFLIGHT}


@pytest.mark.parametrize(
    "path",
    ["/v1/games/catte/states", "/v1/matches/x/moves", "/healthz", "/v1/nowhere", "//v1/games", "/static/verify.mjs"],
)
def test_a_preflight_is_answered_and_remembered(client: CheckedClient, path: str) -> None:
    """With an ok status, and also where no URL leads to: the page shall read the refusal of what it sends then."""
    answer = client.options(path, headers=preflight())
    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers[ALLOW] == "*"
    assert {*SENT.split()} <= words(answer, "Access-Control-Allow-Headers")
    assert words(answer, "Access-Control-Allow-Methods") == {"DELETE", "GET", "HEAD", "POST"}
    assert 600 <= int(answer.headers["Access-Control-Max-Age"]) <= 86_400


def test_pages_may_use_every_method_that_there_is() -> None:
    assert {row.method.upper() for row in ROWS} <= {*METHODS}


@pytest.mark.parametrize(
    "headers", [{}, {"Origin": PLAY}, PREFLIGHT, {"Access-Control-Request-Headers": "authorization", "Origin": PLAY}]
)
def test_other_questions_for_options_are_answered_as_before(client: CheckedClient, headers: dict[str, str]) -> None:
    answer = client.options("/v1/games/catte/states", headers=headers)
    assert (answer.status_code, answer.headers["Allow"]) == (200, "OPTIONS, POST")
    assert "Access-Control-Allow-Methods" not in answer.headers
    assert client.options("/v1/nowhere", headers=headers).status_code == 404


@pytest.mark.parametrize("path", ["/", "/docs", "/audit", "/console", "/rule", "/rules/catte", "/tournaments"])
def test_pages_of_the_service_are_its_own(client: CheckedClient, named: CheckedClient, path: str) -> None:
    for each in (client, named):
        page = each.get(path, headers={"Origin": PLAY, "Accept": "text/html"})
        assert (page.status_code, sharing(page)) == (200, {})
        assert page.headers.get_all(POLICY) == ["same-origin"]
        assert "Origin" not in page.headers["Vary"]
        assert sharing(each.options(path, headers=preflight())) == {}


@pytest.mark.parametrize("origin", [PLAY, CLUB])
def test_of_several_origins_each_is_told_of_itself(named: CheckedClient, origin: str) -> None:
    for status, answer in asked(named, origin):
        assert (answer.status_code, answer.headers.get_all(ALLOW)) == (status, [origin])
    assert sharing(named.options("/v1/games", headers=preflight(origin)))["Access-Control-Max-Age"]


@pytest.mark.parametrize(
    "origin", [STRANGER, "null", "", f"{PLAY}:443", f"{PLAY}/", PLAY.upper(), PLAY[:-1], f"{PLAY}, {CLUB}", "*", None]
)
def test_of_several_origins_others_are_told_of_none(named: CheckedClient, origin: str | None) -> None:
    for status, answer in asked(named, origin):
        assert (answer.status_code, sharing(answer)) == (status, {})
    if origin is not None:
        assert sharing(named.options("/v1/games", headers=preflight(origin))) == {}


def test_with_several_origins_caches_tell_them_apart(named: CheckedClient) -> None:
    """Also what is answered to no page, which a cache would else hand to one; in one header, whatever else it holds."""
    for origin in (PLAY, STRANGER, None):
        for _status, answer in asked(named, origin):
            assert len(answer.headers.get_all("Vary")) == 1
            assert "Origin" in words(answer, "Vary")
    assert words(named.get("/v1/matches", headers=OPERATOR), "Vary") == {
        *("Authorization", "Accept", "Accept-Language", "Origin")
    }


def test_a_single_origin_is_told_to_everybody(single: CheckedClient) -> None:
    """So nothing depends on who asks; the browser of a stranger finds that it is not named."""
    for origin in (PLAY, STRANGER, None):
        for status, answer in asked(single, origin):
            assert (answer.status_code, answer.headers[ALLOW]) == (status, PLAY)
            assert "Origin" not in answer.headers.get("Vary", "")


def test_it_can_be_switched_off(closed: CheckedClient) -> None:
    for status, answer in asked(closed):
        assert (answer.status_code, sharing(answer)) == (status, {})
        assert answer.headers.get_all(POLICY) == ["same-origin"]
    answer = closed.options("/v1/games", headers=preflight())
    assert (answer.status_code, answer.headers["Allow"], sharing(answer)) == (200, "GET, HEAD, OPTIONS", {})


def test_origins_that_are_named_do_not_open_answers_for_others(named: CheckedClient) -> None:
    """Who may load an answer without reading it cannot be said by name, and a page that is named reads."""
    for _status, answer in asked(named):
        assert answer.headers.get_all(POLICY) == ["same-origin"]


def test_a_fault_can_be_read_too(client: CheckedClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: Any) -> Any:
        raise KeyError

    monkeypatch.setattr(catalogue, "answer_parsed_call", broken)
    answer = client.post("/v1/games/catte/states", json={"seats": 3}, headers={"Origin": PLAY})
    assert (answer.status_code, answer.headers[ALLOW]) == (500, "*")


@pytest.mark.parametrize(
    ("given", "origins"),
    [
        ("*", ("*",)),
        ("off", ()),
        ("", ("*",)),
        (PLAY, (PLAY,)),
        (f"{PLAY},{CLUB}", (PLAY, CLUB)),
        (f" {PLAY} , {CLUB} , {PLAY}", (PLAY, CLUB)),
        ("http://[::1]:8000", ("http://[::1]:8000",)),
        ("capacitor://localhost", ("capacitor://localhost",)),
    ],
)
def test_settings_that_name_origins(given: str, origins: tuple[str, ...]) -> None:
    assert settings_from({"GYOJI_CORS_ORIGIN": given}).cors_origins == origins


@pytest.mark.parametrize(
    "given",
    ["play.example", f"{PLAY}/", f"{PLAY} {CLUB}", f"{PLAY},*", f"{PLAY},", "null", "HTTPS://play.example", "on"],
)
def test_settings_that_name_none(given: str) -> None:
    with pytest.raises(WrongSetting, match=r"^GYOJI_CORS_ORIGIN: expected"):
        settings_from({"GYOJI_CORS_ORIGIN": given})


def head_of(sent: bytes, setting: str) -> Mapping[str, str]:
    """The headers of what a server with that setting answers to these bytes."""
    own = {"GYOJI_CORS_ORIGIN": setting}
    with (
        serving("--server", "gunicorn", "--workers", "1", environment=own) as running,
        running.socket() as sock,
    ):
        sock.sendall(sent)
        head = sock.makefile("rb").read().partition(b"\r\n\r\n")[0].decode()
    lines = [line.partition(": ") for line in head.split("\r\n")[1:]]
    return {name: value for name, _colon, value in lines}


@pytest.mark.parametrize(("setting", "allowed"), [("*", "*"), (PLAY, PLAY), (f"{PLAY},{CLUB}", None), ("off", None)])
def test_bytes_that_are_no_request_are_refused_so_that_a_page_can_read_it(setting: str, allowed: str | None) -> None:
    """They are answered by the worker, without Flask. Where it depends on who asks nobody is named: it is not known."""
    found = head_of(b"GET /healthz HTTP/1.1\r\nno header\r\n\r\n", setting)
    assert found.get(ALLOW) == allowed
    assert found[POLICY] == ("cross-origin" if setting == "*" else "same-origin")
    assert ("Origin" in found["Vary"]) == ("," in setting)
