"""The one SQL statement by which entries are appended to the log of a match on PostgreSQL."""

from functools import cache

from gyoji.store.database.postgres.notifier import HAS_LISTENERS
from gyoji.store.database.statements import GENERATION, HAS_WEBHOOK, REVISION, REVISIONS

REMEMBERED = """, remembered AS (
        INSERT INTO idempotency (scope, key, digest, match, seq)
        SELECT ?::text, ?::text, ?::bytea, head.match, ?::int4 FROM head)"""

NEWS = f""", news AS (
        INSERT INTO webhook_news (kind, subject, first, last, trace)
        SELECT 'match', m.match, ?::int4, m.seq, ?::text FROM head AS m WHERE {HAS_WEBHOOK})"""

PENDING_LEAF = """, leaf_{} AS (
        INSERT INTO tree_pending (hash, since, kind, match, seq, body)
        SELECT ?::bytea, ?::text, ?::text, ?::text, ?::int4, ?::bytea FROM head)"""


@cache
def append_statement(entries: int, remembers: bool, leaves: int, seated: bool) -> str:
    """Write the statement that appends so many entries, and lets so many leaves wait for the transparency log.

    ``remembers``: with an idempotency record; ``seated``: only if the seats are the given ones. It gives back a row an
    entry, each whether somebody listens for news. It does nothing and gives back nothing where the match has moved on,
    the schema is not that of this release, or the store is of another generation.
    """
    pending = "".join([PENDING_LEAF.format(number) for number in range(leaves)])
    values = ", ".join(["(?::int4, ?::bytea, ?::bytea, ?::bytea)"] * entries)
    return f"""WITH head AS (
        UPDATE matches SET seq = ?, hash = ?, status = ?, decision = ?, closed = ?
        WHERE match = ? AND seq = ? AND NOT archived{" AND seats = ?" if seated else ""}
        AND ({REVISIONS}) = '{REVISION}' AND ({GENERATION}) = ?
        RETURNING match, seq, owner, tournament){REMEMBERED if remembers else ""}{NEWS}{pending}
    INSERT INTO events (match, seq, body, hash, openings)
    SELECT head.match, entry.* FROM head, (VALUES {values}) AS entry (seq, body, hash, openings)
    RETURNING {HAS_LISTENERS}"""
