"""${message}."""

import sqlalchemy as sa
from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """Bring the schema here from the revision before."""
    ${upgrades if upgrades else "raise NotImplementedError"}
