"""Adds the trace of the request that led to news, and to a message."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the columns, which are unknown for existing rows."""
    for table in ("webhook_news", "webhook_deliveries"):
        op.add_column(table, sa.Column("trace", sa.Text))
