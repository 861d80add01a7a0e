"""Adds who calls the referee at a table: news of a match that is beside its log."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Add the table; nobody calls yet."""
    op.create_table(
        "referee_calls",
        sa.Column("match", BYTEWISE, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("calls", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
