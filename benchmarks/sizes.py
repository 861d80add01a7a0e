"""A driver: bytes of matches in tables, indexes and packs, and what moving them costs; prints a line of JSON.

usage: python -m benchmarks.sizes MATCHES FOLDER [POSTGRES_URL]

For each game so many simulated matches, played to the end, are put into an empty store: a file in the folder, and, if
its URL is given, an empty database of PostgreSQL, whose tables are emptied again for the next game. Every move has its
idempotency record, every match its leaves in the tree. Then all of them are archived to a folder.
"""

import json
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import apsw
import orjson

from benchmarks.surroundings import machine
from gyoji.app.match_states import head_of
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game
from gyoji.log.signatures import public_bytes, signer
from gyoji.simulation.derivation import timestamp
from gyoji.simulation.matches import SimulatedLog, plan_match, simulate_match
from gyoji.store import migrate, open_store
from gyoji.store.archive.archiver import archive
from gyoji.store.database.port import Database
from gyoji.store.database.sqlite import connect
from gyoji.store.database.statements import ADD_REQUEST, Step
from gyoji.store.interface import KeyTaken, Match, Seating, SigningKey, Store
from gyoji.store.urls import SqliteUrl, parse_url

SEATS = 4
PLIES = 20_000
READ = 50
"""Matches that are read again, from the database and from the archive."""
FAR = "9999-01-01T00:00:00.000Z"
TABLES = ("matches", "events", "idempotency", "tree_leaves", "tree_tiles", "archived", "archive_packs")

SQLITE_SIZES = """SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_master ON sqlite_master.name = dbstat.name
WHERE tbl_name = ? GROUP BY tbl_name"""
POSTGRES_SIZE = "SELECT pg_total_relation_size(?::regclass)"
EMPTY = "TRUNCATE matches, events, idempotency, tree_pending, tree_leaves, tree_tiles, tree_checkpoints, archived"


def play_matches(game: Game[Any], matches: int) -> list[SimulatedLog]:
    """Play matches of a game at random to the end."""
    seats = min(SEATS, game.max_seats)
    return [
        simulate_match(plan_match(game, seats, {}, "public_on_close", "sizes", each), PLIES) for each in range(matches)
    ]


def match_row(log: SimulatedLog) -> Match:
    """Return the row of a match."""
    latest = log.match
    return Match(
        latest.match, latest.game.slug, latest.game.version, "operator", timestamp(0), "private",
        latest.terms.disclosure, False, False, (), latest.secret, (Seating(0, 0),) * (latest.state.seats + 1),
        head_of(latest),
    )  # fmt: skip


def fill_store(store: Store, database: Database, kept: Sequence[SimulatedLog], rng: Random) -> None:
    """Put the matches into the store, with an idempotency record for each move, and the leaves into the tree."""
    for log in kept:
        store.create(match_row(log), log.entries)
        match = log.match.match
        keys = [
            (f"match:{match}", str(rng.getrandbits(122)), rng.randbytes(32), match, entry.seq)
            for entry in log.entries
            if b'"type":"move_played"' in entry.body
        ]
        database.write([Step(ADD_REQUEST, keys, KeyTaken)])
    own = signer(rng.randbytes(32), "bench")
    if not store.signing_keys():
        kept_key = SigningKey(own.key, "bench", public_bytes(own.private), bytes(32), timestamp(0))
        store.add_signing_key(kept_key)
    store.transparency_log.grow(own, timestamp(0))


def table_sizes(url: str, database: Database) -> dict[str, int]:
    """Return the bytes of each table with its indexes."""
    place = parse_url(url)
    if isinstance(place, SqliteUrl):
        with closing(connect(place.path)) as file:
            return {name: _found(file, name) for name in TABLES}
    return {name: int(database.query(POSTGRES_SIZE, (name,))[0][0]) for name in TABLES}


def _found(file: apsw.Connection, name: str) -> int:
    found = file.execute(SQLITE_SIZES, (name,)).fetchone()
    return 0 if found is None else int(found[1])


def time_reading(store: Store, matches: Sequence[str]) -> float:
    """Time the reading of a match's log, its openings decrypted, in microseconds of processor time."""
    started = process_time()
    for match in matches:
        for _entry in store.entries(match):
            pass
    return (process_time() - started) / len(matches) * 1e6


def weigh(url: str, folder: Path, kept: Sequence[SimulatedLog]) -> dict[str, Any]:
    """Return the figures of one game in one empty store."""
    rng = Random(1)
    key, database = rng.randbytes(32), parse_url(url).database()
    with closing(open_store(url, key)) as store:
        fill_store(store, database, kept, rng)
        before = table_sizes(url, database)
        sealed = int(database.query("SELECT coalesce(sum(length(openings)), 0) FROM events")[0][0])
        some = [log.match.match for log in kept[:READ]]
        from_database = time_reading(store, some)
    started = process_time()
    moved = archive(url, str(folder), FAR)
    spent = process_time() - started
    with closing(open_store(url, key, str(folder))) as store:
        from_archive = time_reading(store, some)
    after = table_sizes(url, database)
    database.close()
    listed = {name: after[name] for name in ("archived", "archive_packs")}
    return {
        "bytes": {name: size for name, size in before.items() if name not in listed} | listed,
        "sealed": sealed,
        "packs": moved.packs,
        "archive": moved.size,
        "archiving_us_per_event": round(spent / moved.events * 1e6, 1),
        "read_us": {"database": round(from_database), "archive": round(from_archive)},
    }


def count_matches(kept: Sequence[SimulatedLog]) -> dict[str, int]:
    """Count what the matches are made of."""
    bodies = [entry.body for log in kept for entry in log.entries]
    kinds = [orjson.loads(body)["type"] for body in bodies]
    return {
        "matches": len(kept),
        "events": len(bodies),
        "moves": kinds.count("move_played"),
        "bodies": sum(map(len, bodies)),
        "longest": max([len(log.entries) for log in kept]),
    }


def main() -> None:
    """Print the figures."""
    matches, folder = int(sys.argv[1]), Path(sys.argv[2])
    games: dict[str, Any] = {}
    for slug, game in BY_SLUG.items():
        kept = play_matches(game, matches)
        urls = {"sqlite": f"sqlite:///{folder / f'{slug}.db'}"}
        if len(sys.argv) > 3:
            urls["postgresql"] = sys.argv[3]
        games[slug] = count_matches(kept)
        for kind, url in urls.items():
            migrate(url)
            games[slug][kind] = weigh(url, folder / f"{slug}-{kind}", kept)
            if kind == "postgresql":
                _emptied(url)
    print(json.dumps({"machine": machine(), "games": games}))


def _emptied(url: str) -> None:
    with closing(parse_url(url).database()) as database:
        database.modify(f"{EMPTY}, archive_packs, key_check, match_tags, webhook_news CASCADE")


if __name__ == "__main__":
    main()
