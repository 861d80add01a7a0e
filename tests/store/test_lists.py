"""Lists of matches: newest first, by pages, with filters."""

import re
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import pytest
from sqlalchemy import insert

from gyoji.log.entries import Entry
from gyoji.store import check_store, lists, open_store
from gyoji.store.encryption import Encryption
from gyoji.store.interface import Head, Listing, Match, Status, Store, Unreadable
from gyoji.store.lists import list_query
from gyoji.store.rows import match_row
from gyoji.store.schema.migrator import transaction
from gyoji.store.schema.tables import match_tags, matches
from gyoji.store.urls import parse_url
from store.damage import alter
from store.databases import migrated_database
from store.logs import KEY, head_at, made_log, made_match

MANY = 10_000
STATUSES: tuple[Status, ...] = get_args(Status)
OWNERS = 20


def _day(number: int) -> str:
    return f"2026-01-{number:02}T00:00:00.000Z"


def _created(store: Store, match: str, day: int, **changes: object) -> None:
    entries = made_log(match, 1)
    made = made_match(entries[0], match, created=_day(day))
    store.create(made._replace(**changes), entries)  # type: ignore[arg-type] # columns by name


@pytest.fixture
def shelf(store: Store) -> Store:
    """Six matches: two of one millisecond, two of another club, one finished, one with a tag of its own; two public,
    three of two tournaments."""
    _created(store, "a", 1, visibility="public")
    _created(store, "b", 2, tags=("finals", 'q"t,'), tournament="cup")
    _created(store, "c", 2, tournament="cup")
    _created(store, "d", 3, owner="other", visibility="public", tournament="open")
    _created(store, "e", 4, game="catte")
    _created(store, "f", 5, owner=None)
    store.append("e", 0, made_log("e", 2)[1:], head_at(made_log("e", 2)[1])._replace(status="finished"), None)
    return store


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (Listing(None), "fedcba"),
        (Listing("club"), "ecba"),
        (Listing("other"), "d"),
        (Listing("nobody"), ""),
        (Listing("club", game="catte"), "e"),
        (Listing("club", status="playing"), "cba"),
        (Listing(None, status="finished"), "e"),
        (Listing("club", tag="finals"), "b"),
        (Listing("club", tag='q"t,'), "b"),
        (Listing("club", tag="league"), "eca"),
        (Listing("other", tag="finals"), ""),
        (Listing(None, public=True), "da"),
        (Listing("club", public=True), "a"),
        (Listing(None, public=True, limit=1), "d"),
        (Listing(None, public=True, before=(_day(3), "d")), "a"),
        (Listing(None, public=True, game="catte"), ""),
        (Listing(None, among=("a", "d", "z")), "da"),
        (Listing("club", among=("a", "d")), "a"),
        (Listing(None, among=()), ""),
        (Listing(None, among=(), within=("cup",)), "cb"),
        (Listing(None, among=("a", "b"), within=("cup", "open")), "dcba"),
        (Listing(None, among=("a",), within=("cup",), tournament="open"), ""),
        (Listing(None, tournament="cup"), "cb"),
        (Listing("club", tournament="open"), ""),
        (Listing(None, tournament="cup", before=(_day(2), "c")), "b"),
        (Listing("club", limit=2), "ec"),
        (Listing("club", before=(_day(4), "e")), "cba"),
        (Listing("club", before=(_day(2), "c")), "ba"),
        (Listing("club", before=(_day(2), "b"), limit=1), "a"),
        (Listing("club", before=(_day(1), "a")), ""),
    ],
)
def test_filters_and_pages(shelf: Store, asked: Listing, found: str) -> None:
    assert "".join([match.match for match in shelf.listed(asked)]) == found


@pytest.mark.parametrize(
    ("change", "damage"),
    [
        ("UPDATE matches SET seats = :value WHERE match = 'c'", "[[0]"),
        ("UPDATE matches SET tags = :value WHERE match = 'c'", "no list"),
        ("UPDATE matches SET secret = :value WHERE match = 'c'", b"\1" * 93),
        ("UPDATE matches SET director = :value WHERE match = 'c'", "[]"),
    ],
)
def test_a_damaged_match_is_listed_as_such_and_the_others_as_ever(
    shelf: Store, url: str, change: str, damage: object
) -> None:
    before, wrong = shelf.listed(Listing("club")), check_store(url, KEY)
    alter(url, change, value=damage)
    lost = Unreadable("c", _day(2))
    assert [row if row.match != "c" else lost for row in before] == shelf.listed(Listing("club"))
    assert shelf.listed(Listing(None, tournament="cup"))[0] == lost
    found = [finding for finding in check_store(url, KEY) if finding not in wrong]
    assert [(finding.match, finding.what) for finding in found] == [("c", "its row does not read")]


def test_text_that_is_none_damages_one_match_and_not_its_page(tmp_path: Path) -> None:
    """SQLite reads no row of a page with such a text in it."""
    with migrated_database("sqlite", tmp_path) as url, closing(open_store(url, KEY)) as store:
        for name, day in (("a", 1), ("b", 2), ("c", 3)):
            _created(store, name, day)
        wrong = check_store(url, KEY)
        alter(url, "UPDATE matches SET withheld_until = CAST(x'ff41' AS TEXT) WHERE match = 'b'")
        found = store.listed(Listing("club"))
        assert [type(row) for row in found] == [Match, Unreadable, Match]
        assert [row.match for row in found] == ["c", "b", "a"]
        assert {finding.match for finding in check_store(url, KEY) if finding not in wrong} == {"b"}


@pytest.mark.parametrize(
    ("status", "closed"), [("paused", False), ("finished", False), ("finished", True), ("playing", False)]
)
def test_a_status_that_changes_is_found_by_and_the_old_one_no_more(store: Store, status: Status, closed: bool) -> None:
    entries = made_log("m", 3)
    store.create(made_match(entries[0], "m"), entries[:1])
    courses: tuple[tuple[Entry, Status, bool], ...] = ((entries[1], "playing", False), (entries[2], status, closed))
    for entry, seen, is_over in courses:
        head = Head(entry.seq, entry.hash, seen, 1, is_over)
        store.append("m", entry.seq - 1, [entry], head, None)
        assert store.head("m") == head
        for asked in STATUSES:
            found = store.listed(Listing("club", status=asked))
            assert [row.match for row in found] == (["m"] if asked == seen else [])


def test_a_listed_match_is_the_match(shelf: Store) -> None:
    assert [shelf.match(match.match) for match in shelf.listed(Listing(None))] == shelf.listed(Listing(None))


def test_every_match_by_id(shelf: Store) -> None:
    assert list(shelf.every_match()) == ["a", "b", "c", "d", "e", "f"]


def _tags(row: dict[str, Any]) -> list[dict[str, Any]]:
    """What is tagged: every second match with ``usual``, and every thousandth with ``rare``."""
    number = int(row["match"], 16)
    tags = [tag for tag, every in (("usual", 2), ("rare", 1000)) if number % every == 0]
    return [{"tag": tag, **{name: row[name] for name in ("match", "owner", "created")}} for tag in tags]


@pytest.fixture
def crowd(store: Store, url: str) -> Store:
    """Ten thousand matches of twenty owners; one in a hundred is public."""
    made = made_match(made_log("m", 1)[0], "m")
    names = [column.name for column in matches.columns if column.name != "archived"]
    row = dict(zip(names, match_row(made, Encryption(KEY)), strict=True))
    rows = [
        {
            **row,
            "match": f"{number:032x}",
            "owner": f"club {number % OWNERS}",
            "created": f"{number // 3:024}",
            "visibility": "private" if number % 100 else "public",
            "tournament": None if number % 50 else "cup",
        }
        for number in range(MANY)
    ]
    with transaction(parse_url(url)) as connection:
        connection.execute(insert(matches), rows)
        connection.execute(insert(match_tags), [tag for row in rows for tag in _tags(row)])
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("ANALYZE matches, match_tags")
    return store


def test_ten_thousand_are_listed_in_pages_along_the_index(crowd: Store, url: str, kind: str) -> None:
    plan = _plan(url, kind, Listing("club 7", before=(f"{1000:024}", "f"), limit=50))
    assert "matches_listed" in plan
    assert "SORT" not in plan.upper()
    assert "B-TREE" not in plan.upper()
    newest = _plan(url, kind, Listing(None, public=True, limit=8))
    assert "matches_public" in newest
    assert "SORT" not in newest.upper()
    assert "B-TREE" not in newest.upper()
    played = _plan(url, kind, Listing(None, tournament="cup", limit=8))
    assert "matches_of_tournament" in played
    assert "SORT" not in played.upper()
    assert "B-TREE" not in played.upper()
    assert "matches_newest" in _plan(url, kind, Listing(None, before=(f"{1000:024}", "f"), limit=50))


def test_every_filter_goes_along_an_index(crowd: Store, url: str, kind: str) -> None:
    """Whether much or little is found: no step sorts, and none passes over what is not asked for. PostgreSQL, which
    knows how much there is, may take few tags as they come and sort them."""
    for asked, index in (
        (Listing("club 7", status="playing"), "matches_by_status"),
        (Listing("club 7", status="paused"), "matches_by_status"),
        (Listing("club 7", game="catte"), "matches_by_game"),
        (Listing("club 7", game="towai"), "matches_by_game"),
        (Listing("club 7", game="towai", status="paused"), "matches_by_game_and_status"),
        (Listing("club 7", tag="rare"), "match_tags_listed"),
        (Listing("club 7", tag="usual"), "match_tags_listed"),
        (Listing("club 7", tag="none"), "match_tags_listed"),
    ):
        for before in (None, (f"{1000:024}", "f")):
            plan = _plan(url, kind, asked._replace(before=before))
            assert "Seq Scan" not in plan
            if kind == "sqlite" or asked.tag is None:
                assert index in plan
                assert not re.search("Filter|Sort|B-TREE", plan)


def test_a_tag_and_another_filter_go_along_the_index_of_which_less_is_passed_over(
    crowd: Store, url: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tag of more than a thousand matches is looked up for each match that the other filter finds. Here ``usual`` has
    5,000 and each account 250 of them; with three for many, both ways are gone and find the same."""
    early = "UPDATE matches SET status = 'paused' WHERE created < :value AND tournament IS NULL"
    alter(url, early, value=f"{60:024}")
    found = Store(crowd._database, None)  # nothing is decrypted: that is not at issue
    other = {"status": "paused"}, {"game": "towai", "status": "paused"}, {"game": "towai", "status": "playing"}
    for tag in ("usual", "rare", "none"):
        asked = [Listing("club 4", tag=tag, **filters) for filters in other]  # type: ignore[arg-type] # columns by name
        along_the_tag = [found.listed(listing) for listing in asked]
        monkeypatch.setattr(lists, "HAS_MANY", lists.HAS_MANY.replace("1000", "3"))
        assert [found.listed(listing) for listing in asked] == along_the_tag
        monkeypatch.undo()
        assert bool(along_the_tag[0]) == (tag == "usual")
    plan = _plan(url, kind, Listing("club 4", tag="usual", status="paused"), by_tag=False)
    assert "matches_by_status" in plan
    assert not re.search("Sort|B-TREE|Seq Scan", plan)


def test_the_pages_of_ten_thousand_hold_every_match_once(crowd: Store) -> None:
    crowd_of_one = Store(crowd._database, None)  # nothing is decrypted: that is not at issue
    seen: list[tuple[str, str]] = []
    while page := crowd_of_one.listed(Listing("club 7", before=seen[-1] if seen else None, limit=60)):
        seen += [(match.created, match.match) for match in page]
    assert len(seen) == MANY // OWNERS
    assert seen == sorted(set(seen), reverse=True)
    assert len(list(crowd.every_match())) == MANY


def _plan(url: str, kind: str, listing: Listing, *, by_tag: bool = True) -> str:
    sql, put = list_query(listing, by_tag=by_tag)
    explain = "EXPLAIN QUERY PLAN " if kind == "sqlite" else "EXPLAIN "
    with closing(parse_url(url).database()) as database:
        return "\n".join([str(row) for row in database.query(explain + sql, put)])
