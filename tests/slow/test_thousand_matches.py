"""A thousand matches of all games on a bad line, by both clients: every move is made once (an hour)."""

from contextlib import closing

from client.players import play_matches
from client.proxy import CuttingProxy
from client.test_typescript import run, verify_matches
from gyoji_client import Gyoji
from operators import OPERATOR_KEY
from servers import serving

GAMES = ("catte", "familiars-trouble", "tomorrow-never-meows", "towai")
ROUNDS = 25
"""In each a client for Python plays eight matches of every game, and that for JavaScript two."""


def test_a_thousand_matches_end_with_every_move_made_once() -> None:
    with (
        serving("--workers", "2", "--threads", "4") as service,
        closing(CuttingProxy(service.port, seed=1000)) as proxy,
        Gyoji(f"http://127.0.0.1:{service.port}", OPERATOR_KEY) as gyoji,
    ):
        for _round in range(ROUNDS):
            for _time in range(4):
                play_matches(GAMES * 2, proxy, gyoji)
            for _time in range(2):
                verify_matches(run("matches", proxy.url), gyoji)
        played = [match["status"] for match in gyoji.matches.list()]
    assert played == ["finished"] * 1000  # none was made twice
