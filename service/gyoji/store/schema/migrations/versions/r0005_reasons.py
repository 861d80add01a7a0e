"""Why a signing key has been revoked."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Empty for keys that are not revoked."""
    op.add_column("signing_keys", sa.Column("reason", sa.Text))
