"""Adds a number to every append to the log of a match, over all matches."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Add the table; what was stored before gets no number."""
    op.create_table(
        "appends",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("match", BYTEWISE, nullable=False),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("last", sa.Integer, nullable=False),
    )
