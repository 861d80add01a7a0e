"""Copies every row of every table from one database to another."""

from sqlalchemy import Connection, Table, func, select

from gyoji.store.records import OperationFailed, Progress
from gyoji.store.schema import metadata

ROWS = 500
"""Rows that are read and written at a time."""


class BackupFailed(OperationFailed):
    """No backup was made, or none was restored; the text says why."""


def ignore_progress(_done: int, _total: int) -> None:
    """Do nothing: nobody asks for progress."""


def count_rows(connection: Connection, table: Table) -> int:
    """Count the rows of a table."""
    return connection.scalar(select(func.count()).select_from(table)) or 0


def copy_rows(source: Connection, target: Connection, progress: Progress) -> None:
    """Copy every row of every table, as it is; ``progress`` is called with rows."""
    total = sum([count_rows(source, table) for table in metadata.sorted_tables])
    done = 0
    for table in metadata.sorted_tables:
        with source.execute(select(table), execution_options={"yield_per": ROWS}) as found:
            for part in found.mappings().partitions():
                target.execute(table.insert(), [dict(row) for row in part])
                done += len(part)
                progress(done, total)
