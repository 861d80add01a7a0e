"""Who calls the referee, beside the logs of matches: on both databases."""

from contextlib import closing
from threading import Event

import pytest

from gyoji.store import open_store
from gyoji.store.interface import Conflict, Seating, Store
from gyoji.store.referee_calls import NO_CALLS, RefereeCall
from store.logs import KEY, appended, created, ended
from waiting import until

AT = "2026-01-01T00:00:00.000Z"
ANN = RefereeCall(0, AT, "She holds the canary, I think")
BEN = RefereeCall(1, AT, None, AT)


def seats_of(store: Store, match: str) -> tuple[Seating, ...]:
    """The seats of a match as it is stored."""
    row = store.match(match)
    assert row is not None
    return row.seats


def test_calls_are_kept_and_replaced(store: Store) -> None:
    match, _entries = created(store, 2)
    assert store.referee_calls.of(match) == NO_CALLS
    store.referee_calls.replace(match, seats_of(store, match), NO_CALLS, [ANN])
    first = store.referee_calls.of(match)
    assert first.calls == (ANN,)
    store.referee_calls.replace(match, seats_of(store, match), first, [ANN, BEN])
    assert store.referee_calls.of(match).calls == (ANN, BEN)
    assert set(store.referee_calls.among([match, "another"])) == {match}


def test_of_two_who_replace_the_same_calls_one_is_told(store: Store) -> None:
    match, _entries = created(store, 2)
    store.referee_calls.replace(match, seats_of(store, match), NO_CALLS, [ANN])
    first = store.referee_calls.of(match)
    store.referee_calls.replace(match, seats_of(store, match), first, [BEN])
    for before in (first, NO_CALLS):
        with pytest.raises(Conflict):
            store.referee_calls.replace(match, seats_of(store, match), before, [ANN])
    assert store.referee_calls.of(match).calls == (BEN,)


def test_whoever_does_not_know_that_a_seat_is_taken_over_replaces_nothing(store: Store) -> None:
    match, _entries = created(store, 2)
    seats = seats_of(store, match)
    store.reseat(match, 1, Seating(seats[1].epoch + 1, seats[1].since + 1), seats[1].epoch)
    with pytest.raises(Conflict):
        store.referee_calls.replace(match, seats, NO_CALLS, [BEN])
    assert store.referee_calls.of(match) == NO_CALLS


@pytest.mark.parametrize("way", ["match_finished", "match_voided"])
def test_nothing_is_left_when_the_match_is_over(store: Store, way: str) -> None:
    match, entries = created(store, 2)
    store.referee_calls.replace(match, seats_of(store, match), NO_CALLS, [ANN])
    ended(store, match, entries[-1], closed=True, kind=way)
    assert store.referee_calls.of(match) == NO_CALLS
    assert store._database.query("SELECT count(*) FROM referee_calls") == [(0,)]
    with pytest.raises(Conflict):
        store.referee_calls.replace(match, seats_of(store, match), NO_CALLS, [ANN])


def test_a_move_leaves_the_calls_as_they_are(store: Store) -> None:
    match, entries = created(store, 2)
    store.referee_calls.replace(match, seats_of(store, match), NO_CALLS, [ANN])
    appended(store, match, entries[-1])
    assert store.referee_calls.of(match).calls == (ANN,)


def test_what_is_said_is_encrypted(store: Store) -> None:
    match, _entries = created(store, 2)
    store.referee_calls.replace(match, seats_of(store, match), NO_CALLS, [ANN])
    ((stored,),) = store._database.query("SELECT calls FROM referee_calls")
    assert b"canary" not in stored


def test_whoever_follows_the_match_is_woken(store: Store, url: str) -> None:
    """In this process and in another one, also when the match has moved on meanwhile."""
    match, entries = created(store, 2)
    with closing(open_store(url, KEY)) as other:
        here, there = Event(), Event()
        ends = [store.subscribe(match, here.set), other.subscribe(match, there.set)]

        def settle() -> None:
            for news in (here, there):
                while news.wait(0.3):
                    news.clear()

        settle()
        store.referee_calls.replace(match, seats_of(store, match), NO_CALLS, [ANN])
        assert here.wait(2)
        assert there.wait(2)
        settle()
        last = appended(other, match, entries[-1])
        assert here.wait(2)
        settle()
        other.referee_calls.replace(match, seats_of(store, match), store.referee_calls.of(match), [])
        assert until(lambda: here.is_set() and there.is_set())
        settle()
        appended(store, match, last)
        assert here.wait(2)
        assert there.wait(2)
        for end in ends:
            end()
