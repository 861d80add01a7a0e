"""Whoever waits for news of a match is woken where the database can wake, and looks for itself where it cannot."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import enumerate as all_threads
from time import monotonic

import psycopg
import pytest

from gyoji.store import open_store
from gyoji.store.database.postgres import notifier
from gyoji.store.interface import AppendOptions, Store
from gyoji.store.urls import ConnectionOptions
from store.databases import migrated_database
from store.logs import KEY, SEATS, appended, created, head_at, made_entry
from waiting import until

LISTENERS = """SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
AND query ~ '^SELECT pg_advisory_lock_shared'"""


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """A PostgreSQL database with the tables of this release."""
    with migrated_database("postgresql", tmp_path) as found:
        yield found


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """The store of a process in which somebody waits."""
    with closing(open_store(url, KEY)) as found:
        yield found


@pytest.fixture
def other(url: str) -> Iterator[Store]:
    """That of another, with few connections."""
    with closing(open_store(url, KEY, options=ConnectionOptions(connections=1))) as found:
        yield found


def listeners(url: str, sql: str = LISTENERS) -> list[int]:
    """The connections that listen."""
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        return [row[0] for row in connection.execute(sql)]


def is_listened_to(url: str) -> bool:
    """Whether one listens."""
    return len(listeners(url)) == 1


def notifications(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The matches that the store notifies of from now on."""
    database = store._database
    sent: list[str] = []
    notify = database.notify

    def told(match: str) -> None:
        sent.append(match)
        notify(match)

    monkeypatch.setattr(database, "notify", told)
    return sent


def test_an_append_of_another_process_wakes_at_once(url: str, store: Store, other: Store) -> None:
    match, entries = created(other)
    with store.subscribe(match) as is_time:
        assert until(lambda: is_listened_to(url))
        while is_time(0.3):  # as it does where nothing is heard yet, and at the beginning
            pass
        began = monotonic()
        appended(other, match, entries[-1])
        assert is_time(0.9)
        assert monotonic() - began < 0.9
        head = store.head(match)
        assert head is not None
        assert head.seq == 1
        began, more = monotonic(), made_entry(match, 2, head.hash)
        other.append(match, 1, [more], head_at(more), None, AppendOptions(SEATS, SEATS))
        assert is_time(0.9)
        assert monotonic() - began < 0.9


def test_news_of_other_matches_wakes_nobody(url: str, store: Store, other: Store) -> None:
    match, _entries = created(other)
    elsewhere, entries = created(other)
    with store.subscribe(match) as is_time:
        assert until(lambda: is_listened_to(url))
        while is_time(0.3):
            pass
        appended(other, elsewhere, entries[-1])
        assert not is_time(0.2)
        began = monotonic()
        assert until(lambda: is_time(0.1), 3)  # unasked
        assert monotonic() - began < notifier.UNASKED + 0.5


def test_it_is_not_sent_where_nobody_listens(
    url: str, store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier, "LINGER", 0.0)
    sent = notifications(other, monkeypatch)
    match, entries = created(other)
    last = appended(other, match, entries[-1])
    assert (sent, listeners(url)) == ([], [])
    with store.subscribe(match), store.subscribe(match):
        assert until(lambda: is_listened_to(url))
        last = appended(other, match, last)
        assert sent == [match]
    assert until(lambda: not listeners(url))
    appended(other, match, last)
    assert sent == [match]


def test_a_listener_that_is_cut_off_comes_back(url: str, store: Store, other: Store) -> None:
    match, entries = created(other)
    with store.subscribe(match) as is_time:
        assert until(lambda: is_listened_to(url))
        (first,) = listeners(url)
        listeners(url, f"SELECT pg_terminate_backend({first}, 5000)::int")
        assert until(lambda: listeners(url) not in ([], [first]))
        while is_time(0.3):
            pass
        appended(other, match, entries[-1])
        assert is_time(0.9)


def test_where_nothing_can_be_heard_it_is_always_time_to_look(url: str) -> None:
    deaf = ConnectionOptions(listen_url="postgresql+psycopg://nobody@127.0.0.1:1/nothing")
    with closing(open_store(url, KEY, options=deaf)) as store:
        match, _entries = created(store)
        with store.subscribe(match) as is_time:
            assert [is_time(0.01) for _ in range(5)] == [True] * 5


def test_a_store_that_is_closed_listens_no_more(url: str, store: Store) -> None:
    match, _entries = created(store)
    with store.subscribe(match):
        assert until(lambda: is_listened_to(url))
    store.close()
    assert not [thread for thread in all_threads() if thread.name == "notifier"]
    assert until(lambda: not listeners(url))


def test_on_sqlite_it_is_time_to_look_after_a_while(tmp_path: Path) -> None:
    with migrated_database("sqlite", tmp_path) as url, closing(open_store(url, KEY)) as store:
        match, _entries = created(store)
        with store.subscribe(match) as is_time:
            began = monotonic()
            assert is_time(0.05)
            assert monotonic() - began >= 0.05
