"""Groups of matches that share their deals, secrets that are withheld, and directors: on both databases."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier

import pytest

from gyoji.store import open_store
from gyoji.store.interface import Conflict, IdempotencyRecord, KeyTaken, Remembered, Seating, Store
from gyoji.store.records import GroupClosed, GroupFull
from store.logs import KEY, created, ended, joined, made_group, made_log, made_match

LATER = "2027-01-01T00:00:00.000Z"
KEYED = IdempotencyRecord("owner:club", "k", b"d" * 32)
MOST = 5_000
"""Matches that may join before a busy machine comes to close their group."""


def test_a_group_comes_back_as_it_was_created(store: Store) -> None:
    one, two = made_group("g1"), made_group("g2", until=LATER, owner="league")._replace(maker="0123456789abcdef")
    store.create_group(one)
    store.create_group(two, KEYED)
    assert (store.group("g1"), store.group("g2"), store.group("g3")) == (one, two, None)
    assert store.remembered("owner:club", "k") == Remembered(b"d" * 32, "g2", 0)


def test_an_id_and_a_key_make_one_group(store: Store) -> None:
    store.create_group(made_group("g1"), KEYED)
    with pytest.raises(Conflict):
        store.create_group(made_group("g1"))
    with pytest.raises(KeyTaken):
        store.create_group(made_group("g2"), KEYED)
    with pytest.raises(Conflict):
        store.create_group(made_group("g1"), KEYED._replace(key="another"))
    assert store.remembered("owner:club", "another") is None
    assert store.group("g2") is None


def test_a_group_is_shared_from_its_second_match_on(store: Store) -> None:
    store.create_group(made_group("g1"))
    store.create_group(made_group("g2"))
    found = [store.has_several_matches("g1")]
    for name in ("m1", "m2", "m3"):
        joined(store, "g1", name)
        found.append(store.has_several_matches("g1"))
    assert found == [False, False, True, True]
    joined(store, "g2", "m4")
    assert not store.has_several_matches("g2")


def test_without_the_key_a_group_has_no_secret(store: Store, url: str) -> None:
    store.create_group(made_group("g1"))
    with closing(open_store(url)) as keyless:
        assert keyless.group("g1") == made_group("g1")._replace(secret=b"")


def test_a_group_takes_matches_until_it_is_closed(store: Store) -> None:
    store.create_group(made_group("g1"))
    logs = {name: joined(store, "g1", name) for name in ("m2", "m1")}
    created(store)
    assert store.close_group("g1")
    assert not store.close_group("g1")
    assert not store.close_group("g2")
    assert store.group("g1") == made_group("g1")._replace(closed=True)
    for group in ("g1", "g2"):
        with pytest.raises(GroupClosed):
            joined(store, group, "m3")
    assert store.match("m3") is None
    assert list(store.entries("m3")) == []
    expected = [made_match(log[-1], name)._replace(group="g1", withheld_until="group") for name, log in logs.items()]
    assert [store.match(name) for name in ("m1", "m2")] == sorted(expected)
    assert store.group_members("g1") == [("m1", "playing", False), ("m2", "playing", False)]
    assert store.group_members("g2") == []


def test_a_closed_group_leaves_no_record_of_a_request(store: Store) -> None:
    entries = made_log("m1", 1)
    with pytest.raises(GroupClosed):
        store.create(made_match(entries[0], "m1")._replace(group="g1"), entries, KEYED)
    assert store.remembered("owner:club", "k") is None


def test_a_group_takes_so_many_matches_and_no_more(store: Store) -> None:
    """A closed one takes none, whatever room there was; and another group's matches are its own."""
    for group in ("g1", "g2"):
        store.create_group(made_group(group))
    for at in range(3):
        joined(store, "g1", f"m{at}", most=3)
    with pytest.raises(GroupFull):
        joined(store, "g1", "m3", most=3)
    assert store.match("m3") is None
    joined(store, "g2", "m3", most=3)
    store.close_group("g1")
    with pytest.raises(GroupClosed) as refused:
        joined(store, "g1", "m4", most=3)
    assert refused.type is GroupClosed


def test_of_those_who_join_at_once_so_many_are_in(store: Store, url: str) -> None:
    store.create_group(made_group("g1"))
    together = Barrier(8)

    def join(at: int) -> str:
        together.wait()
        try:
            joined((store, other)[at % 2], "g1", f"m{at}", most=5)
        except GroupFull:
            return "full"
        return "in"

    with closing(open_store(url, KEY)) as other, ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(join, range(8))) == ["full"] * 3 + ["in"] * 5
    assert len(store.group_members("g1")) == 5


def test_whoever_joins_while_it_is_closed_is_in_or_is_told(store: Store, url: str) -> None:
    """After closing, the matches of the group are all there will ever be."""
    store.create_group(made_group("g1"))
    with closing(open_store(url, KEY)) as other, ThreadPoolExecutor(2) as pool:

        def join() -> int:
            for at in range(MOST):
                try:
                    joined(other, "g1", f"m{at}")
                except GroupClosed:
                    return at
            return MOST

        joining = pool.submit(join)
        while len(store.group_members("g1")) < 5:
            pass
        store.close_group("g1")
        found = len(store.group_members("g1"))
        assert found == joining.result(20) == len(store.group_members("g1")) < MOST


def test_what_is_withheld_is_over_and_not_closed(store: Store) -> None:
    store.create_group(made_group("g1"))
    logs = {name: joined(store, "g1", name) for name in ("m1", "m2", "m3", "m4")}
    ended(store, "m4", logs["m4"][-1], closed=False)
    ended(store, "m2", logs["m2"][-1], closed=False, kind="match_voided")
    ended(store, "m3", logs["m3"][-1], closed=True)
    match, entries = created(store, 2)
    ended(store, match, entries[-1], closed=True)
    assert store.withheld() == ["m2", "m4"]
    assert store.group_members("g1") == [
        ("m1", "playing", False),
        ("m2", "voided", False),
        ("m3", "finished", True),
        ("m4", "finished", False),
    ]


def test_a_group_is_in_play_until_its_last_match_is_over(store: Store) -> None:
    for group in ("g1", "g2"):
        store.create_group(made_group(group))
    assert not store.is_in_play("g1")
    logs = {name: joined(store, "g1", name) for name in ("m1", "m2")}
    joined(store, "g2", "m3")
    ended(store, "m1", logs["m1"][-1], closed=False)
    assert store.is_in_play("g1")
    ended(store, "m2", logs["m2"][-1], closed=False, kind="match_voided")
    assert not store.is_in_play("g1")
    assert store.is_in_play("g2")


def test_a_director_is_given_new_tokens_once(store: Store) -> None:
    entries = made_log("m1", 1)
    store.create(made_match(entries[0], "m1")._replace(director=Seating(0, 1_800_000_000)), entries)
    store.redirect("m1", Seating(1, 1_800_000_001, revoked=True), 0)
    found = store.match("m1")
    assert found is not None
    assert found.director == Seating(1, 1_800_000_001, revoked=True)
    without, _ = created(store)
    for match, epoch in (("m1", 0), (without, 0), ("m2", 0)):
        with pytest.raises(Conflict):
            store.redirect(match, Seating(epoch + 1, 1), epoch)
