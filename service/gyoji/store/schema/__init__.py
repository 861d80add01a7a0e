"""The tables of the database, and what brings a database to them: migrations, and partitions on PostgreSQL."""

from gyoji.store.schema import tables, webhooks
from gyoji.store.schema.tables import metadata

__all__ = ("metadata", "tables", "webhooks")
