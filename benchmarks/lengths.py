"""A driver: what the next move, the position and the audit of one long match cost; prints a line of JSON.

usage: python -m benchmarks.lengths PLIES NUMBER FOLDER

A match of TOWAI with six seats is simulated until it has so many plies and put into a store; then it is played on
through the whole service in this process, without a socket: ``append`` is the request that plays a move, ``latest`` the
one that reads where the match stands, ``position`` the one for an earlier position, to a process that has not met the
match before. ``audit`` is the audit of the same match, ended there and disclosed, for each move. Microseconds of the
thread's processor time.
"""

import json
import sys
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import thread_time
from typing import Any

from benchmarks.in_process import ServiceInProcess, ask, service_in_process, settings, store_match
from benchmarks.random_games import play_move
from gyoji.app.settings import Settings
from gyoji.audit.audit import audit
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1
from gyoji.games.game import Game
from gyoji.log.files import write_replay
from gyoji.log.lines import cut
from gyoji.log.signatures import Trusted, public_bytes, signer
from gyoji.match.state import MatchState
from gyoji.messages.verdicts import rules_for
from gyoji.simulation.matches import MatchPlan, SimulatedLog, plan_match, simulate_match

GAME: Game[Any] = BY_SLUG["towai"]
SEATS, OPTIONS = 6, {"finishes_to_win": 3}
"""What lasts longest."""
MOVES = 60
"""Moves that are played on."""
COLD, AUDITS = 3, 3
MOST_TRIED = 50


def find_long_match(plies: int, rng: Random) -> tuple[MatchPlan, SimulatedLog]:
    """Find a match that stands at that ply, and whose game goes on well beyond it."""
    seed = rng.randbytes(16).hex()
    for number in range(MOST_TRIED):
        at_table = plan_match(GAME, SEATS, OPTIONS, "public_on_close", seed, number)
        further = simulate_match(at_table, plies + 2 * MOVES)
        if not further.match.over:
            return at_table, simulate_match(at_table, plies)
    raise RuntimeError(f"no match of {plies} plies among {MOST_TRIED}")


def measure_long_match(plies: int, rng: Random, folder: Path) -> dict[str, float]:
    """Measure all four, as medians."""
    at_table, log = find_long_match(plies, rng)
    service = settings(folder, rng)
    with service_in_process(service) as here:
        match = store_match(here, log)
        appends, reads = _play_on(here, log.match, rng)
    cold = [_position(service, match, log.match.seq - 1 - number) for number in range(COLD)]
    times = {"append": median(appends), "latest": median(reads), "position": median(cold)}
    return {**{name: took * 1e6 for name, took in times.items()}, "audit": _audit(at_table, plies, rng)}


def _play_on(here: ServiceInProcess, latest: MatchState, rng: Random) -> tuple[list[float], list[float]]:
    """Time every move, and every look after it, in seconds."""
    state, chance = latest.state, deal_v1(latest.state.seed)
    address = f"/v1/matches/{latest.match}"
    ask(here, "GET", address)
    appends, reads = [], []
    for _ in range(MOVES):
        move = rng.choice(GAME.legal_moves(state))
        appends.append(ask(here, "POST", f"{address}/moves", {"move": move}).took)
        reads.append(ask(here, "GET", address).took)
        state = play_move(GAME, state, move, chance)
    return appends, reads


def _position(service: Settings, match: str, seq: int) -> float:
    """Time the position in a process that has cached nothing of the match; another match has warmed all the rest."""
    with service_in_process(service) as here:
        ask(here, "GET", "/v1/matches")
        return ask(here, "GET", f"/v1/matches/{match}/positions/{seq}").took


def _audit(at_table: MatchPlan, plies: int, rng: Random) -> float:
    """Time the audit, in microseconds a move."""
    log = simulate_match(at_table._replace(cancelled_after=plies), plies + MOVES)
    signing = signer(rng.randbytes(32), "bench")
    trusted = [Trusted(signing.key, signing.origin, public_bytes(signing.private), revoked=False)]
    file = b"".join(write_replay(log.entries[0], log.entries[1:], signing, "full"))
    times = []
    for _ in range(AUDITS):
        begun = thread_time()
        verdict = audit(partial(cut, (file,)), rules_for, trusted)
        times.append(thread_time() - begun)
        if verdict.verdict != "verified":
            raise RuntimeError(f"{plies} plies: {verdict}")
    played: int = log.match.state.ply
    return median(times) / played * 1e6


if __name__ == "__main__":
    length, repeat, place = sys.argv[1:]
    print(json.dumps(measure_long_match(int(length), Random(int(repeat)), Path(place))))
