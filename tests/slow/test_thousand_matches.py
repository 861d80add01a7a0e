"""A thousand matches of all games on a bad line, by both clients: every move is made once (half an hour)."""

import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from time import monotonic

import pytest

from client.players import play_matches
from client.proxy import CuttingProxy
from client.test_typescript import run, verify_matches
from gyoji_client import Gyoji
from operators import OPERATOR_KEY
from servers import serving

GAMES = ("catte", "familiars-trouble", "tomorrow-never-meows", "towai")
ROUNDS = 25
"""In each the client for Python plays four matches of every game, and at the same time that for JavaScript six."""
PATIENCE = 1800.0
"""Seconds for the six of a round: it has taken less than one minute, and on an overloaded machine more than five."""


def test_a_thousand_matches_end_with_every_move_made_once(capsys: pytest.CaptureFixture[str]) -> None:
    """What takes long is the clients' own work, a second a match in Python; of their pauses there are few."""
    began = monotonic()
    with (
        serving("--workers", "2", "--threads", "16") as service,
        closing(CuttingProxy(service.port, seed=1000)) as proxy,
        closing(CuttingProxy(service.port, seed=1001)) as proxy_too,
        Gyoji(f"http://127.0.0.1:{service.port}", OPERATOR_KEY) as gyoji,
        ThreadPoolExecutor(1) as beside,
    ):
        for at in range(ROUNDS):
            theirs = beside.submit(run, "matches", proxy_too.url, 6, PATIENCE)
            for _time in range(2):
                play_matches(GAMES * 2, proxy, gyoji)
            verify_matches(theirs.result(), gyoji)
            with capsys.disabled():
                cut = proxy.cut + proxy_too.cut
                so_far = f"{40 * (at + 1)} matches, {cut} answers and streams cut, {monotonic() - began:.0f} s"
                sys.stdout.write(f"{so_far}\n")
                sys.stdout.flush()
        played = Counter((match["game"], match["status"]) for match in gyoji.matches.list())
    assert played == dict.fromkeys([(game, "finished") for game in GAMES], 250)  # none was made twice
