"""Audits hold a thread each: so many at a time, and past that 503, so that the others are answered."""

import orjson
import pytest
from flask import Flask

from answers import CheckedClient
from gyoji.web.desk import Desk
from operators import OPERATOR

JSONL = {"Content-Type": "application/jsonl"}


@pytest.fixture
def desk(app: Flask) -> Desk:
    """The desk of the application."""
    found: Desk = app.extensions["gyoji.desk"]
    return found


def test_audits_are_lent_a_quarter_of_the_threads(client: CheckedClient, desk: Desk) -> None:
    taken = desk.settings.threads // 4
    for _ in range(taken):
        desk.audits.take()
    try:
        refused = client.post("/v1/audits", data=b"{}\n", headers=JSONL)
        assert (refused.status_code, refused.get_json()["code"]) == (503, "unavailable")
        assert refused.headers["Retry-After"] == "5"
        created = client.post("/v1/matches", json={"game": "catte", "seats": 3}, headers=OPERATOR).get_json()
        body = orjson.dumps({"match": created["match"]})
        stored = client.post("/v1/audits", data=body, headers={**OPERATOR, "Content-Type": "application/json"})
        assert stored.status_code == 503
        assert client.get("/healthz").status_code == 200
    finally:
        for _ in range(taken):
            desk.audits.give_back()
    assert client.post("/v1/audits", data=b"{}\n", headers=JSONL).get_json()["verdict"] == "malformed"
    assert client.post("/v1/audits", data=b"{}\n", headers=JSONL).status_code == 200


def test_one_import_at_a_time(client: CheckedClient, desk: Desk) -> None:
    with desk.imports.one():
        refused = client.post("/v1/replays", data=b"{}\n", headers={**JSONL, **OPERATOR})
        assert refused.status_code == 503
    assert client.post("/v1/replays", data=b"{}\n", headers={**JSONL, **OPERATOR}).status_code == 409
