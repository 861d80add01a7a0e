"""Lists matches: writes the query for a listing, and reads its rows as far as they can be read."""

from gyoji.names import normalize_name
from gyoji.store.database.port import Database
from gyoji.store.database.statements import MATCH, ONE_MATCH, Row
from gyoji.store.encryption import Damaged, Encryption
from gyoji.store.records import Listing, Match, Unavailable, Unreadable
from gyoji.store.rows import match_of

MATCH_COLUMNS = ", ".join(f"matches.{column.strip()}" for column in MATCH.split(","))
PLACE_COLUMNS = "matches.match, matches.created"
TAGGED_MATCHES = "match_tags AS tagged CROSS JOIN"
"""Along the tags, newest first, from each to its match: SQLite takes the tables of a ``CROSS JOIN`` in that order. It
might go along the matches otherwise, and look up the tags of each."""

HAS_TAG = "(SELECT 1 FROM match_tags AS t WHERE t.tag = ? AND t.match = matches.match) IS NOT NULL"
"""Asked of each match, which ``EXISTS`` is not: PostgreSQL makes a join of it, and takes status and tag of the newest
matches to be as independent as those of all."""
HAS_MANY = "SELECT 1 FROM match_tags WHERE owner = ? AND tag = ? LIMIT 1 OFFSET 1000"
"""Whether so many matches have the tag that those without another mark in question are not passed over one by one."""
WATCHED = """(closed OR tournament IS NULL OR NOT EXISTS (SELECT 1 FROM matches AS other
WHERE other.group_id = matches.group_id AND other.match <> matches.match))"""
"""Of public matches those that anybody may watch: not what would tell other tables of a tournament of their cards."""


def list_matches(database: Database, encryption: Encryption | None, listing: Listing) -> list[Match | Unreadable]:
    """List at most ``limit`` matches, newest first. What the database does not read together is read singly."""
    if listing.among == () == listing.within:
        return []
    by_tag = not _has_many(database, listing)
    try:
        rows = database.query(*list_query(listing, by_tag=by_tag))
    except Unavailable as failure:
        if failure.cause != "damaged":
            raise
        places = database.query(*list_query(listing, PLACE_COLUMNS, by_tag=by_tag))
        return [_read_singly(database, encryption, *place) for place in places]
    return [_read(row, encryption) for row in rows]


def _has_many(database: Database, listing: Listing) -> bool:
    """Whether a tag that is asked for together with another filter is that of many matches."""
    if listing.tag is None or listing.owner is None or normalize_name(listing.tag) != listing.tag:
        return False
    if listing.game is None and listing.status is None:
        return False
    return bool(database.query(HAS_MANY, (listing.owner, listing.tag)))


def _read_singly(database: Database, encryption: Encryption | None, match: str, created: str) -> Match | Unreadable:
    try:
        found = database.query(ONE_MATCH, (match,))
        return match_of(found[0], encryption) if found else Unreadable(match, created)
    except Unavailable as failure:
        if failure.cause != "damaged":
            raise
        return Unreadable(match, created)


def _read(row: Row, encryption: Encryption | None) -> Match | Unreadable:
    try:
        return match_of(row, encryption)
    except Damaged:
        return Unreadable(row[0], row[4])


def list_query(
    listing: Listing, columns: str = MATCH_COLUMNS, *, by_tag: bool = True
) -> tuple[str, tuple[object, ...]]:
    """Write the query for a listing; return it with the values put in.

    The query goes backwards along an index: of an account's matches (one for each filter), of a tournament's, or of
    public ones. That these are public stands in the query itself: with ``?`` SQLite would not see that the index fits.
    With ``by_tag`` it goes along the tag's matches, otherwise along those of the other filters.
    """
    conditions: list[str] = []
    put: list[object] = []
    source, place, owner = "matches", "matches.created, matches.match", "matches.owner"
    if listing.tag is not None and not by_tag:
        conditions.append(HAS_TAG)
        put.append(listing.tag)
    elif listing.tag is not None and listing.owner is not None and normalize_name(listing.tag) == listing.tag:
        source, place, owner = f"{TAGGED_MATCHES} matches", "tagged.created, tagged.match", "tagged.owner"
        conditions.append("matches.match = tagged.match AND tagged.tag = ?")
        put.append(listing.tag)
    elif listing.tag is not None:
        conditions.append("matches.match IN (SELECT match FROM match_tags WHERE tag IN (?, ?))")
        put += (listing.tag, normalize_name(listing.tag))  # earlier versions have kept tags as they were sent
    asked = (
        (owner, listing.owner),
        ("matches.game", listing.game),
        ("matches.status", listing.status),
        ("matches.tournament", listing.tournament),
    )
    for column, value in asked:
        if value is not None:
            conditions.append(f"{column} = ?")
            put.append(value)
    if listing.public:
        conditions += ["visibility = 'public'", WATCHED]
    if listing.among is not None:
        either = (("match", listing.among), ("tournament", listing.within))
        reached = [_one_of(f"matches.{column}", values) for column, values in either if values]
        conditions.append(f"({' OR '.join(reached)})")
        put += (*listing.among, *listing.within)
    if listing.before is not None:
        conditions.append(f"({place}) < (?, ?)")
        put += listing.before
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    order = " DESC, ".join(place.split(", "))
    query = f"SELECT {columns} FROM {source}{where} ORDER BY {order} DESC LIMIT ?"
    return query, (*put, listing.limit)


def _one_of(column: str, values: tuple[str, ...]) -> str:
    return f"{column} IN ({', '.join('?' * len(values))})"
