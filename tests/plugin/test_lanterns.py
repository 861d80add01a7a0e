"""A fifth game, installed beside gyoji, is refereed, stored, watched, audited, shown and put through the laws without a
line of gyoji that knows of it."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gyoji.log.signatures import public_bytes, signer
from gyoji.published_files import CHECKOUT
from operators import OPERATOR
from plugin.installed import PACKAGE, SLUG, asked, environment, played, run, site
from questions.cases import EVERY, body, check
from replay.tampering import Parts, forged
from servers import Server, serving
from verifier.javascript import NODE

GAME = f"/v1/games/{SLUG}"
LANTERNS = [case for case in EVERY if case["game"] == SLUG]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A service with the game."""
    with serving("--workers", "1", environment={"PYTHONPATH": environment()["PYTHONPATH"]}) as running:
        yield running


@pytest.fixture(scope="module")
def match(server: Server) -> dict[str, Any]:
    """A stored match that has been played."""
    return played(server)


def test_gyoji_does_not_know_it() -> None:
    sources = [path for path in (CHECKOUT / "service").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert not [path for path in sources if b"lanterns" in path.read_bytes().lower()]


@pytest.mark.parametrize("case", LANTERNS, ids=[case["case"] for case in LANTERNS])
def test_it_is_asked_about_positions_known_in_part(server: Server, case: Any) -> None:
    check(case, *asked(server, "POST", f"{GAME}/questions", body(case)))


def test_it_stands_in_the_catalogue_behind_the_games_of_gyoji(server: Server) -> None:
    games = asked(server, "GET", "/v1/games")[1]["games"]
    assert [game["game"] for game in games][-1] == SLUG
    described = asked(server, "GET", GAME)[1]
    assert (described["title"]["en"], described["phases"]) == ("Lanterns", ["trick", "finished"])
    assert described["moves"]["play"]["properties"].keys() == {"type", "seat", "card"}
    assert asked(server, "GET", f"{GAME}/rules/LAN-2.2")[1]["heading"]["en"] == "Following"


def test_it_is_adjudicated_over_http(server: Server) -> None:
    position = asked(server, "POST", f"{GAME}/states", {"seats": 3, "seed": "5c" * 64})[1]
    move = position["legal_moves"][0]
    status, answer = asked(server, "POST", f"{GAME}/adjudications", {"state": position["state"], "move": move})
    assert (status, answer["events"][0]["type"]) == (200, "card_played")
    status, answer = asked(
        server, "POST", f"{GAME}/adjudications", {"state": position["state"], "move": {"type": "no"}}
    )
    assert (status, answer["code"]) == (422, "invalid-request")


def test_its_cases_hold() -> None:
    done = run("-m", "gyoji", "conformance", "--game", SLUG)
    assert (done.returncode, done.stdout) == (0, f"{SLUG}: 10 of 10 cases hold\n")


def test_its_cases_name_every_rule_and_its_code_cites_them() -> None:
    rules = json.loads((PACKAGE / "gyoji_lanterns" / "schemas" / "rules.json").read_bytes())["rules"]
    read = "".join(path.read_text("utf-8") for path in (PACKAGE / "gyoji_lanterns").glob("*.py"))
    cases = (PACKAGE / "gyoji_lanterns" / "conformance.yaml").read_text("utf-8")
    for text in (read, cases):
        assert {*re.findall(r"LAN-(?:R\d+|\d+\.\d+)", text)} == {*rules}


def test_it_is_stored_and_watched_and_nothing_hidden_is_told(server: Server, match: dict[str, Any]) -> None:
    feed = asked(server, "GET", f"{match['path']}/events", None, match["tokens"][1])[1]["events"]
    dealt = next(event for event in feed if event["type"] == "dealt")["data"]["events"][0]
    assert [isinstance(hand, list) for hand in dealt["hands"]] == [True, True, True]  # the match is over and disclosed
    assert feed[-2]["data"]["outcome"]["reason"] == "rounds_played"
    running = asked(server, "POST", "/v1/matches", {"game": SLUG, "seats": 3})[1]
    path, token = running["links"]["self"], running["seats"][1]["token"]
    begun = asked(server, "GET", f"{path}/events", None, token)[1]["events"]
    dealt = next(event for event in begun if event["type"] == "dealt")["data"]["events"][0]
    assert [isinstance(hand, list) for hand in dealt["hands"]] == [False, True, False]
    assert dealt["aside"] == {"count": 3}


@pytest.fixture(scope="module")
def replay(server: Server, match: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The replay file of the match, and beside it the keys that signed it."""
    folder = tmp_path_factory.mktemp("replay")
    status, lines = server.asked("GET", f"{match['path']}/replay", None, OPERATOR)
    assert status == 200
    (folder / "match.jsonl").write_bytes(lines)
    (folder / "trust.json").write_bytes(server.asked("GET", "/v1/keys")[1])
    return folder / "match.jsonl"


def test_it_is_audited_by_the_service_and_at_a_terminal(server: Server, match: dict[str, Any], replay: Path) -> None:
    verdict = asked(server, "POST", "/v1/audits", {"match": match["match"]})[1]
    assert verdict["verdict"] == "verified", verdict
    done = run("-m", "gyoji", "audit", str(replay), "--trust", str(replay.with_name("trust.json")))
    assert done.returncode == 0, done.stdout + done.stderr
    told = run("-m", "gyoji", "replay", "show", str(replay))
    assert "Round 1 is dealt." in told.stdout
    assert "is scored" in told.stdout


@pytest.fixture(scope="module")
def verifier(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The verifier in JavaScript, as this service hands it out."""
    module = tmp_path_factory.mktemp("verifier") / "verify.mjs"
    module.write_bytes(server.asked("GET", "/static/verify.mjs")[1])
    return module


def second_verdict(verifier: Path, file: Path, trust: Path) -> dict[str, Any]:
    """What the verifier says of a file under Node."""
    command = [str(part) for part in (NODE, verifier, file, "--trust", trust, "--json")]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert done.stderr == b""
    verdict: dict[str, Any] = json.loads(done.stdout)
    return verdict


def test_it_is_audited_by_the_second_verifier(verifier: Path, replay: Path) -> None:
    verdict = second_verdict(verifier, replay, replay.with_name("trust.json"))
    assert (verdict["verdict"], verdict["first_divergence"]) == ("verified_partial", None)
    results = {check["check"]: check["result"] for check in verdict["checks"]}
    assert (results["commitment"], results["shuffles"]) == ("pass", "pass")


def test_the_second_verifier_knows_where_its_cards_lie(verifier: Path, replay: Path, tmp_path: Path) -> None:
    """A service plays a card that the seat does not hold, and signs that."""

    def play_the_card_again(parts: Parts) -> None:
        first, second = [event for event in parts.events if "move" in event.document["data"]][:2]
        second.data["move"]["card"] = second.data["events"][0]["card"] = first.data["move"]["card"]

    header = json.loads(replay.read_bytes().splitlines()[0])
    liar = signer(bytes(range(32)), header["origin"])
    (tmp_path / "match.jsonl").write_bytes(
        b"".join(forged(tuple(replay.read_bytes().splitlines(keepends=True)), play_the_card_again, liar))
    )
    public = {"key": liar.key, "origin": liar.origin, "public": public_bytes(liar.private).hex(), "revoked": None}
    (tmp_path / "trust.json").write_text(json.dumps({"keys": [public]}), "utf-8")
    verdict = second_verdict(verifier, tmp_path / "match.jsonl", tmp_path / "trust.json")
    assert verdict["verdict"] == "rules_divergence"
    assert [check["why"] for check in verdict["checks"] if check["result"] == "fail"] == [
        "Seat 1 does not hold that card."
    ]


def test_a_log_in_which_a_card_was_exchanged_is_found_out(replay: Path, tmp_path: Path) -> None:
    lines = replay.read_bytes().splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if b"card_played" in line)
    card = re.search(rb'"card":"([ABC])(\d)"', lines[at])
    assert card is not None
    lines[at] = lines[at].replace(card[0], b'"card":"%s%d"' % (card[1], int(card[2]) % 9 + 1))
    (tmp_path / "match.jsonl").write_bytes(b"".join(lines))
    done = run("-m", "gyoji", "audit", str(tmp_path / "match.jsonl"), "--trust", str(replay.with_name("trust.json")))
    assert done.returncode not in (0, 2)


def test_it_is_in_the_contract(server: Server) -> None:
    document = asked(server, "GET", "/openapi.json")[1]
    assert f"{GAME}/adjudications" in document["paths"]
    state = document["components"]["schemas"]["LanternsState"]
    assert state["properties"]["game"]["const"] == SLUG
    assert document["components"]["schemas"]["GameSlug"]["enum"][-1] == SLUG


def test_what_it_has_published_is_what_its_records_say() -> None:
    done = run("-m", "gyoji", "contract", "--game", SLUG)
    assert (done.returncode, done.stdout) == (0, "20 files agree with the code\n")
    kept = {path.name: path.read_bytes() for path in (PACKAGE / "gyoji_lanterns" / "schemas").iterdir()}
    assert kept == {path.name: path.read_bytes() for path in (site() / "gyoji_lanterns" / "schemas").iterdir()}


def test_it_has_a_rulebook_and_a_place_on_the_console(server: Server) -> None:
    for path in ("/", "/rules", f"/rules/{SLUG}", "/console", "/console/cases/LAN-004"):
        status, page = server.asked("GET", path, None, {"Accept-Language": "ja"})
        assert (status, "提灯".encode() in page) == (200, True), path


def test_it_is_played_in_a_tournament(server: Server) -> None:
    cup = {"game": SLUG, "name": "Cup", "seats": [3], "rounds": 2}
    status, answer = asked(server, "POST", "/v1/tournaments", cup)
    assert (status, answer["game"]) == (201, SLUG)


def test_it_keeps_the_laws() -> None:
    laws = ("-m", "pytest", "-q", "-p", "no:cacheprovider", str(CHECKOUT / "tests" / "laws"), "-k", SLUG)
    done = run(*laws)
    assert done.returncode == 0, done.stdout[-3000:]
    assert re.search(r"^4\d passed", done.stdout.splitlines()[-1])
