"""Secrets at rest: what a stolen database or backup tells without the store key."""

import os
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from gyoji.log.canonical import canonical, leaf_hash
from gyoji.log.entries import Entry, Opening
from gyoji.store import backup, open_store
from gyoji.store.encryption import Damaged, Encryption
from gyoji.store.interface import Store, WrongKey
from gyoji.store.schema import metadata
from gyoji.store.urls import PostgresUrl, parse_url
from store.logs import CANARY, KEY, SECRET, appended, created, head_at, joined, made_entry, made_group
from store.test_contract import SIGNING

SALT = bytes(range(100, 132))


@pytest.fixture
def encryption() -> Encryption:
    """The uses of a key."""
    return Encryption(KEY)


def _stored_bytes(url: str, folder: Path) -> bytes:
    """Everything that the database holds: its files, or its tables as PostgreSQL copies them."""
    place = parse_url(url)
    if not isinstance(place, PostgresUrl):
        return b"".join([path.read_bytes() for path in folder.glob("gyoji.db*")])
    with psycopg.connect(place.conninfo) as connection, connection.cursor() as cursor:
        return b"".join(_copied(cursor))


def _copied(cursor: psycopg.Cursor[tuple[object, ...]]) -> Iterator[bytes]:
    for table in metadata.tables:
        with cursor.copy(f"COPY {table} TO STDOUT (FORMAT binary)") as rows:
            yield from (bytes(part) for part in rows)


def _hidden(entries: list[Entry]) -> list[bytes]:
    salts = [salt for entry in entries for salt in (entry.openings[0].salt, entry.position) if salt is not None]
    return [CANARY.encode(), SECRET, SIGNING.private, KEY, *salts, *[salt.hex().encode() for salt in salts]]


def test_neither_database_nor_backup_holds_what_is_hidden(store: Store, url: str, tmp_path: Path) -> None:
    match, entries = created(store, 3)
    entries.append(appended(store, match, entries[-1]))
    store.add_signing_key(SIGNING)
    store.create_group(made_group("g1"))
    joined(store, "g1", "m1")
    backup(url, tmp_path / "copy.backup")
    for content in (_stored_bytes(url, tmp_path), (tmp_path / "copy.backup").read_bytes()):
        assert entries[2].body in content
        assert [hidden for hidden in _hidden(entries) if hidden in content] == []


def test_what_is_sealed_is_sealed_anew_each_time(encryption: Encryption) -> None:
    entry = made_entry("m1", 0, bytes(32))
    assert encryption.encrypt_openings("m1", entry) != encryption.encrypt_openings("m1", entry)


def test_the_length_of_a_card_does_not_show(encryption: Encryption) -> None:
    lengths = set()
    for card in ("D5", "D10", "The Lord of All Familiars"):
        opening = Opening(0, SALT, {"/move/card": card})
        lengths.add(len(encryption.encrypt_openings("m1", Entry(1, b"", b"", (opening,))) or b""))
    assert lengths == {1 + 12 + 256 + 16}


def test_an_entry_with_nothing_to_open_takes_no_place(encryption: Encryption) -> None:
    entry = Entry(3, b"{}", leaf_hash(b"{}"))
    assert encryption.encrypt_openings("m1", entry) is None
    assert encryption.entry("m1", 3, b"{}", leaf_hash(b"{}"), None) == entry


@pytest.mark.parametrize("position", [None, SALT])
def test_payloads_come_back_as_they_were_committed_to(encryption: Encryption, position: bytes | None) -> None:
    payload: dict[str, object] = {
        "/events/0/hands/2": ["D5", "Łuck", "猫\n\\"],
        "/names": None,
        "/n": -(2**53) + 1,
        "/b": True,
        "/o": {},
    }
    entry = Entry(7, b"{}", bytes(32), (Opening(0, SALT, payload), Opening(2, SALT, {})), position)
    sealed = encryption.encrypt_openings("m1", entry)
    again = encryption.entry("m1", 7, b"{}", bytes(32), sealed)
    assert again == entry
    assert canonical(again.openings[0].payload) == canonical(payload)


@pytest.mark.parametrize(("match", "seq"), [("m2", 0), ("m1", 1)])
def test_a_sealed_value_opens_in_its_place_alone(encryption: Encryption, match: str, seq: int) -> None:
    entry = made_entry("m1", 0, bytes(32))
    sealed = encryption.encrypt_openings("m1", entry)
    assert encryption.entry("m1", 0, entry.body, entry.hash, sealed) == entry
    with pytest.raises(Damaged):
        encryption.entry(match, seq, entry.body, entry.hash, sealed)


def test_tables_do_not_mix(encryption: Encryption) -> None:
    with pytest.raises(Damaged):
        encryption.decrypt("events", "m1", 0, encryption.encrypt("matches", "m1", 0, SECRET))


def test_every_changed_bit_of_a_sealed_value_is_noticed(encryption: Encryption) -> None:
    sealed = encryption.encrypt("matches", "m1", 0, SECRET)
    for bit in range(len(sealed) * 8):
        changed = bytearray(sealed)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(Damaged):
            encryption.decrypt("matches", "m1", 0, bytes(changed))
    for length in range(len(sealed)):
        with pytest.raises(Damaged):
            encryption.decrypt("matches", "m1", 0, sealed[:length])


def test_a_store_key_is_32_bytes() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Encryption(b"short")


def test_another_key_opens_nothing_and_writes_nothing(store: Store, url: str) -> None:
    match, entries = created(store)
    store.add_signing_key(SIGNING)
    wrong = open_store(url, bytes(32))
    for call in (
        wrong.check,
        wrong.token_key,
        wrong.signing_keys,
        lambda: wrong.match(match),
        lambda: list(wrong.entries(match)),
        lambda: wrong.digest(b""),
        lambda: appended(wrong, match, entries[0]),
        lambda: created(wrong),
    ):
        with pytest.raises(WrongKey, match="not the one that this store was made with"):
            call()
    wrong.close()
    assert store.head(match) == head_at(entries[0])


def test_without_a_key_only_what_is_public_is_read(store: Store, url: str) -> None:
    match, entries = created(store, 2)
    store.add_signing_key(SIGNING)
    public = open_store(url)
    public.check()
    assert list(public.entries(match)) == [Entry(entry.seq, entry.body, entry.hash) for entry in entries]
    found, known = public.match(match), store.match(match)
    assert known is not None
    assert found == known._replace(secret=b"")
    assert public.signing_keys() == [SIGNING._replace(private=b"")]
    with pytest.raises(WrongKey, match="needs the store key"):
        appended(public, match, entries[-1])
    public.close()


def test_the_first_key_is_the_key(url: str) -> None:
    first, second = open_store(url, os.urandom(32)), open_store(url, KEY)
    first.check()
    with pytest.raises(WrongKey):
        second.check()
    first.close()
    second.close()
