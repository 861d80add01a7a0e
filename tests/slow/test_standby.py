"""A real standby as the replica: it follows, lags and stops, and who reads notices nothing but the primary's load."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import pytest

from gyoji.log.entries import Entry
from gyoji.store import open_store
from gyoji.store.interface import Store
from gyoji.store.urls import ConnectionOptions
from slow.clusters import NAME, Cluster, cluster, standby
from store.logs import KEY, created, ended
from waiting import until

LENGTH = 40
READS = "SELECT coalesce(sum(idx_scan), 0)::int FROM pg_stat_user_tables WHERE relname = 'events'"


@pytest.fixture(scope="module")
def primary() -> Iterator[Cluster]:
    """The database that is written to."""
    with TemporaryDirectory(prefix="gyoji-primary-") as folder, cluster(Path(folder) / "data") as made:
        yield made


@pytest.fixture(scope="module")
def copy(primary: Cluster) -> Iterator[Cluster]:
    """Its standby."""
    with TemporaryDirectory(prefix="gyoji-standby-") as folder, standby(primary, Path(folder) / "data") as made:
        yield made


@pytest.fixture
def store(primary: Cluster, copy: Cluster) -> Iterator[Store]:
    """The store, with its replica."""
    with closing(open_store(primary.url, KEY, options=ConnectionOptions(replica_url=copy.url))) as found:
        yield found


def closed(store: Store) -> tuple[str, list[Entry]]:
    """A match whose log is closed."""
    match, entries = created(store, LENGTH)
    ended(store, match, entries[-1], closed=True)
    return match, list(store.entries(match))


def has(copy: Cluster, match: str) -> bool:
    """Whether the copy has the end of the match."""
    found = copy.ask(f"SELECT closed FROM matches WHERE match = '{match}'", NAME)  # noqa: S608 - an id of our own
    return found == [(True,)]


def scans(cluster: Cluster) -> int:
    """How often the table of events has been looked into, as far as it has been told."""
    cluster.ask("SELECT pg_stat_force_next_flush()", NAME)
    sleep(1.5)  # an idle connection tells of its last statements after a second
    return int(str(cluster.ask(READS, NAME)[0][0]))


def read(store: Store, match: str, times: int = 1) -> list[Entry]:
    """The log, as a replay or an audit reads it; so often."""
    for _ in range(times):
        found = list(store.entries(match, -1, LENGTH + 1, lasting=True))
    return found


def test_the_load_goes_to_the_copy(primary: Cluster, copy: Cluster, store: Store) -> None:
    match, entries = closed(store)
    assert until(lambda: has(copy, match))
    store.close()  # whose connections tell what they have done as they end
    before = scans(primary), scans(copy)
    assert read(store, match, 200) == entries
    store.close()
    after = scans(primary), scans(copy)
    print(f"200 logs read: {after[0] - before[0]} scans of the primary, {after[1] - before[1]} of its copy")  # noqa: T201 - figures
    assert after[0] - before[0] == 0
    assert after[1] - before[1] == 200


def test_a_copy_that_lags_is_passed_over(primary: Cluster, copy: Cluster, store: Store) -> None:
    copy.ask("SELECT pg_wal_replay_pause()")
    match, entries = closed(store)
    assert read(store, match) == entries
    assert not has(copy, match)
    copy.ask("SELECT pg_wal_replay_resume()")
    assert until(lambda: has(copy, match))
    assert read(store, match) == entries


def test_a_copy_that_is_stopped_costs_no_error(primary: Cluster, copy: Cluster, store: Store) -> None:
    match, entries = closed(store)
    assert until(lambda: has(copy, match))
    assert read(store, match) == entries
    copy.control("-m", "immediate", "stop")
    began = monotonic()
    assert read(store, match, 20) == entries
    assert monotonic() - began < 3
    copy.control("-o", f"-h '' -k {copy.folder}", "start")
    assert read(store, match) == entries
