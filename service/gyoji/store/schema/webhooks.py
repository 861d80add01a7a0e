"""The tables of webhooks."""

from sqlalchemy import Column, Index, Integer, LargeBinary, Table, Text, text

from gyoji.store.schema.tables import BYTEWISE, metadata

IS_DUE = "due IS NOT NULL"
UNDELIVERED = "state = 'waiting'"
SETTLED = "settled IS NOT NULL"

webhooks = Table(
    "webhooks",
    metadata,
    Column("id", BYTEWISE, primary_key=True),
    Column("owner", BYTEWISE, nullable=False),
    Column("created", BYTEWISE, nullable=False),
    Column("url", Text, nullable=False),
    Column("types", Text, nullable=False),
    Column("match", BYTEWISE),
    Column("tournament", BYTEWISE),
    Column("secret", LargeBinary, nullable=False),
    Column("failing", Text),
    Column("disabled", Text),
    Column("reason", Text),
    Index("webhooks_of_owner", "owner", "created"),
)
"""Webhooks: ``types`` is a list of strings; ``secret`` is encrypted."""

webhook_news = Table(
    "webhook_news",
    metadata,
    Column("kind", BYTEWISE, primary_key=True),
    Column("subject", BYTEWISE, primary_key=True),
    Column("first", Integer, primary_key=True, autoincrement=False),
    Column("last", Integer, nullable=False),
    Column("trace", Text),
    sqlite_with_rowid=False,
)
"""Events of which no deliveries have been made yet, written together with them: of a match or a tournament, by
``seq``."""

webhook_lines = Table(
    "webhook_lines",
    metadata,
    Column("webhook", BYTEWISE, primary_key=True),
    Column("subject", BYTEWISE, primary_key=True),
    Column("due", BYTEWISE),
    Column("holder", Text),
    Column("news", Integer, nullable=False),
    Index("webhook_lines_due", "due", sqlite_where=text(IS_DUE), postgresql_where=text(IS_DUE)),
    sqlite_with_rowid=False,
    postgresql_with={"fillfactor": 70},
)
"""Lanes: what is to be delivered about one match, or tournament, to one webhook, when, and who holds the lane."""

webhook_deliveries = Table(
    "webhook_deliveries",
    metadata,
    Column("id", BYTEWISE, primary_key=True),
    Column("webhook", BYTEWISE, nullable=False),
    Column("subject", BYTEWISE, nullable=False),
    Column("kind", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("type", Text, nullable=False),
    Column("created", BYTEWISE, nullable=False),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("tried", Text),
    Column("status", Integer),
    Column("fault", Text),
    Column("settled", BYTEWISE),
    Column("trace", Text),
    Index("webhook_deliveries_listed", "webhook", "created", "id"),
    Index(
        "webhook_deliveries_waiting",
        "webhook",
        "subject",
        "seq",
        "place",
        sqlite_where=text(UNDELIVERED),
        postgresql_where=text(UNDELIVERED),
    ),
    Index("webhook_deliveries_settled", "settled", sqlite_where=text(SETTLED), postgresql_where=text(SETTLED)),
)
"""Messages, each to one webhook, and how their delivery goes; what they say is in the logs."""
