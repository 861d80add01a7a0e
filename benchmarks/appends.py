"""A driver: moves of random games written down and appended through the store; prints a line of JSON.

usage: python -m benchmarks.appends FOLDER SECONDS NUMBER [turns]

An append is: the event made from the ruling (public part, commitments, canonical bytes, chain hash), its openings
encrypted, one transaction on SQLite with the store's own settings, and the check of the match's head. Ruling on the
move is measured elsewhere and stands outside the clock, which is the processor time of the thread. ``least`` is what a
transaction of two statements reaches on the same SQLite.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from random import Random
from time import thread_time
from uuid import UUID

from benchmarks.random_games import SEATS
from benchmarks.turns import WORD, answer_turns
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted
from gyoji.match.events.match_created import MatchDraft
from gyoji.match.events.move import played
from gyoji.match.recorder import begin, record
from gyoji.match.state import MatchState
from gyoji.published_files import rules_digest
from gyoji.store import migrate, open_store
from gyoji.store.database.sqlite import connect
from gyoji.store.interface import Head, Match, Seating, Store

WARM_UP = 200
BODY = bytes(600)
AT = "2026-01-01T00:00:00.000Z"
GAME = BY_SLUG["tomorrow-never-meows"]


def create_match(store: Store, rng: Random) -> MatchState:
    """Create a new match in the store."""
    match = str(UUID(bytes=rng.randbytes(16), version=4))
    beginning = MatchDraft(
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
    entries, latest = begin(beginning, AT, lambda: rng.randbytes(32))
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
        latest.secret,
        seats,
        head_at(latest),
    )
    store.create(row, entries)
    return latest


def head_at(latest: MatchState) -> Head:
    """Return the head of the log as the store keeps it."""
    return Head(latest.seq, latest.hash, latest.status, latest.decision, latest.closed)


def time_appends(store: Store, rng: Random) -> Iterator[float]:
    """Time every append, in seconds, game after game."""
    while True:
        latest = create_match(store, rng)
        chance = deal_v1(latest.state.seed)
        while not latest.over:
            move = rng.choice(GAME.legal_moves(latest.state))
            ruling = GAME.adjudicate(latest.state, move, chance)
            if not isinstance(ruling, Accepted):
                raise RuntimeError("a listed move was refused")
            actor = {"role": "seat", "seat": move["seat"]}
            begun_at = thread_time()
            entries, after = record(latest, played(latest, move, actor, ruling, AT), AT, lambda: rng.randbytes(32))
            store.append(latest.match, latest.seq, entries, head_at(after), None)
            yield thread_time() - begun_at
            latest = after


def measure_rates(appends: Iterator[float], bare: Iterator[float], seconds: float) -> dict[str, float]:
    """Measure appends a second of processor time, and the same of the statements alone."""
    return {"appends_per_second": _rate(appends, seconds), "least": _rate(bare, seconds / 2)}


def _rate(appends: Iterator[float], seconds: float) -> float:
    number, spent = 0, 0.0
    while spent < seconds:
        spent += next(appends)
        number += 1
    return number / spent


def time_statements(database: Path) -> Iterator[float]:
    """Time every transaction of a conditional update and an insert, on SQLite with the store's own settings and nothing
    else: the least that an append can be."""
    database.touch()
    with closing(connect(database)) as connection:
        connection.execute("CREATE TABLE streams (id TEXT PRIMARY KEY, version INTEGER NOT NULL)")
        connection.execute("CREATE TABLE events (id TEXT, version INTEGER, body BLOB, PRIMARY KEY (id, version))")
        connection.execute("INSERT INTO streams VALUES ('one', 0)")
        for version in count():
            begun_at = thread_time()
            connection.execute("BEGIN IMMEDIATE")
            changed = (version + 1, "one", version)
            connection.execute("UPDATE streams SET version = ? WHERE id = ? AND version = ?", changed)
            connection.execute("INSERT INTO events VALUES (?, ?, ?)", ("one", version + 1, BODY))
            connection.execute("COMMIT")
            yield thread_time() - begun_at


@contextmanager
def warm_up(folder: Path, rng: Random) -> Iterator[tuple[Iterator[float], Iterator[float]]]:
    """Give appends of ours and statements alone, both warm."""
    url = f"sqlite:///{folder / 'ours.db'}"
    migrate(url)
    with closing(open_store(url, rng.randbytes(32))) as store:
        appends, bare = time_appends(store, rng), time_statements(folder / "bare.db")
        for _ in range(WARM_UP):
            next(appends)
            next(bare)
        yield appends, bare


if __name__ == "__main__":
    place, duration, repeat, *how = sys.argv[1:]
    with warm_up(Path(place), Random(int(repeat))) as kept:
        if how == [WORD]:
            answer_turns(lambda: measure_rates(*kept, float(duration)))
        else:
            print(json.dumps(measure_rates(*kept, float(duration))))
