"""What is counted for Prometheus, by one process and by several; and that no value of a request gets in."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from platform import python_version
from signal import SIGKILL, SIGTERM
from time import monotonic, sleep
from typing import Any, get_args

import orjson
import pytest
from flask import Flask
from prometheus_client.parser import text_string_to_metric_families
from werkzeug.test import Client

from answers import CheckedClient
from bodies import body
from gyoji import __version__, is_compiled
from gyoji.app.metrics import FOLDER, METHODS, OTHER, meters, shared
from gyoji.app.readiness import Readiness
from gyoji.messages.language import messages
from gyoji.store.database.port import Operation
from gyoji.web import catalogue
from operators import OPERATOR
from servers import WAIT, Server, serving

Counts = dict[tuple[str, frozenset[tuple[str, str]]], float]

CANARY = "canary-5f3a"
SEED = "c0ffee" * 21 + "c0"


def counts(text: str) -> Counts:
    """Every sample by name and labels."""
    families = text_string_to_metric_families(text)
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def of(found: Counts, name: str, **labels: str) -> float:
    """One sample; 0 where nothing has been counted yet."""
    return found.get((f"gyoji_{name}", frozenset(labels.items())), 0)


class Since:
    """What a client's requests have added."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._before = self._now()

    def _now(self) -> Counts:
        return counts(self._client.get("/metrics").text)

    def more(self, *samples: tuple[str, dict[str, str]]) -> list[float]:
        """By how much these samples are higher than at the beginning."""
        now = self._now()
        return [of(now, name, **labels) - of(self._before, name, **labels) for name, labels in samples]


def test_it_is_what_prometheus_reads(client: CheckedClient) -> None:
    scraper = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1"
    response = client.get("/metrics", headers={"Accept": scraper})
    assert response.content_type == "text/plain; version=0.0.4; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-store"
    families = {family.name: family.type for family in text_string_to_metric_families(response.text)}
    assert {name: kind for name, kind in families.items() if not name.endswith("_created")} == {
        "gyoji_http_requests": "counter",
        "gyoji_http_request_seconds": "histogram",
        "gyoji_http_problems": "counter",
        "gyoji_unavailable": "counter",
        "gyoji_store_seconds": "histogram",
        "gyoji_http_requests_in_flight": "gauge",
        "gyoji_build_info": "gauge",
        "gyoji_log_events_stored": "counter",
        "gyoji_log_lines_dropped": "counter",
        "gyoji_streams_open": "gauge",
        "gyoji_webhook_attempts": "counter",
        "gyoji_webhook_messages_waiting": "gauge",
        "gyoji_webhook_oldest_message_seconds": "gauge",
    }
    assert client.get("/metrics", headers={"Accept": "application/json"}).status_code == 406


def test_requests_and_their_times_by_the_rule_of_the_address(client: CheckedClient) -> None:
    since = Since(client)
    for slug in ("catte", "towai", "catte"):
        client.get(f"/v1/games/{slug}")
    client.get("/v1/games/chess")
    route = "/v1/games/<game>"
    assert since.more(
        ("http_requests_total", {"method": "GET", "route": route, "status": "200"}),
        ("http_requests_total", {"method": "GET", "route": route, "status": "404"}),
        ("http_request_seconds_count", {"route": route}),
        ("http_request_seconds_bucket", {"route": route, "le": "+Inf"}),
        ("http_problems_total", {"code": "not-found"}),
    ) == [3, 1, 4, 4, 1]


def test_refusals_by_the_code_of_the_problem(client: CheckedClient, monkeypatch: pytest.MonkeyPatch) -> None:
    since = Since(client)
    request = body("catte", "adjudications")
    path = "/v1/games/catte/adjudications"
    wrong_seat = {**request["move"], "seat": (request["move"]["seat"] + 1) % request["state"]["seats"]}
    assert client.post(path, json={**request, "move": wrong_seat}).status_code == 409
    assert client.post(path, json={**request, "state": {**request["state"], "ply": 999}}).status_code == 409
    assert client.post(path, data=b"{", content_type="application/json").status_code == 400

    def broken(*_arguments: Any) -> Any:
        raise ValueError(CANARY)

    monkeypatch.setattr(catalogue, "answer_parsed_call", broken)
    assert client.post(path, json=request).status_code == 500
    codes = ("illegal-move", "impossible-state", "malformed-json", "internal-error", "not-found")
    assert since.more(*(("http_problems_total", {"code": code}) for code in codes)) == [1, 1, 1, 1, 0]


@pytest.fixture
def caller(app: Flask) -> Client:
    """A client of stored matches."""
    return Client(app)


@pytest.fixture
def match(caller: Client) -> dict[str, Any]:
    """A new match whose names are canaries."""
    request = {"game": "catte", "seats": [{"name": f"{CANARY}-{seat}"} for seat in range(3)], "tags": [CANARY]}
    response = caller.post("/v1/matches", json=request, headers=OPERATOR)
    assert response.status_code == 201
    made: dict[str, Any] = response.get_json()
    return made


def test_log_events_as_they_are_stored(caller: Client) -> None:
    since = Since(caller)
    made = caller.post("/v1/matches", json={"game": "catte", "seats": 3}, headers=OPERATOR).get_json()
    assert since.more(("log_events_stored_total", {})) == [2]  # match_created and dealt
    path = f"/v1/matches/{made['match']}"
    for _ply in range(3):
        play(caller, path, made)
    assert since.more(("log_events_stored_total", {})) == [5]
    caller.get(f"{path}/events", headers=OPERATOR)
    assert since.more(("log_events_stored_total", {})) == [5]


def test_secrets_that_were_withheld_are_events_too(caller: Client) -> None:
    """Those of the whole group, by the request that ends its last match; asking for them again stores nothing."""
    group = caller.post("/v1/groups", json={"game": "catte", "seats": 3}, headers=OPERATOR).get_json()["group"]
    one, two = [f"/v1/matches/{joined(caller, group)}" for _table in range(2)]
    assert caller.post(f"{one}/void", headers=OPERATOR).status_code == 200
    assert caller.post(f"/v1/groups/{group}/close", headers=OPERATOR).status_code == 200
    since = Since(caller)
    assert caller.post(f"{two}/void", headers=OPERATOR).status_code == 200
    assert since.more(("log_events_stored_total", {})) == [3]  # match_voided, and seed_disclosed of both
    assert caller.post(f"{one}/disclosure", headers=OPERATOR).status_code == 200
    assert since.more(("log_events_stored_total", {})) == [3]


def joined(caller: Client, group: str) -> str:
    """A match of the group."""
    made: str = caller.post("/v1/matches", json={"group": group}, headers=OPERATOR).get_json()["match"]
    return made


def test_secrets_that_are_told_by_closing_are_counted(caller: Client) -> None:
    group = caller.post("/v1/groups", json={"game": "catte", "seats": 3}, headers=OPERATOR).get_json()["group"]
    assert caller.post(f"/v1/matches/{joined(caller, group)}/void", headers=OPERATOR).status_code == 200
    since = Since(caller)
    assert caller.post(f"/v1/groups/{group}/close", headers=OPERATOR).status_code == 200
    assert since.more(("log_events_stored_total", {})) == [1]


def play(caller: Client, path: str, made: dict[str, Any]) -> None:
    """The first legal move of whichever seat is to act."""
    for seat in made["seats"]:
        headers = {"Authorization": f"Bearer {seat['token']}"}
        legal = caller.get(path, headers=headers).get_json()["legal_moves"]
        if legal:
            assert caller.post(f"{path}/moves", json={"move": legal[0]}, headers=headers).status_code == 200
            return


def test_what_runs_is_told(client: CheckedClient) -> None:
    labels = {"version": __version__, "python": python_version(), "compiled": str(is_compiled()).lower()}
    assert of(counts(client.get("/metrics").text), "build_info", **labels) == 1


def test_a_request_is_in_flight_until_its_answer_begins(
    client: CheckedClient, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = app.extensions["gyoji.services"]
    seen = list[float]()
    monkeypatch.setattr(services, "readiness", Readiness(lambda: seen.append(_in_flight())))
    assert client.get("/readyz").status_code == 200
    assert (seen, _in_flight()) == ([1], 0)

    def broken() -> None:
        raise ValueError(CANARY)

    monkeypatch.setattr(services, "readiness", Readiness(broken))
    assert client.get("/readyz").status_code == 500
    assert _in_flight() == 0


def _in_flight() -> float:
    return of(counts(meters().text().decode()), "http_requests_in_flight")


def test_what_the_store_is_asked_is_timed(caller: Client, match: dict[str, Any]) -> None:
    """Also where it refuses."""
    since = Since(caller)
    play(caller, f"/v1/matches/{match['match']}", match)
    assert since.more(("store_seconds_count", {"asked": "append"})) == [1]
    assert since.more(("store_seconds_count", {"asked": "read"}))[0] >= 1
    assert since.more(("store_seconds_count", {"asked": "write"})) == [0]
    caller.post("/v1/matches", json={"game": "catte", "seats": 3}, headers=OPERATOR)
    assert since.more(("store_seconds_count", {"asked": "write"})) == [1]


def test_open_streams(client: CheckedClient, app: Flask) -> None:
    streams = app.extensions["gyoji.services"].streams
    streams.take()
    streams.take()
    assert of(counts(client.get("/metrics").text), "streams_open") == 2
    streams.give_back()
    streams.give_back()
    assert of(counts(client.get("/metrics").text), "streams_open") == 0


def test_no_value_of_a_request_and_no_unbounded_label(caller: Client, app: Flask, match: dict[str, Any]) -> None:
    """Every odd thing that a caller can make up or be given."""
    path, token = f"/v1/matches/{match['match']}", match["seats"][0]["token"]
    before = counts(caller.get("/metrics").text)  # other tests of this process break things on purpose
    state = caller.post("/v1/games/towai/states", json={"seats": 3, "seed": SEED}).get_json()["state"]
    cards = [card for hand in state["table"]["hands"] for card in hand]
    caller.post("/v1/games/towai/adjudications", json={"state": state, "move": {"type": CANARY, "card": cards[0]}})
    caller.get(path, headers={"Authorization": f"Bearer {token}", "X-Request-ID": CANARY})
    caller.get(path, headers={"Authorization": f"Bearer {CANARY}"})
    caller.get(f"{path}/positions/{CANARY}", headers=OPERATOR)
    caller.post(
        f"{path}/moves", json={"move": {"seat": 0, CANARY: cards}}, headers={**OPERATOR, "Idempotency-Key": CANARY}
    )
    for odd in (f"/{CANARY}", f"/v1/games/{CANARY}", f"/v1/matches/{CANARY}", f"/%00{CANARY}%0a", f"/?{CANARY}={SEED}"):
        caller.get(odd)
    caller.open("/healthz", method="CANARY", headers={CANARY: SEED})
    text = caller.get("/metrics").text
    told = {CANARY, "CANARY", SEED, SEED[:16], token, match["match"], OPERATOR["Authorization"].split()[1]}
    told |= {f'"{card}"' for card in cards}
    assert [value for value in told if value in text] == []
    rules = {rule.rule for rule in app.url_map.iter_rules()} | {OTHER}
    known = {"method": METHODS | {OTHER}, "route": rules, "code": messages()["problem"].keys()}
    known["asked"] = get_args(Operation)
    added = {sample: value for sample, value in counts(text).items() if value != before.get(sample)}
    labels = {pair for _name, pairs in added for pair in pairs if pair[0] not in ("le", "status")}
    assert {(label, value) for label, value in labels if value not in known[label]} == set()
    assert {("method", OTHER), ("route", OTHER)} <= labels


def scraped(server: Server) -> Counts:
    """What the server says now, whichever worker is asked."""
    status, text = server.asked("GET", "/metrics")
    assert status == 200
    return counts(text.decode())


def answered(server: Server) -> float:
    """How many requests for the list of games have been answered."""
    return of(scraped(server), "http_requests_total", method="GET", route="/v1/games", status="200")


def test_workers_count_together_also_those_that_have_ended() -> None:
    """What a worker has counted stays when it is told to stop and when it is killed, and the folder with it."""
    with serving("--workers", "2") as server:
        for signal in (SIGTERM, SIGKILL):
            before = answered(server)
            for _request in range(20):
                server.asked("GET", "/v1/games")
            assert answered(server) - before == 20
            worker = server.workers()[0]
            os.kill(worker, signal)
            until(lambda gone=worker: gone not in server.workers() and len(server.workers()) == 2)
        assert answered(server) == 40
        folder = shared_folder(server)
        assert server.stop() == 0
        assert not folder.exists()


def until(holds: Any) -> None:
    """Wait until something holds."""
    end = monotonic() + WAIT
    while not holds():
        assert monotonic() < end
        sleep(0.05)


def shared_folder(server: Server) -> Path:
    """Where the workers of a server share what they count, by the files that they have open."""
    worker = server.workers()[0]
    maps = Path(f"/proc/{worker}/maps").read_text("utf-8").split()
    return next(Path(name).parent for name in maps if "gyoji-metrics-" in name)


@contextmanager
def listening(server: Server, match: str) -> Iterator[None]:
    """An open stream of the events of a match."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=WAIT)
    connection.request("GET", f"/v1/matches/{match}/events", headers={**OPERATOR, "Accept": "text/event-stream"})
    response = connection.getresponse()
    assert response.status == 200
    assert response.readline()
    try:
        yield
    finally:
        connection.close()
        response.close()


def test_the_streams_of_a_killed_worker_are_open_no_more() -> None:
    with serving("--workers", "1") as server:
        request = {"game": "catte", "seats": 3}
        match = orjson.loads(server.asked("POST", "/v1/matches", request, OPERATOR)[1])["match"]
        with listening(server, match):
            assert of(scraped(server), "streams_open") == 1
            worker = server.workers()[0]
            os.kill(worker, SIGKILL)
            until(lambda: server.workers() not in ([], [worker]))
            assert of(scraped(server), "streams_open") == 0


def test_a_folder_that_is_given_is_emptied_and_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "metrics"
    monkeypatch.setenv(FOLDER, str(folder))
    with shared():
        (folder / "counter_1.db").write_bytes(b"")
        (folder / "notes").write_bytes(b"")
    with shared():
        assert [path.name for path in folder.iterdir()] == ["notes"]
    assert folder.exists()


def test_a_folder_of_its_own_is_gone_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    with shared():
        folder = Path(os.environ[FOLDER])
        assert list(folder.iterdir()) == []
    assert not folder.exists()
    assert FOLDER not in os.environ
