"""Adds groups of matches that share their deals, and secrets that are withheld after the end of a match."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
GROUPED = sa.text("group_id IS NOT NULL")
WAITING = sa.text("withheld_until IS NOT NULL AND NOT closed")


def upgrade() -> None:
    """Add the tables; every match that is over was closed in the same transaction until now."""
    op.add_column("matches", sa.Column("closed", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("matches", sa.Column("group_id", BYTEWISE))
    op.add_column("matches", sa.Column("withheld_until", sa.Text))
    op.add_column("matches", sa.Column("director", sa.Text))
    op.execute(sa.text("UPDATE matches SET closed = (status = 'finished')"))
    op.create_index("matches_grouped", "matches", ["group_id"], sqlite_where=GROUPED, postgresql_where=GROUPED)
    op.create_index("matches_withheld", "matches", ["match"], sqlite_where=WAITING, postgresql_where=WAITING)
    _groups()


def _groups() -> None:
    op.create_table(
        "groups",
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("owner", BYTEWISE, nullable=False),
        sa.Column("created", BYTEWISE, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("disclosure", sa.Text, nullable=False),
        sa.Column("until", sa.Text),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_groups"),
    )
