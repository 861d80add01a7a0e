"""The soak: a short one as it is, and that it sees what must not be."""

import json
from collections.abc import Sequence
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner

from benchmarks.cli import soak
from benchmarks.soak.monitor import Monitor, ProcessSample, drift
from benchmarks.soak.report import SoakResult, soak_document, soak_markdown, store_kind
from benchmarks.soak.requests import Answer, WrongAnswer
from benchmarks.soak.stateless import play_stateless
from benchmarks.soak.tables import Tables, play_stored
from benchmarks.soak.traffic import Tally
from gyoji.app.adjudication import answer_call


def test_three_seconds_are_answered_as_the_rules_say(tmp_path: Path) -> None:
    file = tmp_path / "soak.json"
    run = CliRunner().invoke(soak, ["--minutes", "0.05", "--rate", "80", "--tables", "6", "--json", str(file)])
    assert run.exit_code == 0, run.output
    assert run.stdout.startswith("# Soak: 0.05 minutes at 80 requests a second, gunicorn, sqlite\n")
    assert run.stdout.endswith("Passed.\n")
    found = json.loads(file.read_bytes())
    assert found["format"] == "gyoji-soak/1"
    assert found["errors"] == {}
    assert found["answers"] == 240  # 3 seconds
    assert {"move", "create match", "adjudication catte", "adjudication towai"} <= set(found["kinds"])
    assert set(found["memory"]["processes"]) == {"master", "worker 1", "worker 2", "webhooks"}
    assert "operator" not in file.read_text()


def test_a_stateless_answer_that_differs_from_the_rules_is_an_error() -> None:
    course = play_stateless(1)
    asked = next(course)
    game = asked.path.split("/")[3]
    said = dict(answer_call(game, "states", asked.body or b"", asked.path, "en").body)
    said["scores"] = [score + 1 for score in said["scores"]]
    with pytest.raises(WrongAnswer, match="states: another score than the rules say"):
        course.send(Answer(200, orjson.dumps(said), 0.0))


def test_a_status_that_was_not_due_is_an_error() -> None:
    course = play_stored(Tables({}, lambda _file: None), 1)
    assert next(course).kind == "create match"
    with pytest.raises(WrongAnswer, match="create match: 503 unavailable, expected 201"):
        course.send(Answer(503, b'{"code":"unavailable"}', 0.0))


@pytest.mark.parametrize(
    ("values", "share"),
    [
        ([100.0] * 12, 0.0),
        ([10.0, 40.0, 70.0, 90.0, *[100.0] * 8], 0.0),  # the first third is the start
        ([100.0 + at for at in range(13)], 8 / 104),
        ([100.0, 100.0, 100.0], None),
    ],
)
def test_drift_is_the_growth_over_the_last_two_thirds(values: Sequence[float], share: float | None) -> None:
    found = drift([(10.0 * at, value) for at, value in enumerate(values)])
    assert found == share if share is None else found == pytest.approx(share)


def _soaked(
    tally: Tally, verdicts: dict[str, int], pss: Sequence[float], status: int = 0, minutes: float = 30.0
) -> SoakResult:
    watch = Monitor(0, lambda: 0, Path())
    watch.looks["master"] = [ProcessSample(10.0 * at, mib, mib, 9, 1) for at, mib in enumerate(pss)]
    plan = {
        "minutes": minutes,
        "rate": 10.0,
        "store": "postgresql+psycopg://one:secret@host/base",
        "server": "gunicorn",
    }
    return SoakResult(plan, 60.0, tally, watch, verdicts, 3, status, [1.0, 1.0], "2026-01-01T00:00:00+00:00")


def test_whatever_must_not_be_is_a_failure() -> None:
    tally = Tally()
    tally.wrong("move: 500")
    found = _soaked(tally, {"verified": 2, "tampered": 1}, [100.0 + 2 * at for at in range(13)], 1)
    assert found.failures == [
        "move: 500 (1 times)",
        "1 matches audit to tampered",
        "the service ended with status 1",
        "memory grows by 14.8% in the last two thirds",
    ]
    assert soak_markdown(found).splitlines()[-1].startswith("Failed: move: 500 (1 times); ")


def test_a_short_soak_is_not_judged_by_its_memory() -> None:
    growing = [100.0 + 2 * at for at in range(13)]
    assert len(_soaked(Tally(), {}, growing, minutes=10).failures) == 1
    assert _soaked(Tally(), {}, growing, minutes=9).failures == []


def test_the_report_gives_percentiles_and_no_secret() -> None:
    tally = Tally()
    for at in range(1000):
        tally.add("move", at / 1000, 0.001)
    found = _soaked(tally, {"verified": 3}, [100.0] * 12)
    assert found.failures == []
    told = soak_document(found)
    assert told["kinds"]["move"] == {
        "count": 1000,
        "p50": 500.0,
        "p95": 950.0,
        "p99": 990.0,
        "p99.9": 999.0,
        "max": 999.0,
    }
    assert told["plan"]["store"] == store_kind("postgresql://x") == "postgresql"
    assert b"secret" not in orjson.dumps(told)
