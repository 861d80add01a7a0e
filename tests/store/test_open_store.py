"""URLs, the key file, and what opening costs."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from gyoji.store import migrate, open_store, store_key
from gyoji.store.database import sqlite
from gyoji.store.interface import WrongKey
from gyoji.store.urls import BadUrl, PostgresUrl, SqliteUrl, parse_url
from servers import ENVIRONMENT
from store.logs import KEY


def test_a_file_in_this_folder_or_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert parse_url("sqlite:///gyoji.db") == SqliteUrl(tmp_path / "gyoji.db")
    assert parse_url("sqlite:////srv/g y/%C3%A9.db") == SqliteUrl(Path("/srv/g y/é.db"))


@pytest.mark.parametrize("name", ["100%.db", "a b.db", "ä#?.db"])
def test_files_with_odd_names(tmp_path: Path, name: str) -> None:
    url = SqliteUrl(tmp_path / name)
    quoted = f"sqlite:///{tmp_path}/{name.replace('%', '%25').replace('?', '%3F')}"
    migrate(quoted)
    store = open_store(quoted, KEY)
    store.check()
    store.close()
    assert parse_url(quoted) == url
    assert url.path.exists()


def test_a_postgresql_url_goes_to_libpq_as_it_is() -> None:
    found = parse_url("postgresql+psycopg://club:p%40ss@db.example:5433/gyoji?sslmode=require")
    assert found == PostgresUrl("postgresql://club:p%40ss@db.example:5433/gyoji?sslmode=require")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "gyoji.db",
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlite://gyoji.db",
        "sqlite:////srv/",
        "sqlite:///gyoji.db?mode=memory",
        "mysql://club:hunter2@db/gyoji",
        "postgresql://club:hunter2@db/gyoji",
        "postgresql+psycopg2://club:hunter2@db/gyoji",
        "postgresql+psycopg://club:hunter2@db",
        "postgresql+psycopg://club:hunter2@db/gyoji?no_such_option=hunter2",
        "postgresql+psycopg://club:hunter2@db:port/gyoji%zz",
    ],
)
def test_other_urls_are_refused_without_a_word_of_them(url: str) -> None:
    with pytest.raises(BadUrl) as refused:
        open_store(url, KEY)
    assert "expected sqlite:///file.db" in str(refused.value)
    assert "hunter2" not in f"{refused.value}"
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__ or refused.value.__context__ is None


def test_opening_connects_to_nothing(tmp_path: Path) -> None:
    open_store(f"sqlite:///{tmp_path}/gyoji.db", KEY).close()
    open_store("postgresql+psycopg://nobody@host.invalid/gyoji", KEY).close()
    assert list(tmp_path.iterdir()) == []


def test_a_running_service_needs_neither_sqlalchemy_nor_psycopg(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/gyoji.db"
    migrate(url)
    program = (
        "import sys; from gyoji.store import migrate, open_store; from gyoji.store.interface import Listing;"
        f"migrate({url!r}); store = open_store({url!r}, bytes(32)); store.check(); store.listed(Listing(None));"
        "store.close(); sys.exit(bool({'sqlalchemy', 'alembic', 'psycopg'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", program], env=ENVIRONMENT, check=True, timeout=60)


def test_a_configured_key(tmp_path: Path) -> None:
    for url in (f"sqlite:///{tmp_path}/gyoji.db", "postgresql+psycopg:///gyoji"):
        assert store_key(url, KEY.hex().upper()) == KEY
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("configured", ["", "00", "zz" * 32, "00" * 33])
def test_a_configured_key_that_is_none(configured: str) -> None:
    with pytest.raises(WrongKey, match="GYOJI_STORE_KEY: expected 64 hex digits"):
        store_key("sqlite:///gyoji.db", configured)


def test_postgresql_needs_a_configured_key() -> None:
    with pytest.raises(WrongKey, match="needs GYOJI_STORE_KEY"):
        store_key("postgresql+psycopg:///gyoji", None)


def test_the_first_start_makes_a_key_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/gyoji.db"
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: store_key(url, None), range(8)))
    assert len(keys) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["gyoji.db.key"]
    assert (tmp_path / "gyoji.db.key").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "gyoji.db.key").read_text() == f"{keys.pop().hex()}\n"


def test_a_missing_key_file_is_not_replaced(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/gyoji.db"
    migrate(url)
    key = store_key(url, None)
    store = open_store(url, key)
    store.check()
    store.close()
    (tmp_path / "gyoji.db.key").rename(tmp_path / "elsewhere")
    with pytest.raises(WrongKey, match="the key file of this database is missing"):
        store_key(url, None)
    (tmp_path / "elsewhere").rename(tmp_path / "gyoji.db.key")
    assert store_key(url, None) == key


@pytest.mark.parametrize(
    ("content", "mode", "said"),
    [
        (b"", 0o600, "the key file: expected 64 hex digits"),
        (b"\xff" * 64, 0o600, "can be neither read nor made"),
        (b"00" * 32, 0o640, "may be read by others"),
        (b"00" * 32, 0o604, "may be read by others"),
    ],
)
def test_a_key_file_that_will_not_do(tmp_path: Path, content: bytes, mode: int, said: str) -> None:
    path = tmp_path / "gyoji.db.key"
    path.write_bytes(content)
    path.chmod(mode)
    with pytest.raises(WrongKey, match=said):
        store_key(f"sqlite:///{tmp_path}/gyoji.db", None)


def test_no_folder_for_a_key_file(tmp_path: Path) -> None:
    with pytest.raises(WrongKey, match="can be neither read nor made"):
        store_key(f"sqlite:///{tmp_path}/missing/gyoji.db", None)


def test_journal_and_sync(tmp_path: Path) -> None:
    """2 is FULL; a file that an earlier release has made with a rollback journal is taken over."""
    file = tmp_path / "gyoji.db"
    migrate(f"sqlite:///{file}")
    with closing(apsw.Connection(str(file))) as earlier:
        assert earlier.pragma("journal_mode", "delete") == "delete"
    assert tuple(map(int, apsw.sqlite_lib_version().split("."))) >= (3, 51, 3)
    connection = sqlite.connect(file)
    assert connection.pragma("journal_mode") == "wal"
    assert connection.pragma("synchronous") == 2
    assert connection.pragma("foreign_keys") == 1
    connection.close()
    assert not os.path.lexists(tmp_path / "gyoji.db-wal")
