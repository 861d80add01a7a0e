"""Sealed games of which only the newest capsule is accepted: on both databases."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from gyoji.store import open_store
from gyoji.store.capsules import CapsuleHead
from gyoji.store.interface import Conflict, Store
from store.logs import KEY

FIRST = CapsuleHead("m1", 0, b"a" * 32, 2**32 - 1)


def after(ply: int, mark: bytes) -> CapsuleHead:
    """Where the game stands later."""
    return FIRST._replace(ply=ply, mark=mark * 32)


def test_a_game_is_remembered_as_it_stands(store: Store) -> None:
    assert store.capsules.head("m1") is None
    store.capsules.keep(FIRST, 0)
    assert store.capsules.head("m1") == FIRST
    assert store.capsules.advance(after(1, b"b"), b"a" * 32)
    assert store.capsules.head("m1") == after(1, b"b")


def test_only_the_newest_position_moves_on(store: Store) -> None:
    store.capsules.keep(FIRST, 0)
    assert store.capsules.advance(after(1, b"b"), b"a" * 32)
    assert not store.capsules.advance(after(1, b"c"), b"a" * 32)
    assert not store.capsules.advance(after(1, b"c")._replace(match="m2"), b"b" * 32)
    assert store.capsules.head("m1") == after(1, b"b")
    assert store.capsules.head("m2") is None


def test_an_id_is_one_game(store: Store) -> None:
    store.capsules.keep(FIRST, 0)
    with pytest.raises(Conflict):
        store.capsules.keep(after(0, b"z"), 0)
    assert store.capsules.head("m1") == FIRST


def test_what_has_expired_is_forgotten_a_hundred_at_a_time(store: Store) -> None:
    """By whoever begins another game; those that expire first go first."""
    for at in range(150):
        store.capsules.keep(CapsuleHead(f"old{at:03}", 0, b"a" * 32, 1000 + at), 0)
    store.capsules.keep(FIRST, 1130)
    assert [at for at in range(150) if store.capsules.head(f"old{at:03}") is None] == [*range(100)]
    store.capsules.keep(FIRST._replace(match="m2"), 1130)
    assert [at for at in range(150) if store.capsules.head(f"old{at:03}") is not None] == [*range(131, 150)]
    assert store.capsules.head("m1") == FIRST


def test_of_many_moves_at_once_one_is_accepted(store: Store, url: str) -> None:
    store.capsules.keep(FIRST, 0)
    with closing(open_store(url, KEY)) as other, ThreadPoolExecutor(8) as pool:
        heads = [after(1, bytes([mark])) for mark in range(100, 124)]
        made = [*pool.map(lambda at: (store, other)[at % 2].capsules.advance(heads[at], FIRST.mark), range(24))]
    assert made.count(True) == 1
    assert store.capsules.head("m1") == heads[made.index(True)]
