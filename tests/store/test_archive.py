"""Matches that leave the database for an archive: nothing of them changes, whatever breaks, and damage is found."""

from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from gyoji.log.entries import Entry
from gyoji.log.signatures import public_bytes, signer
from gyoji.store import backup, open_store, restore
from gyoji.store.archive import archiver
from gyoji.store.archive.archiver import ArchiveFailed, ArchiveRun, archive, unarchive
from gyoji.store.archive.packs import pack_rows, read_index, unpack_rows
from gyoji.store.checks.log import Finding
from gyoji.store.checks.store import check_store
from gyoji.store.interface import Conflict, IdempotencyRecord, SigningKey, Store, Unavailable
from gyoji.store.object_storage import Objects, objects
from gyoji.store.schema.migrator import transaction
from gyoji.store.urls import parse_url
from store.databases import empty_database
from store.logs import (
    CREATED,
    KEY,
    appended,
    created,
    ended,
    head_at,
    joined,
    made_entry,
    made_group,
    move_request,
    recovered,
)
from store.test_tournaments import paired, start_tournament

LATER = "2027-01-01T00:00:00.000Z"
DAMAGED = "not what was put there"
FORGED_PACK = """INSERT INTO archive_packs (name, digest, size, matches, events)
SELECT 'ff/forged', digest, 0, 1, 1 FROM archive_packs WHERE name <> 'ff/forged' ON CONFLICT DO NOTHING"""
FORGED = """UPDATE archived SET pack = 'ff/forged', start = 0, length = :length, digest = :digest
WHERE match = :match"""


@pytest.fixture
def place(kind: str, tmp_path: Path) -> str:
    """The URL of an empty archive, of one kind beside each database."""
    return f"memory://{tmp_path.name}" if kind == "postgresql" else f"file://{tmp_path}/archive"


def closed_match(store: Store, length: int = 6) -> tuple[str, list[Entry]]:
    """A match whose log is closed, and its entries."""
    match, entries = created(store, length)
    ended(store, match, entries[-1], closed=True)
    return match, list(store.entries(match))


def held(url: str, sql: str) -> list[tuple[Any, ...]]:
    """What stands in the database itself."""
    with transaction(parse_url(url)) as connection:
        return [tuple(row) for row in connection.execute(text(sql))]


def test_a_match_reads_as_before(store: Store, url: str, place: str) -> None:
    match, entries = closed_match(store, 520)  # more than a page
    other, rest = created(store, 3)
    row = store.match(match)
    assert archive(url, place, LATER)[:3] == (1, 522, 1)
    assert held(url, "SELECT DISTINCT match FROM events") == [(other,)]
    with closing(open_store(url, KEY, place)) as there:
        assert list(there.entries(match)) == entries
        assert list(there.entries(match, 2, 4)) == entries[3:5]
        assert list(there.entries(match, 499)) == entries[500:]
        assert list(there.entries(match, 521)) == []
        assert there.match(match) == row
        assert list(there.entries(other)) == rest
        appended(there, other, rest[-1])
    with closing(open_store(url, None, place)) as keyless:
        assert [entry.body for entry in keyless.entries(match)] == [entry.body for entry in entries]


def test_many_matches_share_a_pack_and_a_second_run_makes_another(store: Store, url: str, place: str) -> None:
    logs = dict([closed_match(store, 2 + number) for number in range(5)])
    told: list[tuple[int, int]] = []
    dry = archive(url, place, LATER, dry=True)
    assert (dry.matches, dry.packs, objects(place).held()) == (5, 1, [])
    assert archive(url, place, LATER, 3, progress=lambda *done: told.append(done))[:1] == (3,)
    assert told == [(3, 3)]
    assert archive(url, place, LATER).matches == 2
    assert archive(url, place, LATER) == ArchiveRun()
    assert len(objects(place).held()) == 2
    with closing(open_store(url, KEY, place)) as there:
        assert {match: list(there.entries(match)) for match in there.every_match()} == logs


def test_packs_are_filled(store: Store, url: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archiver, "MOST_MATCHES", 2)
    logs = dict([closed_match(store, 2) for _ in range(5)])
    done = archive(url, place, LATER)
    assert (done.matches, done.packs) == (5, 3)
    assert done.size == sum([each.size for each in objects(place).held()])
    with closing(open_store(url, KEY, place)) as there:
        assert {match: list(there.entries(match)) for match in logs} == logs


def test_what_is_not_closed_or_not_old_stays(store: Store, url: str, place: str) -> None:
    match, entries = created(store, 3)
    ended(store, match, entries[-1], closed=False)
    late, entries = created(store, 3)
    last = made_entry(late, 3, entries[-1].hash, "seed_disclosed", "2026-06-01T00:00:00.000Z")
    store.append(late, 2, [last], head_at(last)._replace(status="finished", closed=True), None)
    paired(store, start_tournament(store), ["m3", "m4"])
    for name in ("m3", "m4"):
        ended(store, name, list(store.entries(name))[-1], closed=True)
    assert archive(url, place, "2026-05-01T00:00:00.000Z") == ArchiveRun()
    assert archive(url, place, LATER).matches == 1
    assert held(url, "SELECT match FROM archived") == [(late,)]


def test_a_log_that_is_not_whole_stays(store: Store, url: str, place: str) -> None:
    good, entries = closed_match(store)
    bad = [closed_match(store)[0] for _ in range(4)]
    with transaction(parse_url(url)) as connection:
        put = [{"match": match} for match in bad]
        changed = text("UPDATE events SET body = :body WHERE match = :match AND seq = 2")
        connection.execute(changed, {**put[0], "body": b"{}"})
        connection.execute(text("DELETE FROM events WHERE match = :match AND seq = 3"), put[1])
        connection.execute(text("UPDATE matches SET hash = :hash WHERE match = :match"), {**put[2], "hash": b"x"})
        unread = text("UPDATE events SET body = :body WHERE match = :match AND seq > 5")
        connection.execute(unread, {**put[3], "body": b"x"})
    done = archive(url, place, LATER)
    assert (done.matches, set(done.damaged)) == (1, set(bad))
    with closing(open_store(url, KEY, place)) as there:
        assert list(there.entries(good)) == entries


def test_without_the_archive_nothing_is_said(store: Store, url: str, place: str, tmp_path: Path) -> None:
    match, entries = closed_match(store)
    archive(url, place, LATER)
    with pytest.raises(Unavailable, match="GYOJI_ARCHIVE does not say where"):
        list(store.entries(match))
    assert list(store.entries(match, -1, 0)) == entries[:1]  # for lists
    with (
        closing(open_store(url, KEY, f"file://{tmp_path}/elsewhere")) as there,
        pytest.raises(Unavailable, match="does not hold the object"),
    ):
        next(there.entries(match))
    with pytest.raises(ArchiveFailed, match="not in that place"):
        archive(url, f"{tmp_path}/elsewhere", LATER)


def test_the_variable_says_where_it_is(store: Store, url: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match, entries = closed_match(store)
    archive(url, place, LATER)
    monkeypatch.setenv("GYOJI_ARCHIVE", place)
    with closing(open_store(url, KEY)) as there:
        assert list(there.entries(match)) == entries


def test_an_archived_match_takes_nothing_more(store: Store, url: str, place: str) -> None:
    match, entries = closed_match(store)
    archive(url, place, LATER)
    more = made_entry(match, entries[-1].seq + 1, entries[-1].hash)
    with pytest.raises(Conflict):
        store.append(match, entries[-1].seq, [more], head_at(more), None)
    assert held(url, "SELECT seq FROM events") == []


def test_the_records_of_its_moves_are_forgotten(store: Store, url: str, place: str) -> None:
    made, move = IdempotencyRecord("owner:club", "k", bytes(32)), "k"
    match, entries = created(store, 2, made)
    other, rest = created(store, 2)
    appended(store, other, rest[-1], move_request(other, move)._replace(scope=f"match:{other}:0"))
    last = appended(store, match, entries[-1], move_request(match, move)._replace(scope=f"match:{match}:0"))
    last = appended(
        store, match, last, move_request(match, move)._replace(scope=f"match:{match}:referee:0123456789abcdef")
    )
    ended(store, match, last, closed=True)
    archive(url, place, LATER)
    assert store.remembered(f"match:{match}:0", move) is None
    assert store.remembered(f"match:{match}:referee:0123456789abcdef", move) is None
    assert store.remembered("owner:club", "k") is not None
    assert store.remembered(f"match:{other}:0", move) is not None


def test_what_comes_back_is_what_left(store: Store, url: str, place: str) -> None:
    logs = dict([closed_match(store) for _ in range(3)])
    before = held(url, "SELECT match, seq, body, hash, openings FROM events ORDER BY match, seq")
    archive(url, place, LATER)
    match, *others = logs
    assert unarchive(url, place, [match]).matches == 1
    assert list(store.entries(match)) == logs[match]
    with pytest.raises(ArchiveFailed, match="is not in the archive"):
        unarchive(url, place, [*others, match])
    assert held(url, "SELECT match, seq, body, hash, openings FROM events ORDER BY match, seq") == before
    assert archive(url, place, LATER).matches == 3


class Killed(BaseException):
    """The process ends here."""


def _never(*_given: object) -> bytes:
    raise Killed


@pytest.mark.parametrize("breaks", ["write", "read", "database"])
def test_a_run_that_breaks_off_loses_nothing(
    store: Store, url: str, place: str, breaks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archiver, "TOGETHER", 2)
    logs = dict([closed_match(store) for _ in range(5)])
    real, left = archiver._release, list[int]()

    def second(*given: object) -> object:
        left.append(len(left))
        return _never() if len(left) == 2 else real(*given)  # type: ignore[arg-type] # as given

    with monkeypatch.context() as broken:
        if breaks == "database":
            broken.setattr(archiver, "_release", second)
        else:
            broken.setattr(Objects, breaks, _never)
        with pytest.raises(Killed):
            archive(url, place, LATER)
    with closing(open_store(url, KEY, place)) as there:
        assert {match: list(there.entries(match)) for match in logs} == logs
        assert archive(url, place, LATER).matches == (3 if breaks == "database" else 5)
        assert {match: list(there.entries(match)) for match in logs} == logs


def test_what_is_not_given_back_as_written_is_not_let_go(
    store: Store, url: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, entries = closed_match(store)
    monkeypatch.setattr(Objects, "read", lambda *_given: b"gyoji-archive/1\n")
    with pytest.raises(Unavailable, match="does not give back what was written"):
        archive(url, place, LATER)
    assert list(store.entries(match)) == entries


def test_two_runs_at_once_move_each_match_once(
    store: Store, url: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = dict([closed_match(store) for _ in range(3)])
    real = archiver._store_pack

    def overtaken(*given: object) -> object:
        with monkeypatch.context() as other:
            other.setattr(archiver, "_store_pack", real)
            assert archive(url, place, LATER, 1).matches == 1
        return real(*given)  # type: ignore[arg-type] # as given

    monkeypatch.setattr(archiver, "_store_pack", overtaken)
    assert archive(url, place, LATER).matches == 2
    with closing(open_store(url, KEY, place)) as there:
        assert {match: list(there.entries(match)) for match in logs} == logs
    assert held(url, "SELECT count(*) FROM events") == [(0,)]


def test_a_reader_in_the_middle_goes_on_in_the_archive(store: Store, url: str, place: str) -> None:
    match, entries = closed_match(store, 1200)
    with closing(open_store(url, KEY, place)) as there:
        reading = there.entries(match)
        first = [next(reading) for _ in range(500)]
        archive(url, place, LATER)
        assert [*first, *reading] == entries
        reading = there.entries(match)
        next(reading)
        unarchive(url, place, [match])
        assert len(list(reading)) == len(entries) - 1


def _cut(content: bytes) -> bytes:
    return content[:200]


def _flipped(at: int) -> Callable[[bytes], bytes]:
    return lambda part: part[:at] + bytes([part[at] ^ 1]) + part[at + 1 :]


@pytest.mark.parametrize(
    "damage", [_cut, lambda _part: b"", lambda part: part[::-1], *map(_flipped, (0, 7, 14, 400, -400, -1))]
)
def test_a_part_that_was_changed_is_not_given_out(
    store: Store, url: str, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    match, _entries = closed_match(store)
    archive(url, str(tmp_path / "archive"), LATER)
    (file,) = (tmp_path / "archive").rglob("*.pack")
    sound = file.read_bytes()
    (part,) = read_index(sound)
    end = part.start + part.length
    file.write_bytes(sound[: part.start] + damage(sound[part.start : end]) + sound[end:])
    with closing(open_store(url, KEY, str(tmp_path / "archive"))) as there, pytest.raises(Unavailable, match=DAMAGED):
        next(there.entries(match))


def test_packs_that_changed_places_are_not_given_out(store: Store, url: str, tmp_path: Path) -> None:
    logs = dict([closed_match(store) for _ in range(2)])
    for _match in logs:
        archive(url, str(tmp_path / "archive"), LATER, 1)
    one, two = (tmp_path / "archive").rglob("*.pack")
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)
    with closing(open_store(url, KEY, str(tmp_path / "archive"))) as there:
        for match in logs:
            with pytest.raises(Unavailable, match=DAMAGED):
                next(there.entries(match))


def test_who_can_write_both_still_cannot_change_a_log(store: Store, url: str, place: str) -> None:
    """The digest of a part that was changed is put into the database as well: the head of the match tells."""
    match, _entries = closed_match(store)
    archive(url, place, LATER)
    (name,) = [each.name for each in objects(place).held()]
    (part,) = read_index(objects(place).read(name))
    rows = unpack_rows(objects(place).read(name, part.start, part.length))
    for forged in (rows[:-1], [*rows[:2], (2, rows[2][1] + b" ", rows[2][2], None), *rows[3:]], rows[:0]):
        content = pack_rows(forged)
        objects(place).write("ff/forged", content)
        with transaction(parse_url(url)) as connection:
            put = {"digest": sha256(content).digest(), "length": len(content), "match": match}
            connection.execute(text(FORGED_PACK))
            connection.execute(text(FORGED), put)
        with closing(open_store(url, KEY, place)) as there, pytest.raises(Unavailable, match=DAMAGED):
            next(there.entries(match))


def test_a_store_with_an_archive_is_sound(store: Store, url: str, place: str) -> None:
    match, _entries = closed_match(store)
    store.create_group(made_group("g1"))
    logs = [joined(store, "g1", name) for name in ("m1", "m2")]
    store.close_group("g1")
    for name, log in zip(("m1", "m2"), logs, strict=True):
        ended(store, name, log[-1], closed=True)
    created(store, 3)
    assert archive(url, place, LATER, 2).matches == 2
    assert check_store(url, KEY, None, place) == check_store(url, None, None, place) == []
    assert archive(url, place, LATER).matches == 1
    assert check_store(url, KEY, None, place) == []
    assert check_store(url, KEY) == [
        Finding(None, None, "3 match(es) are archived, and GYOJI_ARCHIVE does not say where: not looked at")
    ]
    unarchive(url, place, [match, "m1"])
    assert check_store(url, KEY, None, place) == []


def test_check_names_what_is_wrong_with_the_archive(store: Store, url: str, tmp_path: Path) -> None:
    place = str(tmp_path / "archive")
    match, entries = closed_match(store)
    other, _entries = closed_match(store)
    archive(url, place, LATER, 1)
    archive(url, place, LATER)
    name = dict(held(url, "SELECT match, pack FROM archived"))[match]
    file = tmp_path / "archive" / str(name)
    sound = file.read_bytes()
    index_damaged = "index does not have its digest"
    for content, match_is_damaged, said in (
        (sound[:30] + b"x" + sound[31:], True, f"pack {name}: a part does not have its digest"),
        (sound[:-80] + b"x" + sound[-79:], False, f"pack {name}: its {index_damaged}"),
        (sound[:200], True, f"pack {name}: it is no pack"),
        (b"", True, f"pack {name}: it is no pack"),
    ):
        file.write_bytes(content)
        found = check_store(url, KEY, None, place)
        damaged = [each for each in found if each.match == match]
        assert (len(damaged), all(DAMAGED in each.what for each in damaged)) == (match_is_damaged, True)
        assert {each.what for each in found if each.match is None} == {said, f"pack {name} is not what was put there"}
    file.unlink()
    assert f"pack {name} is not in the archive" in {each.what for each in check_store(url, KEY, None, place)}
    file.write_bytes(sound)
    (tmp_path / "archive" / "stray").write_bytes(sound)
    assert [each.what for each in check_store(url, KEY, None, place)] == [
        "the archive holds stray, which is no pack of this store"
    ]
    (tmp_path / "archive" / "stray").unlink()
    with transaction(parse_url(url)) as connection:
        connection.execute(text("UPDATE archived SET body = hash WHERE match = :match"), {"match": match})
    assert [(each.match, each.what) for each in check_store(url, KEY, None, place)] == [
        (match, "its first event, in the list of what is archived, is another")
    ]
    with transaction(parse_url(url)) as connection:
        put = {"match": other, "body": entries[0].body, "hash": entries[0].hash}
        connection.execute(text("INSERT INTO events (match, seq, body, hash) VALUES (:match, 0, :body, :hash)"), put)
    assert (other, "it is archived, and has events in the database") in {
        (each.match, each.what) for each in check_store(url, KEY, None, place)
    }


FORM = b'{"parts":[{"digest":"","hash":"","length":0,"match":%s,"seq":0,"start":%s}%s]}'


@pytest.mark.parametrize(
    "index",
    [b"[]", b"{}", b"null", b"no JSON", b'{"parts":1}', b'{"parts":[1]}', b'{"parts":[{}]}']
    + [FORM % each for each in ((b"[]", b"16", b""), (b'"m"', b'"16"', b""), (b'"m"', b"16", b",0"))],
)
def test_an_index_that_says_nothing_is_found(store: Store, url: str, place: str, index: bytes) -> None:
    """Whoever can write to the archive can write any index, with its digest: the check goes on to the end."""
    match, _entries = closed_match(store)
    archive(url, place, LATER)
    (name,) = [each.name for each in objects(place).held()]
    head = objects(place).read(name)[:-56]
    foot = len(index).to_bytes(8) + sha256(index).digest() + b"gyoji-archive/1\n"
    objects(place).write(name, head + index + foot)
    found = [(each.match, each.what) for each in check_store(url, KEY, None, place)]
    assert (None, f"pack {name}: its index does not read") in found
    assert match not in dict(found)  # its part is what was put there


def test_the_tree_and_the_groups_are_held_against_the_archive(store: Store, url: str, place: str) -> None:
    store.create_group(made_group("g1"))
    log = joined(store, "g1", "m1")
    store.close_group("g1")
    ended(store, "m1", log[-1], closed=True)
    own = signer(bytes(32), "test.example")
    store.add_signing_key(SigningKey(own.key, "test.example", public_bytes(own.private), bytes(32), CREATED))
    store.transparency_log.grow(own, CREATED)
    archive(url, place, LATER)
    assert check_store(url, KEY, None, place) == []
    with transaction(parse_url(url)) as connection:
        connection.execute(text("UPDATE groups SET first = 2, until = '2026-06-01T00:00:00.000Z'"))
        connection.execute(
            text("UPDATE tree_leaves SET body = (SELECT body FROM tree_leaves WHERE number = 1) WHERE number = 0")
        )
        connection.execute(text("UPDATE tree_leaves SET match = 'm1'"))
    found = {each.what for each in check_store(url, KEY, None, place)}
    assert "it was set up otherwise than its group" in found
    assert "disclosed before the time of its group" in found


def test_a_backup_holds_the_list_and_not_the_packs(store: Store, url: str, place: str, tmp_path: Path) -> None:
    match, entries = closed_match(store)
    open_match, rest = created(store, 3)
    archive(url, place, LATER)
    backup(url, tmp_path / "b")
    (tmp_path / "other").mkdir()
    with empty_database("sqlite", tmp_path / "other") as there:
        restore(tmp_path / "b", there)
        with closing(open_store(there, KEY, place)) as copy:
            assert list(copy.entries(match)) == entries
            assert list(copy.entries(open_match)) == rest
        assert check_store(there, KEY, None, place) == []
        assert held(there, "SELECT DISTINCT match FROM events") == [(open_match,)]
        recovered(there)
        unarchive(there, place, [match])
        assert check_store(there, KEY, None, place) == []
    assert check_store(url, KEY, None, place) == []  # the pack is there still
