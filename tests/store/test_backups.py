"""Backup while in use, and restore into an empty store of either kind (R22)."""

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from subprocess import PIPE
from threading import Event

import apsw
import pytest

from gyoji import __version__
from gyoji.log.entries import Entry
from gyoji.store import backup, check_store, migrate, open_store, restore
from gyoji.store.backups import backup as backup_files
from gyoji.store.backups.manifest import BackupFailed
from gyoji.store.database.sqlite import connect, connect_still
from gyoji.store.database.statements import REVISION
from gyoji.store.interface import Head, Match, Restored, Seating, Store, Unavailable, WrongKey
from gyoji.store.schema.migrator import transaction, upgrade
from gyoji.store.urls import SqliteUrl
from servers import ENVIRONMENT
from store.databases import KINDS, empty_database, migrated_database
from store.logs import (
    CREATED,
    KEY,
    appended,
    created,
    ended,
    joined,
    made_group,
    made_log,
    made_match,
    move_request,
    recovered,
)
from store.test_contract import API, SIGNING
from store.test_tournaments import paired, start_tournament


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
    paired(store, start_tournament(store), ["m3", "m4"])


Content = tuple[dict[str, tuple[Match | None, list[Entry]]], object]


def _content(url: str) -> Content:
    """All that a store holds, decrypted."""
    with closing(open_store(url, KEY)) as store:
        store.check()
        matches = {match: (store.match(match), list(store.entries(match))) for match in store.every_match()}
        remembered = [store.remembered(f"match:{match}", "k") for match in matches]
        held = store.group("g1"), store.group_members("g1"), store.withheld(), store.keys(), store.signing_keys()
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
    with closing(connect_still(folder / "today.backup")) as connection:
        assert connection.pragma("integrity_check") == "ok"
        assert connection.pragma("journal_mode") == "delete"


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


def test_writers_get_through_while_a_file_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On 201a27e each write let the copy begin anew, and in the end all of it was copied while writers waited."""
    monkeypatch.setattr(backup_files, "PAGES", 1)
    with migrated_database("sqlite", tmp_path) as url, closing(open_store(url, KEY)) as store:
        match, entries = created(store, 40)
        before = len(entries)
        backup(url, tmp_path / "b", lambda _done, _total: entries.append(appended(store, match, entries[-1])))
        assert len(entries) >= before + 20
    with closing(SqliteUrl(tmp_path / "b", is_still=True).database()) as copy:
        kept = [row[0] for row in copy.query("SELECT hash FROM events WHERE match = ? ORDER BY seq", (match,))]
    assert kept == [entry.hash for entry in entries[:before]]
    assert check_store(f"sqlite:///{tmp_path / 'b'}", KEY) == []


def test_a_copy_lets_go_of_no_lock(tmp_path: Path) -> None:
    """To close a file lets go of all locks that the process has on it, whoever took them."""
    with migrated_database("sqlite", tmp_path) as url, closing(open_store(url, KEY)) as store:
        created(store, 3)
        with closing(connect(tmp_path / "gyoji.db")) as ours:
            ours.execute("BEGIN IMMEDIATE")
            backup(url, tmp_path / "b")
            asked = "import apsw, sys; apsw.Connection(sys.argv[1]).execute('BEGIN IMMEDIATE')"
            other = subprocess.run(
                [sys.executable, "-c", asked, tmp_path / "gyoji.db"], capture_output=True, check=False
            )
    assert b"database is locked" in other.stderr


HALTING = """
import sys
from pathlib import Path
from gyoji.store import backup

def told(done, total):
    print(done, flush=True)
    sys.stdin.readline()

backup(sys.argv[1], Path(sys.argv[2]), told)
"""


@contextmanager
def _halted(url: str, to: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A backup, as a process, in the middle of its work; it goes on when it is told to."""
    command = [sys.executable, "-c", HALTING, url, str(to)]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, env=ENVIRONMENT) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        yield process
        process.kill()


def test_a_killed_backup_has_no_name_and_the_next_one_cleans_up(store: Store, url: str, tmp_path: Path) -> None:
    """On 201a27e an empty file of that name stayed, and a draft beside it for ever."""
    created(store, 30)
    folder = tmp_path / "backups"
    folder.mkdir()
    with _halted(url, folder / "killed.db"):
        pass
    (left,) = folder.iterdir()
    with _halted(url, folder / "running.db") as process:
        (writing,) = folder.iterdir()
        assert writing != left
        backup(url, folder / "whole.db")
        assert set(folder.iterdir()) == {writing, folder / "whole.db"}
        process.communicate(b"\n" * 1000, timeout=60)
        assert process.returncode == 0
    assert {path.name for path in folder.iterdir()} == {"running.db", "whole.db"}
    for name in ("running.db", "whole.db"):
        assert check_store(f"sqlite:///{folder / name}", KEY) == []


def test_no_backup_takes_the_name_that_another_got_meanwhile(store: Store, url: str, tmp_path: Path) -> None:
    def overtaken(_done: int, _total: int) -> None:
        (tmp_path / "b").write_text("precious")

    created(store, 3)
    with pytest.raises(BackupFailed, match="there is a file of that name already"):
        backup(url, tmp_path / "b", overtaken)
    assert (tmp_path / "b").read_text() == "precious"


def test_a_disk_that_is_full(store: Store, url: str, tmp_path: Path) -> None:
    created(store, 30)
    folder = tmp_path / "backups"
    folder.mkdir()
    with _files_of_at_most(4096), pytest.raises((BackupFailed, Unavailable)) as refused:
        backup(url, folder / "b")
    assert re.search("File too large|SQLITE_FULL|SQLITE_IOERR", str(refused.value))
    assert list(folder.iterdir()) == []


@contextmanager
def _files_of_at_most(size: int) -> Iterator[None]:
    """This process, and those that it starts, get no further with any file."""
    bounds = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, bounds[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, bounds)


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
    with closing(apsw.Connection(str(tmp_path / "foreign"))) as foreign:
        foreign.execute("CREATE TABLE matches (name)")
    for name, said in (
        ("missing", "cannot be restored: No such file or directory"),
        ("text", "the file is no backup of this service, or was cut off"),
        ("foreign", "the file is no backup of this service, or is damaged"),
    ):
        with pytest.raises(BackupFailed, match=said):
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
        store.close()
        content = bytearray((tmp_path / "gyoji.db").read_bytes())
        content[content.index(f"club{CREATED}{match}".encode()) + 7] ^= 1
        (tmp_path / "gyoji.db").write_bytes(content)
        with pytest.raises(BackupFailed, match="the copy is damaged"):
            backup(url, tmp_path / "b")
    assert not (tmp_path / "b").exists()


def test_no_flipped_bit_is_restored(store: Store, url: str, tmp_path: Path) -> None:
    """R7: not in the pages, not in the manifest. On 201a27e most of them were restored without a word."""
    _filled(store)
    backup(url, tmp_path / "b")
    content = (tmp_path / "b").read_bytes()
    manifest = len(content) - len(content) % 512
    chance = Random(16)
    bits = [chance.randrange(manifest * 8) for _ in range(60)]
    bits += [byte * 8 + chance.randrange(8) for byte in range(manifest, len(content))]
    (tmp_path / "other").mkdir()
    for number, bit in enumerate(bits):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        (tmp_path / "damaged").write_bytes(damaged)
        with pytest.raises(BackupFailed, match="the backup is damaged: its SHA-256 is not the one"):
            restore(tmp_path / "damaged", f"sqlite:///{tmp_path / 'other' / 'gyoji.db'}")
        if number % 20 == 0:
            found = check_store(f"sqlite:///{tmp_path / 'damaged'}", None)
            assert found[0].what == "the backup is damaged: its SHA-256 is not the one that it was made with"
    assert list((tmp_path / "other").iterdir()) == []


def test_a_backup_that_was_cut_off(store: Store, url: str, tmp_path: Path) -> None:
    created(store, 30)
    backup(url, tmp_path / "b")
    content = (tmp_path / "b").read_bytes()
    for length in (1, 100, 4096, 4097, len(content) // 2 + 1, len(content) - 1):
        (tmp_path / "cut").write_bytes(content[:length])
        with pytest.raises(BackupFailed, match=r"damaged|cut off"):
            restore(tmp_path / "cut", f"sqlite:///{tmp_path / 'other.db'}")


def test_the_digest_is_that_of_the_file(store: Store, url: str, tmp_path: Path) -> None:
    created(store, 3)
    made = backup(url, tmp_path / "b")
    assert made.sha256 == sha256((tmp_path / "b").read_bytes()).hexdigest()
    assert (made.release, made.revision) == (__version__, REVISION)
    assert restore(tmp_path / "b", f"sqlite:///{tmp_path / 'other.db'}") == made


def test_checking_a_backup_changes_nothing(store: Store, url: str, tmp_path: Path) -> None:
    """Not even where a store would get another journal; and nothing is made beside it."""
    _filled(store)
    folder = tmp_path / "backups"
    folder.mkdir()
    backup(url, folder / "b")
    content = (folder / "b").read_bytes()
    for key in (KEY, None):
        assert check_store(f"sqlite:///{folder / 'b'}", key) == []
    assert (folder / "b").read_bytes() == content
    assert [path.name for path in folder.iterdir()] == ["b"]


def test_a_backup_of_an_empty_store_is_sound(store: Store, url: str, tmp_path: Path) -> None:
    """It knows no key yet, and learns of none by a check."""
    backup(url, tmp_path / "b")
    for _ in range(2):
        assert check_store(f"sqlite:///{tmp_path / 'b'}", KEY) == []
        assert check_store(f"sqlite:///{tmp_path / 'b'}", bytes(32)) == []


def test_a_backup_of_release_0_1_0_carries_no_digest(store: Store, url: str, other_url: str, tmp_path: Path) -> None:
    _filled(store)
    made = backup(url, tmp_path / "b")
    os.truncate(tmp_path / "b", made.bytes)
    assert restore(tmp_path / "b", other_url) is None
    assert _content(other_url) == _content(url)


def test_a_backup_at_the_place_of_a_store_becomes_a_store(store: Store, url: str, tmp_path: Path) -> None:
    match, entries = created(store, 5)
    backup(url, tmp_path / "b")
    shutil.copy(tmp_path / "b", tmp_path / "copied.db")
    copied = f"sqlite:///{tmp_path / 'copied.db'}"
    migrate(copied)
    with closing(open_store(copied, KEY)) as other:
        with pytest.raises(Restored):
            appended(other, match, entries[-1])
        recovered(copied)
        appended(other, match, entries[-1])
    assert check_store(copied, KEY) == []
    content = bytearray((tmp_path / "b").read_bytes())
    content[5000] ^= 1
    (tmp_path / "b").write_bytes(content)
    with pytest.raises(Unavailable, match="the backup is damaged"):
        migrate(f"sqlite:///{tmp_path / 'b'}")
    assert (tmp_path / "b").read_bytes() == content


def test_a_backup_is_restored_without_room_for_temporary_files(
    store: Store, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On 201a27e a full TMPDIR was told as: the file is no backup."""
    _filled(store)
    backup(url, tmp_path / "b")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with empty_database("postgresql", tmp_path) as there, _files_of_at_most(4096):
        restore(tmp_path / "b", there)
        assert check_store(there, KEY) == []


def test_a_backup_of_an_older_schema_takes_room_for_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with transaction(SqliteUrl(tmp_path / "old.db"), make=True) as connection:
        upgrade(connection, "0009")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    with empty_database("postgresql", tmp_path) as there:
        with (
            _files_of_at_most(4096),
            pytest.raises(
                BackupFailed, match=f"cannot be written in {temporary}: File too large. TMPDIR names another"
            ),
        ):
            restore(tmp_path / "old.db", there)
        assert restore(tmp_path / "old.db", there) is None
        assert check_store(there, KEY) == []
    assert list(temporary.iterdir()) == []


def test_a_store_that_was_killed_in_the_middle_of_a_page_is_no_backup(tmp_path: Path) -> None:
    """As a file system may leave it: what is there beyond the last page is written over."""
    with migrated_database("sqlite", tmp_path) as url, closing(open_store(url, KEY)) as store:
        match, entries = created(store, 5)
        store.close()
        with (tmp_path / "gyoji.db").open("ab") as file:
            file.write(bytes(700))
        migrate(url)
        assert check_store(url, KEY) == []
        for _ in range(40):
            entries.append(appended(store, match, entries[-1]))
        assert list(store.entries(match)) == entries
