"""What ``check_store`` finds: every change to what is stored that an export would show (R7)."""

from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import bindparam, text

from gyoji.replay.canonical import canonical, leaf_hash
from gyoji.store import check_store, open_store
from gyoji.store.addresses import address
from gyoji.store.checking import Finding
from gyoji.store.interface import Store, Unavailable
from gyoji.store.migrating import transaction
from store.damage import exported, flipped
from store.databases import migrated_database
from store.logs import KEY, appended, created, head_at, made_entry, made_log, made_match

FLIPS = 150

NO_HASH = "the event does not have its hash"
NO_CHAIN = "the event does not continue the log"
UNREAD = "the event does not read"
NO_OPENING = "an opening is not what the event commits to"
SEALED = "a sealed value does not open"
NO_HEAD = "its head is not the last event"
NO_DECISION = "its decision is no event"
NO_ROW = "its row does not read"

MOVED = "UPDATE events SET openings = (SELECT openings FROM events WHERE seq = :value) WHERE seq = 2"


def _change(url: str, sql: str, **put: object) -> None:
    """Change what is stored behind the store's back."""
    with transaction(address(url)) as connection:
        connection.execute(text(sql).bindparams(*[bindparam(name, value) for name, value in put.items()]))


def _whats(findings: list[Finding], match: str | None) -> set[tuple[int | None, str]]:
    assert {finding.match for finding in findings} == {match}
    return {(finding.seq, finding.what) for finding in findings}


def test_a_sound_store_has_no_findings(store: Store, url: str) -> None:
    told: list[tuple[int, int]] = []
    created(store, 20)
    match, entries = created(store, 2)
    last = made_entry(match, 2, entries[-1].hash, "match_finished")
    store.append(match, 1, [last], head_at(last)._replace(status="finished"), None)
    assert check_store(url, KEY, lambda done, total: told.append((done, total))) == []
    assert told == [(1, 2), (2, 2)]
    assert check_store(url, None) == []


def test_an_imported_match_need_not_be_finished_or_young(store: Store, url: str) -> None:
    entries = made_log("m1", 2)
    made = made_match(entries[-1], "m1", created="2027-01-01T00:00:00.000Z", owner=None)
    store.create(made._replace(imported=True, head=made.head._replace(status="finished")), entries)
    assert check_store(url, KEY) == []


@pytest.mark.parametrize(
    ("change", "put", "found"),
    [
        ("UPDATE events SET body = :value WHERE seq = 2", b"{}", {(2, NO_HASH), (2, NO_CHAIN), (2, NO_OPENING)}),
        ("UPDATE events SET body = :value WHERE seq = 2", b"{", {(2, NO_HASH), (2, UNREAD)}),
        ("UPDATE events SET hash = :value WHERE seq = 2", b"h" * 32, {(2, NO_HASH), (3, NO_CHAIN)}),
        ("UPDATE events SET openings = :value WHERE seq = 2", b"\1" * 300, {(2, SEALED)}),
        (MOVED, 1, {(2, SEALED)}),
        ("DELETE FROM events WHERE seq = :value", 2, {(3, "events 2 to 2 are missing"), (3, NO_CHAIN)}),
        ("DELETE FROM events WHERE seq = :value", 3, {(None, NO_HEAD)}),
        ("DELETE FROM events WHERE seq < 3 AND seq >= :value", 0, {(3, "events 0 to 2 are missing"), (3, NO_CHAIN)}),
        ("UPDATE matches SET hash = :value", b"h" * 32, {(None, NO_HEAD)}),
        ("UPDATE matches SET seq = :value", 2, {(None, NO_HEAD), (None, NO_DECISION)}),
        ("UPDATE matches SET decision = :value", -1, {(None, NO_DECISION)}),
        ("UPDATE matches SET status = :value", "finished", {(None, "its status is not what the log says")}),
        ("UPDATE matches SET game = :value", "catte", {(0, "game is not what the log says")}),
        ("UPDATE matches SET version = :value", 2, {(0, "version is not what the log says")}),
        ("UPDATE matches SET disclosure = :value", "auditors_only", {(0, "disclosure is not what the log says")}),
        ("UPDATE matches SET visibility = :value", "public", {(0, "visibility is not what the log says")}),
        ("UPDATE matches SET created = :value", "2026-01-01T00:00:00.001Z", {(0, "created is not what the log says")}),
        ("UPDATE matches SET secret = :value", b"\1" * 93, {(None, NO_ROW)}),
        ("UPDATE matches SET seats = :value", "[[0]", {(None, NO_ROW)}),
        ("UPDATE matches SET tags = :value", "no list", {(None, NO_ROW)}),
    ],
)
def test_a_change_is_found(store: Store, url: str, change: str, put: object, found: set[tuple[int, str]]) -> None:
    match, _ = created(store, 4)
    _change(url, change, value=put)
    assert _whats(check_store(url, KEY), match) == found


def test_an_event_that_was_put_in_the_place_of_another_is_found(store: Store, url: str) -> None:
    """With its hash and the head made to fit: the chain says it."""
    match, entries = created(store, 3)
    forged = canonical({"match": match, "seq": 1, "prev": entries[0].hash.hex(), "type": "move_played", "data": {}})
    _change(url, "UPDATE events SET body = :body, hash = :hash WHERE seq = 1", body=forged, hash=leaf_hash(forged))
    found = _whats(check_store(url, KEY), match)
    assert (2, "the event does not continue the log") in found


def test_events_of_no_match_are_found(store: Store, url: str, kind: str) -> None:
    match, _ = created(store, 2)
    if kind == "sqlite":
        with closing(address(url).database().raw()) as connection:
            connection.execute("PRAGMA foreign_keys=OFF")
            connection.execute("DELETE FROM matches")
    else:
        _change(url, "ALTER TABLE events DROP CONSTRAINT fk_events_match")
        _change(url, "ALTER TABLE match_tags DROP CONSTRAINT fk_match_tags_match")
        _change(url, "DELETE FROM matches")
    assert Finding(match, None, "events of no match") in check_store(url, KEY)


def test_the_wrong_key_and_the_wrong_schema_are_findings(store: Store, url: str) -> None:
    created(store)
    assert [finding.what for finding in check_store(url, bytes(32))] == [
        "the store key is not the one that this store was made with"
    ]
    _change(url, "UPDATE gyoji_revision SET version_num = '9999'")
    assert [finding.what for finding in check_store(url, KEY)] == ["the database is of an older or a newer release"]


def test_a_match_is_checked_while_it_is_played_on(store: Store, url: str) -> None:
    matches = {match: entries[-1] for match, entries in (created(store, 2) for _ in range(3))}

    def play(_done: int, _total: int) -> None:
        for match, last in matches.items():
            matches[match] = appended(store, match, last)

    assert check_store(url, KEY, play) == []


def test_a_flipped_bit_in_the_file_is_found_or_changes_no_export(tmp_path: Path) -> None:
    with migrated_database("sqlite", tmp_path) as url, closing(open_store(url, KEY)) as store:
        for _ in range(3):
            created(store, 40)
    file = Path(url.removeprefix("sqlite:///"))
    kept = exported(url)
    found = sum([flipped(file, bit, kept) for bit in _bits(file, FLIPS)])
    assert found > FLIPS // 3


def _bits(file: Path, count: int) -> list[int]:
    return Random(20260101).sample(range(file.stat().st_size * 8), count)


def test_damage_is_an_outage_to_who_reads(tmp_path: Path) -> None:
    with migrated_database("sqlite", tmp_path) as url, closing(open_store(url, KEY)) as store:
        match, _ = created(store, 8)
        _change(url, "UPDATE events SET openings = :value WHERE seq = 5", value=b"\1" * 300)
        reading = store.entries(match)
        assert [next(reading).seq for _ in range(5)] == [0, 1, 2, 3, 4]
        with pytest.raises(Unavailable, match="a sealed value does not open"):
            next(reading)
