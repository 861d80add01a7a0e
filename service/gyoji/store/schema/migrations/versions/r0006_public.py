"""Adds an index, so that the newest public matches are found without passing over the private ones."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add an index over public matches alone."""
    public = sa.text("visibility = 'public'")
    op.create_index("matches_public", "matches", ["created", "match"], sqlite_where=public, postgresql_where=public)
