"""Measures ``gyoji audit --store`` as it is called, on an SQLite store of finished matches of all four games."""

import os
import sys
from collections.abc import Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple

from benchmarks.courses import play_to_the_end
from benchmarks.effort import Effort
from benchmarks.engines import boardgame_io, turn_driver
from benchmarks.figures import Row, times_as_fast
from benchmarks.programs import children_cpu_seconds, run_for_json
from benchmarks.surroundings import progress
from benchmarks.turns import Driver, keep_drivers
from benchmarks.workplace import memory_folder
from gyoji.app.signing_keys import current_signer
from gyoji.games.catalogue import BY_SLUG
from gyoji.simulation.matches import match_record
from gyoji.store import migrate, open_store

MATCHES = 60
"""Of each game."""
ORIGIN, SEED = "gyoji", "be9c"
PEER = "boardgame.io reducer, its log replayed"
MEASURED = "gyoji audit --store, all four games, start-up taken off, moves/s of CPU"


class StoredMatches(NamedTuple):
    """A store of matches that are over."""

    url: str
    key: str
    matches: int
    moves: int


def audit_store(effort: Effort) -> Row:
    """Audit by turns with the peer. What a start costs is measured on a match of each game, and taken off."""
    replayed = boardgame_io()
    peers = {} if replayed is None else {PEER: turn_driver(replayed, effort.slice, "replay")}
    with memory_folder() as folder, keep_drivers(peers) as running:
        progress(f"a store of {MATCHES * len(BY_SLUG)} matches to audit")
        few, many = store_matches(Path(folder) / "few.db", 1), store_matches(Path(folder) / "many.db", MATCHES)
        ours: list[float] = []
        theirs: list[float] = []
        for repeat in range(effort.repeats):
            progress(f"audits of a store, repeat {repeat + 1} of {effort.repeats}")
            ours.append((many.moves - few.moves) / (_time_audit(many) - _time_audit(few)))
            theirs += _peer(running)
    return Row(MEASURED, tuple(ours), PEER, tuple(theirs), times_as_fast(ours, theirs))


def _peer(running: dict[str, Driver]) -> Sequence[float]:
    return [driver()["moves_per_second"] for driver in running.values()]


def store_matches(database: Path, matches: int) -> StoredMatches:
    """Put so many matches of each game into a store of their own, whose key has signed them."""
    url, key = f"sqlite:///{database}", token_hex(32)
    migrate(url)
    moves = 0
    with closing(open_store(url, bytes.fromhex(key))) as store:
        current_signer(store, ORIGIN)
        for game in BY_SLUG.values():
            for log in islice(play_to_the_end(game, SEED), matches):
                store.create(match_record(log.match), log.entries)
                moves += log.match.state.ply
    return StoredMatches(url, key, matches * len(BY_SLUG), moves)


def _time_audit(kept: StoredMatches) -> float:
    """Time an audit, in seconds of processor time."""
    before = children_cpu_seconds()
    command = [sys.executable, "-m", "gyoji", "audit", "--store", kept.url, "--json"]
    summary = run_for_json(command, {**os.environ, "GYOJI_STORE_KEY": kept.key})["summary"]
    if summary["verdicts"] != {"verified": kept.matches}:
        raise RuntimeError(f"of {kept.matches} matches: {summary['verdicts']}")
    return children_cpu_seconds() - before
