"""Adds tournaments, each with a log of its own."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Add two tables."""
    op.create_table(
        "tournaments",
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("owner", BYTEWISE, nullable=False),
        sa.Column("created", BYTEWISE, nullable=False),
        sa.Column("visibility", sa.Text, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_index("tournaments_listed", "tournaments", ["created", "id"])
    op.create_table(
        "tournament_events",
        sa.Column("tournament", BYTEWISE, nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("tournament", "seq", name="pk_tournament_events"),
        sa.ForeignKeyConstraint(["tournament"], ["tournaments.id"], name="fk_tournament_events_tournament"),
    )
