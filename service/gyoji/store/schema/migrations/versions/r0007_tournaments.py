"""Adds which tournament a match belongs to, and which tournaments a key is bound to."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
PLAYED = sa.text("tournament IS NOT NULL")


def upgrade() -> None:
    """Add the columns: no match was of a tournament until now, and no key for one."""
    op.add_column("matches", sa.Column("tournament", BYTEWISE))
    op.add_column("api_keys", sa.Column("tournaments", sa.Text, nullable=False, server_default="[]"))
    columns = ["tournament", "created", "match"]
    op.create_index("matches_of_tournament", "matches", columns, sqlite_where=PLAYED, postgresql_where=PLAYED)
