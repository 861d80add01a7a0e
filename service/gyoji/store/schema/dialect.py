"""SQLAlchemy's SQLite over apsw, for migrations and copies: the same driver as the running service.

SQLAlchemy brings no dialect for apsw, whose cursors are no cursors of DB-API: they neither count rows nor describe what
they have read to its end.
"""

from collections.abc import Callable, Sequence
from itertools import islice
from types import SimpleNamespace
from typing import Any

import apsw
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.base import SQLiteDialect

VERSION = tuple(map(int, apsw.sqlite_lib_version().split(".")))

DBAPI = SimpleNamespace(Error=apsw.Error, Binary=bytes, paramstyle="qmark", sqlite_version_info=VERSION)


class Cursor(apsw.Cursor):
    """A cursor of apsw's with what SQLAlchemy asks of one besides."""

    lastrowid = None
    description: Any = None
    """What the columns are called, or ``None``; apsw's own raises where no row is left."""

    def __init__(self, connection: apsw.Connection) -> None:
        super().__init__(connection)
        self.exec_trace = self._describe

    @property
    def rowcount(self) -> int:
        """How many rows the last statement has changed."""
        return self.connection.changes()

    def _describe(self, _cursor: apsw.Cursor, _sql: str, _put: object) -> bool:
        self.description = [(*column, *[None] * 5) for column in self.get_description()] or None
        return True

    def fetchmany(self, size: int) -> Sequence[Any]:
        """Read so many rows at most."""
        return list(islice(self, size))


class ApswDialect(SQLiteDialect):
    """SQLite over apsw, which begins no transaction by itself."""

    driver = "apsw"
    default_paramstyle = "qmark"
    supports_statement_cache = True
    returns_native_bytes = True

    @classmethod
    def import_dbapi(cls) -> Any:
        """Return what is asked of a driver's module."""
        return DBAPI

    def on_connect(self) -> Callable[[Any], None]:
        """Return what is done with every new connection."""

        def connected(connection: apsw.Connection) -> None:
            connection.cursor_factory = Cursor

        return connected

    def _get_server_version_info(self, _connection: Any) -> Any:
        return VERSION

    def do_commit(self, dbapi_connection: Any) -> None:
        """Commit the transaction, if there is one."""
        if dbapi_connection.in_transaction:
            dbapi_connection.execute("COMMIT")

    def do_rollback(self, dbapi_connection: Any) -> None:
        """Undo the transaction, if there is one."""
        if dbapi_connection.in_transaction:
            dbapi_connection.execute("ROLLBACK")


registry.register("sqlite.apsw", __name__, ApswDialect.__name__)
