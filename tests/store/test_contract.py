"""What the interface promises, held on both databases."""

import pytest

from gyoji.store import open_store
from gyoji.store.interface import (
    ApiKey,
    AppendOptions,
    Conflict,
    Head,
    IdempotencyRecord,
    KeyTaken,
    Remembered,
    Seating,
    SigningKey,
    Store,
)
from store.logs import (
    KEY,
    SECRET,
    appended,
    created,
    ended,
    head_at,
    made_entry,
    made_log,
    made_match,
    move_request,
    sequel,
)

SIGNING = SigningKey("0123456789abcdef", "club.example", b"P" * 32, b"K" * 32, "2026-01-01T00:00:00.000Z")
API = ApiKey(
    "00112233445566ff",
    b"h" * 32,
    "referee",
    "club",
    ("rulings", "matches:read"),
    ("m1",),
    "2026-01-01T00:00:00.000Z",
    None,
    ("t1",),
)


def test_a_match_comes_back_as_it_was_created(store: Store) -> None:
    entries = made_log("m1", 3)
    match = made_match(entries[-1], "m1")
    store.create(match, entries)
    assert store.match("m1") == match
    assert store.head("m1") == Head(2, entries[2].hash, "playing", 2)
    assert list(store.entries("m1")) == entries


def test_of_an_unknown_match_there_is_nothing(store: Store) -> None:
    assert store.match("m1") is None
    assert store.head("m1") is None
    assert list(store.entries("m1")) == []
    assert store.remembered("match:m1", "k") is None


def test_an_imported_match_may_be_nobodys(store: Store) -> None:
    entries = made_log("m1", 1)
    match = made_match(entries[0], "m1", owner=None)._replace(imported=True, tags=(), secret=b"", seats=())
    store.create(match, entries)
    assert store.match("m1") == match


def test_an_id_is_given_once(store: Store) -> None:
    match, entries = created(store)
    with pytest.raises(Conflict):
        store.create(made_match(entries[0], match), entries, IdempotencyRecord("owner:club", "k", bytes(32)))
    assert store.remembered("owner:club", "k") is None


def test_a_key_makes_one_match(store: Store) -> None:
    match, _ = created(store, request=IdempotencyRecord("owner:club", "k", b"d" * 32))
    with pytest.raises(KeyTaken):
        created(store, request=IdempotencyRecord("owner:club", "k", b"e" * 32))
    assert store.remembered("owner:club", "k") == Remembered(b"d" * 32, match, 0)
    assert list(store.every_match()) == [match]


def test_an_append_moves_the_head_and_remembers_the_request(store: Store) -> None:
    match, entries = created(store)
    entry = made_entry(match, 1, entries[0].hash)
    store.append(match, 0, [entry], Head(1, entry.hash, "finished", 0, closed=True), move_request(match, "k"))
    assert store.head(match) == Head(1, entry.hash, "finished", 0, closed=True)
    assert list(store.entries(match)) == [*entries, entry]
    assert store.remembered(f"match:{match}", "k") == Remembered(bytes(32), match, 1)


def test_several_entries_are_one_append(store: Store) -> None:
    match, entries = created(store)
    more = sequel(match, entries[0])
    three = [next(more), next(more)._replace(openings=(), position=None), next(more)]
    store.append(match, 0, three, head_at(three[-1]), move_request(match, "k"))
    assert list(store.entries(match)) == [*entries, *three]
    assert store.remembered(f"match:{match}", "k") == Remembered(bytes(32), match, 1)


@pytest.mark.parametrize("expected", [-1, 0, 2])
def test_whoever_expects_another_head_stores_nothing(store: Store, expected: int) -> None:
    match, entries = created(store, 2)
    entry = made_entry(match, expected + 1, entries[1].hash)
    with pytest.raises(Conflict):
        store.append(match, expected, [entry], head_at(entry), move_request(match, "k"))
    assert list(store.entries(match)) == entries
    assert store.head(match) == head_at(entries[1])
    assert store.remembered(f"match:{match}", "k") is None


def test_an_append_may_demand_the_seats_that_it_was_decided_on(store: Store) -> None:
    match, entries = created(store)
    entry = made_entry(match, 1, entries[0].hash)
    seats = (Seating(0, 1_767_225_600),) * 4
    renewed = Seating(1, 1_767_225_601)
    store.reseat(match, 2, renewed, 0)
    with pytest.raises(Conflict):
        store.append(match, 0, [entry], head_at(entry), move_request(match, "k"), AppendOptions(seats))
    assert list(store.entries(match)) == entries
    assert store.head(match) == head_at(entries[0])
    assert store.remembered(f"match:{match}", "k") is None
    now = AppendOptions((*seats[:2], renewed, seats[3]))
    store.append(match, 0, [entry], head_at(entry), move_request(match, "k"), now)
    assert list(store.entries(match)) == [*entries, entry]
    assert store.head(match) == head_at(entry)


def test_a_match_with_bots_is_found_while_it_is_played(store: Store) -> None:
    created(store)
    seats = (Seating(0, 1_767_225_600, bot="greedy"), *[Seating(0, 1_767_225_600)] * 3)
    first = made_log("m-bots", 2)
    store.create(made_match(first[-1], "m-bots")._replace(seats=seats), first)
    assert store.with_bots() == ["m-bots"]
    found = store.match("m-bots")
    assert found is not None
    assert found.seats == seats
    store.reseat("m-bots", 0, seats[0]._replace(epoch=1, revoked=True), 0)
    ended(store, "m-bots", first[-1], closed=False)
    assert store.with_bots() == []


def test_nothing_is_appended_to_no_match(store: Store) -> None:
    entry = made_entry("m1", 0, bytes(32))
    with pytest.raises(Conflict):
        store.append("m1", -1, [entry], head_at(entry), move_request("m1", "k"))
    assert list(store.entries("m1")) == []
    assert store.remembered("match:m1", "k") is None


@pytest.mark.parametrize("expected", [0, 1])
def test_a_key_in_use_is_found_before_a_head_that_has_moved_on(store: Store, expected: int) -> None:
    match, entries = created(store)
    first = appended(store, match, entries[0], move_request(match, "k"))
    again = made_entry(match, expected + 1, first.hash)
    with pytest.raises(KeyTaken):
        store.append(match, expected, [again], head_at(again), move_request(match, "k"))
    assert list(store.entries(match)) == [*entries, first]
    assert store.head(match) == head_at(first)


def test_a_key_belongs_to_its_scope(store: Store) -> None:
    one, one_log = created(store)
    two, two_log = created(store)
    appended(store, one, one_log[0], move_request(one, "k"))
    appended(store, two, two_log[0], move_request(two, "k"))
    assert store.remembered(f"match:{two}", "k") == Remembered(bytes(32), two, 1)


def test_after_a_refusal_the_store_writes_on(store: Store) -> None:
    match, entries = created(store)
    with pytest.raises(Conflict):
        store.append(match, 5, [made_entry(match, 6, bytes(32))], head_at(entries[0]), None)
    second = appended(store, match, entries[0])
    assert list(store.entries(match)) == [*entries, second]


def test_entries_are_read_between_two_positions(store: Store) -> None:
    match, entries = created(store, 6)
    assert list(store.entries(match, after=3)) == entries[4:]
    assert list(store.entries(match, until=2)) == entries[:3]
    assert list(store.entries(match, after=1, until=3)) == entries[2:4]
    assert list(store.entries(match, after=5)) == []


def test_a_long_log_is_read_in_pages_while_it_grows(store: Store) -> None:
    match, entries = created(store, 501)
    reading = store.entries(match)
    begun = [next(reading)]
    more = appended(store, match, entries[-1])
    assert begun + list(reading) == [*entries, more]


def test_a_seat_is_given_new_tokens_once(store: Store) -> None:
    match, entries = created(store)
    store.reseat(match, 1, Seating(1, 1_800_000_000), 0)
    store.reseat(match, 3, Seating(1, 1_800_000_001, revoked=True), 0)
    with pytest.raises(Conflict):
        store.reseat(match, 1, Seating(1, 1_900_000_000), 0)
    kept = made_match(entries[0], match).seats
    now = store.match(match)
    assert now is not None
    assert now.seats == (kept[0], Seating(1, 1_800_000_000), kept[2], Seating(1, 1_800_000_001, revoked=True))


@pytest.mark.parametrize("seat", [4, 99])
def test_there_are_no_tokens_for_a_seat_that_is_not_there(store: Store, seat: int) -> None:
    match, _ = created(store)
    with pytest.raises(Conflict):
        store.reseat(match, seat, Seating(1, 1), 0)
    with pytest.raises(Conflict):
        store.reseat("m1", 0, Seating(1, 1), 0)


def test_api_keys(store: Store) -> None:
    later = API._replace(id="0" * 16, hash=b"i" * 32, created="2026-01-02T00:00:00.000Z", scopes=(), matches=())
    store.add_key(later)
    store.add_key(API)
    assert store.keys() == [API, later]
    assert store.key(b"h" * 32) == API
    assert store.key(b"x" * 32) is None
    with pytest.raises(Conflict):
        store.add_key(API._replace(id="1" * 16))


def test_an_api_key_is_revoked_once_and_stays_known(store: Store) -> None:
    store.add_key(API)
    assert store.revoke_key(API.id, "2026-02-01T00:00:00.000Z")
    assert not store.revoke_key(API.id, "2026-03-01T00:00:00.000Z")
    assert not store.revoke_key("f" * 16, "2026-03-01T00:00:00.000Z")
    assert store.key(b"h" * 32) == API._replace(revoked="2026-02-01T00:00:00.000Z")


def test_one_signing_key_of_an_origin_is_in_force(store: Store) -> None:
    old = SIGNING._replace(key="f" * 16, since="2025-01-01T00:00:00.000Z", until="2026-01-01T00:00:00.000Z")
    store.add_signing_key(SIGNING)
    store.add_signing_key(old)
    with pytest.raises(Conflict):
        store.add_signing_key(SIGNING._replace(key="1" * 16))
    store.add_signing_key(SIGNING._replace(key="2" * 16, origin="other.example", since="2026-03-01T00:00:00.000Z"))
    assert store.signing_keys()[:2] == [old, SIGNING]
    assert len(store.signing_keys()) == 3


def test_what_is_made_from_the_key_is_the_same_everywhere(store: Store, url: str) -> None:
    other = open_store(url, KEY)
    assert store.digest(b"request") == other.digest(b"request") != store.digest(b"another")
    assert store.token_key() == other.token_key()
    assert len({store.digest(b""), store.token_key(), KEY}) == 3
    assert (len(store.digest(b"")), len(store.token_key())) == (32, 32)
    other.close()


def test_a_store_that_is_closed_opens_again(store: Store) -> None:
    match, entries = created(store)
    store.close()
    assert list(store.entries(match)) == entries


def test_the_secret_is_decrypted(store: Store) -> None:
    match, _ = created(store)
    found = store.match(match)
    assert found is not None
    assert found.secret == SECRET
