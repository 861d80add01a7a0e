"""Logs to store: real chains of made-up events, with something to hide in each."""

from collections.abc import Iterator, Mapping
from secrets import token_bytes
from uuid import uuid4

from gyoji.games.chance import commitment
from gyoji.log.canonical import ZERO, canonical, leaf_hash, secret_commitment
from gyoji.log.entries import Entry, Opening
from gyoji.store.interface import Head, IdempotencyRecord, Match, Seating, Status, Store
from gyoji.store.records import Group
from gyoji.store.recovery import Recovered, recover

KEY = bytes(range(32))
SHARED = {"game": "towai", "version": 1}
CREATED = "2026-01-01T00:00:00.000Z"
RECOVERED = "2026-03-01T12:30:45.000Z"
SECRET = b"S" * 64
SEATS = (Seating(0, 1_767_225_600),) * 4
CANARY = "Canary-of-the-hidden-card"


def made_entry(
    match: str,
    seq: int,
    prev: bytes,
    kind: str = "move_played",
    at: str = CREATED,
    said: Mapping[str, object] | None = None,
    data: Mapping[str, object] | None = None,
) -> Entry:
    """An event that hides one card, and at every fourth ``seq`` has a position salt too; the first one says more."""
    payload = {"/move/card": f"{CANARY}-{seq}"}
    opening = Opening(0, token_bytes(32), payload)
    first = {**SHARED, "disclosure": "public_on_close", "visibility": "private", **(said or {})}
    body = canonical(
        {
            "v": 1,
            "match": match,
            "seq": seq,
            "prev": prev.hex(),
            "at": at,
            "type": {0: "match_created", 1: "dealt"}.get(seq, kind),
            "data": first if seq == 0 else data or {"move": {"card": None}},
            "secret": [{"for": [2], "commit": secret_commitment(opening.salt, canonical(payload))}],
        }
    )
    return Entry(seq, body, leaf_hash(body), (opening,), token_bytes(32) if seq % 4 == 0 else None)


def made_log(match: str, length: int, said: Mapping[str, object] | None = None) -> list[Entry]:
    """The first entries of a log."""
    entries: list[Entry] = []
    for seq in range(length):
        entries.append(made_entry(match, seq, entries[-1].hash if entries else ZERO, said=said))
    return entries


def made_match(last: Entry, match: str, *, created: str = CREATED, owner: str | None = "club") -> Match:
    """A match that stands at an entry."""
    return Match(
        match=match,
        game="towai",
        version=1,
        owner=owner,
        created=created,
        visibility="private",
        disclosure="public_on_close",
        demands_precondition=True,
        imported=False,
        tags=("league", "Täble 5"),
        secret=SECRET,
        seats=SEATS,
        head=head_at(last),
    )


def head_at(last: Entry) -> Head:
    """The head of a match that is being played."""
    return Head(last.seq, last.hash, "playing", last.seq)


def created(store: Store, length: int = 1, request: IdempotencyRecord | None = None) -> tuple[str, list[Entry]]:
    """A new match in the store, and its entries."""
    match = str(uuid4())
    entries = made_log(match, length)
    store.create(made_match(entries[-1], match), entries, request)
    return match, entries


def made_group(group: str, *, until: str | None = None, owner: str = "club") -> Group:
    """A group that takes matches."""
    return Group(group, owner, CREATED, "towai", 1, 4, {"finishes_to_win": 2}, 1, "public_on_close", until, SECRET)


def joined(store: Store, group: str, match: str, length: int = 2, most: int | None = None) -> list[Entry]:
    """A match of the group, stored, and its entries."""
    promise = commitment(SECRET, "towai", 1, group)
    shared = {"seats": 4, "options": {"finishes_to_win": 2}, "first": 1}
    said = {**shared, "deal_id": group, "seed_commitment": promise, "withheld_until": "group"}
    entries = made_log(match, length, said)
    store.create(made_match(entries[-1], match)._replace(group=group, withheld_until="group"), entries, None, most)
    return entries


def ended(store: Store, match: str, after: Entry, *, closed: bool, kind: str = "match_finished") -> Entry:
    """The match at its end, and closed or not."""
    kinds = [kind, "seed_disclosed"] if closed else [kind]
    entries = [after]
    for each in kinds:
        entries.append(made_entry(match, entries[-1].seq + 1, entries[-1].hash, each))
    status: Status = "voided" if kind == "match_voided" else "finished"
    head = Head(entries[-1].seq, entries[-1].hash, status, after.seq, closed)
    store.append(match, after.seq, entries[1:], head, None)
    return entries[-1]


def appended(store: Store, match: str, after: Entry, request: IdempotencyRecord | None = None) -> Entry:
    """One more entry, stored."""
    entry = made_entry(match, after.seq + 1, after.hash)
    store.append(match, after.seq, [entry], head_at(entry), request)
    return entry


def move_request(match: str, key: str) -> IdempotencyRecord:
    """A move under an idempotency key."""
    return IdempotencyRecord(f"match:{match}", key, bytes(32))


def recovered(url: str, at: str = RECOVERED, *, anyway: bool = False) -> Recovered:
    """What a recovery of the store makes, without waiting for other processes."""
    return recover(url, KEY, None, lambda: at, lambda: None, anyway=anyway)


def sequel(match: str, after: Entry) -> Iterator[Entry]:
    """Entries without end."""
    while True:
        after = made_entry(match, after.seq + 1, after.hash)
        yield after
