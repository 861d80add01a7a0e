"""Runs the migrations. Alembic loads this for every command, on the connection and in the transaction that it is
handed."""

from alembic import context

from gyoji.store.schema import metadata
from gyoji.store.schema.migrator import VERSION_TABLE

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, version_table=VERSION_TABLE
)
with context.begin_transaction():
    context.run_migrations()
