"""Connections that the threads of a process share: never more than were allowed, and one that breaks is not kept."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import monotonic
from urllib.parse import urlencode

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from gyoji.store import backup, check_store, migrate, open_store
from gyoji.store.database.connections import ConnectionPool
from gyoji.store.interface import Unavailable
from gyoji.store.urls import BadUrl, ConnectionOptions, PostgresUrl, parse_url
from store.databases import migrated_database
from store.logs import KEY, appended, created
from waiting import until

OF_OTHERS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """A PostgreSQL database with the tables of this release."""
    with migrated_database("postgresql", tmp_path) as found:
        yield found


def query(url: str, sql: str) -> list[int]:
    """What a query finds on a connection of its own."""
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        return [row[0] for row in connection.execute(sql)]


def test_eight_threads_get_by_with_two_connections(url: str) -> None:
    with (
        closing(open_store(url, KEY, options=ConnectionOptions(connections=2))) as store,
        ThreadPoolExecutor(8) as people,
    ):

        def play(_number: int) -> str:
            match, entries = created(store)
            last = entries[-1]
            for _ in range(12):
                last = appended(store, match, last)
            return match

        matches = list(people.map(play, range(8)))
        assert until(lambda: len(query(url, OF_OTHERS)) == 2)
        assert {head.seq for match in matches if (head := store.head(match))} == {12}
    assert check_store(url, KEY) == []
    assert until(lambda: query(url, OF_OTHERS) == [])


def test_connections_that_were_cut_cost_nobody_a_request(url: str) -> None:
    with closing(open_store(url, KEY, options=ConnectionOptions(connections=2))) as store:
        match, entries = created(store)
        for cut in query(url, OF_OTHERS):
            query(url, f"SELECT pg_terminate_backend({cut}, 5000)::int")  # as soon as it has gone
        assert appended(store, match, entries[-1]).seq == 1


def test_a_database_that_is_not_there_is_answered_at_once() -> None:
    ways = ConnectionOptions(connections=2)
    with closing(open_store("postgresql+psycopg://nobody@127.0.0.1:1/nothing", KEY, options=ways)) as store:
        began = monotonic()
        for _ in range(5):
            with pytest.raises(Unavailable):
                store.check()
        assert monotonic() - began < 3


@dataclass
class Wire:
    """What would be a connection."""

    closed: bool = False

    def close(self) -> None:
        """It is."""
        self.closed = True


def test_who_finds_none_free_waits_and_is_told() -> None:
    shared, lent = ConnectionPool(Wire, 1, 0.05), Event()
    first = shared.acquire()
    with pytest.raises(Unavailable, match="in use"):
        shared.acquire()
    shared.release(first)
    assert shared.acquire() is first
    shared.discard(first)
    assert first.closed
    second = shared.acquire()
    assert second is not first
    with ThreadPoolExecutor(1) as other:
        waiting = ConnectionPool(Wire, 1, 5)
        held = waiting.acquire()

        def wait() -> Wire:
            lent.set()
            return waiting.acquire()

        found = other.submit(wait)
        assert lent.wait(5)
        waiting.release(held)
        assert found.result(5) is held
    shared.release(second)
    shared.close()
    assert second.closed


def test_one_that_cannot_be_made_takes_no_place() -> None:
    def fails() -> Wire:
        raise OSError

    shared = ConnectionPool(fails, 1, 0.05)
    for _ in range(3):
        with pytest.raises(OSError):  # noqa: PT011 - the one from above
            shared.acquire()


def test_sqlite_has_no_such_ways(tmp_path: Path) -> None:
    for ways in (
        ConnectionOptions(connections=2),
        ConnectionOptions(replica_url="sqlite:///copy.db"),
        ConnectionOptions(listen_url="sqlite:///copy.db"),
    ):
        with pytest.raises(BadUrl, match="PostgreSQL alone"):
            open_store(f"sqlite:///{tmp_path}/gyoji.db", KEY, options=ways)
    with pytest.raises(BadUrl, match="PostgreSQL alone"):
        open_store("postgresql+psycopg://a@b/c", KEY, options=ConnectionOptions(replica_url="sqlite:///copy.db"))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql+psycopg://gyoji@one:5432,two:5433/gyoji?target_session_attrs=read-write",
        "postgresql+psycopg://gyoji:hush@one,two,three/gyoji?target_session_attrs=primary&connect_timeout=2",
        "postgresql+psycopg:///gyoji?host=/one,/two&target_session_attrs=any",
    ],
)
def test_a_url_of_several_hosts_is_handed_on_as_it_is(url: str) -> None:
    place = parse_url(url)
    assert isinstance(place, PostgresUrl)
    assert place.conninfo == url.replace("+psycopg", "")


def test_of_several_hosts_the_one_that_takes_writes_is_found(url: str, tmp_path: Path) -> None:
    """The first is not there; whatever opens a store goes to the second."""
    parts = conninfo_to_dict(url.replace("+psycopg", ""))
    hosts, ports = f"{tmp_path},{parts['host']}", f"5432,{parts.get('port', 5432)}"
    wanted = {"host": hosts, "port": ports, "target_session_attrs": "read-write", "user": parts["user"]}
    wanted |= {name: parts[name] for name in ("password",) if parts.get(name)}
    several = f"postgresql+psycopg:///{parts['dbname']}?{urlencode(wanted)}"
    migrate(several)
    with closing(open_store(several, KEY)) as store:
        match, entries = created(store)
        appended(store, match, entries[-1])
    backup(several, tmp_path / "backup.db")
    with closing(open_store(url, KEY)) as store:
        assert [entry.seq for entry in store.entries(match)] == [0, 1]
