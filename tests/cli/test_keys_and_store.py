"""``gyoji keys`` and ``gyoji store``: what they do to a store, and that they do nothing else."""

import json
import re
import subprocess
import sys
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from commands import Gyoji
from gyoji.access.keys import digest
from gyoji.api.rights import Scope
from gyoji.games.catalogue import BY_SLUG
from gyoji.match.fold import replay_log
from gyoji.published_files import CHECKOUT
from gyoji.store import migrate, open_store, store_key
from gyoji.store.database.sqlite import connect
from gyoji.store.database.statements import REVISION
from gyoji.store.schema.migrator import transaction, upgrade
from gyoji.store.urls import SqliteUrl, parse_url
from servers import ENVIRONMENT
from store.test_tournaments import CUP, start_tournament
from stored import kept_match

MATCH = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A store that is ready."""
    address = f"sqlite:///{tmp_path / 'kept.db'}"
    migrate(address)
    return address


def test_a_key_is_printed_once_and_kept_as_a_hash(gyoji: Gyoji, tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'new.db'}"
    result = gyoji("keys", "create", "--role", "operator", "--store", address)
    assert result.exit_code == 0
    key = result.stdout.strip()
    assert key.startswith("gyoji_op_")
    with closing(open_store(address)) as store:
        (record,) = store.keys()
    assert record.hash == digest(key)
    assert (record.role, record.account) == ("operator", "operator")
    assert {*record.scopes} == {scope.value for scope in Scope} - {"matches:unseal"}
    assert key.encode() not in (tmp_path / "new.db").read_bytes()
    assert key not in gyoji("keys", "list", "--store", address).stdout


@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_it_is_said_which_store_a_key_is_made_in(gyoji: Gyoji, tmp_path: Path, as_json: tuple[str, ...]) -> None:
    """On standard error, so that a key can be taken from standard output: also that the store is new, which a wrong
    address would make it."""
    file = tmp_path / "new.db"
    made, used = [
        gyoji("keys", "create", "--role", "operator", "--store", f"sqlite:///{file}", *as_json) for _again in range(2)
    ]
    assert f"Made the SQLite database {file}.\n" in made.stderr
    assert f"Used the SQLite database {file}.\n" in used.stderr
    assert str(file) not in made.stdout + used.stdout


def test_the_name_of_a_store_holds_no_password() -> None:
    place = parse_url("postgresql+psycopg://ann:hush@db.example:5433/gyoji?sslmode=require&password=hush")
    assert str(place) == "the PostgreSQL database gyoji at db.example"


def test_keys_are_listed_and_revoked(gyoji: Gyoji, url: str) -> None:
    arguments = ("--scope", "matches:read", "--account", "club", "--store", url, "--json")
    made = json.loads(gyoji("keys", "create", "--role", "operator", *arguments).stdout)
    assert (made["account"], made["scopes"], made["revoked"]) == ("club", ["matches:read"], None)
    assert gyoji("keys", "revoke", made["id"], "--store", url).stdout == f"revoked {made['id']}\n"
    (listed,) = json.loads(gyoji("keys", "list", "--store", url, "--json").stdout)["keys"]
    assert listed["revoked"] is not None
    assert "key" not in listed
    assert "revoked" in gyoji("keys", "list", "--store", url).stdout
    again = gyoji("keys", "revoke", made["id"], "--store", url)
    assert (again.exit_code, again.stdout) == (1, "")


def test_referees_and_auditors_are_bound_to_what_is_there(gyoji: Gyoji, url: str) -> None:
    match = kept_match(url)
    with closing(open_store(url, store_key(url, None))) as store:
        start_tournament(store, CUP)
    made = json.loads(gyoji("keys", "create", "--role", "referee", "--match", match, "--store", url, "--json").stdout)
    assert (made["matches"], made["account"], made["scopes"]) == ([match], None, [])
    assert made["key"].startswith("gyoji_ref_")
    arguments = ("--tournament", CUP, "--store", url, "--json")
    made = json.loads(gyoji("keys", "create", "--role", "auditor", *arguments).stdout)
    assert (made["matches"], made["tournaments"]) == ([], [CUP])
    for unknown in ("--match", "--tournament"):
        result = gyoji("keys", "create", "--role", "auditor", unknown, MATCH, "--store", url)
        assert (result.exit_code, result.stdout) == (1, "")
        assert MATCH in result.stderr


@pytest.mark.parametrize(
    "wrong",
    [
        (),
        ("--role", "king"),
        ("--role", "operator", "--scope", "everything"),
        ("--role", "operator", "--match", MATCH),
        ("--role", "operator", "--tournament", MATCH),
        ("--role", "operator", "--account", ""),
        ("--role", "referee"),
        ("--role", "referee", "--match", MATCH, "--scope", "matches:play"),
        ("--role", "auditor", "--match", MATCH, "--account", "club"),
    ],
)
def test_keys_that_cannot_be(gyoji: Gyoji, tmp_path: Path, wrong: tuple[str, ...]) -> None:
    assert gyoji("keys", "create", *wrong, "--store", f"sqlite:///{tmp_path / 'no.db'}").exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_backup_comes_back_with_every_match(gyoji: Gyoji, url: str, tmp_path: Path) -> None:
    match = kept_match(url)
    said = json.loads(gyoji("store", "backup", tmp_path / "backup.db", "--store", url, "--json").stdout)
    assert said["bytes"] == (tmp_path / "backup.db").stat().st_size > 0
    other = f"sqlite:///{tmp_path / 'other.db'}"
    assert gyoji("store", "restore", tmp_path / "backup.db", "--store", other).exit_code == 0
    key = store_key(url, None)
    with closing(open_store(other, key)) as store:
        row = store.match(match)
        assert row is not None
        assert replay_log(BY_SLUG["catte"], row.secret, store.entries(match)).seq == row.head.seq
    assert gyoji("store", "check", "--store", other, "--store-key", key.hex()).exit_code == 0
    filled = gyoji("store", "restore", tmp_path / "backup.db", "--store", other)
    assert (filled.exit_code, filled.stdout) == (1, "")


def test_the_documented_drill_runs_as_it_stands(tmp_path: Path) -> None:
    """From the folder of the store, with names as one types them."""
    page = (CHECKOUT / "docs" / "operating.md").read_text("utf-8")
    (example,) = re.findall(r"^```sh example\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    match = kept_match(migrate_store(f"sqlite:///{tmp_path}/gyoji.db"))
    script = f'gyoji() {{ "{sys.executable}" -m gyoji "$@"; }}\n{example}'
    variables = {name: value for name, value in ENVIRONMENT.items() if not name.startswith("GYOJI_")}
    command = ["sh", "-euc", script]
    ran = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=120, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "the store is sound\n" in ran.stdout
    with closing(open_store(f"sqlite:///{tmp_path}/restored.db")) as store:
        assert store.match(match) is not None


def migrate_store(url: str) -> str:
    """The URL of a store that is ready."""
    migrate(url)
    return url


def test_check_says_what_is_wrong(gyoji: Gyoji, url: str, tmp_path: Path) -> None:
    match = kept_match(url)
    sound = gyoji("store", "check", "--store", url)
    assert (sound.exit_code, sound.stdout) == (0, "the store is sound\n")
    with closing(connect(tmp_path / "kept.db")) as database:
        database.execute("DELETE FROM events WHERE match = ? AND seq = 2", (match,))
    wrong = gyoji("store", "check", "--store", url)
    assert wrong.exit_code == 1
    assert "2" in wrong.stdout
    assert match in wrong.stdout
    assert json.loads(gyoji("store", "check", "--store", url, "--json").stdout)["findings"][0]["match"] == match


@pytest.mark.parametrize(
    "command",
    [
        ("keys", "list"),
        ("keys", "revoke", "0123456789abcdef"),
        ("store", "check"),
        ("store", "backup", "{}/backup.db"),
        ("replay", "export", MATCH),
    ],
)
def test_a_store_that_is_not_there_is_not_made(gyoji: Gyoji, tmp_path: Path, command: tuple[str, ...]) -> None:
    arguments = [part.format(tmp_path) for part in command]
    result = gyoji(*arguments, "--store", f"sqlite:///{tmp_path / 'none.db'}")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "cannot be opened" in result.stderr
    assert list(tmp_path.iterdir()) == []
    assert gyoji(*arguments, "--store", "mysql://x:secret@y/z").exit_code == 2
    assert "secret" not in gyoji(*arguments, "--store", "mysql://x:secret@y/z").output


def test_backups_that_cannot_be(gyoji: Gyoji, url: str, tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"mine")
    assert gyoji("store", "backup", tmp_path / "there", "--store", url).exit_code == 1
    assert (tmp_path / "there").read_bytes() == b"mine"
    assert gyoji("store", "restore", tmp_path / "there", "--store", f"sqlite:///{tmp_path / 'o.db'}").exit_code == 1
    assert gyoji("store", "restore", tmp_path / "nothing", "--store", url).exit_code == 2


def test_a_backup_is_checked_and_restored_by_its_digest(gyoji: Gyoji, url: str, tmp_path: Path) -> None:
    """Without the store key too; and no key is made where there is none."""
    kept_match(url)
    folder = tmp_path / "backups"
    folder.mkdir()
    said = json.loads(gyoji("store", "backup", folder / "b", "--store", url, "--json").stdout)
    content = (folder / "b").read_bytes()
    assert said["sha256"] == sha256(content).hexdigest()
    checked = gyoji("store", "check", "--store", f"sqlite:///{folder / 'b'}")
    assert (checked.exit_code, checked.stdout) == (0, "the store is sound\n")
    assert checked.stderr == "without the store key: what is sealed has not been looked into\n"
    restored = json.loads(
        gyoji("store", "restore", folder / "b", "--store", f"sqlite:///{tmp_path}/1", "--json").stdout
    )
    assert restored["sha256"] == said["sha256"]
    (folder / "b").write_bytes(content[:5000] + bytes([content[5000] ^ 4]) + content[5001:])
    for command in (("check", "--store", f"sqlite:///{folder / 'b'}"), ("restore", folder / "b", "--store", url)):
        refused = gyoji("store", *command)
        assert refused.exit_code == 1
        assert "the backup is damaged: its SHA-256 is not the one that it was made with" in refused.output
    assert [path.name for path in folder.iterdir()] == ["b"]
    (folder / "b").write_bytes(content[: len(content) // 512 * 512])
    old = gyoji("store", "restore", folder / "b", "--store", f"sqlite:///{tmp_path}/2")
    assert (old.exit_code, "carries no digest that it could be compared with" in old.stdout) == (0, True)


def test_the_schema_is_brought_up_to_date_apart_from_a_start(gyoji: Gyoji, tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'new.db'}"
    refused = gyoji("serve", "--no-migrate", "--store", address)
    assert (refused.exit_code, "cannot be opened" in refused.stderr) == (1, True)
    with transaction(SqliteUrl(tmp_path / "new.db"), make=True) as connection:
        upgrade(connection, "0010")
    refused = gyoji("serve", "--no-migrate", "--store", address)
    assert (refused.exit_code, "gyoji store migrate" in refused.stderr) == (1, True)
    assert gyoji("store", "migrate", "--store", address).stdout == f"the schema is {REVISION}; it was 0010\n"
    assert gyoji("store", "migrate", "--store", address).stdout == f"the schema is {REVISION} already\n"
    said = json.loads(gyoji("store", "migrate", "--store", address, "--json").stdout)
    assert said == {"before": REVISION, "schema": REVISION}
    made = gyoji("store", "migrate", "--store", f"sqlite:///{tmp_path / 'other.db'}")
    assert made.stdout == f"the schema is {REVISION}\n"
