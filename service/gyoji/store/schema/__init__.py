"""The tables, and what brings a database to them: migrations, and partitions on PostgreSQL."""

from gyoji.store.schema import archive, tables, webhooks
from gyoji.store.schema.base import metadata

__all__ = ("archive", "metadata", "tables", "webhooks")
