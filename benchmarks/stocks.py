"""A driver: what the next match, move, look and page cost in stores of growing size; prints a line of JSON.

usage: python -m benchmarks.stocks NUMBER FOLDER SIZE…

At each size, in that order, the store is filled up with copies of matches that have just begun (rows only; nobody reads
them but in lists), and then some matches are made and asked for through the whole service in this process, without a
socket: ``create``, ``append`` (a move), ``read`` (by a process that has not met the match before), ``list`` (a page of
fifty), and a page by a ``status``, a ``game`` or a ``tag`` that no match has. Microseconds of the thread's processor
time.
"""

import json
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import apsw

from benchmarks.in_process import ServiceInProcess, ask, service_in_process, settings
from gyoji.app.settings import Settings
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game
from gyoji.store.database.sqlite import connect

GAME: Game[Any] = BY_SLUG["tomorrow-never-meows"]
SEATS = 4
MATCHES, PAGE = 60, 50
"""How many are made and asked for at each size, and how many of them a list has: never a copy, which nobody could
read."""

QUERIES = {
    "list": f"limit={PAGE}",
    "status": f"limit={PAGE}&status=paused",
    "game": f"limit={PAGE}&game=catte",
    "tag": f"limit={PAGE}&tag=none",
}

COPIES = """
INSERT INTO copies
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
    || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))) FROM n
"""
"""Random UUIDs, as the service makes them."""


def fill_store(database: Path, size: int) -> int:
    """Copy the first match until there are so many; return how many there are then."""
    with closing(connect(database)) as store:
        model = store.execute("SELECT match FROM matches ORDER BY created LIMIT 1").get
        lacking = size - store.execute("SELECT count(*) FROM matches").get
        store.execute("BEGIN IMMEDIATE")
        store.execute("CREATE TEMP TABLE copies (id TEXT PRIMARY KEY)")
        store.execute(COPIES, (max(1, lacking),))
        for table in ("matches", "events", "match_tags"):
            _copy(store, table, model)
        store.execute("DROP TABLE copies")
        store.execute("COMMIT")
        return int(store.execute("SELECT count(*) FROM matches").get)


def _copy(store: apsw.Connection, table: str, model: str) -> None:
    """Copy every row of that match once for each copy."""
    columns = [str(row[1]) for row in store.execute(f"PRAGMA table_info({table})")]
    taken = ", ".join("copies.id" if name == "match" else f"{table}.{name}" for name in columns)
    every_copy = f"SELECT {taken} FROM copies, {table} WHERE {table}.match = ? ORDER BY copies.id"  # noqa: S608
    store.execute(f"INSERT INTO {table} ({', '.join(columns)}) {every_copy}", (model,))


def measure_store(service: Settings, rng: Random) -> dict[str, float]:
    """Measure all four, as medians."""
    with service_in_process(service) as here:
        ask(here, "GET", "/v1/matches?limit=1")
        made = [_time_creation(here) for _ in range(MATCHES)]
        moves = [_time_move(here, match, rng) for match, _took in made]
        pages = {name: _time_lists(here, query) for name, query in QUERIES.items()}
    with service_in_process(service) as another:
        ask(another, "GET", "/v1/matches?limit=1")
        reads = [ask(another, "GET", f"/v1/matches/{match}").took for match, _took in made]
    times = {"create": [took for _match, took in made], "append": moves, "read": reads, **pages}
    return {name: median(took) * 1e6 for name, took in times.items()}


def _time_lists(here: ServiceInProcess, query: str) -> list[float]:
    return [ask(here, "GET", f"/v1/matches?{query}").took for _ in range(MATCHES)]


def _time_creation(here: ServiceInProcess) -> tuple[str, float]:
    told = ask(here, "POST", "/v1/matches", {"game": GAME.slug, "seats": SEATS, "tags": ["cup"]})
    return told.document["match"], told.took


def _time_move(here: ServiceInProcess, match: str, rng: Random) -> float:
    """Time the first move of a match; a new deal is not due yet, so that the operator can work out what is legal."""
    view = ask(here, "GET", f"/v1/matches/{match}").document["view"]
    move = rng.choice(GAME.legal_moves(GAME.read_state(view)))
    return ask(here, "POST", f"/v1/matches/{match}/moves", {"move": move}).took


def measure_sizes(sizes: list[int], rng: Random, folder: Path) -> dict[int, dict[str, float]]:
    """Measure at each size."""
    service = settings(folder, rng)
    measure_store(service, rng)  # the first time all that is imported late gets imported; and there is a match to copy
    found = {}
    for size in sizes:
        fill_store(folder / "gyoji.db", size)
        found[size] = measure_store(service, rng)
    return found


if __name__ == "__main__":
    repeat, place, *asked_for = sys.argv[1:]
    print(json.dumps(measure_sizes([int(size) for size in asked_for], Random(int(repeat)), Path(place))))
