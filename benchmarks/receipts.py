"""A driver: receipts of the moves of random games; prints a line of JSON.

usage: python -m benchmarks.receipts GAME SECONDS NUMBER

What a receipt adds to the answer to a move: the key in force looked up as the service does, the mover's own openings,
the signature, and its bytes in the answer. The event has been read by then, since the answer tells what has happened.
The clock is the processor time of the thread.
"""

import json
import sys
from contextlib import closing
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import thread_time

import orjson

from benchmarks.random_games import MOST_PLIES, SEATS
from gyoji.app.services import SignerCache
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.entries import Entry
from gyoji.simulation.matches import plan_match, simulate_match
from gyoji.store import migrate, open_store
from gyoji.trust.receipts import make_receipt

MATCHES = 10
WARM_UP = 500


def simulated_moves(slug: str, rng: Random) -> list[tuple[str, int, Entry]]:
    """Return the moves of some random matches: match, seat and entry."""
    game = BY_SLUG[slug]
    found = []
    for number in range(MATCHES):
        seed = rng.randbytes(16).hex()
        log = simulate_match(
            plan_match(game, min(SEATS, game.max_seats), {}, "public_on_close", seed, number), MOST_PLIES
        )
        for entry in log.entries:
            actor = orjson.loads(entry.body)["actor"]
            if actor["role"] == "seat":
                found.append((log.match.match, actor["seat"], entry))
    return found


def measure_receipts(slug: str, seconds: float, rng: Random, folder: Path) -> dict[str, float]:
    """Time a receipt, in microseconds, after a warm-up."""
    url = f"sqlite:///{folder / 'kept.db'}"
    migrate(url)
    with closing(open_store(url, rng.randbytes(32))) as store:
        signing = SignerCache(store, "bench")
        spent, made = 0.0, -WARM_UP
        for match, seat, entry in cycle(simulated_moves(slug, rng)):
            event = orjson.loads(entry.body)
            begun = thread_time()
            orjson.dumps(make_receipt(signing.now(), match, entry, seat, event))
            took = thread_time() - begun
            made += 1
            spent += took if made > 0 else 0.0
            if spent >= seconds:
                break
    return {"microseconds": spent / made * 1e6}


if __name__ == "__main__":
    name, duration, repeat = sys.argv[1:]
    with TemporaryDirectory(prefix="gyoji-bench-") as place:
        print(json.dumps(measure_receipts(name, float(duration), Random(int(repeat)), Path(place))))
