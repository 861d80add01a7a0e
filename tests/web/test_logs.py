"""One line of JSON a request, with what happened and never with what was on the table."""

import json
import logging
import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client

from answers import CheckedClient
from bodies import body
from gyoji.app import logs
from gyoji.app.request_record import read_trace
from gyoji.games.catalogue import BY_SLUG
from gyoji.web import catalogue
from operators import OPERATOR
from web.conftest import Lines

CANARY_SEED = "c0ffee" * 21 + "c0"
CANARY_NAME = "canary-in-a-name"


def test_an_answer(client: CheckedClient, lines: Lines) -> None:
    client.post("/v1/games/catte/scores", json=body("catte", "scores"), headers={"X-Request-ID": "r-1"})
    (line,) = lines()
    assert line.pop("duration_ms") > 0
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "request",
        "pid": os.getpid(),
        "level": "info",
        "request_id": "r-1",
        "method": "POST",
        "route": "/v1/games/<game>/scores",
        "status": 200,
        "game": "catte",
        "call": "scores",
    }


def test_a_refusal_says_reason_and_rule(client: CheckedClient, lines: Lines) -> None:
    request = body("catte", "adjudications")
    answer = client.post("/v1/games/catte/adjudications", json=request).get_json()
    seat = answer["state"]["to_act"][0]
    legal = [move["card"] for move in answer["legal_moves"]]
    card = next(card for card in answer["state"]["table"]["hands"][seat] if card not in legal)
    move = {"type": "play", "seat": seat, "card": card}
    refused = client.post("/v1/games/catte/adjudications", json={"state": answer["state"], "move": move})
    line = lines()[-1]
    assert refused.status_code == line["status"] == 409
    assert {name: line[name] for name in ("code", "reason", "rule")} == {
        "code": "illegal-move",
        "reason": "rule-violation",
        "rule": refused.get_json()["rule"],
    }


def test_every_request_leaves_one_line(client: CheckedClient, lines: Lines) -> None:
    asked = [
        (client.get("/v1/games/towai"), "/v1/games/<game>", "towai"),
        (client.get("/v1/games/chess"), "/v1/games/<game>", None),
        (client.get("/nowhere/W13"), None, None),
        (client.get("/v1/games/catte/rules/CAT-9"), "/v1/games/<game>/rules/<rule>", "catte"),
        (client.delete("/healthz"), None, None),
        (client.options("/healthz"), "/healthz", None),
        (client.head("/readyz"), "/readyz", None),
        (client.get("/static/page.css"), "/static/<path:filename>", None),
        (client.post("/v1/games/catte/states", data=b"{", content_type="application/json"), None, "catte"),
    ]
    found = lines()
    assert len(found) == len(asked)
    for line, (response, route, game) in zip(found, asked, strict=True):
        assert line["status"] == response.status_code
        assert line["request_id"] == response.headers["X-Request-ID"]
        assert line.get("game") == game
        assert route is None or line["route"] == route
        assert line.get("code") == (response.get_json()["code"] if response.status_code >= 400 else None)
    assert "W13" not in json.dumps(found)


def _told(slug: str) -> set[str]:
    """What must not be in any line: card codes that no other word contains, the seed, names the caller made up."""
    codes = {f'"{card}"' for card in _cards(body(slug, "scores")["state"]["table"])}
    return {*codes, CANARY_SEED, CANARY_SEED[:16], CANARY_NAME}


def _cards(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict | list):
        for inner in node.values() if isinstance(node, dict) else node:
            yield from _cards(inner)


@pytest.mark.parametrize("slug", BY_SLUG)
def test_no_card_no_deck_and_no_seed(
    client: CheckedClient, lines: Lines, monkeypatch: pytest.MonkeyPatch, slug: str
) -> None:
    """Answers, illegal moves, impossible states, wrong shapes, malformed bodies and faults, all with canaries."""
    new = client.post(f"/v1/games/{slug}/states", json={**body(slug, "states"), "seed": CANARY_SEED}).get_json()
    state, move = new["state"], new["legal_moves"][0]
    path = f"/v1/games/{slug}/adjudications"
    statuses = [
        client.post(path, json={"state": state, "move": move}).status_code,
        client.post(path, json={"state": state, "moves": [move] * 9}).status_code,
        client.post(path, json={"state": {**state, "ply": 3, "round": 2}, "move": move}).status_code,
        client.post(path, json={"state": {**state, CANARY_NAME: CANARY_SEED}, "move": move}).status_code,
        client.post(path, data=json.dumps({"state": state})[:-1], content_type="application/json").status_code,
        client.post(path, json={"state": state, "move": move}, headers={CANARY_NAME: CANARY_SEED}).status_code,
        client.get(f"/v1/games/{slug}?seed={CANARY_SEED}").status_code,
        client.get(f"/{CANARY_SEED}").status_code,
    ]
    assert statuses == [200, 409, 409, 422, 400, 200, 200, 404]

    def broken(*_arguments: Any) -> Any:
        raise ValueError(f"{CANARY_SEED} {json.dumps(state)}")

    monkeypatch.setattr(catalogue, "answer_parsed_call", broken)
    assert client.post(path, json={"state": state, "move": move}).status_code == 500
    written = lines()
    assert len(written) == len(statuses) + 2
    text = json.dumps(written)
    assert not [told for told in _told(slug) if told in text]


def test_a_fault_leaves_its_places_and_its_kind(
    client: CheckedClient, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: Any) -> Any:
        raise ValueError("the seven of clubs")

    monkeypatch.setattr(catalogue, "answer_parsed_call", broken)
    response = client.post("/v1/games/catte/scores", json=body("catte", "scores"))
    (line,) = lines()
    assert line["level"] == "error"
    assert line["status"] == 500
    assert line["request_id"] == response.get_json()["request_id"]
    assert line["failure"]["kind"] == "ValueError"
    assert any(place.startswith("catalogue.py:") for place in line["failure"]["places"])
    assert line["failure"]["places"][-1].endswith(" broken")
    assert "clubs" not in json.dumps(line)


def test_other_loggers_write_the_same_shape_and_never_what_an_exception_says() -> None:
    try:
        raise ValueError("the seven of clubs")
    except ValueError:
        record = logging.LogRecord("gunicorn.error", logging.ERROR, "", 0, "No %s", ("luck",), sys.exc_info())
    line = json.loads(logs.formatter().format(record))
    assert line.pop("timestamp").endswith("Z")
    assert line.pop("failure")["kind"] == "ValueError"
    assert line == {"event": "No luck", "level": "error", "pid": os.getpid()}


def test_the_match_that_an_address_names_and_the_one_that_was_made(app: Flask, lines: Lines) -> None:
    """By its id, if that may be one: nothing else that a caller puts into an address."""
    caller = Client(app)
    made = caller.post("/v1/matches", json={"game": "catte", "seats": 3}, headers=OPERATOR).get_json()["match"]
    caller.get(f"/v1/matches/{made}", headers=OPERATOR)
    caller.get(f"/matches/{made}")
    caller.get(f"/v1/matches/{CANARY_NAME}", headers=OPERATOR)
    caller.get(f"/v1/matches/{made}x", headers=OPERATOR)
    caller.post("/v1/matches", json={"game": "none"}, headers=OPERATOR)
    assert [line.get("match") for line in lines()] == [made, made, made, None, None, None]


TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@pytest.mark.parametrize(
    "header",
    [f"00-{TRACE}-{PARENT}-01", f"00-{TRACE}-{PARENT}-00", f"cc-{TRACE}-{PARENT}-03-of-another-time"],
)
def test_a_line_names_the_trace_that_its_request_is_part_of(client: CheckedClient, lines: Lines, header: str) -> None:
    client.get("/healthz", headers={"traceparent": header})
    (line,) = lines()
    assert (line["trace_id"], line["parent_id"]) == (TRACE, PARENT)


@pytest.mark.parametrize(
    "header",
    [
        "",
        CANARY_NAME,
        f"ff-{TRACE}-{PARENT}-01",
        f"00-{TRACE}-{PARENT}-01-more",
        f"00-{TRACE.upper()}-{PARENT}-01",
        f"00-{'0' * 32}-{PARENT}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE}-{PARENT}",
        f"00-{TRACE}-{PARENT}-1",
        f"cc-{TRACE}-{PARENT}-01x",
        f" 00-{TRACE}-{PARENT}-01,00-{TRACE}-{PARENT}-01",
    ],
)
def test_a_trace_that_is_none_is_as_if_it_were_not_there(client: CheckedClient, lines: Lines, header: str) -> None:
    assert client.get("/healthz", headers={"traceparent": header}).status_code == 200
    (line,) = lines()
    assert {"trace_id", "parent_id"}.isdisjoint(line)


def test_a_trace_is_sent_on_as_it_came_in_the_form_of_version_00() -> None:
    for header, sent in (
        (f"00-{TRACE}-{PARENT}-01", f"00-{TRACE}-{PARENT}-01"),
        (f"00-{TRACE}-{PARENT}-00", f"00-{TRACE}-{PARENT}-00"),
        (f"01-{TRACE}-{PARENT}-fb-more", f"00-{TRACE}-{PARENT}-01"),
    ):
        trace = read_trace(header)
        assert trace is not None
        assert trace.header() == sent
