"""Logs to store: real chains of made-up events, with something to hide in each."""

from collections.abc import Iterator
from secrets import token_bytes
from uuid import uuid4

from gyoji.replay.canonical import ZERO, canonical, leaf_hash, secret_commitment
from gyoji.replay.entries import Entry, Opening
from gyoji.store.interface import Head, Match, Request, Seating, Store

KEY = bytes(range(32))
CREATED = "2026-01-01T00:00:00.000Z"
SECRET = b"S" * 64
CANARY = "Canary-of-the-hidden-card"


def made_entry(match: str, seq: int, prev: bytes, kind: str = "move_played", at: str = CREATED) -> Entry:
    """An event that hides one card, and at every fourth ``seq`` has a position salt too."""
    payload = {"/move/card": f"{CANARY}-{seq}"}
    opening = Opening(0, token_bytes(32), payload)
    first = {"game": "towai", "version": 1, "disclosure": "public_on_close", "visibility": "private"}
    body = canonical(
        {
            "v": 1,
            "match": match,
            "seq": seq,
            "prev": prev.hex(),
            "at": at,
            "type": "match_created" if seq == 0 else kind,
            "data": first if seq == 0 else {"move": {"card": None}},
            "secret": [{"for": [2], "commit": secret_commitment(opening.salt, canonical(payload))}],
        }
    )
    return Entry(seq, body, leaf_hash(body), (opening,), token_bytes(32) if seq % 4 == 0 else None)


def made_log(match: str, length: int) -> list[Entry]:
    """The first entries of a log."""
    entries: list[Entry] = []
    for seq in range(length):
        entries.append(made_entry(match, seq, entries[-1].hash if entries else ZERO))
    return entries


def made_match(last: Entry, match: str, *, created: str = CREATED, owner: str | None = "club") -> Match:
    """A match that stands at an entry."""
    seats = tuple([Seating(0, 1_767_225_600)] * 4)
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
        seats=seats,
        head=head_at(last),
    )


def head_at(last: Entry) -> Head:
    """The head of a match that is being played."""
    return Head(last.seq, last.hash, "playing", last.seq)


def created(store: Store, length: int = 1, request: Request | None = None) -> tuple[str, list[Entry]]:
    """A new match in the store, and its entries."""
    match = str(uuid4())
    entries = made_log(match, length)
    store.create(made_match(entries[-1], match), entries, request)
    return match, entries


def appended(store: Store, match: str, after: Entry, request: Request | None = None) -> Entry:
    """One more entry, stored."""
    entry = made_entry(match, after.seq + 1, after.hash)
    store.append(match, after.seq, [entry], head_at(entry), request)
    return entry


def move_request(match: str, key: str) -> Request:
    """A move under an idempotency key."""
    return Request(f"match:{match}", key, bytes(32))


def sequel(match: str, after: Entry) -> Iterator[Entry]:
    """Entries without end."""
    while True:
        after = made_entry(match, after.seq + 1, after.hash)
        yield after
