"""A driver of stores that others made, appending an event of about 600 bytes at a time; prints a line of JSON.

usage: python appends.py eventsourcing|sqlalchemy FOLDER SECONDS [turns]       (an interpreter that has them)
       python appends.py psycopg USER@HOST:PORT/DATABASE SECONDS [turns]       (an interpreter that has psycopg)

With the word ``turns`` it measures once for every line that it reads.

``eventsourcing``: one aggregate, changed and saved through its ``Application``, one thread; per second of that thread's
processor time. ``sqlalchemy``: Core on SQLite (WAL, ``synchronous=NORMAL``), a conditional update and an insert in a
transaction, 2 processes of 4 threads, a connection and a stream each; per second of the clock. ``psycopg``: the same
two statements on PostgreSQL as it is set up, prepared, from as many processes and threads.
"""

import json
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from itertools import count
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any, Protocol

WARM_UP = 200
PROCESSES, THREADS = 2, 4
LEAD = 0.3
"""Seconds in which everybody connects and begins to append, before the clock counts."""
EVENT = {
    "type": "played",
    "seat": 2,
    "card": "QS",
    "hash": "3f" * 32,
    "prev": "a1" * 32,
    "trick": [{"seat": seat, "card": card} for seat, card in enumerate(("2C", "JC", "QS", "KC"))],
    "points": {str(seat): seat * 13 for seat in range(4)},
    "note": "x" * 180,
}


Measure = Callable[[], dict[str, float]]


@contextmanager
def eventsourcing(folder: Path, seconds: float) -> Iterator[Measure]:
    """Append with eventsourcing, by aggregate and application as its tutorial has them."""
    application = import_module("eventsourcing.application").Application
    domain = import_module("eventsourcing.domain")

    class Game(domain.Aggregate):  # type: ignore[misc, name-defined] # a class of the peer, which is not here
        @domain.event("Created")  # type: ignore[untyped-decorator]
        def __init__(self) -> None:
            self.moves = 0

        @domain.event("Moved")  # type: ignore[untyped-decorator]
        def move(self, data: Any) -> None:
            self.moves += 1

    database = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(folder / "peer.db")}
    saved = application(env=database)
    game = Game()
    saved.save(game)

    def append() -> None:
        game.move(EVENT)
        saved.save(game)

    for _ in range(WARM_UP):
        append()
    yield lambda: {"appends_per_second": _rate(append, seconds)}


def _rate(append: Callable[[], None], seconds: float) -> float:
    appended, begun = 0, thread_time()
    while (spent := thread_time() - begun) < seconds:
        append()
        appended += 1
    return appended / spent


@contextmanager
def sqlalchemy(folder: Path, seconds: float) -> Iterator[Measure]:
    """Append with SQLAlchemy, over eight connections in two processes."""
    with _at_once("sqlalchemy", str(folder / "core.db"), seconds) as measure:
        yield measure


@contextmanager
def psycopg(address: Path, seconds: float) -> Iterator[Measure]:
    """Append with psycopg, over eight connections in two processes."""
    with _at_once("psycopg", str(address), seconds) as measure:
        yield measure


class Stream(Protocol):
    """One connection and its stream."""

    def append(self) -> None:
        """Append one more event."""

    def close(self) -> None:
        """Give the connection back."""


@contextmanager
def _at_once(kind: str, database: str, seconds: float) -> Iterator[Measure]:
    STREAMS[kind](database, "first").close()
    slices = count()
    with ProcessPoolExecutor(PROCESSES) as processes:

        def measure() -> dict[str, float]:
            begun, number = perf_counter() + LEAD, next(slices)
            tasks = [(kind, database, f"{number}-{process}", begun, seconds) for process in range(PROCESSES)]
            return {"appends_per_second": sum(processes.map(_threads, tasks)) / seconds}

        measure()  # the processes are there and have imported what they need
        yield measure


def _threads(task: tuple[str, str, str, float, float]) -> int:
    kind, database, named, begun, seconds = task
    streams = [STREAMS[kind](database, f"{named}-{thread}") for thread in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as threads:
        counts = list(threads.map(lambda stream: _appends(stream, begun, seconds), streams))
    for stream in streams:
        stream.close()
    return sum(counts)


def _appends(stream: Stream, begun: float, seconds: float) -> int:
    """Count the appends from that time on."""
    while perf_counter() < begun:
        stream.append()
    appended = 0
    while perf_counter() < begun + seconds:
        stream.append()
        appended += 1
    return appended


class _Core:
    """SQLAlchemy Core on SQLite."""

    def __init__(self, database: str, stream: str) -> None:
        sa = import_module("sqlalchemy")
        self._engine = sa.create_engine(f"sqlite:///{database}", connect_args={"timeout": 30, "isolation_level": None})

        @sa.event.listens_for(self._engine, "connect")  # type: ignore[untyped-decorator, unused-ignore]
        def connected(connection: Any, _record: Any) -> None:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")

        @sa.event.listens_for(self._engine, "begin")  # type: ignore[untyped-decorator, unused-ignore]
        def begun(connection: Any) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

        tables = sa.MetaData()
        text = sa.Text
        streams = sa.Table(
            "streams", tables, sa.Column("id", text, primary_key=True), sa.Column("version", sa.Integer, nullable=False)
        )
        events = sa.Table(
            "events",
            tables,
            sa.Column("stream", text, primary_key=True),
            sa.Column("version", sa.Integer, primary_key=True),
            sa.Column("payload", sa.LargeBinary),
        )
        tables.create_all(self._engine)
        with self._engine.begin() as connection:
            connection.execute(streams.insert(), {"id": stream, "version": 0})
        old = streams.c.version == sa.bindparam("old")
        self._update = (
            streams.update().where(streams.c.id == sa.bindparam("sid"), old).values(version=sa.bindparam("new"))
        )
        self._insert = events.insert()
        self._stream, self._version, self._payload = stream, 0, json.dumps(EVENT).encode()

    def append(self) -> None:
        """Append in one transaction."""
        version = self._version
        with self._engine.begin() as connection:
            moved = connection.execute(self._update, {"sid": self._stream, "old": version, "new": version + 1})
            if moved.rowcount != 1:
                raise RuntimeError("somebody else has written to the stream")
            row = {"stream": self._stream, "version": version + 1, "payload": self._payload}
            connection.execute(self._insert, row)
        self._version = version + 1

    def close(self) -> None:
        """Give the connection back."""
        self._engine.dispose()


class _Psycopg:
    """psycopg on PostgreSQL: four round trips an append."""

    def __init__(self, database: str, stream: str) -> None:
        self._connection = import_module("psycopg").connect(
            f"postgresql://{database}", autocommit=True, prepare_threshold=1
        )
        self._cursor = self._connection.cursor()
        with self._connection.transaction():
            # CREATE TABLE IF NOT EXISTS is not safe between processes by itself
            self._cursor.execute("SELECT pg_advisory_xact_lock(1)")
            self._cursor.execute("CREATE TABLE IF NOT EXISTS streams (id text PRIMARY KEY, version integer NOT NULL)")
            self._cursor.execute(
                "CREATE TABLE IF NOT EXISTS events (stream text, version integer, payload bytea NOT NULL,"
                " PRIMARY KEY (stream, version))"
            )
        self._cursor.execute("INSERT INTO streams VALUES (%s, 0)", (stream,))
        self._stream, self._version, self._payload = stream, 0, json.dumps(EVENT).encode()

    def append(self) -> None:
        """Append in one transaction."""
        version = self._version
        with self._connection.transaction():
            self._cursor.execute(
                "UPDATE streams SET version = %s WHERE id = %s AND version = %s", (version + 1, self._stream, version)
            )
            if self._cursor.rowcount != 1:
                raise RuntimeError("somebody else has written to the stream")
            self._cursor.execute("INSERT INTO events VALUES (%s, %s, %s)", (self._stream, version + 1, self._payload))
        self._version = version + 1

    def close(self) -> None:
        """Give the connection back."""
        self._connection.close()


STREAMS: dict[str, Callable[[str, str], Stream]] = {"sqlalchemy": _Core, "psycopg": _Psycopg}
KINDS = {"eventsourcing": eventsourcing, "sqlalchemy": sqlalchemy, "psycopg": psycopg}

if __name__ == "__main__":
    kind, place, duration, *how = sys.argv[1:]
    with KINDS[kind](Path(place), float(duration)) as measured:
        for _line in sys.stdin if how == ["turns"] else ("once",):
            print(json.dumps(measured()), flush=True)
