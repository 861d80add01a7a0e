"""Adds sealed games of which only the newest capsule is accepted."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Add a table with one row a game, found by when the game expires."""
    op.create_table(
        "capsule_heads",
        sa.Column("match", BYTEWISE, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("mark", sa.LargeBinary, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", name="pk_capsule_heads"),
        sqlite_with_rowid=False,
    )
    op.create_index("capsule_heads_expired", "capsule_heads", ["expires"])
