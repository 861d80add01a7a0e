"""Converts between the rows of tables and the values of the store."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import orjson

from gyoji.store.database.sql import Row
from gyoji.store.encryption import Damaged, Encryption
from gyoji.store.groups import Group
from gyoji.store.records import ApiKey, Head, Match, Request, Seating, SigningKey

LAST = 2**31 - 1
"""The highest ``seq`` that fits its column."""

SEATS = 1024
"""Texts of seats that are kept parsed: they change only when tokens are renewed."""


def match_row(match: Match, encryption: Encryption) -> Row:
    """Write a match as a row of ``matches``."""
    return (
        *match[:9],
        orjson.dumps(match.tags).decode(),
        encryption.encrypt("matches", match.match, 0, match.secret),
        seats_text(match.seats),
        *match.head,
        match.group,
        match.withheld_until,
        None if match.director is None else seats_text((match.director,)),
        match.tournament,
    )


def match_of(row: Row, encryption: Encryption | None) -> Match:
    """Read the match of a row; without the store key its secret is empty. ``Damaged`` where the row does not read."""
    try:
        return _match_of(row, encryption)
    except (IndexError, TypeError, ValueError):
        raise Damaged("the row of a match does not read") from None


def _match_of(row: Row, encryption: Encryption | None) -> Match:
    match, game, version, owner, created, visibility, disclosure, demands, imported, tags, secret, *rest = row
    seats, *head, group, withheld_until, director, tournament = rest
    return Match(
        match,
        game,
        version,
        owner,
        created,
        visibility,
        disclosure,
        demands_precondition=bool(demands),
        imported=bool(imported),
        tags=() if tags == "[]" else tuple(orjson.loads(tags)),
        secret=b"" if encryption is None else encryption.secret(match, secret),
        seats=seats_of(seats),
        head=head_of(head),
        group=group,
        withheld_until=withheld_until,
        director=None if director is None else seats_of(director)[0],
        tournament=tournament,
    )


def head_of(row: Sequence[Any]) -> Head:
    """Read the head in columns of a row."""
    seq, digest, status, decision, closed = row
    return Head(seq, digest, status, decision, bool(closed))


def group_row(group: Group, encryption: Encryption) -> Row:
    """Write a group as a row of ``groups``."""
    sealed = encryption.encrypt("groups", group.group, 0, group.secret)
    return tuple(group._replace(options=orjson.dumps(group.options).decode(), secret=sealed))  # type: ignore[arg-type] # a row


def group_of(row: Row, encryption: Encryption | None) -> Group:
    """Read the group of a row; without the store key its secret is empty."""
    stored = Group(*row)
    secret = b"" if encryption is None else encryption.decrypt("groups", stored.group, 0, stored.secret)
    return stored._replace(options=orjson.loads(row[6]), secret=secret, closed=bool(stored.closed))


def seats_text(seats: tuple[Seating, ...]) -> str:
    """Write seats as they stand in their column."""
    return orjson.dumps([list(seat) for seat in seats]).decode()


@lru_cache(SEATS)
def seats_of(text: str) -> tuple[Seating, ...]:
    """Read the seats of a column."""
    return tuple([Seating(*seat) for seat in orjson.loads(text)])


def request_row(request: Request, match: str, seq: int) -> Row:
    """Write a request as a row of ``idempotency``: the id of what it made, and the ``seq`` of its event."""
    return (request.scope, request.key, request.digest, match, seq)


def api_key_row(key: ApiKey) -> Row:
    """Write an API key as a row of ``api_keys``."""
    scopes, matches, tournaments = (orjson.dumps(each).decode() for each in (key.scopes, key.matches, key.tournaments))
    return (key.id, key.hash, key.role, key.account, scopes, matches, key.created, key.revoked, tournaments)


def api_key_of(row: Row) -> ApiKey:
    """Read the API key of a row."""
    name, digest, role, account, scopes, matches, created, revoked, tournaments = row
    return ApiKey(
        name,
        digest,
        role,
        account,
        tuple(orjson.loads(scopes)),
        tuple(orjson.loads(matches)),
        created,
        revoked,
        tuple(orjson.loads(tournaments)),
    )


def signing_key_row(key: SigningKey, encryption: Encryption) -> Row:
    """Write a signing key as a row of ``signing_keys``."""
    return tuple(key._replace(private=encryption.encrypt("signing_keys", key.key, 0, key.private)))


def signing_key_of(row: Row, encryption: Encryption | None) -> SigningKey:
    """Read the signing key of a row; without the store key its private half is empty."""
    stored = SigningKey(*row)
    private = b"" if encryption is None else encryption.decrypt("signing_keys", stored.key, 0, stored.private)
    return stored._replace(private=private)
