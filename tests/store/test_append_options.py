"""Appends that change more than the log: all of it or nothing, on both databases."""

import pytest

from gyoji.store.interface import AppendOptions, Conflict, KeyTaken, Remembered, Seating, Store
from gyoji.store.records import GroupClosed
from store.logs import SEATS, created, head_at, joined, made_entry, made_group, move_request

BEFORE = SEATS
AFTER = (BEFORE[0], Seating(1, 1_767_225_700), *BEFORE[2:])


def test_the_seats_change_with_the_log(store: Store) -> None:
    match, entries = created(store)
    entry = made_entry(match, 1, entries[0].hash)
    request = move_request(match, "k")
    store.append(match, 0, [entry], head_at(entry), request, AppendOptions(BEFORE, AFTER))
    found = store.match(match)
    assert found is not None
    assert (found.seats, found.head) == (AFTER, head_at(entry))
    assert list(store.entries(match)) == [*entries, entry]
    assert store.remembered(request.scope, request.key) == Remembered(request.digest, match, 1)


def test_seats_that_have_changed_meanwhile_are_left_alone(store: Store) -> None:
    match, entries = created(store)
    store.reseat(match, 2, Seating(1, 1_767_225_650), 0)
    entry = made_entry(match, 1, entries[0].hash)
    with pytest.raises(Conflict):
        store.append(match, 0, [entry], head_at(entry), move_request(match, "k"), AppendOptions(BEFORE, AFTER))
    found = store.match(match)
    assert found is not None
    assert (found.head.seq, found.seats[1]) == (0, BEFORE[1])
    assert list(store.entries(match)) == entries
    assert store.remembered(f"match:{match}", "k") is None


def test_a_match_that_has_moved_on_keeps_its_seats(store: Store) -> None:
    match, entries = created(store, 2)
    entry = made_entry(match, 1, entries[0].hash)
    with pytest.raises(Conflict):
        store.append(match, 0, [entry], head_at(entry), None, AppendOptions(BEFORE, AFTER))
    found = store.match(match)
    assert found is not None
    assert found.seats == BEFORE


def test_a_key_in_use_is_found_first(store: Store) -> None:
    match, entries = created(store)
    entry, request = made_entry(match, 1, entries[0].hash), move_request(match, "k")
    store.append(match, 0, [entry], head_at(entry), request)
    with pytest.raises(KeyTaken):
        store.append(match, 0, [entry], head_at(entry), request, AppendOptions(BEFORE, AFTER))


def test_a_group_has_to_take_matches(store: Store) -> None:
    store.create_group(made_group("g1"))
    entries = joined(store, "g1", "m1")
    entry = made_entry("m1", 2, entries[-1].hash)
    store.append("m1", 1, [entry], head_at(entry), None, AppendOptions(group="g1"))
    assert store.close_group("g1")
    later = made_entry("m1", 3, entry.hash)
    with pytest.raises(GroupClosed):
        store.append("m1", 2, [later], head_at(later), None, AppendOptions(group="g1"))
    head = store.head("m1")
    assert head is not None
    assert head.seq == 2
