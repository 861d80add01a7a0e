"""A store that has gone back knows it: it is read, and not written to before it is recovered."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import psycopg
import pytest
from sqlalchemy import delete, insert, select

from gyoji.log.entries import Entry
from gyoji.log.signatures import signer
from gyoji.store import backup, check_store, migrate, open_store, restore
from gyoji.store.database.marker import LINE
from gyoji.store.encryption import derived
from gyoji.store.interface import Conflict, Restored, SigningKey, Store, Unavailable
from gyoji.store.keys import in_force, new_key
from gyoji.store.recovery import Lost, NotRestored, end_wait, recover
from gyoji.store.schema import metadata
from gyoji.store.schema.migrator import transaction
from gyoji.store.urls import parse_url
from gyoji.trust.restorations import read_restoration, verified_signers
from gyoji.trust.transparency.leaves import read_leaf
from gyoji.trust.transparency.notes import Verifier, log_name, open_note, read_checkpoint, write_vkey
from store.databases import migrated_database
from store.logs import CREATED, KEY, appended, created, ended, recovered
from store.logs import RECOVERED as AT

ORIGIN = "club.example"
LATER = "2026-04-01T00:00:00.000Z"
OTHERS = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""


@pytest.fixture
def marker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the marker of every store of the test lies."""
    file = tmp_path / "outside" / "marker"
    file.parent.mkdir()
    monkeypatch.setenv("GYOJI_MARKER", str(file))
    return file


@pytest.fixture
def opened_store(url: str, marker: Path) -> Iterator[Store]:
    """A store with its keys, of which a marker is kept."""
    with closing(open_store(url, KEY)) as store:
        store.add_signing_key(new_key(ORIGIN, CREATED))
        store.add_signing_key(new_key(log_name(ORIGIN), CREATED))
        yield store


Rows = dict[str, list[dict[str, object]]]


def rows_of(url: str) -> Rows:
    """All rows as they are now."""
    with transaction(parse_url(url)) as connection:
        return {
            table.name: [dict(row) for row in connection.execute(select(table)).mappings()]
            for table in metadata.sorted_tables
        }


def put_back(url: str, rows: Rows) -> None:
    """The database as it was, as if by a point-in-time recovery: it does not know of it."""
    with transaction(parse_url(url)) as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(delete(table))
        for table in metadata.sorted_tables:
            if rows[table.name]:
                connection.execute(insert(table), rows[table.name])


def reopen(url: str) -> Store:
    """The store, opened by a process that begins."""
    return open_store(url, KEY)


def grow(store: Store, at: str = CREATED) -> bytes:
    """The root of the tree, signed."""
    key = signing_key(store, log_name(ORIGIN))
    return store.transparency_log.grow(signer(key.private, key.origin), at).root


def signing_key(store: Store, origin: str) -> SigningKey:
    """The key in force."""
    key = in_force(store.signing_keys(), origin)
    assert key is not None
    return key


def test_nothing_is_said_of_a_store_that_has_everything(opened_store: Store, url: str) -> None:
    match, entries = created(opened_store, 3)
    appended(opened_store, match, entries[-1])
    grow(opened_store)
    opened_store.close()
    with closing(reopen(url)) as store:
        store.refuse_restored()
        created(store)
    with pytest.raises(NotRestored):
        recovered(url)


LOSSES: dict[str, Callable[[Store, str, Entry], object]] = {
    "an event": appended,
    "a match": lambda store, _match, _last: created(store),
    "an end": lambda store, match, last: ended(store, match, last, closed=True),
    "a checkpoint": lambda store, _match, _last: grow(store),
}


@pytest.mark.parametrize("what", LOSSES)
def test_whatever_was_stored_last_is_missed(what: str, opened_store: Store, url: str) -> None:
    """One event is enough, and it needs no end of the process that stored it."""
    match, entries = created(opened_store, 3)
    before = rows_of(url)
    LOSSES[what](opened_store, match, entries[-1])
    opened_store.close()
    put_back(url, before)
    with closing(reopen(url)) as store:
        with pytest.raises(Restored, match="the store was restored: gyoji store recover tells what to do"):
            store.refuse_restored()
        with pytest.raises(Restored):
            appended(store, match, entries[-1])
        with pytest.raises(Restored):
            grow(store)
        assert list(store.entries(match)) == entries
        assert store.restorations.waits()


def test_it_is_noted_in_the_database_for_servers_that_know_nothing(
    opened_store: Store, url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    match, entries = created(opened_store, 3)
    before = rows_of(url)
    appended(opened_store, match, entries[-1])
    opened_store.close()
    put_back(url, before)
    monkeypatch.setenv("GYOJI_MARKER", str(tmp_path / "of another server"))
    with closing(reopen(url)) as other:
        created(other)
        monkeypatch.setenv("GYOJI_MARKER", str(tmp_path / "outside" / "marker"))
        with closing(reopen(url)) as store, pytest.raises(Restored):
            store.refuse_restored()
        with pytest.raises(Restored):
            created(other)


def test_a_server_that_runs_on_finds_it_before_it_writes(tmp_path: Path, marker: Path) -> None:
    """A fail-over to a standby that had not got the last event: the connections are new, the process is not."""
    with migrated_database("postgresql", tmp_path) as url, closing(reopen(url)) as store:
        match, entries = created(store, 3)
        before = rows_of(url)
        last = appended(store, match, entries[-1])
        put_back(url, before)
        with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as server:
            while server.execute(OTHERS).fetchall():
                pass
        with pytest.raises(Restored):
            appended(store, match, entries[-1])
        with pytest.raises(Restored):
            appended(store, match, last)
        assert list(store.entries(match)) == entries


def test_what_other_threads_have_stored_is_missed_too(opened_store: Store, url: str) -> None:
    match, entries = created(opened_store, 3)
    before = rows_of(url)
    thread = Thread(target=appended, args=(opened_store, match, entries[-1]))
    thread.start()
    thread.join()
    opened_store.close()
    put_back(url, before)
    with closing(reopen(url)) as store, pytest.raises(Restored):
        store.refuse_restored()


def test_an_append_that_failed_is_not_missed(opened_store: Store, url: str) -> None:
    match, entries = created(opened_store, 3)
    with pytest.raises(Conflict):
        appended(opened_store, match, entries[0])
    opened_store.close()
    with closing(reopen(url)) as store:
        store.refuse_restored()


def test_a_restored_backup_waits_whatever_a_marker_says(
    opened_store: Store, url: str, kind: str, tmp_path: Path
) -> None:
    match, entries = created(opened_store, 3)
    backup(url, tmp_path / "b")
    (tmp_path / "other").mkdir()
    with migrated_database(kind, tmp_path / "other") as there:
        restore(tmp_path / "b", there)
        with closing(reopen(there)) as store:
            with pytest.raises(Restored):
                appended(store, match, entries[-1])
            assert list(store.entries(match)) == entries
        assert check_store(there, KEY) == []
        backup(there, tmp_path / "c")


def test_a_backup_in_the_place_of_a_store_waits_too(opened_store: Store, url: str, tmp_path: Path) -> None:
    created(opened_store, 3)
    backup(url, tmp_path / "b.db")
    migrate(f"sqlite:///{tmp_path / 'b.db'}")
    with closing(reopen(f"sqlite:///{tmp_path / 'b.db'}")) as store, pytest.raises(Restored):
        created(store)


def test_nothing_was_lost_if_the_marker_finds_everything(
    opened_store: Store, url: str, kind: str, marker: Path, tmp_path: Path
) -> None:
    """So a store can move from one database to another."""
    match, entries = created(opened_store, 3)
    backup(url, tmp_path / "b")
    (tmp_path / "other").mkdir()
    with migrated_database(kind, tmp_path / "other") as there:
        restore(tmp_path / "b", there)
        (tmp_path / "nothing").write_bytes(b"")
        with pytest.raises(Lost):
            end_wait(there, [tmp_path / "nothing"])
        end_wait(there, [marker])
        with closing(reopen(there)) as store:
            appended(store, match, entries[-1])
            assert store.restorations.documents() == []
        with pytest.raises(NotRestored):
            end_wait(there, [marker])


def test_something_was_lost_if_it_does_not(
    opened_store: Store, url: str, kind: str, marker: Path, tmp_path: Path
) -> None:
    match, entries = created(opened_store, 3)
    backup(url, tmp_path / "b")
    appended(opened_store, match, entries[-1])
    (tmp_path / "other").mkdir()
    with migrated_database(kind, tmp_path / "other") as there:
        restore(tmp_path / "b", there)
        with pytest.raises(Lost):
            end_wait(there, [marker])
        with closing(reopen(there)) as store:
            assert store.restorations.waits()


def test_a_recovery_makes_new_keys_and_a_new_log(opened_store: Store, url: str) -> None:
    match, entries = created(opened_store, 3)
    over, over_entries = created(opened_store, 3)
    ended(opened_store, over, over_entries[-1], closed=True)
    known = grow(opened_store)
    size = opened_store.transparency_log.latest()
    old, old_log = (signing_key(opened_store, name) for name in (ORIGIN, log_name(ORIGIN)))
    before = rows_of(url)
    lost = appended(opened_store, match, entries[-1])
    created(opened_store)
    grow(opened_store)
    opened_store.close()
    put_back(url, before)
    with closing(reopen(url)) as store, pytest.raises(Restored):
        store.refuse_restored()
    done = recovered(url)
    with closing(reopen(url)) as store:
        after = appended(store, match, entries[-1])
        assert after.hash != lost.hash
        name = f"{ORIGIN}/log/20260301123045"
        new, new_log = signing_key(store, ORIGIN), signing_key(store, name)
        assert {old.key, old_log.key}.isdisjoint({new.key, new_log.key})
        assert in_force(store.signing_keys(), log_name(ORIGIN)) is None
        assert [key.until for key in store.signing_keys() if key.key in (old.key, old_log.key)] == [AT, AT]
        assert (done.generation, store.restorations.generation()) == (20260301123045, 20260301123045)
        (document,) = store.restorations.documents()
        assert document == done.documents[0]
        told = read_restoration(document)
        assert told is not None
        assert size is not None
        assert (told.origin, told.ended, told.key) == (ORIGIN, (old.key,), new.key)
        assert (told.at, told.until, told.open) == (AT, CREATED, {match: 2})
        assert (told.log, told.size, told.root) == (log_name(ORIGIN), size.size, known)
        assert (told.log_ended, told.next) == ((old_log.key,), write_vkey(Verifier(name, new_log.public)))
        publics = {key.key: key.public for key in store.signing_keys()}
        assert verified_signers(document, told, publics) == {old.key, old_log.key, new.key, new_log.key}
        last = store.transparency_log.latest()
        assert last is not None
        said = read_checkpoint(open_note(last.note.encode(), [Verifier(name, new_log.public)]))
        assert (said.origin, said.size) == (name, size.size + 1)
        leaf = read_leaf(store.transparency_log.leaves(size.size, size.size + 1)[0].body)
        assert (leaf["type"], leaf["statement"]) == ("restored", document["statement"])
    assert check_store(url, KEY) == []


def test_what_was_lost_before_is_not_missed_again(
    opened_store: Store, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor by the marker of another server, which nobody has begun anew."""
    match, entries = created(opened_store, 3)
    before = rows_of(url)
    appended(opened_store, match, entries[-1])
    opened_store.close()
    (tmp_path / "copy").write_bytes((tmp_path / "outside" / "marker").read_bytes())
    put_back(url, before)
    with closing(reopen(url)) as store, pytest.raises(Restored):
        store.refuse_restored()
    recovered(url)
    monkeypatch.setenv("GYOJI_MARKER", str(tmp_path / "copy"))
    with closing(reopen(url)) as store:
        store.refuse_restored()
        last = appended(store, match, entries[-1])
        before = rows_of(url)
        appended(store, match, last)
    put_back(url, before)
    with closing(reopen(url)) as store, pytest.raises(Restored):
        store.refuse_restored()
    assert recovered(url, LATER).generation == 20260401000000


def test_to_go_back_behind_a_recovery_is_missed(opened_store: Store, url: str) -> None:
    match, entries = created(opened_store, 3)
    before = rows_of(url)
    recovered(url, anyway=True)
    with closing(reopen(url)) as store:
        appended(store, match, entries[-1])
    put_back(url, before)
    with closing(reopen(url)) as store, pytest.raises(Restored):
        store.refuse_restored()
    recovered(url, LATER)
    with closing(reopen(url)) as store:
        appended(store, match, entries[-1])


def test_a_server_that_runs_on_follows_a_recovery(opened_store: Store, url: str) -> None:
    match, entries = created(opened_store, 3)
    recovered(url, anyway=True)
    last = appended(opened_store, match, entries[-1])
    before = rows_of(url)
    appended(opened_store, match, last)
    opened_store.close()
    put_back(url, before)
    with closing(reopen(url)) as store, pytest.raises(Restored):
        store.refuse_restored()


def test_nobody_writes_while_the_keys_are_exchanged(opened_store: Store, url: str) -> None:
    """Who has the old key in hand signs nothing with it: it is waited for."""
    match, entries = created(opened_store, 3)
    old = signing_key(opened_store, ORIGIN)
    waited: list[str] = []

    def wait() -> None:
        with pytest.raises(Restored):
            appended(opened_store, match, entries[-1])
        waited.append(signing_key(opened_store, ORIGIN).key)

    recover(url, KEY, None, lambda: AT, wait, anyway=True)
    assert waited
    assert waited != [old.key]
    assert signing_key(opened_store, ORIGIN).key == waited[0]


def test_a_recovery_that_broke_off_is_begun_anew(opened_store: Store, url: str) -> None:
    match, entries = created(opened_store, 3)
    first = signing_key(opened_store, ORIGIN).key

    def killed() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        recover(url, KEY, None, lambda: AT, killed, anyway=True)
    with pytest.raises(Restored):
        appended(opened_store, match, entries[-1])
    (told,) = recovered(url, LATER).restorations
    assert len(told.ended) == 2
    assert told.ended[0] == first
    assert told.log == log_name(ORIGIN)
    appended(opened_store, match, entries[-1])
    in_use = [key.origin for key in opened_store.signing_keys() if key.is_in_force]
    assert sorted(in_use) == [ORIGIN, f"{ORIGIN}/log/20260401000000"]


def test_a_store_that_begins_anew_has_nothing_to_do_with_the_marker(
    opened_store: Store, url: str, marker: Path
) -> None:
    """It has neither matches nor keys, so that it cannot contradict itself."""
    empty = {name: [] if name != "key_check" else rows for name, rows in rows_of(url).items()}
    created(opened_store, 3)
    opened_store.close()
    put_back(url, empty)
    with closing(reopen(url)) as store:
        store.refuse_restored()
        created(store)
    with closing(reopen(url)) as store:
        store.refuse_restored()


def test_what_is_stored_and_not_marked_may_have_been_stored(
    opened_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The marker is written after the commit: who is told of its fault must not take it that nothing was stored."""
    match, entries = created(opened_store)

    def refused(*_given: object) -> int:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "pwrite", refused)
    with pytest.raises(Unavailable) as told:
        appended(opened_store, match, entries[-1])
    monkeypatch.undo()
    assert (told.value.cause, told.value.is_unsure) == ("disk-error", True)
    head = opened_store.head(match)
    assert head is not None
    assert head.seq == entries[-1].seq + 1


def test_a_damaged_marker_stops_writes_and_says_so(opened_store: Store, url: str, marker: Path) -> None:
    match, entries = created(opened_store, 3)
    opened_store.close()
    content = marker.read_bytes()
    marker.write_bytes(content.replace(match.encode(), match[::-1].encode()))
    with closing(reopen(url)) as store:
        with pytest.raises(Unavailable, match="the marker is damaged: if nothing was restored, remove it") as refused:
            created(store)
        assert refused.value.cause == "damaged"
        assert list(store.entries(match)) == entries
    recovered(url, anyway=True)
    with closing(reopen(url)) as store:
        appended(store, match, entries[-1])


def test_the_marker_is_for_its_owner_alone_and_has_a_line_a_thread(opened_store: Store, marker: Path) -> None:
    match, entries = created(opened_store, 3)
    for _ in range(3):
        entries.append(appended(opened_store, match, entries[-1]))
    content = marker.read_bytes()
    assert len(content) == LINE
    said = f"{derived(KEY, 'marker/1').hex()[:16]} 0 match {match} {entries[-1].seq} {entries[-1].hash.hex()} ".encode()
    assert content.startswith(said)
    assert marker.stat().st_mode & 0o777 == 0o600


def test_stores_of_other_keys_have_lines_of_their_own(
    opened_store: Store, url: str, kind: str, tmp_path: Path, marker: Path
) -> None:
    """Else whoever names the marker of one store, and asks another one, would take that for a restored one."""
    match, entries = created(opened_store, 3)
    before = rows_of(url)
    appended(opened_store, match, entries[-1])
    opened_store.close()
    (tmp_path / "other").mkdir()
    with migrated_database(kind, tmp_path / "other") as there:
        with closing(open_store(there, bytes(32))) as other:
            other.add_signing_key(new_key(ORIGIN, CREATED))
            created(other)
        with closing(open_store(there, bytes(32))) as other:
            other.refuse_restored()
    assert len(marker.read_bytes()) == 2 * LINE
    put_back(url, before)
    with closing(reopen(url)) as store, pytest.raises(Restored):
        store.refuse_restored()
