"""Holds the SQL of a running service, written out in full: no request waits until it is put together.

The tables are those of ``gyoji.store.schema``; ``?`` stands for each value put in.
"""

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, NamedTuple

from gyoji.store.records import Unavailable

TRACE: ContextVar[str | None] = ContextVar("gyoji.trace", default=None)
"""The header ``traceparent`` of the request that this thread answers, if it has one."""


Row = tuple[Any, ...]

Execute = Callable[[str, Row], list[Row]]
"""Executes a statement with the values put in, and gives back the rows that it finds."""

PAGE = 500
"""Rows that one query reads of a list that may be long."""


class Step(NamedTuple):
    """One statement of a transaction, executed for some rows of values."""

    sql: str
    rows: Sequence[Row]
    clash: type[Exception]
    """Raised where such a row is there already."""
    must_change: bool = False
    """Whether it is raised too where not one row was changed."""


REVISION = "0016"
"""The schema that this release expects."""

MATCH = """match, game, version, owner, created, visibility, disclosure, demands_precondition, imported, tags, secret,
seats, seq, hash, status, decision, closed, group_id, withheld_until, director, tournament"""

REVISIONS = "SELECT version_num FROM gyoji_revision"
CURRENT = [(REVISION,)]
"""What ``REVISIONS`` finds where the schema is that of this release."""
WAITS = 10**15
"""In the place of a generation: the store was restored, and waits to be recovered."""
LATEST = f"SELECT coalesce(generation, {WAITS}) FROM restorations ORDER BY number DESC LIMIT 1"
GENERATION = f"SELECT coalesce(({LATEST}), 0)"
"""The generation of the store, or that it waits; 0 if it has never been restored."""
SCHEMA_AND_GENERATION = f"SELECT version_num, ({GENERATION}) FROM gyoji_revision"
"""What every write asks for first."""
KEY_CHECK = "SELECT value FROM key_check WHERE id = 1"
KEEP_KEY_CHECK = "INSERT INTO key_check (id, value) VALUES (1, ?) ON CONFLICT DO NOTHING"

NEW_MATCH = f"INSERT INTO matches ({MATCH}) VALUES ({', '.join('?' * 21)})"
ADD_TAG = "INSERT INTO match_tags (tag, match, owner, created) VALUES (?, ?, ?, ?)"
ADD_EVENT = "INSERT INTO events (match, seq, body, hash, openings) VALUES (?, ?, ?, ?, ?)"
ADD_REQUEST = "INSERT INTO idempotency (scope, key, digest, match, seq) VALUES (?, ?, ?, ?, ?)"
ADD_PENDING_LEAF = "INSERT INTO tree_pending (hash, since, kind, match, seq, body) VALUES (?, ?, ?, ?, ?, ?)"
HAS_WEBHOOK = """EXISTS (SELECT 1 FROM webhooks AS w WHERE w.owner = m.owner AND w.disabled IS NULL
AND (w.match IS NULL OR w.match = m.match) AND (w.tournament IS NULL OR w.tournament = m.tournament))"""
"""Whether a webhook wants to hear of the match ``m``: asked in the transaction that stores what has happened."""
ADD_NEWS = f"""INSERT INTO webhook_news (kind, subject, first, last, trace)
SELECT 'match', m.match, ?, ?, ? FROM matches AS m WHERE m.match = ? AND {HAS_WEBHOOK}"""
ADD_TOURNAMENT_NEWS = """INSERT INTO webhook_news (kind, subject, first, last, trace)
SELECT 'tournament', t.id, ?, ?, ? FROM tournaments AS t WHERE t.id = ? AND EXISTS (SELECT 1 FROM webhooks AS w
WHERE w.owner = t.owner AND w.disabled IS NULL AND w.match IS NULL AND (w.tournament IS NULL OR w.tournament = t.id))"""
ADD_APPEND = "INSERT INTO appends (match, first, last) VALUES (?, ?, ?)"
LATEST_APPEND = "SELECT coalesce(max(number), 0) FROM appends"
APPENDS_KEPT = "SELECT (SELECT min(number) FROM appends), (SELECT max(number) FROM appends)"
FORGET_APPENDS = "DELETE FROM appends WHERE number <= ?"
APPENDS = """SELECT a.number, a.match, a.first, a.last, m.owner, m.tournament FROM appends AS a CROSS JOIN matches AS m
WHERE m.match = a.match AND a.number > ?"""
APPENDS_AFTER = f"{APPENDS} ORDER BY a.number LIMIT ?"
APPENDS_AMONG = f"{APPENDS} AND a.number <= ? AND ({{}}) ORDER BY a.number LIMIT ?"
ADVANCE_HEAD = """UPDATE matches SET seq = ?, hash = ?, decision = ? WHERE match = ? AND seq = ? AND NOT archived"""
ADVANCE_SEATED_HEAD = f"{ADVANCE_HEAD} AND seats = ?"
SET_STATUS = "UPDATE matches SET status = ?, closed = ? WHERE match = ? AND (status <> ? OR closed <> ?)"
"""Apart from ``ADVANCE_HEAD``: SQLite writes every index that a column of ``SET`` stands in,
whether the value is another or not: most moves change neither."""

HOLD_SEATED = """UPDATE matches SET decision = decision WHERE match = ? AND seats = ?
AND status NOT IN ('finished', 'voided')"""
"""Changes nothing, and waits for whoever is writing to the match: where that ends it, or seats somebody else, no row is
left to change."""
FORGET_CALLS = "DELETE FROM referee_calls WHERE match = ?"

ONE_MATCH = f"SELECT {MATCH} FROM matches WHERE match = ?"
HEAD = "SELECT seq, hash, status, decision, closed FROM matches WHERE match = ?"
ENTRIES = """SELECT seq, body, hash, openings FROM events WHERE match = ? AND seq > ? AND seq <= ?
ORDER BY seq LIMIT ?"""
IDS = "SELECT match FROM matches WHERE match > ? ORDER BY match LIMIT ?"
REQUEST = "SELECT digest, match, seq FROM idempotency WHERE scope = ? AND key = ?"

SEATS = "SELECT seats FROM matches WHERE match = ?"
WITH_BOTS = "SELECT match FROM matches WHERE status = 'playing' AND seats LIKE ? ORDER BY match"
RESEAT = "UPDATE matches SET seats = ? WHERE match = ? AND seats = ?"
DIRECTOR = "SELECT director FROM matches WHERE match = ?"
REDIRECT = "UPDATE matches SET director = ? WHERE match = ? AND director = ?"

GROUP = "id, owner, created, game, version, seats, options, first, disclosure, until, secret, closed, maker"
NEW_GROUP = f"INSERT INTO groups ({GROUP}) VALUES ({', '.join('?' * 13)})"
ONE_GROUP = f"SELECT {GROUP} FROM groups WHERE id = ?"
GROUPS = f"SELECT {GROUP} FROM groups WHERE id > ? ORDER BY id LIMIT ?"
CLOSE_GROUP = "UPDATE groups SET closed = ? WHERE id = ? AND NOT closed"
JOIN_GROUP = "UPDATE groups SET closed = closed WHERE id = ? AND NOT closed"
"""Changes nothing, and waits for whoever is closing it: then no row is left to change."""
HAS_ROOM = """UPDATE groups SET closed = closed
WHERE id = ? AND (SELECT count(*) FROM matches WHERE group_id = ?) < ?"""
"""After ``JOIN_GROUP``, which holds the group's row: a statement of its own, so that it counts whatever was stored by
whoever held that row before."""
GROUP_MEMBERS = "SELECT match, status, closed FROM matches WHERE group_id = ? ORDER BY created, match"
HOLD_TOURNAMENT = "UPDATE tournaments SET seq = seq WHERE id = ? AND seq = ?"
"""Changes nothing, and waits for whoever is writing to the tournament: then no row is left to change."""
IN_PLAY = "SELECT 1 FROM matches WHERE group_id = ? AND status NOT IN ('finished', 'voided') LIMIT 1"
HAS_SEVERAL_MATCHES = "SELECT 1 FROM matches WHERE group_id = ? LIMIT 1 OFFSET 1"
WITHHELD = """SELECT match FROM matches WHERE withheld_until IS NOT NULL AND NOT closed
AND status IN ('finished', 'voided') ORDER BY match"""

API_KEY = "id, hash, role, account, scopes, matches, created, revoked, tournaments"
ADD_KEY = f"INSERT INTO api_keys ({API_KEY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
KEY_BY_HASH = f"SELECT {API_KEY} FROM api_keys WHERE hash = ?"
KEYS = f"SELECT {API_KEY} FROM api_keys ORDER BY created, id"
REVOKE_KEY = "UPDATE api_keys SET revoked = ? WHERE id = ? AND revoked IS NULL"

SIGNING_KEY = "key, origin, public, private, since, until, revoked, reason"
ADD_SIGNING_KEY = f"INSERT INTO signing_keys ({SIGNING_KEY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
SIGNING_KEYS = f"SELECT {SIGNING_KEY} FROM signing_keys ORDER BY since, key"
RETIRE_SIGNING_KEY = "UPDATE signing_keys SET until = ? WHERE key = ? AND until IS NULL AND revoked IS NULL"
REVOKE_SIGNING_KEY = "UPDATE signing_keys SET revoked = ?, reason = ? WHERE key = ? AND revoked IS NULL"


def refuse_other_schema(found: Sequence[tuple[Any, ...]]) -> None:
    """Refuse a schema of another release: ``Unavailable``; ``found`` is what ``REVISIONS`` finds."""
    if found == CURRENT:
        return
    known = str(found[0][0]) if found else ""
    if known > REVISION:
        raise Unavailable(
            f"the database is of a newer release (its schema is {known}, this release has {REVISION})", "newer-schema"
        )
    raise Unavailable(
        f"the database is of an older release (its schema is {known or 'not known'}, this release has {REVISION}): "
        "gyoji store migrate brings it up to date",
        "older-schema",
    )
