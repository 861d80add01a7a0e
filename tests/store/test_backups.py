"""Backup while in use, and restore into an empty store of either kind (R22)."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from gyoji.replay.entries import Entry
from gyoji.store import backup, backups, check_store, open_store, restore
from gyoji.store.backups import BackupFailed
from gyoji.store.interface import Head, Match, Seating, Store, Unavailable, WrongKey
from store.databases import KINDS, empty_database, migrated_database
from store.logs import CREATED, KEY, appended, created, ended, joined, made_group, made_log, made_match, move_request
from store.test_contract import API, SIGNING
from store.test_tournaments import begun, paired


@pytest.fixture(params=KINDS)
def other_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database without tables, of each kind, to restore into."""
    folder = tmp_path / "other"
    folder.mkdir()
    with empty_database(str(request.param), folder) as url:
        yield url


def _filled(store: Store) -> None:
    """Something in every table."""
    match, entries = created(store, 3, move_request("m", "first"))
    appended(store, match, entries[-1], move_request(match, "k"))
    store.reseat(match, 2, Seating(1, 1_800_000_000, revoked=True), 0)
    bare = made_log("0", 1)[0]._replace(openings=(), position=None)
    unowned = made_match(bare, "0", owner=None)._replace(imported=True, tags=(), seats=())
    store.create(unowned, [bare])
    store.add_key(API)
    store.add_key(API._replace(id="0", hash=b"0" * 32, revoked="2026-02-01T00:00:00.000Z"))
    store.add_signing_key(SIGNING)
    store.create_group(made_group("g1", until="2027-01-01T00:00:00.000Z"), move_request("m", "group"))
    log = joined(store, "g1", "m1")
    ended(store, "m1", log[-1], closed=False)
    directed = made_log("m2", 1)
    waiting = made_match(directed[0], "m2")._replace(head=Head(0, directed[0].hash, "seeding", 0))
    store.create(waiting._replace(director=Seating(0, 1_800_000_000)), directed)
    store.close_group("g1")
    paired(store, begun(store), ["m3", "m4"])


Content = tuple[dict[str, tuple[Match | None, list[Entry]]], object]


def _content(url: str) -> Content:
    """All that a store holds, decrypted."""
    with closing(open_store(url, KEY)) as store:
        store.check()
        matches = {match: (store.match(match), list(store.entries(match))) for match in store.every_match()}
        remembered = [store.remembered(f"match:{match}", "k") for match in matches]
        held = store.group("g1"), store.grouped("g1"), store.withheld(), store.keys(), store.signing_keys()
        cups = [
            (store.tournaments.tournament(cup), *store.tournaments.entries(cup)) for cup in store.tournaments.every()
        ]
        return matches, (remembered, store.remembered("match:m", "first"), *held, cups)


def test_a_restored_store_is_the_same_store(store: Store, url: str, other_url: str, tmp_path: Path) -> None:
    _filled(store)
    told: list[tuple[int, int]] = []
    backup(url, tmp_path / "b", lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] > 0
    told.clear()
    restore(tmp_path / "b", other_url, lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] > 0
    assert _content(other_url) == _content(url)
    assert check_store(other_url, KEY) == []
    with closing(open_store(other_url, bytes(32))) as wrong, pytest.raises(WrongKey):
        wrong.check()


def test_a_backup_is_one_file_for_its_owner_alone(store: Store, url: str, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    _filled(store)
    backup(url, folder / "today.backup")
    assert [path.name for path in folder.iterdir()] == ["today.backup"]
    assert (folder / "today.backup").stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(folder / "today.backup")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_no_file_is_overwritten(store: Store, url: str, tmp_path: Path) -> None:
    (tmp_path / "b").write_text("precious")
    with pytest.raises(BackupFailed, match="there is a file of that name already"):
        backup(url, tmp_path / "b")
    assert (tmp_path / "b").read_text() == "precious"
    with pytest.raises(BackupFailed, match="cannot be written there: No such file or directory"):
        backup(url, tmp_path / "missing" / "b")


def test_a_backup_that_fails_leaves_no_file(store: Store, url: str, tmp_path: Path) -> None:
    def interrupted(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    _filled(store)
    before = set(tmp_path.iterdir())
    with pytest.raises(KeyboardInterrupt):
        backup(url, tmp_path / "b", interrupted)
    assert {path for path in tmp_path.iterdir() if path.name.startswith("b")} - before == set()
    with pytest.raises(Unavailable):
        backup("sqlite:////nowhere/gyoji.db", tmp_path / "b")
    assert not (tmp_path / "b").exists()


def test_a_backup_under_load_holds_what_was_acknowledged_before_it(store: Store, url: str, tmp_path: Path) -> None:
    match, entries = created(store, 40)
    stop = Event()

    def play() -> None:
        last = entries[-1]
        while not stop.is_set():
            last = appended(store, match, last)

    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(play)
        try:
            backup(url, tmp_path / "b")
        finally:
            stop.set()
        playing.result(30)
    with empty_database("sqlite", tmp_path / "b.restored") as restored:
        (tmp_path / "b.restored").mkdir()
        restore(tmp_path / "b", restored)
        assert check_store(restored, KEY) == []
        with closing(open_store(restored, KEY)) as copy:
            kept = list(copy.entries(match))
    assert kept[:40] == entries
    assert kept == list(store.entries(match))[: len(kept)]


@pytest.mark.parametrize(("version", "writes"), [((3, 40, 1), 19), ((3, 52, 0), 10**6)])
def test_a_copy_that_is_overtaken_again_and_again_comes_to_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int], writes: int
) -> None:
    """With a rollback journal the copy begins anew at every write and holds the file still in the end; with WAL nobody
    is in anybody's way."""
    monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
    monkeypatch.setattr(backups, "PAGES", 1)
    with migrated_database("sqlite", tmp_path) as url, closing(open_store(url, KEY)) as store:
        match, entries = created(store, 40)
        told: list[int] = []

        def play(done: int, _total: int) -> None:
            told.append(done)
            if len(told) <= writes:
                entries.append(appended(store, match, entries[-1]))

        backup(url, tmp_path / "b", play)
    assert told[:2] == ([1, 1] if writes == 19 else [1, 2])
    with closing(open_store(f"sqlite:///{tmp_path / 'b'}", KEY)) as copy:
        kept = list(copy.entries(match))
    assert kept == entries[: len(kept)]
    assert len(kept) == (40 + 19 if writes == 19 else 40)


def test_nothing_is_restored_into_a_store_that_holds_something(store: Store, url: str, tmp_path: Path) -> None:
    backup(url, tmp_path / "b")
    store.add_key(API)
    with pytest.raises(BackupFailed, match="not empty"):
        restore(tmp_path / "b", url)
    assert store.keys() == [API]


def test_a_restore_that_fails_leaves_the_store_empty(store: Store, url: str, other_url: str, tmp_path: Path) -> None:
    def interrupted(done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    _filled(store)
    backup(url, tmp_path / "b")
    with pytest.raises(KeyboardInterrupt):
        restore(tmp_path / "b", other_url, interrupted)
    with closing(open_store(other_url)) as other:
        other.check()
        assert list(other.every_match()) == []
    restore(tmp_path / "b", other_url)
    assert _content(other_url) == _content(url)


def test_what_is_no_backup(url: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no backup" * 1000)
    with closing(sqlite3.connect(tmp_path / "foreign")) as foreign:
        foreign.execute("CREATE TABLE matches (name)")
    for name in ("missing", "text", "foreign"):
        with pytest.raises(BackupFailed, match="no backup of this service, or cannot be read"):
            restore(tmp_path / name, url)


def test_a_damaged_backup_is_not_restored(store: Store, url: str, other_url: str, tmp_path: Path) -> None:
    created(store, 30)
    backup(url, tmp_path / "b")
    content = bytearray((tmp_path / "b").read_bytes())
    table = content.index(b"move_played")
    page = table - table % 4096
    content[page + 3 : page + 5] = b"\xff\xff"
    (tmp_path / "b").write_bytes(content)
    with pytest.raises(BackupFailed, match=r"the backup is damaged|cannot be read"):
        restore(tmp_path / "b", other_url)


def test_of_a_damaged_database_there_is_no_backup(tmp_path: Path) -> None:
    """One index says another time than the table."""
    with migrated_database("sqlite", tmp_path) as url, closing(open_store(url, KEY)) as store:
        match, _ = created(store, 3)
        content = bytearray((tmp_path / "gyoji.db").read_bytes())
        content[content.index(f"club{CREATED}{match}".encode()) + 7] ^= 1
        (tmp_path / "gyoji.db").write_bytes(content)
        with pytest.raises(BackupFailed, match="the copy is damaged"):
            backup(url, tmp_path / "b")
    assert not (tmp_path / "b").exists()
