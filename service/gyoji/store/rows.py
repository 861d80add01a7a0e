"""Converts between the rows of tables and the values of the store, and writes the steps of the transactions that create
matches and append to their logs."""

from collections.abc import Sequence
from typing import Any

import orjson

from gyoji.log.entries import Entry
from gyoji.store.database import statements
from gyoji.store.database.port import Append, append_steps
from gyoji.store.database.statements import TRACE, Row, Step
from gyoji.store.encryption import Damaged, Encryption
from gyoji.store.keys import ApiKey, SigningKey
from gyoji.store.records import (
    AppendOptions,
    Conflict,
    Group,
    GroupClosed,
    GroupFull,
    Head,
    Match,
    NewMatch,
    Seating,
)
from gyoji.store.transparency.growth import pending_row
from gyoji.trust.transparency.leaves import OVER, closing_leaf, creation_leaf

LAST = 2**31 - 1
"""The highest ``seq`` that fits its column."""


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
        secret=b"" if encryption is None else encryption.decrypt("matches", match, 0, secret),
        seats=seats_of(seats),
        head=head_of_row(head),
        group=group,
        withheld_until=withheld_until,
        director=None if director is None else seats_of(director)[0],
        tournament=tournament,
    )


def head_of_row(row: Sequence[Any]) -> Head:
    """Read the head of a match's log in columns of a row."""
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
    """Write seats as they stand in their column: of one that no bot plays without a word of bots, as ever."""
    return orjson.dumps([list(seat[:3] if seat.bot is None else seat) for seat in seats]).decode()


def seats_of(text: str) -> tuple[Seating, ...]:
    """Read the seats of a column."""
    return tuple([Seating(*seat) for seat in orjson.loads(text)])


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


def creation_steps(new: Sequence[NewMatch], encryption: Encryption) -> list[Step]:
    """Write the steps that create matches, with their tags, entries, pending leaves and news; an import is no news."""
    tags = [
        (tag, each.match.match, each.match.owner, each.match.created)
        for each in new
        for tag in dict.fromkeys(each.match.tags)
    ]
    played = [each for each in new if not each.match.imported]
    news = [(each.entries[0].seq, each.match.head.seq, TRACE.get(), each.match.match) for each in played]
    appends = [(each.match.match, each.entries[0].seq, each.match.head.seq) for each in played]
    events = [row for each in new for row in event_rows(each.match.match, each.entries, encryption)]
    leaves = [row for each in new for row in pending_leaves(each.entries, each.match.head, begins=True)]
    return [
        Step(statements.NEW_MATCH, [match_row(each.match, encryption) for each in new], Conflict),
        Step(statements.ADD_TAG, tags, Conflict),
        Step(statements.ADD_EVENT, events, Conflict),
        Step(statements.ADD_PENDING_LEAF, leaves, Conflict),
        *([Step(statements.ADD_NEWS, news, Conflict)] if news else []),
        *([Step(statements.ADD_APPEND, appends, Conflict)] if appends else []),
    ]


def joining_steps(group: str, most: int | None) -> list[Step]:
    """Write the steps that demand of a group that it takes matches and, where given, has fewer than ``most``. Nobody
    else joins it between these steps and the end of the transaction."""
    steps = [Step(statements.JOIN_GROUP, ((group,),), GroupClosed, must_change=True)]
    if most is not None:
        steps.append(Step(statements.HAS_ROOM, ((group, group, most),), GroupFull, must_change=True))
    return steps


def append_steps_with(append: Append, options: AppendOptions) -> list[Step]:
    """Write the steps that append to the log of a match, and change or demand what the options say."""
    more: list[Step] = []
    if options.tournament is not None:  # first, as whoever writes to a tournament takes its row before any other
        more.append(Step(statements.HOLD_TOURNAMENT, (options.tournament,), Conflict, must_change=True))
    if options.group is not None:
        more += joining_steps(options.group, None)
    if options.expected_seats is not None:
        seats = options.expected_seats if options.new_seats is None else options.new_seats
        more += seating_steps(append.match, (options.expected_seats, seats))
    return append_steps(append, more)


def seating_steps(match: str, seats: tuple[tuple[Seating, ...], tuple[Seating, ...]] | None) -> list[Step]:
    """Write the step that demands the first seats of a match, and gives it the second ones; none for ``None``."""
    if seats is None:
        return []
    before, after = seats
    put = (seats_text(after), match, seats_text(before))
    return [Step(statements.RESEAT, (put,), Conflict, must_change=True)]


def event_rows(match: str, entries: Sequence[Entry], encryption: Encryption) -> list[Row]:
    """Write entries as rows of ``events``."""
    return [(match, entry.seq, entry.body, entry.hash, encryption.encrypt_openings(match, entry)) for entry in entries]


def pending_leaves(entries: Sequence[Entry], head: Head, begins: bool) -> list[Row]:
    """Write the leaves that these entries demand, as rows of ``tree_pending``: that a match begins, and that it is
    over."""
    begun = [creation_leaf(entries[0])] if begins else []
    over = [closing_leaf(entries[-1], head.status)] if head.status in OVER else []
    return [pending_row(leaf) for leaf in (*begun, *over)]
