"""Adds records of when the store has gone back to an earlier state, and was recovered."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add the table; no store is known to have gone back until now."""
    op.create_table(
        "restorations",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("found", sa.Text, nullable=False),
        sa.Column("how", sa.Text, nullable=False),
        sa.Column("generation", sa.BigInteger),
        sa.Column("documents", sa.LargeBinary),
    )
