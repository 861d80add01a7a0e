"""The commands: what they print, and what they end with."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from answers import contract
from bodies import SEED, body
from commands import Gyoji
from gyoji import __version__
from gyoji.api.contract import files
from gyoji.app import conformance
from gyoji.cli import conformance as conformance_command
from gyoji.cli.main import COMMANDS
from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.rulebooks import rulebook
from gyoji.published_files import CHECKOUT
from servers import ENVIRONMENT, serving


def test_help_and_version(gyoji: Gyoji) -> None:
    text = gyoji("--help").output
    assert all(command in text for command in COMMANDS)
    assert gyoji("-h").output == text
    assert gyoji("--version").output == f"gyoji, version {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(gyoji: Gyoji, command: str) -> None:
    result = gyoji(command, "--help")
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: main {command}")
    assert len(result.output.splitlines()) > 4


@pytest.mark.parametrize("group", [(), ("store",), ("keys",), ("log",), ("replay",), ("tournament",)])
def test_a_group_says_of_each_command_what_it_does_in_a_whole_sentence(gyoji: Gyoji, group: tuple[str, ...]) -> None:
    _usage, told = gyoji(*group, "--help").output.split("Commands:\n")
    assert "..." not in told
    for sentence in re.split(r"\n  (?=\w)", told.rstrip()):
        assert sentence.endswith("."), sentence


def test_an_unknown_command_is_a_usage_error(gyoji: Gyoji) -> None:
    assert gyoji("referee").exit_code == 2


def test_serve_lists_its_settings_with_defaults(gyoji: Gyoji) -> None:
    text = gyoji("serve", "--help").output
    for option, variable, default in (
        ("--host", "GYOJI_HOST", "127.0.0.1"),
        ("--port", "GYOJI_PORT", "8000"),
        ("--workers", "GYOJI_WORKERS", "2"),
        ("--threads", "GYOJI_THREADS", "8"),
        ("--server", "GYOJI_SERVER", "gunicorn"),
        ("--log-level", "GYOJI_LOG_LEVEL", "info"),
    ):
        described = text[text.index(option) :]
        assert variable in described
        assert default in described


@pytest.mark.parametrize(
    "wrong", [("--port", "65536"), ("--workers", "0"), ("--threads", "x"), ("--server", "x"), ("--log-level", "all")]
)
def test_serve_refuses_settings_that_cannot_be(gyoji: Gyoji, wrong: tuple[str, str]) -> None:
    assert gyoji("serve", *wrong).exit_code == 2


def test_games(gyoji: Gyoji) -> None:
    lines = gyoji("games").output.splitlines()
    assert [line.split()[0] for line in lines] == list(BY_SLUG)
    assert "行" not in "".join(lines)
    assert rulebook("towai").title["ja"] in gyoji("games", "--lang", "ja").output
    assert [game["game"] for game in json.loads(gyoji("games", "--json").output)["games"]] == list(BY_SLUG)


def test_rules(gyoji: Gyoji) -> None:
    book = rulebook("catte")
    english, japanese = gyoji("rules", "catte").output, gyoji("rules", "catte", "--lang", "ja").output
    for entry in book.rules:
        assert f"{entry['rule']}  {entry['heading']['en']}" in english
        assert f"{entry['rule']}  {entry['heading']['ja']}" in japanese
        assert entry["text"]["ja"] in japanese
    assert len(json.loads(gyoji("rules", "catte", "--json").output)["rules"]) == len(book.rules)


def test_one_rule(gyoji: Gyoji) -> None:
    result = gyoji("rules", "catte", "CAT-3.1")
    assert result.exit_code == 0
    assert result.output.startswith("CAT-3.1  ")
    assert json.loads(gyoji("rules", "catte", "CAT-3.1", "--json").output)["rule"] == "CAT-3.1"


def test_a_rule_or_a_game_that_is_none(gyoji: Gyoji) -> None:
    result = gyoji("rules", "catte", "TOW-1.1")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "catte has no rule TOW-1.1" in result.stderr
    result = gyoji("rules", "chess")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "familiars-trouble" in result.stderr


# adjudicate


def _request(**more: Any) -> str:
    return json.dumps({"game": "catte", **body("catte", "adjudications"), **more})


def test_a_move_that_stands(gyoji: Gyoji, tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    file.write_text(_request(), "utf-8")
    result = gyoji("adjudicate", file)
    assert result.exit_code == 0
    assert json.loads(result.output)["events"]
    assert gyoji("adjudicate", "-", sent=_request()).output == result.output


def test_a_move_that_does_not_stand(gyoji: Gyoji) -> None:
    move = {**body("catte", "adjudications")["move"], "seat": 2}
    result = gyoji("adjudicate", "-", sent=_request(move=move))
    assert result.exit_code == 3
    assert json.loads(result.output)["reason"] == "not-your-turn"
    japanese = gyoji("adjudicate", "-", "--lang", "ja", sent=_request(move=move))
    assert "席2" in json.loads(japanese.output)["because"]


def test_a_position_that_cannot_be(gyoji: Gyoji) -> None:
    state = {**body("catte", "adjudications")["state"], "ply": 1}
    result = gyoji("adjudicate", "-", sent=_request(state=state))
    assert result.exit_code == 1
    assert json.loads(result.output)["code"] == "impossible-state"


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"{", "not one JSON document"),
        (b'{"game":"catte","game":"towai"}', "same name twice"),
        (b"\xff", "not UTF-8"),
        (rb'{"game":"catte","state":"\ud800"}', "lone surrogate"),
        (b"[]", "one object"),
        (b"{}", "has to be one of"),
        (b'{"game":1}', "has to be one of"),
        (b'{"state":{"game":["catte"]}}', "has to be one of"),
        (b'{"game":"chess"}', "has to be one of"),
    ],
)
def test_nothing_to_rule_on(gyoji: Gyoji, sent: bytes, said: str) -> None:
    result = gyoji("adjudicate", "-", sent=sent)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert said in result.stderr


def test_the_body_of_an_http_call_will_do(gyoji: Gyoji) -> None:
    result = gyoji("adjudicate", str(CHECKOUT / "docs" / "examples" / "refused.json"))
    assert result.exit_code == 3
    assert json.loads(result.output)["rule"] == "CAT-3.1"


def test_a_wrong_shape(gyoji: Gyoji) -> None:
    result = gyoji("adjudicate", "-", sent='{"game":"catte"}')
    assert result.exit_code == 1
    assert json.loads(result.output)["code"] == "invalid-request"
    assert gyoji("adjudicate", "no-such-file").exit_code == 2


# contract


def test_contract(gyoji: Gyoji, tmp_path: Path) -> None:
    result = gyoji("contract", "--root", tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.fullmatch(r"There is nothing to compare with: .* does not hold a checkout of gyoji\.\n", result.stderr)
    assert gyoji("contract", "--write", "--root", tmp_path).exit_code == 0
    assert all((tmp_path / name).read_bytes() == made for name, made in files())
    assert gyoji("contract", "--check", "--root", tmp_path).exit_code == 0
    (tmp_path / "schemas" / "chess.json").write_text("{}")
    (tmp_path / "openapi.yaml").write_text("")
    result = gyoji("contract", "--check", "--root", tmp_path)
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        "differs from the code: openapi.yaml",
        "not made by the code: schemas/chess.json",
    ]


def test_the_checkout_agrees_with_the_code(gyoji: Gyoji) -> None:
    assert gyoji("contract").exit_code == 0


def test_contract_against_a_release(gyoji: Gyoji, tmp_path: Path) -> None:
    assert gyoji("contract", "--against", CHECKOUT / "tests" / "contract" / "released.yaml").exit_code == 0
    released = tmp_path / "released.yaml"
    more = {**contract(), "paths": {**contract()["paths"], "/v0/games": contract()["paths"]["/v1/games"]}}
    released.write_text(yaml.dump(more), "utf-8")
    result = gyoji("contract", "--against", released)
    assert result.exit_code == 1
    assert result.output == "breaking: GET /v0/games: removed\n"
    assert gyoji("contract", "--against", tmp_path / "nothing.yaml").exit_code == 2


# conformance


def test_conformance_of_this_engine(gyoji: Gyoji) -> None:
    result = gyoji("conformance")
    assert result.exit_code == 0, result.output
    assert [line.split(":")[0] for line in result.output.splitlines()] == list(BY_SLUG)
    summary = json.loads(gyoji("conformance", "--game", "catte", "--json").output)
    assert summary == {"catte": {"cases": len(conformance.cases("catte")), "failed": {}}}


def test_conformance_of_a_server(gyoji: Gyoji) -> None:
    with serving("--workers", "1") as server:
        result = gyoji("conformance", "--url", f"http://127.0.0.1:{server.port}/")
    assert result.exit_code == 0, result.output
    assert len(result.output.splitlines()) == len(BY_SLUG)


def test_a_case_that_fails(gyoji: Gyoji, monkeypatch: pytest.MonkeyPatch) -> None:
    good = next(case for case in conformance.cases("catte") if case["expect"].get("reason") == "rule-violation")
    doctored = [
        {**good, "case": "CAT-901", "expect": {**good["expect"], "status": 200}},
        {**good, "case": "CAT-902", "expect": {**good["expect"], "rule": "CAT-9.9"}},
        {**good, "case": "CAT-903"},
    ]
    monkeypatch.setattr(conformance_command, "cases", lambda _slug: doctored)
    result = gyoji("conformance", "--game", "catte")
    assert result.exit_code == 1
    first, second, third, *more = result.output.splitlines()
    assert first == "catte: 1 of 3 cases hold"
    assert second.startswith("  CAT-901: status 409 instead of 200")
    assert third == f"  CAT-902: rule is '{good['expect']['rule']}' instead of 'CAT-9.9'"
    assert not more
    summary = json.loads(gyoji("conformance", "--game", "catte", "--json").output)["catte"]
    assert list(summary["failed"]) == ["CAT-901", "CAT-902"]


@pytest.mark.parametrize(("url", "status"), [("http://127.0.0.1:9", 1), ("ftp://x", 2), ("nonsense", 2)])
def test_conformance_of_no_server(gyoji: Gyoji, url: str, status: int) -> None:
    assert gyoji("conformance", "--url", url, "--game", "catte").exit_code == status


# the whole


def test_the_demo_is_a_page_with_a_refused_move_and_verified_replays(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-m", "gyoji", "demo"]
    # settings of another service have no part in it, and nothing stays behind
    environment = {
        **ENVIRONMENT,
        "GYOJI_STORE": "postgresql+psycopg://nobody@127.0.0.1:9/none",
        "TMPDIR": str(tmp_path),
    }
    done = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert 20 < len(lines) < 60
    assert all(len(line) <= 100 for line in lines)
    assert all(rulebook(slug).title["en"] in done.stdout for slug in BY_SLUG)
    assert "HTTP 409 illegal-move, rule-violation, rule CAT-" in done.stdout
    assert "HTTP 409 illegal-move, not-your-turn; the log stays at event 1." in done.stdout
    assert len([line for line in lines if line.endswith(" bytes: verified")]) == len(BY_SLUG)
    assert re.search(r"golden replays of the checkout: (\d+) of \1 verified", done.stdout)
    assert list(tmp_path.iterdir()) == []
    assert SEED not in done.stdout


def test_the_demo_speaks_japanese(gyoji: Gyoji) -> None:
    result = gyoji("demo", "--lang", "ja")
    assert result.exit_code == 0
    assert all(rulebook(slug).title["ja"] in result.output for slug in BY_SLUG)
