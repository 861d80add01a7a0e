"""The recorded service: what it answers is what the contract has, and clients take it for the service."""

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from itertools import islice
from typing import Any

import httpx
import jsonschema_rs
import pytest
import yaml

import make_recorded
from client.test_typescript import run
from gyoji_client import Gyoji, IllegalMove, NotFound, Problem, Seat, StalePosition
from gyoji_client.fake import RECORDED, FakeService

CONTRACT = yaml.load(make_recorded.CONTRACT.read_text("utf-8"), Loader=yaml.CSafeLoader)


@pytest.fixture
def fake() -> Iterator[FakeService]:
    """The recorded service."""
    with FakeService() as service:
        yield service


def test_what_is_recorded_is_made_of_the_contract() -> None:
    made = make_recorded.recorded(make_recorded.CONTRACT.read_text("utf-8"))
    assert files("gyoji_client").joinpath("recorded.json").read_text("utf-8") == made


@pytest.mark.parametrize("recorded", RECORDED["answers"], ids=lambda recorded: str(recorded["operation"]))
def test_every_operation_is_answered(fake: FakeService, recorded: Any) -> None:
    path = recorded["path"].replace("{", "").replace("}", "")
    answer = httpx.request(recorded["method"], fake.url + path)
    assert answer.status_code == recorded["status"]
    if recorded["type"] == "application/json":
        assert answer.json() == recorded["body"]
        responses = CONTRACT["paths"][recorded["path"]][recorded["method"].lower()]["responses"]
        schema = responses[str(recorded["status"])]["content"]["application/json"]["schema"]
        jsonschema_rs.validate({**schema, "components": CONTRACT["components"]}, answer.json())


def test_the_client_takes_it_for_the_service(fake: FakeService) -> None:
    with Gyoji(fake.url, "any") as gyoji:
        match = gyoji.matches.create("catte", seats=[{"name": "Ann"}])
        assert match.id == gyoji.matches.get(match.id).read()["match"]
        assert [game["game"] for game in gyoji.games.list()]
        assert gyoji.audit(b"{}")["verdict"] == "verified"
        assert gyoji.tournaments.get("x").standings()["rows"]
        with pytest.raises(NotFound):
            gyoji.service.ask("/v1/nothing")
    with Seat(match.seats[0].address) as seat:
        (turn,) = islice(seat.turns(), 1)
        played = turn.play(turn.legal_moves[0])
        assert seat.receipts == [played["receipt"]]
        assert [event["type"] for event in seat.feed()]
    moved = next(asked for asked in fake.asked if asked.path.endswith("/moves"))
    assert moved.body == {"move": turn.legal_moves[0]}
    assert moved.headers["if-match"] == f'"{turn.seq}"'
    assert "idempotency-key" in moved.headers


def test_a_credential_that_is_the_code_of_a_problem_is_refused_with_it(fake: FakeService) -> None:
    for code, problem in RECORDED["problems"].items():
        if problem["status"] not in (429, 503) and code != "idempotency-in-progress":  # which a client asks again
            with Gyoji(fake.url, code) as gyoji, pytest.raises(Problem) as refused:
                gyoji.matches.get("m").read()
            assert refused.value.code == code
    with Seat(f"{fake.url}/matches/m#token=illegal-move") as seat, pytest.raises(IllegalMove) as no:
        seat.play({"type": "play", "seat": 0, "card": "B3"})
    assert (no.value.rule, bool(no.value.because), bool(no.value.legal_moves)) == (no.value.rule, True, True)
    with Seat(f"{fake.url}/matches/m#token=stale-position") as seat, pytest.raises(StalePosition):
        seat.read()


def test_the_client_for_javascript_takes_it_for_the_service(fake: FakeService) -> None:
    assert run("faked", fake.url) == {"receipts": 1, "refused": "illegal-move", "games": True}


def test_the_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(
        r"```python fake\n(.*?)```", (make_recorded.FOLDER / "README.md").read_text("utf-8"), re.DOTALL
    )
    exec(example, {})  # noqa: S102 - our own page
    assert re.fullmatch(r"\w+ /v1/matches/[0-9a-f-]+\n", capsys.readouterr().out)


def test_it_runs_as_a_command() -> None:
    command = [sys.executable, "-m", "gyoji_client.fake", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=make_recorded.FOLDER) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split(": ")[0]
        try:
            assert httpx.get(f"{url}/healthz").json() == {"status": "ok"}
        finally:
            process.terminate()
