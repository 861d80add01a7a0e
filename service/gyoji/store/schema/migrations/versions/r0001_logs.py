"""Adds the tables of logs, idempotency records and keys."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
IN_FORCE = sa.text("until IS NULL AND revoked IS NULL")


def upgrade() -> None:
    """Create the first schema."""
    _matches()
    _events()
    _keys()


def _matches() -> None:
    op.create_table(
        "matches",
        sa.Column("match", BYTEWISE, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("owner", BYTEWISE),
        sa.Column("created", BYTEWISE, nullable=False),
        sa.Column("visibility", sa.Text, nullable=False),
        sa.Column("disclosure", sa.Text, nullable=False),
        sa.Column("demands_precondition", sa.Boolean, nullable=False),
        sa.Column("imported", sa.Boolean, nullable=False),
        sa.Column("tags", sa.Text, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("decision", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("match", name="pk_matches"),
        sqlite_with_rowid=False,
        postgresql_with={"fillfactor": 70},
    )
    op.create_index("matches_listed", "matches", ["owner", "created", "match"])
    op.create_index("matches_newest", "matches", ["created", "match"])
    op.create_table(
        "match_tags",
        sa.Column("tag", BYTEWISE, nullable=False),
        sa.Column("match", BYTEWISE, nullable=False),
        sa.PrimaryKeyConstraint("tag", "match", name="pk_match_tags"),
        sa.ForeignKeyConstraint(["match"], ["matches.match"], name="fk_match_tags_match"),
        sqlite_with_rowid=False,
    )


def _events() -> None:
    op.create_table(
        "events",
        sa.Column("match", BYTEWISE, nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("openings", sa.LargeBinary),
        sa.PrimaryKeyConstraint("match", "seq", name="pk_events"),
        sa.ForeignKeyConstraint(["match"], ["matches.match"], name="fk_events_match"),
    )
    op.create_table(
        "idempotency",
        sa.Column("scope", BYTEWISE, nullable=False),
        sa.Column("key", BYTEWISE, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("scope", "key", name="pk_idempotency"),
        sqlite_with_rowid=False,
    )


def _keys() -> None:
    op.create_table(
        "api_keys",
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("matches", sa.Text, nullable=False),
        sa.Column("created", BYTEWISE, nullable=False),
        sa.Column("revoked", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_api_keys"),
        sa.UniqueConstraint("hash", name="uq_api_keys_hash"),
    )
    op.create_table(
        "signing_keys",
        sa.Column("key", BYTEWISE, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("public", sa.LargeBinary, nullable=False),
        sa.Column("private", sa.LargeBinary, nullable=False),
        sa.Column("since", BYTEWISE, nullable=False),
        sa.Column("until", sa.Text),
        sa.Column("revoked", sa.Text),
        sa.PrimaryKeyConstraint("key", name="pk_signing_keys"),
    )
    op.create_index(
        "signing_keys_in_force",
        "signing_keys",
        ["origin"],
        unique=True,
        sqlite_where=IN_FORCE,
        postgresql_where=IN_FORCE,
    )
    op.create_table(
        "key_check",
        sa.Column("id", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_key_check"),
        sa.CheckConstraint("id = 1", name=op.f("ck_key_check_one_row")),
    )
