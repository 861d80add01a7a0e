"""``gyoji keys signing``: keys are rotated, exported and revoked, and what audits make of it."""

import json
import re
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from commands import Gyoji
from gyoji.app.signing_keys import current_signer
from gyoji.log.signatures import key_id
from gyoji.store import migrate, open_store, store_key
from gyoji.trust.trusted_keys import read_trusted_keys
from stored import ORIGIN, PRIVATE, kept_match

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A store with a finished match and a key that signs."""
    address = f"sqlite:///{tmp_path / 'kept.db'}"
    migrate(address)
    kept_match(address)
    return address


@pytest.fixture
def match(gyoji: Gyoji, url: str) -> str:
    with closing(open_store(url)) as store:
        return next(store.every_match())


def keys(gyoji: Gyoji, url: str) -> list[Mapping[str, Any]]:
    """All keys, as they are listed."""
    found: list[Mapping[str, Any]] = json.loads(gyoji("keys", "signing", "list", "--store", url, "--json").stdout)[
        "keys"
    ]
    return found


def rotate_key(gyoji: Gyoji, url: str) -> Mapping[str, Any]:
    ran = gyoji("keys", "signing", "rotate", "--origin", ORIGIN, "--store", url, "--json")
    assert ran.exit_code == 0
    said: Mapping[str, Any] = json.loads(ran.stdout)
    return said


def export_trust(gyoji: Gyoji, url: str, path: Path) -> Path:
    """The trust document of this moment."""
    assert gyoji("keys", "signing", "export", "--out", path, "--store", url).exit_code == 0
    return path


def export_replay(gyoji: Gyoji, url: str, match: str, path: Path) -> Path:
    """The replay file, signed by the key of this moment."""
    assert gyoji("replay", "export", match, "--out", path, "--store", url).exit_code == 0
    return path


def test_a_new_key_takes_the_place_of_the_old(gyoji: Gyoji, url: str) -> None:
    (old,) = keys(gyoji, url)
    said = rotate_key(gyoji, url)
    first, second = keys(gyoji, url)
    assert said == {"retired": old["key"], "key": second["key"], "origin": ORIGIN, "from": second["from"]}
    assert first == {**old, "until": second["from"]}
    assert (second["until"], second["revoked"], second["reason"]) == (None, None, None)
    assert second["key"] == key_id(bytes.fromhex(second["public"])) != old["key"]
    with closing(open_store(url, store_key(url, None))) as store:
        assert current_signer(store, ORIGIN).key == second["key"]
    lines = gyoji("keys", "signing", "list", "--store", url).stdout.splitlines()
    assert lines[0] == f"{old['key']}  {ORIGIN}  {old['from']}  retired {second['from']}"
    assert lines[1] == f"{second['key']}  {ORIGIN}  {second['from']}  in force"


def test_what_was_signed_before_stays_good_for_ever(gyoji: Gyoji, url: str, match: str, tmp_path: Path) -> None:
    before = export_replay(gyoji, url, match, tmp_path / "before.jsonl")
    old_trust = export_trust(gyoji, url, tmp_path / "old.json")
    for _ in range(3):
        rotate_key(gyoji, url)
    after = export_replay(gyoji, url, match, tmp_path / "after.jsonl")
    trust = export_trust(gyoji, url, tmp_path / "new.json")
    assert len(read_trusted_keys(json.loads(trust.read_bytes()))) == 4
    for file in (before, after):
        ran = gyoji("audit", file, "--trust", trust)
        assert (ran.exit_code, ran.stdout.split()[0]) == (0, "verified")
    assert gyoji("audit", before, "--trust", old_trust).exit_code == 0
    assert gyoji("audit", after, "--trust", old_trust).exit_code == 42


def test_what_a_revoked_key_has_signed_is_not_believed(gyoji: Gyoji, url: str, match: str, tmp_path: Path) -> None:
    before = export_replay(gyoji, url, match, tmp_path / "before.jsonl")
    (old,) = keys(gyoji, url)
    ran = gyoji("keys", "signing", "revoke", old["key"], "--reason", "lost with a laptop", "--store", url)
    assert ran.exit_code == 0
    first, second = keys(gyoji, url)
    assert ran.stdout == f"revoked {old['key']}; {second['key']} signs for {ORIGIN} from now on\n"
    assert (first["reason"], first["until"], second["revoked"]) == ("lost with a laptop", None, None)
    assert TIME.fullmatch(first["revoked"])
    assert "lost with a laptop" in gyoji("keys", "signing", "list", "--store", url).stdout
    trust = export_trust(gyoji, url, tmp_path / "trust.json")
    refused = gyoji("audit", before, "--trust", trust)
    assert (refused.exit_code, refused.stdout.split()[0]) == (42, "key_untrusted")
    assert f"Key {old['key']} has been revoked." in refused.stdout
    again = export_replay(gyoji, url, match, tmp_path / "again.jsonl")
    assert gyoji("audit", again, "--trust", trust).exit_code == 0


def test_a_retired_key_is_revoked_without_a_successor(gyoji: Gyoji, url: str) -> None:
    said = rotate_key(gyoji, url)
    ran = gyoji("keys", "signing", "revoke", said["retired"], "--reason", "old", "--store", url, "--json")
    assert json.loads(ran.stdout) == {"revoked": said["retired"], "reason": "old", "key": None}
    assert [key["key"] for key in keys(gyoji, url) if key["until"] is None] == [said["key"]]
    again = gyoji("keys", "signing", "revoke", said["retired"], "--reason", "older", "--store", url)
    assert (again.exit_code, again.stdout) == (1, "")
    assert keys(gyoji, url)[0]["reason"] == "old"


def test_the_key_of_the_log_is_another(gyoji: Gyoji, url: str, match: str, tmp_path: Path) -> None:
    """Two purposes, two keys: to rotate one leaves the other, and files are never signed by that of the log."""
    with closing(open_store(url, store_key(url, None))) as store:
        log = current_signer(store, f"{ORIGIN}/log").key
        assert current_signer(store, f"{ORIGIN}/log").key == log
    said = rotate_key(gyoji, url)
    assert [key["key"] for key in keys(gyoji, url) if key["until"] is None] == [log, said["key"]]
    file = export_replay(gyoji, url, match, tmp_path / "replay.jsonl")
    assert json.loads(file.read_bytes().splitlines()[-1])["head"]["key"] == said["key"]
    assert gyoji("keys", "signing", "rotate", "--origin", f"{ORIGIN}/log", "--store", url).exit_code == 0
    assert gyoji("audit", file, "--trust", export_trust(gyoji, url, tmp_path / "trust.json")).exit_code == 0


def test_private_halves_are_never_shown(gyoji: Gyoji, url: str, tmp_path: Path) -> None:
    said = rotate_key(gyoji, url)
    gyoji("keys", "signing", "revoke", said["retired"], "--reason", "x", "--store", url)
    with closing(open_store(url, store_key(url, None))) as store:
        hidden = [key.private for key in store.signing_keys()]
    assert hidden[0] == PRIVATE
    for arguments in (("list",), ("list", "--json"), ("export",)):
        output = gyoji("keys", "signing", *arguments, "--store", url).output
        assert not [private for private in hidden if private.hex() in output]
    assert not [private for private in hidden if private in (tmp_path / "kept.db").read_bytes()]


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("rotate", "--origin", "nobody.example"), 1),
        (("revoke", "0" * 16, "--reason", "x"), 1),
        (("revoke", "0" * 16), 2),
        (("revoke", "0" * 16, "--reason", " "), 2),
        (("revoke", "0" * 16, "--reason", "two\nlines"), 2),
        (("revoke", "0" * 16, "--reason", "x" * 501), 2),
    ],
)
def test_what_cannot_be_done(gyoji: Gyoji, url: str, arguments: tuple[str, ...], status: int) -> None:
    before = keys(gyoji, url)
    ran = gyoji("keys", "signing", *arguments, "--store", url)
    assert (ran.exit_code, ran.stdout) == (status, "")
    assert keys(gyoji, url) == before


def test_who_names_no_key_in_force_is_told_which_there_are(gyoji: Gyoji, url: str) -> None:
    ran = gyoji("keys", "signing", "rotate", "--origin", "nobody.example", "--store", url)
    assert ran.stderr == f"Error: no key is in force for nobody.example; there are keys for {ORIGIN}\n"
