"""Every error is a problem of the contract, in the caller's language, and changes nothing."""

from typing import Any

import pytest
from flask import Flask

from answers import CheckedClient
from bodies import POSTS, body
from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.language import LANGUAGES, messages
from gyoji.published_files import rules_digest
from gyoji.web import catalogue
from operators import OPERATOR

STATES = "/v1/games/catte/states"
JSON = "application/json"


def _sent(**more: Any) -> dict[str, Any]:
    """What makes a request that is answered with 200, changed."""
    return {"path": STATES, "method": "POST", "data": b'{"seats":3}', "content_type": JSON, **more}


def _impossible() -> dict[str, Any]:
    request = body("catte", "scores")
    request["state"]["table"]["hands"][0][0] = request["state"]["table"]["hands"][1][0]
    return {"path": "/v1/games/catte/scores", "method": "POST", "json": request}


def _illegal() -> dict[str, Any]:
    request = body("catte", "adjudications")
    request["move"] = {**request["move"], "seat": (request["move"]["seat"] + 1) % 3}
    return {"path": "/v1/games/catte/adjudications", "method": "POST", "json": request}


REFUSED: dict[str, tuple[int, str, dict[str, Any]]] = {
    "no JSON": (400, "malformed-json", _sent(data=b"{")),
    "less than was announced": (400, "malformed-header", _sent(environ_overrides={"CONTENT_LENGTH": "500"})),
    "a range that the file does not have": (
        400,
        "malformed-header",
        {"path": "/static/page.css", "headers": {"Range": "bytes=9999999-"}},
    ),
    "no such page": (404, "not-found", {"path": "/nowhere"}),
    "no such file": (404, "not-found", {"path": "/static/nowhere.css"}),
    "a file outside": (404, "not-found", {"path": "/static/../app.py"}),
    "no such version": (404, "not-found", {"path": "/v2/games"}),
    "a slash too many": (404, "not-found", {"path": "/v1/games/"}),
    "two slashes": (404, "not-found", {"path": "/v1//games"}),
    "two slashes in a call": (404, "not-found", _sent(path="/v1/games//catte/states")),
    "two slashes before a file": (404, "not-found", {"path": "/static//page.css"}),
    "no such game": (404, "not-found", {"path": "/v1/games/chess"}),
    "no rules of no such game": (404, "not-found", {"path": "/v1/games/chess/rules"}),
    "no rule of no such game": (404, "not-found", {"path": "/v1/games/chess/rules/CAT-1.1"}),
    "no such rule": (404, "not-found", {"path": "/v1/games/catte/rules/TOW-1.1"}),
    "a rule in lower case": (404, "not-found", {"path": "/v1/games/catte/rules/cat-1.1"}),
    "no such problem": (404, "not-found", {"path": "/problems/nothing"}),
    "no ruling on no such game": (404, "not-found", _sent(path="/v1/games/chess/states")),
    "no such call": (404, "not-found", _sent(path="/v1/games/catte/undo")),
    "an address of many bytes": (404, "not-found", {"path": "/" + "x" * 60_000}),
    "an address of odd bytes": (404, "not-found", {"path": "/v1/g%00%ff%0d%0a%e8%a1%8c/é\u2028"}),
    "a GET of a call": (405, "method-not-allowed", {"path": STATES}),
    "a POST of the catalogue": (405, "method-not-allowed", _sent(path="/v1/games")),
    "a DELETE": (405, "method-not-allowed", _sent(method="DELETE")),
    "a TRACE": (405, "method-not-allowed", {"path": "/", "method": "TRACE"}),
    "a method of nobody's": (405, "method-not-allowed", {"path": "/healthz", "method": "BREW"}),
    "HTML of what is JSON": (406, "not-acceptable", {"path": "/v1/games", "headers": {"Accept": "text/html"}}),
    "JSON of what is HTML": (406, "not-acceptable", {"path": "/docs", "headers": {"Accept": JSON}}),
    "a ruling as HTML": (406, "not-acceptable", _sent(headers={"Accept": "text/html"})),
    "anything but JSON": (406, "not-acceptable", {"path": "/healthz", "headers": {"Accept": f"{JSON};q=0, */*"}}),
    "no length": (411, "length-required", {"path": STATES, "method": "POST", "content_type": JSON}),
    "chunks": (411, "length-required", _sent(headers={"Transfer-Encoding": "chunked"})),
    "too large": (413, "too-large", _sent(data=b" " * 65_537)),
    "a great length and nothing behind it": (413, "too-large", _sent(environ_overrides={"CONTENT_LENGTH": "9" * 18})),
    "no media type": (415, "unsupported-media-type", _sent(content_type=None)),
    "plain text": (415, "unsupported-media-type", _sent(content_type="text/plain")),
    "a form": (415, "unsupported-media-type", _sent(content_type="application/x-www-form-urlencoded")),
    "some other JSON": (415, "unsupported-media-type", _sent(content_type="application/ld+json")),
    "compressed": (415, "unsupported-media-type", _sent(headers={"Content-Encoding": "gzip"})),
    "a wrong shape": (422, "invalid-request", _sent(data=b"{}")),
    "a seat too many": (422, "invalid-request", _sent(data=b'{"seats":3,"first":3}')),
    "an impossible state": (409, "impossible-state", _impossible()),
    "an illegal move": (409, "illegal-move", _illegal()),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", REFUSED)
def test_problems(client: CheckedClient, name: str, language: str) -> None:
    status, code, asked = REFUSED[name]
    headers = {**asked.get("headers", {}), "Accept-Language": language}
    response = client.open(**{**asked, "headers": headers})
    found = response.get_json()
    assert (response.status_code, found["code"]) == (status, code)
    assert response.headers["Content-Language"] == language
    assert found["title"] == messages()["problem"][code]["title"][language]
    assert found["instance"].isascii()
    assert response.headers["Cache-Control"] == "no-store"


def test_what_has_the_wrong_method_says_the_right_ones(client: CheckedClient) -> None:
    assert client.get(STATES).headers["Allow"] == "OPTIONS, POST"
    assert client.post("/v1/games", json={}).headers["Allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize(("slug", "call"), POSTS)
def test_every_call_refuses_the_same_way(client: CheckedClient, slug: str, call: str) -> None:
    path = f"/v1/games/{slug}/{call}"
    assert client.get(path).status_code == 405
    assert client.post(path, content_type=JSON).status_code == 411
    assert client.post(path, data=b"{}", content_type="text/plain").status_code == 415
    assert client.post(path, data=b" " * 65_537, content_type=JSON).status_code == 413
    assert client.post(path, data=b"{}", content_type=JSON, headers={"Accept": "text/html"}).status_code == 406
    assert client.post(path, json=body(slug, call)).status_code == 200


def test_the_length_comes_before_the_type_and_the_type_before_the_bytes(client: CheckedClient) -> None:
    assert client.open(**_sent(data=b"\xff" * 65_537, content_type="text/plain")).status_code == 413
    assert client.open(**_sent(data=b"\xff", content_type="text/plain")).status_code == 415
    assert client.open(**_sent(data=b"\xff", path="/v1/games/chess/states")).status_code == 404


@pytest.mark.parametrize("media", [JSON, f"{JSON}; charset=utf-8", "Application/JSON", f"{JSON};charset=UTF-8"])
def test_media_types_that_are_json(client: CheckedClient, media: str) -> None:
    assert client.open(**_sent(content_type=media)).status_code == 200


@pytest.mark.parametrize(
    "accepted", ["*/*", "", JSON, "application/*", f"{JSON}; charset=utf-8", "text/html, */*;q=0.1", f"{JSON};q=0.001"]
)
def test_what_accepts_json(client: CheckedClient, accepted: str) -> None:
    assert client.open(**_sent(headers={"Accept": accepted})).status_code == 200
    assert client.get("/v1/games", headers={"Accept": accepted}).status_code == 200


def test_a_browser_gets_pages(client: CheckedClient) -> None:
    accepted = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
    for path in ("/", "/docs", "/problems", "/problems/illegal-move", "/v1/games"):
        assert client.get(path, headers={"Accept": accepted}).status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fault_says_its_request_id_and_nothing_else(
    client: CheckedClient, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    def broken(*_arguments: Any) -> Any:
        raise ValueError("the seven of clubs")

    monkeypatch.setattr(catalogue, "answer_parsed_call", broken)
    headers = {"Accept-Language": language, "X-Request-ID": "fault-1"}
    response = client.post("/v1/games/catte/scores", json=body("catte", "scores"), headers=headers)
    entry = messages()["problem"]["internal-error"]
    assert response.status_code == 500
    assert response.get_json() == {
        "type": "/problems/internal-error",
        "title": entry["title"][language],
        "status": 500,
        "detail": entry["detail"][language],
        "instance": "/v1/games/catte/scores",
        "code": "internal-error",
        "request_id": "fault-1",
    }


@pytest.mark.parametrize("fault", [RecursionError, MemoryError, KeyError, UnicodeDecodeError("utf-8", b"", 0, 1, "")])
def test_any_fault_is_answered(client: CheckedClient, monkeypatch: pytest.MonkeyPatch, fault: Any) -> None:
    def broken(*_arguments: Any) -> Any:
        raise fault

    monkeypatch.setattr(catalogue, "answer_parsed_call", broken)
    assert client.open(**_sent()).get_json()["code"] == "internal-error"
    monkeypatch.undo()
    assert client.open(**_sent()).status_code == 200


def test_an_illegal_move_says_why_and_what_else(client: CheckedClient) -> None:
    response = client.open(**_illegal())
    found = response.get_json()
    assert found["reason"] == "not-your-turn"
    assert found["rule"] is None
    assert found["rule_text"] is None
    assert found["legal_moves"] == []
    assert found["move"] == _illegal()["json"]["move"]
    assert "move_index" not in found


def test_a_refusal_among_moves_says_which_and_the_last_good_state(client: CheckedClient) -> None:
    request = body("catte", "adjudications")
    good = request.pop("move")
    accepted = client.post("/v1/games/catte/adjudications", json={**request, "moves": [good]}).get_json()
    response = client.post("/v1/games/catte/adjudications", json={**request, "moves": [good, good]})
    found = response.get_json()
    assert response.status_code == 409
    assert found["move_index"] == 1
    assert found["state"] == accepted["state"]
    assert found["move"] == good


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rule_is_cited_in_the_callers_language(client: CheckedClient, language: str) -> None:
    request = body("catte", "adjudications")
    answer = client.post("/v1/games/catte/adjudications", json=request).get_json()
    seat = answer["state"]["to_act"][0]
    legal = [move["card"] for move in answer["legal_moves"]]
    card = next(card for card in answer["state"]["table"]["hands"][seat] if card not in legal)
    move = {"type": "play", "seat": seat, "card": card}
    response = client.post(
        "/v1/games/catte/adjudications",
        json={"state": answer["state"], "move": move},
        headers={"Accept-Language": language},
    )
    found = response.get_json()
    rule = client.get(f"/v1/games/catte/rules/{found['rule']}").get_json()
    assert found["reason"] == "rule-violation"
    assert found["rule_text"] == rule["text"][language]
    assert found["because"] == found["detail"]
    assert found["legal_moves"] == answer["legal_moves"]


def test_head_and_options(client: CheckedClient, app: Flask) -> None:
    for rule in app.url_map.iter_rules():
        path = rule.rule.replace("<game>", "catte").replace("<rule>", "CAT-1.1").replace("<code>", "not-found")
        if "<" in path or path == "/v1/stream":  # which does not end
            continue
        options = client.options(path)
        assert options.status_code == 200
        methods = {
            name for other in app.url_map.iter_rules() if other.rule == rule.rule for name in other.methods or ()
        }
        assert options.headers["Allow"] == ", ".join(sorted(methods))
        if "HEAD" in (rule.methods or ()):
            got, head = client.get(path, headers=OPERATOR), client.head(path, headers=OPERATOR)
            assert (head.status_code, head.data) == (got.status_code, b"")
            # a proof has to be asked for by name, and a plan is one of what is said
            assert head.status_code == (422 if "/proofs/" in path else 404 if path.endswith("/plan") else 200)
            if path != "/metrics":  # to which every request adds
                assert head.headers["Content-Length"] == str(len(got.data))
            assert head.content_type == got.content_type


def test_a_stream_has_its_head_alone(client: CheckedClient) -> None:
    head = client.head("/v1/stream", headers=OPERATOR)
    assert (head.status_code, head.mimetype, head.data) == (200, "text/event-stream", b"")
    assert client.options("/v1/stream").headers["Allow"] == "GET, HEAD, OPTIONS"


def test_every_answer_names_game_version_and_digest(client: CheckedClient) -> None:
    for slug, call in POSTS:
        answer = client.post(f"/v1/games/{slug}/{call}", json=body(slug, call)).get_json()
        named = {name: answer[name] for name in ("game", "version", "rules_digest")}
        assert named == {"game": slug, "version": BY_SLUG[slug].version, "rules_digest": rules_digest(slug)}
        assert list(answer)[:3] == list(named)


@pytest.mark.parametrize("given", ["abc", "A.b_c:d-9", "x" * 128, "0"])
def test_a_plain_request_id_comes_back(client: CheckedClient, given: str) -> None:
    assert client.get("/healthz", headers={"X-Request-ID": given}).headers["X-Request-ID"] == given


@pytest.mark.parametrize(
    "given", ["", "x" * 129, "a b", "a\tb", 'a"b', "a{b}", "行司".encode().decode("latin-1"), "a,b"]
)
def test_another_request_id_is_replaced(client: CheckedClient, given: str) -> None:
    found = client.get("/healthz", headers={"X-Request-ID": given}).headers["X-Request-ID"]
    assert len(found) == 32
    assert set(found) <= set("0123456789abcdef")


def test_request_ids_differ(client: CheckedClient) -> None:
    assert len({client.get("/healthz").headers["X-Request-ID"] for _again in range(20)}) == 20


def test_rulings_are_not_kept_and_the_catalogue_is(client: CheckedClient) -> None:
    assert client.open(**_sent()).headers["Cache-Control"] == "no-store"
    assert client.get("/v1/games").headers["Cache-Control"] == "public, max-age=300"
    assert client.get("/openapi.json").headers["Cache-Control"] == "public, max-age=300"
    assert client.get("/healthz").headers["Cache-Control"] == "no-store"


def test_states_without_a_seed_differ_and_can_be_played(client: CheckedClient) -> None:
    for slug in BY_SLUG:
        seats = {"seats": BY_SLUG[slug].min_seats}
        answers = [client.post(f"/v1/games/{slug}/states", json=seats).get_json() for _again in range(2)]
        assert answers[0]["state"]["seed"] != answers[1]["state"]["seed"]
        played = {"state": answers[0]["state"], "move": answers[0]["legal_moves"][0]}
        assert client.post(f"/v1/games/{slug}/adjudications", json=played).status_code == 200


def test_a_shuffle_without_a_seed_is_a_finding(client: CheckedClient) -> None:
    """A state without its seed can be played until a shuffle is due."""
    answer = client.post("/v1/games/towai/states", json={**body("towai", "states"), "options": {"finishes_to_win": 3}})
    state = {**answer.get_json()["state"], "seed": None}
    for _ply in range(600):
        legal = client.post("/v1/games/towai/legal-moves", json={"state": state}).get_json()["legal_moves"]
        response = client.post("/v1/games/towai/adjudications", json={"state": state, "move": legal[0]})
        if response.status_code != 200:
            break
        state = response.get_json()["state"]
    assert response.status_code == 409
    assert [(found["pointer"], found["code"]) for found in response.get_json()["findings"]] == [
        ("/state/seed", "seed-missing")
    ]
