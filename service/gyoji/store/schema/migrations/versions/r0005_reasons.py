"""Adds why a signing key has been revoked."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column, which is empty for keys that are not revoked."""
    op.add_column("signing_keys", sa.Column("reason", sa.Text))
