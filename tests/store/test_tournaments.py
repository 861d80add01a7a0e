"""Tournaments: rows and logs that agree, and rounds that are there as a whole or not at all; on both databases."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier

import pytest
from sqlalchemy import bindparam, text

from gyoji.games.chance import commitment
from gyoji.log.canonical import canonical, leaf_hash
from gyoji.log.entries import Entry
from gyoji.store import check_store, open_store
from gyoji.store.database import statements
from gyoji.store.interface import (
    AppendOptions,
    Conflict,
    IdempotencyRecord,
    KeyTaken,
    NewMatch,
    Remembered,
    Store,
    Unavailable,
    WrongKey,
)
from gyoji.store.records import GroupClosed
from gyoji.store.schema.migrator import transaction
from gyoji.store.tournaments import MatchAppend, StoredTournament, TournamentList, TournamentMatch
from gyoji.store.urls import parse_url
from gyoji.tournaments.chance import derive_round_seed
from gyoji.tournaments.chance import seed_commitment as promise_of
from store.logs import CREATED, KEY, SECRET, ended, head_at, made_entry, made_group, made_log, made_match

KEYED = IdempotencyRecord("owner:club", "k", b"d" * 32)
CUP = "t1"


def tournament_event(
    seq: int, prev: bytes, kind: str = "entrant_added", tournament: str = CUP, at: str = CREATED, **data: object
) -> Entry:
    """An event of a tournament's log."""
    said = {"v": 1, "tournament": tournament, "seq": seq, "prev": prev.hex(), "at": at, "type": kind, "data": data}
    body = canonical(said)
    return Entry(seq, body, leaf_hash(body))


def start_tournament(
    store: Store, tournament: str = CUP, request: IdempotencyRecord | None = None, created: str = CREATED, **more: str
) -> StoredTournament:
    """A new tournament in the store."""
    first = tournament_event(
        0, bytes(32), "tournament_created", tournament, visibility=more.get("visibility", "private")
    )
    held = StoredTournament(tournament, more.get("owner", "club"), created, "private", False, 0, first.hash, b"T" * 32)
    held = held._replace(visibility="public" if more.get("visibility") == "public" else "private")
    store.tournaments.create(held, first, request)
    return held


def match_of(group: str, match: str) -> NewMatch:
    """A match of the tournament and of a group."""
    promise = commitment(SECRET, "towai", 1, group)
    shared = {"seats": 4, "options": {"finishes_to_win": 2}, "first": 1}
    said = {**shared, "deal_id": group, "seed_commitment": promise, "withheld_until": "group"}
    entries = made_log(match, 2, said)
    row = made_match(entries[-1], match)._replace(group=group, withheld_until="group", tournament=CUP)
    return NewMatch(row, entries)


def paired(
    store: Store, held: StoredTournament, matches: list[str], request: IdempotencyRecord | None = None
) -> StoredTournament:
    """A round with a match of each id, all of one group."""
    group = f"g-{matches[0]}"
    event = tournament_event(held.seq + 1, held.hash, "round_paired", tables=[{"match": match} for match in matches])
    made = [match_of(group, match) for match in matches]
    return store.tournaments.append(held, [event], request, groups=[made_group(group)], matches=made)


def test_a_tournament_comes_back_as_it_was_created(store: Store) -> None:
    held = start_tournament(store, request=KEYED)
    assert store.tournaments.tournament(CUP) == held
    assert store.tournaments.tournament("t2") is None
    assert [entry.hash for entry in store.tournaments.entries(CUP)] == [held.hash]
    assert store.remembered("owner:club", "k") == Remembered(b"d" * 32, CUP, 0)
    with pytest.raises(Conflict):
        start_tournament(store)
    with pytest.raises(KeyTaken):
        start_tournament(store, "t2", KEYED)
    assert store.tournaments.tournament("t2") is None


def test_without_the_key_a_tournament_has_no_secret(store: Store, url: str) -> None:
    held = start_tournament(store)
    with closing(open_store(url)) as keyless:
        assert keyless.tournaments.tournament(CUP) == held._replace(secret=b"")
        assert len(list(keyless.tournaments.entries(CUP))) == 1
        with pytest.raises(WrongKey):
            start_tournament(keyless, "t2")


def test_its_log_grows_by_events_that_follow(store: Store) -> None:
    held = start_tournament(store)
    one = tournament_event(1, held.hash, name="Ann")
    two = tournament_event(2, one.hash, name="Ben")
    after = store.tournaments.append(held, [one, two], KEYED)
    assert (after.seq, after.hash, after.closed) == (2, two.hash, False)
    assert store.tournaments.tournament(CUP) == after
    assert list(store.tournaments.entries(CUP, 0)) == [one, two]
    assert list(store.tournaments.entries(CUP, 0, 1)) == [one]
    assert store.remembered("owner:club", "k") == Remembered(b"d" * 32, CUP, 2)
    with pytest.raises(Conflict):
        store.tournaments.append(held, [one])
    with pytest.raises(KeyTaken):
        store.tournaments.append(held, [one], KEYED)
    last = tournament_event(3, two.hash, "tournament_closed")
    assert store.tournaments.append(after, [last], last=True).closed
    found = store.tournaments.tournament(CUP)
    assert found is not None
    assert (found.closed, found.seq) == (True, 3)


def test_a_round_is_there_as_a_whole(store: Store, url: str) -> None:
    after = paired(store, start_tournament(store), ["m1", "m2", "m3"])
    assert store.tournaments.tournament(CUP) == after
    assert store.tournaments.played(CUP) == [TournamentMatch(f"m{at}", 1, "playing", False) for at in (1, 2, 3)]
    assert [each.match for each in store.group_members("g-m1")] == ["m1", "m2", "m3"]
    match = store.match("m2")
    assert match is not None
    assert (match.tournament, match.group, match.secret) == (CUP, "g-m1", SECRET)
    assert len(list(store.entries("m2"))) == 2
    assert store.has_new_leaves
    assert check_store(url, KEY) == []


def untouched(store: Store, held: StoredTournament) -> None:
    """Nothing of the round m1, m2, m3 is there."""
    assert store.tournaments.tournament(CUP) == held
    assert len(list(store.tournaments.entries(CUP))) == 1
    assert store.tournaments.played(CUP) == []
    assert store.group("g-m1") is None
    assert [store.match(match) for match in ("m1", "m2")] == [None, None]
    assert list(store.entries("m1")) == []
    assert store.remembered("owner:club", "k") is None


def test_a_round_whose_last_match_cannot_be_made_leaves_nothing(store: Store, url: str) -> None:
    held = start_tournament(store)
    entries = made_log("m3", 2)
    store.create(made_match(entries[-1], "m3"), entries)
    with pytest.raises(Conflict):
        paired(store, held, ["m1", "m2", "m3"], KEYED)
    untouched(store, held)
    assert check_store(url, KEY) == []


def test_a_database_that_fails_in_the_middle_of_a_round_leaves_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = start_tournament(store)
    with monkeypatch.context() as broken:
        broken.setattr(
            statements, "ADD_PENDING_LEAF", statements.ADD_PENDING_LEAF.replace("tree_pending", "no_such_table")
        )
        with pytest.raises(Unavailable):
            paired(store, held, ["m1", "m2", "m3"], KEYED)
    untouched(store, held)
    assert paired(store, held, ["m1", "m2", "m3"], KEYED).seq == 1


def test_of_two_directors_who_pair_at_once_one_has_paired(store: Store, url: str) -> None:
    held = start_tournament(store)
    together = Barrier(2)

    def pair(at: int) -> str:
        together.wait()
        try:
            paired((store, other)[at], held, [f"m{at}-{table}" for table in range(12)])
        except Conflict:
            return "told"
        return str(at)

    with closing(open_store(url, KEY)) as other, ThreadPoolExecutor(2) as pool:
        results = sorted(pool.map(pair, range(2)))
    assert results[1] == "told"
    assert sorted({each.match.split("-")[0] for each in store.tournaments.played(CUP)}) == [f"m{results[0]}"]
    assert len(store.tournaments.played(CUP)) == 12
    assert len(list(store.entries(f"m{1 - int(results[0])}-0"))) == 0
    assert check_store(url, KEY) == []


def test_groups_are_closed_with_the_round(store: Store) -> None:
    held = paired(store, start_tournament(store), ["m1", "m2"])
    closed = tournament_event(2, held.hash, "round_closed", round=1)
    for match in ("m1", "m2"):
        with pytest.raises(Conflict):  # somebody plays
            store.tournaments.append(held, [closed], closing=["g-m1"])
        ended(store, match, list(store.entries(match))[-1], closed=False)
    assert store.tournaments.tournament(CUP) == held
    after = store.tournaments.append(held, [closed], closing=["g-m1"])
    group = store.group("g-m1")
    assert group is not None
    assert group.closed
    replaced = tournament_event(3, closed.hash, "match_replaced", match="m4")
    with pytest.raises(GroupClosed):
        store.tournaments.append(after, [replaced], matches=[match_of("g-m1", "m4")])
    assert store.match("m4") is None
    assert store.tournaments.tournament(CUP) == after


def test_a_match_that_goes_on_keeps_its_round_open(store: Store, url: str) -> None:
    """Whoever closes the round and whoever takes back the end of a match: one is first, and the other is told."""
    held = paired(store, start_tournament(store), ["m1"])
    last = ended(store, "m1", list(store.entries("m1"))[-1], closed=False)
    again = made_entry("m1", last.seq + 1, last.hash, "ruling_made")
    together = Barrier(2)

    def close() -> bool:
        together.wait()
        try:
            store.tournaments.append(held, [tournament_event(2, held.hash, "round_closed", round=1)], closing=["g-m1"])
        except Conflict:
            return False
        return True

    def go_on() -> bool:
        together.wait()
        try:
            other.append("m1", last.seq, [again], head_at(again), None, AppendOptions(group="g-m1"))
        except GroupClosed:
            return False
        return True

    with closing(open_store(url, KEY)) as other, ThreadPoolExecutor(2) as pool:
        outcomes = [each.result(30) for each in (pool.submit(close), pool.submit(go_on))]
    assert sorted(outcomes) == [False, True]
    group = store.group("g-m1")
    assert group is not None
    assert (group.closed, store.is_in_play("g-m1")) in ((True, False), (False, True))


def test_another_match_joins_the_group_of_its_table(store: Store) -> None:
    held = paired(store, start_tournament(store), ["m1", "m2"])
    replaced = tournament_event(2, held.hash, "match_replaced", match="m4")
    store.tournaments.append(held, [replaced], matches=[match_of("g-m1", "m4")])
    assert [each.match for each in store.group_members("g-m1")] == ["m1", "m2", "m4"]


def test_a_match_that_is_replaced_has_to_be_void_still(store: Store) -> None:
    held = paired(store, start_tournament(store), ["m1", "m2"])
    replaced = tournament_event(2, held.hash, "match_replaced", match="m4")
    with pytest.raises(Conflict):
        store.tournaments.append(held, [replaced], matches=[match_of("g-m1", "m4")], void=["m1"])
    assert store.match("m4") is None
    ended(store, "m1", list(store.entries("m1"))[-1], closed=False, kind="match_voided")
    assert store.tournaments.append(held, [replaced], matches=[match_of("g-m1", "m4")], void=["m1"]).seq == 2


def test_what_was_decided_of_a_tournament_holds_only_where_it_stood(store: Store) -> None:
    held = paired(store, start_tournament(store), ["m1"])
    last = list(store.entries("m1"))[-1]
    again = made_entry("m1", last.seq + 1, last.hash, "ruling_made")
    after = store.tournaments.append(held, [tournament_event(2, held.hash)])
    with pytest.raises(Conflict):
        store.append("m1", last.seq, [again], head_at(again), None, AppendOptions(tournament=(CUP, held.seq)))
    assert list(store.entries("m1"))[-1] == last
    store.append("m1", last.seq, [again], head_at(again), None, AppendOptions(tournament=(CUP, after.seq)))
    assert list(store.entries("m1"))[-1].hash == again.hash


def test_lists_are_of_ones_own_and_of_public_ones_newest_first(store: Store) -> None:
    for at, (owner, visibility) in enumerate((("club", "private"), ("league", "public"), ("league", "private"))):
        start_tournament(
            store, f"t{at}", created=f"2026-01-0{at + 1}T00:00:00.000Z", owner=owner, visibility=visibility
        )

    def listed(catalogue: TournamentList) -> list[str]:
        return [held.tournament for held in store.tournaments.listed(catalogue)]

    assert listed(TournamentList(None)) == ["t1"]
    assert listed(TournamentList("club")) == ["t1", "t0"]
    assert listed(TournamentList("league")) == ["t2", "t1"]
    assert listed(TournamentList(None, ("t2",))) == ["t2", "t1"]
    assert listed(TournamentList("club", limit=1)) == ["t1"]
    assert listed(TournamentList("club", before=("2026-01-02T00:00:00.000Z", "t1"))) == ["t0"]


@pytest.mark.parametrize(
    ("change", "put", "found"),
    [
        ("UPDATE tournament_events SET body = :value WHERE seq = 1", b"{", "event 1 does not read"),
        ("UPDATE tournament_events SET hash = :value WHERE seq = 1", b"h" * 32, "event 1 does not have its hash"),
        ("DELETE FROM tournament_events WHERE seq = :value", 1, "event 2 does not continue the log"),
        ("DELETE FROM tournament_events WHERE seq = :value", 2, "its row does not stand at the last event"),
        ("UPDATE tournaments SET closed = (seq = :value)", 2, "its row does not stand at the last event"),
        ("UPDATE tournaments SET visibility = :value", "public", "its row is not what the log says"),
        ("UPDATE tournaments SET seq = :value", 1, "its row does not stand at the last event"),
        (
            "UPDATE matches SET tournament = NULL WHERE match = :value",
            "m2",
            "matches of its log are not there, or are not its own",
        ),
    ],
)
def test_what_was_changed_behind_its_back_is_found(
    store: Store, url: str, change: str, put: object, found: str
) -> None:
    held = paired(store, start_tournament(store), ["m1", "m2"])
    store.tournaments.append(held, [tournament_event(2, held.hash, name="Ann")])
    assert check_store(url, KEY) == []
    with transaction(parse_url(url)) as connection:
        connection.execute(text(change).bindparams(bindparam("value", put)))
    assert f"tournament {CUP}: {found}" in [finding.what for finding in check_store(url, KEY)]


def test_a_tournament_that_is_gone_is_missed(store: Store, url: str) -> None:
    paired(store, start_tournament(store), ["m1"])
    with transaction(parse_url(url)) as connection:
        connection.execute(text("DELETE FROM tournament_events"))
        connection.execute(text("DELETE FROM tournaments"))
    assert [finding.what for finding in check_store(url, KEY)] == [f"tournament {CUP}: it has matches and is not there"]


def void_of(store: Store, match: str) -> MatchAppend:
    """The match as it ends with its round."""
    last = list(store.entries(match))[-1]
    ended = made_entry(match, last.seq + 1, last.hash, "match_voided")
    return MatchAppend(match, last.seq, (ended,), head_at(ended)._replace(status="voided"))


def test_matches_end_with_what_happens_to_their_tournament_or_nothing_does(store: Store, url: str) -> None:
    held = paired(store, start_tournament(store), ["m1", "m2"])
    taken_back = tournament_event(2, held.hash, "round_taken_back", round=1)
    both = [void_of(store, match) for match in ("m1", "m2")]
    last = list(store.entries("m2"))[-1]
    moved = made_entry("m2", last.seq + 1, last.hash)
    store.append("m2", last.seq, [moved], head_at(moved), None)
    with pytest.raises(Conflict):
        store.tournaments.append(held, [taken_back], ruled=both, closing=["g-m1"])
    assert store.tournaments.tournament(CUP) == held
    assert [each.status for each in store.tournaments.played(CUP)] == ["playing", "playing"]
    store.tournaments.append(
        held, [taken_back], ruled=[void_of(store, match) for match in ("m1", "m2")], closing=["g-m1"]
    )
    assert [each.status for each in store.tournaments.played(CUP)] == ["voided", "voided"]
    group = store.group("g-m1")
    assert group is not None
    assert group.closed
    assert store.has_new_leaves
    assert check_store(url, KEY) == []


@pytest.mark.parametrize("at", ["2025-12-31T23:59:59.999Z", "2026-02-30T00:00:00.000Z", "2026-01-02"])
def test_events_have_times_that_there_are_and_never_run_backwards(store: Store, url: str, at: str) -> None:
    held = start_tournament(store)
    after = store.tournaments.append(held, [tournament_event(1, held.hash, name="Ann")])
    assert check_store(url, KEY) == []
    store.tournaments.append(after, [tournament_event(2, after.hash, at=at, name="Ben")])
    found = [finding.what for finding in check_store(url, KEY)]
    assert found == [f"tournament {CUP}: event 2 has no time that could follow"]


SEED = bytes(range(32))


@pytest.mark.parametrize(
    ("change", "is_found"),
    [
        ({}, False),
        ({"promise": "0" * 64}, True),
        ({"first": "0" * 128}, True),
        ({"second": derive_round_seed(SEED, 1)}, True),
        ({"seed": "0" * 64}, True),
        ({"seed": None}, True),
    ],
)
def test_the_lots_come_from_the_seed_that_was_promised(
    store: Store, url: str, change: dict[str, object], is_found: bool
) -> None:
    said: dict[str, object] = {
        "promise": promise_of(SEED),
        "first": derive_round_seed(SEED, 1),
        "second": derive_round_seed(SEED, 2),
        "seed": SEED.hex(),
    }
    said |= change
    first = tournament_event(0, bytes(32), "tournament_created", visibility="private", seed_commitment=said["promise"])
    held = StoredTournament(CUP, "club", CREATED, "private", False, 0, first.hash, SEED)
    store.tournaments.create(held, first, None)
    one = tournament_event(1, first.hash, "round_paired", round=1, seed=said["first"], tables=[])
    two = tournament_event(2, one.hash, "round_paired", round=2, seed=said["second"], tables=[])
    last = tournament_event(3, two.hash, "tournament_closed", seed=said["seed"])
    store.tournaments.append(held, [one, two, last], last=True)
    wrong = f"tournament {CUP}: its lots do not come from the seed that was promised"
    assert [finding.what for finding in check_store(url, KEY)] == ([wrong] if is_found else [])
