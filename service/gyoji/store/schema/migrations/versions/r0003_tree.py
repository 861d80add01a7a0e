"""Adds the Merkle tree over all matches. Existing matches get pending leaves, which wait until the tree is first asked
for.

Leaves are written here as they were at this revision, whatever they may hold later.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import orjson
import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")

PAGE = 500

MATCHES = """SELECT matches.match, status, first.body, first.hash, last.seq, last.body, last.hash FROM matches
JOIN events AS first ON first.match = matches.match AND first.seq = 0
JOIN events AS last ON last.match = matches.match AND last.seq = matches.seq
WHERE matches.match > :after ORDER BY matches.match LIMIT :page"""
PEND = """INSERT INTO tree_pending (hash, since, kind, match, seq, body)
VALUES (:hash, :since, :kind, :match, :seq, :body)"""


def upgrade() -> None:
    """Add the tables, and the pending leaves of existing matches."""
    _tables()
    after = ""
    while page := list(op.get_bind().execute(sa.text(MATCHES), {"after": after, "page": PAGE})):
        op.get_bind().execute(sa.text(PEND), [leaf for found in page for leaf in _leaves(*found)])
        after = page[-1][0]


def _leaves(
    match: str, status: str, first: bytes, first_hash: bytes, seq: int, last: bytes, last_hash: bytes
) -> Iterator[dict[str, Any]]:
    yield _row("match_created", match, 0, bytes(first), {"hash": bytes(first_hash).hex()})
    if status in ("finished", "voided"):
        said = {"seq": seq, "hash": bytes(last_hash).hex(), "status": status}
        yield _row("match_closed", match, seq, bytes(last), said)


def _row(kind: str, match: str, seq: int, event: bytes, said: dict[str, Any]) -> dict[str, Any]:
    at = orjson.loads(event)["at"]
    body = orjson.dumps({"v": 1, "type": kind, "match": match, "at": at, **said}, option=orjson.OPT_SORT_KEYS)
    leaf_hash = sha256(b"\0" + body).digest()
    return {"hash": leaf_hash, "since": at, "kind": kind, "match": match, "seq": seq, "body": body}


def _tables() -> None:
    op.create_table(
        "tree_pending",
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("since", BYTEWISE, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("match", BYTEWISE),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_tree_pending"),
    )
    op.create_table(
        "tree_leaves",
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("match", BYTEWISE),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_tree_leaves"),
        sa.UniqueConstraint("hash", name="uq_tree_leaves_hash"),
    )
    op.create_index("tree_leaves_found", "tree_leaves", ["match", "kind"])
    op.create_table(
        "tree_tiles",
        sa.Column("level", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("level", "number", name="pk_tree_tiles"),
    )
    op.create_table(
        "tree_checkpoints",
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("root", sa.LargeBinary, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_tree_checkpoints"),
    )
