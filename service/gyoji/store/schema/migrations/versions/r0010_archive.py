"""Adds the archive: packs of matches in object storage, and the matches whose events are there."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
CLOSED_HERE = sa.text("closed AND NOT archived")


def upgrade() -> None:
    """Add the tables; nothing is archived yet."""
    op.create_table(
        "archive_packs",
        sa.Column("name", BYTEWISE, primary_key=True),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("events", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "archived",
        sa.Column("match", BYTEWISE, sa.ForeignKey("matches.match"), primary_key=True),
        sa.Column("pack", BYTEWISE, sa.ForeignKey("archive_packs.name"), nullable=False),
        sa.Column("start", sa.BigInteger, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("openings", sa.LargeBinary),
    )
    op.create_index("archived_in_pack", "archived", ["pack", "start"])
    op.add_column("matches", sa.Column("archived", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index(
        "matches_to_archive",
        "matches",
        ["created", "match"],
        sqlite_where=CLOSED_HERE,
        postgresql_where=CLOSED_HERE,
    )
