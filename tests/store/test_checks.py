"""What ``check_store`` finds: every change to what is stored that an export would show (R7)."""

from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from gyoji.log.canonical import canonical, leaf_hash
from gyoji.store import check_store, open_store
from gyoji.store.checks.log import Finding
from gyoji.store.database.statements import REVISION
from gyoji.store.interface import Head, Status, Store, Unavailable
from gyoji.store.urls import parse_url
from store.damage import alter, exported, flipped
from store.databases import migrated_database
from store.logs import CREATED, KEY, appended, created, ended, joined, made_entry, made_group, made_log, made_match

FLIPS = 150

NO_HASH = "the event does not have its hash"
NO_CHAIN = "the event does not continue the log"
UNREAD = "the event does not read"
NO_OPENING = "an opening is not what the event commits to"
SEALED = "a sealed value does not open"
NO_HEAD = "its head is not the last event"
NO_DECISION = "its decision is no event"
NO_ROW = "its row does not read"
NO_END = "its end is not in the tree of matches"
NO_STATUS = "its status is not what the log says"
AFTER = "2026-01-01T00:00:00.001Z"
OTHERWISE = "it was set up otherwise than its group"
OTHER_DEALS = "its deals are not those of its group"

MOVED = "UPDATE events SET openings = (SELECT openings FROM events WHERE seq = :value) WHERE seq = 2"


def _whats(findings: list[Finding], match: str | None) -> set[tuple[int | None, str]]:
    assert {finding.match for finding in findings} == {match}
    return {(finding.seq, finding.what) for finding in findings}


def test_a_sound_store_has_no_findings(store: Store, url: str) -> None:
    told: list[tuple[int, int]] = []
    created(store, 20)
    match, entries = created(store, 2)
    ended(store, match, entries[-1], closed=True)
    store.create_group(made_group("g1"))
    logs = {name: joined(store, "g1", name) for name in ("m1", "m2")}
    store.close_group("g1")
    ended(store, "m1", logs["m1"][-1], closed=True)
    ended(store, "m2", logs["m2"][-1], closed=False, kind="match_voided")
    assert check_store(url, KEY, lambda done, total: told.append((done, total))) == []
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert check_store(url, None) == []


PAUSED, RESUMED, TAKEN_BACK = ("match_paused",), ("match_paused", "match_resumed"), ("match_finished", "ruling_made")


@pytest.mark.parametrize(
    ("kinds", "ruling", "status"),
    [
        (PAUSED, "", "paused"),
        (RESUMED, "", "playing"),
        (TAKEN_BACK, "take_back", "playing"),
        (("match_voided", "ruling_made"), "take_back", "playing"),
        (TAKEN_BACK, "points", "finished"),
        (("match_paused", "ruling_made"), "take_back", "paused"),
    ],
)
def test_a_status_follows_from_pauses_and_rulings(
    store: Store, url: str, kinds: tuple[str, ...], ruling: str, status: Status
) -> None:
    match, entries = created(store, 2)
    for kind in kinds:
        data = {"ruling": {"kind": ruling}} if kind == "ruling_made" else None
        entries.append(made_entry(match, entries[-1].seq + 1, entries[-1].hash, kind, data=data))
        statuses: dict[str, Status] = {"match_finished": "finished", "match_voided": "voided"}
        now = status if kind == kinds[-1] else statuses.get(kind, "playing")
        head = Head(entries[-1].seq, entries[-1].hash, now, 1)
        store.append(match, entries[-2].seq, [entries[-1]], head, None)
    assert check_store(url, KEY) == []
    alter(url, "UPDATE matches SET status = :value", value="seeding")
    assert (None, NO_STATUS) in _whats(check_store(url, KEY), match)


def test_an_imported_match_need_not_be_finished_or_young(store: Store, url: str) -> None:
    entries = made_log("m1", 2)
    made = made_match(entries[-1], "m1", created="2027-01-01T00:00:00.000Z", owner=None)
    store.create(made._replace(imported=True, head=made.head._replace(status="finished", closed=True)), entries)
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
        (
            "DELETE FROM events WHERE seq < 3 AND seq >= :value",
            0,
            {(3, "events 0 to 2 are missing"), (3, NO_CHAIN), (None, NO_STATUS)},
        ),
        ("UPDATE matches SET hash = :value", b"h" * 32, {(None, NO_HEAD)}),
        ("UPDATE matches SET seq = :value", 2, {(None, NO_HEAD), (None, NO_DECISION)}),
        ("UPDATE matches SET decision = :value", -1, {(None, NO_DECISION)}),
        ("UPDATE matches SET status = :value", "finished", {(None, NO_STATUS), (None, NO_END)}),
        ("UPDATE matches SET status = :value", "seeding", {(None, NO_STATUS)}),
        ("UPDATE matches SET closed = :value", True, {(None, NO_STATUS)}),
        ("UPDATE matches SET withheld_until = :value", "group", {(0, "withheld_until is not what the log says")}),
        ("UPDATE matches SET director = :value", "[[0]", {(None, NO_ROW)}),
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
    alter(url, change, value=put)
    assert _whats(check_store(url, KEY), match) == found


@pytest.mark.parametrize(
    ("change", "put", "found"),
    [
        ("UPDATE matches SET group_id = :value", "g2", {(None, "its group is not there")}),
        ("UPDATE groups SET game = :value", "catte", {(0, OTHERWISE), (0, OTHER_DEALS)}),
        ("UPDATE groups SET first = :value", 0, {(0, OTHERWISE)}),
        ("UPDATE groups SET options = :value", "{}", {(0, OTHERWISE)}),
        ("UPDATE groups SET disclosure = :value", "auditors_only", {(0, OTHERWISE)}),
        ("UPDATE groups SET closed = :value", False, {(None, "disclosed before its group")}),
        ("UPDATE groups SET until = :value", AFTER, {(None, "disclosed before the time of its group")}),
    ],
)
def test_a_change_of_a_group_is_found(store: Store, url: str, change: str, put: object, found: set[object]) -> None:
    store.create_group(made_group("g1"))
    log = joined(store, "g1", "m1")
    store.close_group("g1")
    ended(store, "m1", log[-1], closed=True)
    alter(url, change, value=put)
    assert _whats(check_store(url, KEY), "m1") == found
    assert _whats(check_store(url, None), "m1") == found - {(0, OTHER_DEALS)}


def test_a_group_may_be_disclosed_from_its_time_on(store: Store, url: str) -> None:
    store.create_group(made_group("g1", until=CREATED))
    log = joined(store, "g1", "m1")
    store.close_group("g1")
    ended(store, "m1", log[-1], closed=True)
    assert check_store(url, KEY) == []


def test_a_group_that_does_not_read_is_found(store: Store, url: str) -> None:
    store.create_group(made_group("g1"))
    alter(url, "UPDATE groups SET secret = :value", value=bytes(120))
    assert check_store(url, KEY) == [Finding(None, None, "a group does not read")]
    assert check_store(url, None) == []
    alter(url, "UPDATE groups SET options = :value", value="{")
    assert check_store(url, None) == [Finding(None, None, "a group does not read")]


def test_a_match_that_is_disclosed_while_another_plays_is_found(store: Store, url: str) -> None:
    store.create_group(made_group("g1"))
    logs = {name: joined(store, "g1", name) for name in ("m1", "m2")}
    store.close_group("g1")
    ended(store, "m1", logs["m1"][-1], closed=True)
    assert check_store(url, KEY) == [Finding("m1", None, "disclosed before its group")]


def test_an_event_that_was_put_in_the_place_of_another_is_found(store: Store, url: str) -> None:
    """With its hash and the head made to fit: the chain says it."""
    match, entries = created(store, 3)
    forged = canonical({"match": match, "seq": 1, "prev": entries[0].hash.hex(), "type": "move_played", "data": {}})
    alter(url, "UPDATE events SET body = :body, hash = :hash WHERE seq = 1", body=forged, hash=leaf_hash(forged))
    found = _whats(check_store(url, KEY), match)
    assert (2, "the event does not continue the log") in found


def test_events_of_no_match_are_found(store: Store, url: str, kind: str) -> None:
    match, _ = created(store, 2)
    if kind == "sqlite":
        with closing(parse_url(url).database().open_connection()) as connection:
            connection.execute("PRAGMA foreign_keys=OFF")
            connection.execute("DELETE FROM matches")
    else:
        alter(url, "ALTER TABLE events DROP CONSTRAINT fk_events_match")
        alter(url, "ALTER TABLE match_tags DROP CONSTRAINT fk_match_tags_match")
        alter(url, "DELETE FROM matches")
    assert Finding(match, None, "events of no match") in check_store(url, KEY)


def test_the_wrong_key_and_the_wrong_schema_are_findings(store: Store, url: str) -> None:
    created(store)
    assert [finding.what for finding in check_store(url, bytes(32))] == [
        "the store key is not the one that this store was made with"
    ]
    alter(url, "UPDATE gyoji_revision SET version_num = '9999'")
    said = f"the database is of a newer release (its schema is 9999, this release has {REVISION})"
    assert [finding.what for finding in check_store(url, KEY)] == [said]


def test_a_match_is_checked_while_it_is_played_on(store: Store, url: str) -> None:
    matches = {match: entries[-1] for match, entries in (created(store, 2) for _ in range(3))}

    def play(_done: int, _total: int) -> None:
        for match, last in matches.items():
            matches[match] = appended(store, match, last)

    assert check_store(url, KEY, play) == []


def test_a_flipped_bit_in_the_file_is_found_or_changes_no_export(tmp_path: Path) -> None:
    with migrated_database("sqlite", tmp_path) as url, closing(open_store(url, KEY)) as store:
        for _ in range(6):
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
        alter(url, "UPDATE events SET openings = :value WHERE seq = 5", value=b"\1" * 300)
        reading = store.entries(match)
        assert [next(reading).seq for _ in range(5)] == [0, 1, 2, 3, 4]
        with pytest.raises(Unavailable, match="a sealed value does not open"):
            next(reading)
