"""Adds webhooks: registrations, news, and deliveries."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
DUE = sa.text("due IS NOT NULL")
WAITING = sa.text("state = 'waiting'")
SETTLED = sa.text("settled IS NOT NULL")


def upgrade() -> None:
    """Add the tables; no deliveries are made of what was stored before."""
    op.create_table(
        "webhooks",
        sa.Column("id", BYTEWISE, primary_key=True),
        sa.Column("owner", BYTEWISE, nullable=False),
        sa.Column("created", BYTEWISE, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("types", sa.Text, nullable=False),
        sa.Column("match", BYTEWISE),
        sa.Column("tournament", BYTEWISE),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("failing", sa.Text),
        sa.Column("disabled", sa.Text),
        sa.Column("reason", sa.Text),
    )
    op.create_index("webhooks_of_owner", "webhooks", ["owner", "created"])
    op.create_table(
        "webhook_news",
        sa.Column("kind", BYTEWISE, primary_key=True),
        sa.Column("subject", BYTEWISE, primary_key=True),
        sa.Column("first", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("last", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "webhook_lines",
        sa.Column("webhook", BYTEWISE, primary_key=True),
        sa.Column("subject", BYTEWISE, primary_key=True),
        sa.Column("due", BYTEWISE),
        sa.Column("holder", sa.Text),
        sa.Column("news", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
        postgresql_with={"fillfactor": 70},
    )
    op.create_index("webhook_lines_due", "webhook_lines", ["due"], sqlite_where=DUE, postgresql_where=DUE)
    _deliveries()


def _deliveries() -> None:
    table = "webhook_deliveries"
    op.create_table(
        table,
        sa.Column("id", BYTEWISE, primary_key=True),
        sa.Column("webhook", BYTEWISE, nullable=False),
        sa.Column("subject", BYTEWISE, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("created", BYTEWISE, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("tried", sa.Text),
        sa.Column("status", sa.Integer),
        sa.Column("fault", sa.Text),
        sa.Column("settled", BYTEWISE),
    )
    op.create_index(f"{table}_listed", table, ["webhook", "created", "id"])
    ordered = ["webhook", "subject", "seq", "place"]
    op.create_index(f"{table}_waiting", table, ordered, sqlite_where=WAITING, postgresql_where=WAITING)
    op.create_index(f"{table}_settled", table, ["settled"], sqlite_where=SETTLED, postgresql_where=SETTLED)
