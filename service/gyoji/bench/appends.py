"""Moves of random games written down and appended through the store, in a process of its own; one line of JSON.

usage: python -m gyoji.bench.appends FOLDER SECONDS NUMBER

An append is: the event made from the ruling (public part, commitments, canonical bytes, chain hash), its openings
encrypted, one transaction on SQLite with the store's own settings, and the check of the match's head. Ruling on the
move is measured elsewhere and stands outside the clock, which is the processor time of the thread.
"""

import json
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from time import thread_time
from uuid import UUID

from gyoji.bench.playing import SEATS
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted
from gyoji.replay.recording import Beginning, Standing, begun, moved
from gyoji.store import migrate, open_store
from gyoji.store.interface import Head, Match, Seating, Store
from gyoji.wire.published import rules_digest

WARM_UP = 200
AT = "2026-01-01T00:00:00.000Z"
GAME = BY_SLUG["tomorrow-never-meows"]


def opened(store: Store, rng: Random) -> Standing:
    """A new match in the store."""
    match = str(UUID(bytes=rng.randbytes(16), version=4))
    beginning = Beginning(
        match,
        GAME,
        rules_digest(GAME.slug),
        SEATS,
        GAME.read_options({}),
        0,
        "public_on_close",
        "private",
        "optional",
        match,
        rng.randbytes(64),
        None,
        {},
        (),
    )
    entries, standing = begun(beginning, AT, lambda: rng.randbytes(32))
    seats = (Seating(0, 0),) * (SEATS + 1)
    row = Match(
        match,
        GAME.slug,
        1,
        "bench",
        AT,
        "private",
        "public_on_close",
        False,
        False,
        (),
        standing.secret,
        seats,
        _head(standing),
    )
    store.create(row, entries)
    return standing


def _head(standing: Standing) -> Head:
    return Head(standing.seq, standing.hash, standing.status, standing.decision, standing.closed)


def appended(store: Store, rng: Random) -> Iterator[float]:
    """Seconds of every append, game after game."""
    while True:
        standing = opened(store, rng)
        chance = deal_v1(standing.state.seed)
        while not standing.over:
            move = rng.choice(GAME.legal_moves(standing.state))
            ruling = GAME.adjudicate(standing.state, move, chance)
            if not isinstance(ruling, Accepted):
                raise RuntimeError("a listed move was refused")
            actor = {"role": "seat", "seat": move["seat"]}
            begun_at = thread_time()
            entries, after = moved(standing, move, actor, ruling, AT, lambda: rng.randbytes(32))
            store.append(standing.match, standing.seq, entries, _head(after), None)
            yield thread_time() - begun_at
            standing = after


def measured(folder: Path, seconds: float, rng: Random) -> dict[str, float]:
    """Appends a second of processor time."""
    url = f"sqlite:///{folder / 'ours.db'}"
    migrate(url)
    store = open_store(url, rng.randbytes(32))
    spent = 0.0
    for number, took in zip(count(1 - WARM_UP), appended(store, rng), strict=False):
        spent = spent + took if number > 0 else 0.0
        if spent >= seconds:
            break
    store.close()
    return {"appends_per_second": number / spent}


if __name__ == "__main__":
    place, duration, repeat = sys.argv[1:]
    print(json.dumps(measured(Path(place), float(duration), Random(int(repeat)))))
