"""Many writers: ``UNIQUE (match, seq)`` decides, nothing is lost or doubled, and nobody hears of a locked database."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from gyoji.store import check_store, open_store
from gyoji.store.interface import Conflict, KeyTaken, Seating, Store
from store.logs import KEY, created, head_at, made_entry, move_request
from store.races import create, make_key, play, played_on, processes, start

WRITERS = 8
MOVES = 12
MATCHES = 4


def test_processes_play_the_same_matches(store: Store, url: str) -> None:
    matches = [created(store)[0] for _ in range(MATCHES)]
    with processes(WRITERS) as pool:
        met = pool.starmap(play, [(url, matches, f"p{number}", MOVES) for number in range(WRITERS)])
    assert sum(met, Counter())["stored"] == WRITERS * MATCHES * MOVES
    for match in matches:
        assert [entry.seq for entry in store.entries(match)] == list(range(1 + WRITERS * MOVES))
    assert check_store(url, KEY) == []


def test_threads_play_the_same_match(store: Store, url: str) -> None:
    match, _ = created(store)
    with ThreadPoolExecutor(WRITERS) as pool:
        met = list(pool.map(lambda number: played_on(store, match, f"t{number}", 20), range(WRITERS)))
    assert sum(met, Counter())["stored"] == WRITERS * 20
    assert [entry.seq for entry in store.entries(match)] == list(range(1 + WRITERS * 20))
    assert check_store(url, KEY) == []


def test_of_those_who_saw_the_same_head_one_wins(store: Store) -> None:
    match, entries = created(store)
    together = Barrier(WRITERS)

    def move(number: int) -> str:
        together.wait()
        entry = made_entry(match, last.seq + 1, last.hash)
        try:
            store.append(match, last.seq, [entry], head_at(entry), move_request(match, f"{last.seq}-{number}"))
        except Conflict:
            return "conflict"
        return "stored"

    with ThreadPoolExecutor(WRITERS) as pool:
        for _ in range(25):
            last = list(store.entries(match))[-1]
            assert sorted(pool.map(move, range(WRITERS))) == ["conflict"] * (WRITERS - 1) + ["stored"]
    assert [entry.seq for entry in store.entries(match)] == list(range(26))
    assert entries == list(store.entries(match, until=0))


def test_of_requests_under_one_key_one_is_carried_out(store: Store) -> None:
    match, _ = created(store)
    together = Barrier(WRITERS)

    def move(_: int) -> str:
        together.wait()
        entry = made_entry(match, last.seq + 1, last.hash)
        try:
            store.append(match, last.seq, [entry], head_at(entry), move_request(match, f"key-{last.seq}"))
        except KeyTaken:
            return "taken"
        return "stored"

    with ThreadPoolExecutor(WRITERS) as pool:
        for _ in range(10):
            last = list(store.entries(match))[-1]
            assert sorted(pool.map(move, range(WRITERS))) == ["stored"] + ["taken"] * (WRITERS - 1)


def test_processes_start_together(empty_url: str) -> None:
    with processes(4) as pool:
        assert pool.map(start, [empty_url] * 4) == ["ready"] * 4
        assert sorted(pool.starmap(make_key, [(empty_url, n) for n in range(4)])) == ["conflict"] * 3 + ["made"]
        assert sorted(pool.starmap(create, [(empty_url, n) for n in range(4)])) == ["created"] + ["taken"] * 3
    store = open_store(empty_url, KEY)
    store.check()
    assert len(store.signing_keys()) == 1
    assert len(list(store.every_match())) == 1
    store.close()


def test_all_seats_get_new_tokens_at_once_and_each_once(store: Store) -> None:
    match, _ = created(store)
    together = Barrier(WRITERS)

    def renew(number: int) -> str:
        together.wait()
        try:
            store.reseat(match, number % 4, Seating(1, 1_800_000_000 + number), 0)
        except Conflict:
            return "conflict"
        return "new"

    with ThreadPoolExecutor(WRITERS) as pool:
        assert sorted(pool.map(renew, range(WRITERS))) == ["conflict"] * 4 + ["new"] * 4
    found = store.match(match)
    assert found is not None
    assert [seating.epoch for seating in found.seats] == [1, 1, 1, 1]
