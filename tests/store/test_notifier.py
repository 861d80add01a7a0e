"""Whoever follows a match is woken when there is news of it: by the database where it can, by a watcher where not."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from threading import enumerate as all_threads
from time import monotonic

import psycopg
import pytest

from gyoji.store import open_store
from gyoji.store.database import sqlite, subscriptions
from gyoji.store.database.appends import AppendFollowers
from gyoji.store.database.postgres import notifier
from gyoji.store.database.statements import Row
from gyoji.store.database.subscriptions import Subscriptions
from gyoji.store.interface import AppendOptions, Store, Unavailable
from gyoji.store.urls import ConnectionOptions
from store.databases import migrated_database
from store.logs import KEY, SEATS, appended, created, head_at, made_entry
from waiting import until

LISTENERS = """SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
AND query ~ '^SELECT pg_advisory_lock_shared'"""


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[str]:
    """A PostgreSQL database with the tables of this release."""
    with migrated_database("postgresql", tmp_path) as found:
        yield found


@pytest.fixture
def sqlite_url(tmp_path: Path) -> Iterator[str]:
    """An SQLite database with the tables of this release."""
    with migrated_database("sqlite", tmp_path) as found:
        yield found


@contextmanager
def opened(url: str, connections: int | None = None) -> Iterator[Store]:
    """The store of a process."""
    with closing(open_store(url, KEY, options=ConnectionOptions(connections=connections))) as found:
        yield found


@pytest.fixture
def here(postgres: str) -> Iterator[Store]:
    """The store of a process in which somebody follows a match."""
    with opened(postgres) as found:
        yield found


@pytest.fixture
def other(postgres: str) -> Iterator[Store]:
    """That of another, with few connections."""
    with opened(postgres, 1) as found:
        yield found


@contextmanager
def followed(store: Store, match: str) -> Iterator[Event]:
    """An event that is set at every news of the match."""
    news = Event()
    unsubscribe = store.subscribe(match, news.set)
    try:
        yield news
    finally:
        unsubscribe()


def settle(news: Event) -> None:
    """Wait until nothing is new any more, as everything is at the beginning."""
    while news.wait(0.3):
        news.clear()


def listeners(url: str, sql: str = LISTENERS) -> list[int]:
    """The connections that listen."""
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        return [row[0] for row in connection.execute(sql)]


def is_listened_to(url: str) -> bool:
    """Whether one listens."""
    return len(listeners(url)) == 1


def notifications(store: Store, monkeypatch: pytest.MonkeyPatch, *, lost: bool = False) -> list[str]:
    """The matches that the store notifies of from now on, if the notifications are not lost."""
    database = store._database
    sent: list[str] = []
    notify = database.notify

    def told(match: str, seq: int) -> None:
        sent.append(match)
        if not lost:
            notify(match, seq)

    monkeypatch.setattr(database, "notify", told)
    return sent


def test_an_append_of_another_process_wakes_at_once(postgres: str, here: Store, other: Store) -> None:
    match, entries = created(other)
    with followed(here, match) as news:
        assert until(lambda: is_listened_to(postgres))
        settle(news)
        began = monotonic()
        appended(other, match, entries[-1])
        assert news.wait(0.9)
        assert monotonic() - began < 0.9
        news.clear()
        head = here.head(match)
        assert head is not None
        assert head.seq == 1
        began, more = monotonic(), made_entry(match, 2, head.hash)
        other.append(match, 1, [more], head_at(more), None, AppendOptions(SEATS, SEATS))
        assert news.wait(0.9)
        assert monotonic() - began < 0.9
        news.clear()
        assert not news.wait(notifier.UNASKED + 0.5)  # nobody is woken twice for one thing


def test_news_of_other_matches_wakes_nobody_and_what_is_lost_costs_a_second(
    postgres: str, here: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, entries = created(other)
    elsewhere, others = created(other)
    with followed(here, match) as news:
        assert until(lambda: is_listened_to(postgres))
        settle(news)
        appended(other, elsewhere, others[-1])
        assert not news.wait(notifier.UNASKED + 0.5)
        sent = notifications(other, monkeypatch, lost=True)
        began = monotonic()
        appended(other, match, entries[-1])
        assert news.wait(3)  # unasked
        assert monotonic() - began < notifier.UNASKED + 0.5
        assert sent == [match]


def test_it_is_not_sent_where_nobody_listens(
    postgres: str, here: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscriptions, "LINGER", 0.0)
    sent = notifications(other, monkeypatch)
    match, entries = created(other)
    last = appended(other, match, entries[-1])
    assert (sent, listeners(postgres)) == ([], [])
    with followed(here, match), followed(here, match):
        assert until(lambda: is_listened_to(postgres))
        last = appended(other, match, last)
        assert sent == [match]
    assert until(lambda: not listeners(postgres))
    appended(other, match, last)
    assert sent == [match]


def test_a_listener_that_is_cut_off_comes_back(postgres: str, here: Store, other: Store) -> None:
    match, entries = created(other)
    with followed(here, match) as news:
        assert until(lambda: is_listened_to(postgres))
        (first,) = listeners(postgres)
        listeners(postgres, f"SELECT pg_terminate_backend({first}, 5000)::int")
        assert until(lambda: listeners(postgres) not in ([], [first]))
        settle(news)
        appended(other, match, entries[-1])
        assert news.wait(0.9)


def test_where_nothing_can_be_heard_the_heads_are_looked_at(postgres: str, other: Store) -> None:
    deaf = ConnectionOptions(listen_url="postgresql+psycopg://nobody@127.0.0.1:1/nothing")
    with closing(open_store(postgres, KEY, options=deaf)) as store:
        match, entries = created(store)
        last = entries[-1]
        with followed(store, match) as news:
            settle(news)
            for _ in range(5):
                began, last = monotonic(), appended(other, match, last)
                assert news.wait(notifier.UNASKED)
                assert monotonic() - began < notifier.UNASKED
                news.clear()


def test_a_notification_of_an_older_release_is_left_to_the_next_look(postgres: str, here: Store, other: Store) -> None:
    match, entries = created(other)
    with followed(here, match) as news:
        assert until(lambda: is_listened_to(postgres))
        settle(news)
        other._database.query(notifier.NOTIFY, (match,))
        assert not news.wait(0.2)
        other._database.query(notifier.NOTIFY, (notifier.payload(match, 7),))
        assert news.wait(0.9)
        news.clear()
        assert news.wait(3)  # it was no news: the head stands where it stood
        news.clear()
        appended(other, match, entries[-1])
        assert news.wait(0.9)


@pytest.mark.parametrize("kind", ["postgresql", "sqlite"])
def test_a_store_that_is_closed_watches_no_more(kind: str, tmp_path: Path) -> None:
    with migrated_database(kind, tmp_path) as url:
        with opened(url) as store:
            match, _entries = created(store)
            with followed(store, match):
                assert until(lambda: kind == "sqlite" or is_listened_to(url))
        assert not [thread for thread in all_threads() if thread.name in {"notifier", "watcher"}]
        assert kind == "sqlite" or until(lambda: not listeners(url))


def test_on_sqlite_what_this_process_stores_wakes_at_once_and_that_of_others_soon(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "LOOKS_APART", 0.5)
    with opened(sqlite_url) as store, opened(sqlite_url) as other:
        match, entries = created(store)
        elsewhere, others = created(store)
        with followed(store, match) as news:
            settle(news)
            last = appended(store, match, entries[-1])
            assert news.wait(0.4)
            news.clear()
            assert not news.wait(1.1)  # the watcher knows of it
            appended(other, elsewhere, others[-1])
            assert not news.wait(1.1)
            appended(other, match, last)
            assert not news.is_set()
            assert news.wait(3)


def test_of_many_matches_those_that_have_moved_are_woken(sqlite_url: str) -> None:
    with opened(sqlite_url) as store, opened(sqlite_url) as other:
        made = dict(created(store) for _ in range(subscriptions.HEADS_AT_ONCE + 1))
        woken: list[str] = []
        ends = [store.subscribe(match, lambda match=match: woken.append(match)) for match in made]  # type: ignore[misc]
        elsewhere, entries = created(store)
        appended(other, elsewhere, entries[-1])
        assert until(lambda: set(woken) == set(made))  # it was not known where they stand
        woken.clear()
        moved = list(made)[7::100]
        for match in moved:
            appended(other, match, made[match][-1])
        assert until(lambda: len(woken) >= len(moved))
        assert sorted(woken) == sorted(moved)
        for end in ends:
            end()


class Nothing:
    """A database in which nothing is numbered."""

    def query(self, _sql: str, _put: Row = ()) -> list[Row]:
        """Find nothing."""
        return []

    def writers(self, _table: str) -> set[Row]:
        """Find nobody."""
        return set()


def test_a_store_that_does_not_answer_wakes_everybody_and_is_asked_again() -> None:
    """Who asks it finds out what is wrong."""
    looks: list[Subscriptions] = []

    def look(news: Subscriptions) -> float:
        looks.append(news)
        if len(looks) == 1:
            raise Unavailable("gone", "unreachable")
        return 60.0

    news, watched = Event(), Subscriptions(look, AppendFollowers(Nothing()))
    unsubscribe = watched.subscribe("match", news.set)
    assert news.wait(3)
    assert until(lambda: len(looks) == 2)
    unsubscribe()
    watched.close()
    assert len(looks) == 2
