"""Adds which API key made a group of matches."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the column, which is unknown for existing groups."""
    op.add_column("groups", sa.Column("maker", sa.Text))
