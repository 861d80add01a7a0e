"""Parses the URL of a store, and opens the database there. No message repeats a URL, since it may hold a password.

psycopg, which is an extra, is imported where a URL leads to PostgreSQL.
"""

from os import environ
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from gyoji.store.database.marker import MarkerPlace
from gyoji.store.database.port import Database
from gyoji.store.database.sqlite import UNLIMITED, SqliteDatabase
from gyoji.store.encryption import derived

if TYPE_CHECKING:
    from gyoji.store.database.postgres.database import PostgresDatabase
    from gyoji.store.database.postgres.replica import Replica

PARTLY = "connections, a replica and an address to listen at are of PostgreSQL alone"

EXPECTED = "expected sqlite:///file.db, sqlite:////folder/file.db or postgresql+psycopg://user@host/database"


class BadUrl(ValueError):
    """The URL of a store is none that this release can open."""


class ConnectionOptions(NamedTuple):
    """How a PostgreSQL database is reached besides its URL, and with what limits."""

    connections: int | None = None
    """How many connections the threads of a process share; ``None``: each has its own."""
    replica_url: str | None = None
    """The URL of a copy, where what cannot change any more may be read."""
    listen_url: str | None = None
    """The URL of PostgreSQL itself, where the store's leads to a pooler before it."""
    is_interactive: bool = False
    """Whether callers wait, who are told within seconds where the database does not answer."""


NO_OPTIONS = ConnectionOptions()


class SqliteUrl(NamedTuple):
    """The URL of a store in an SQLite file."""

    path: Path
    is_still: bool = False
    """Whether nobody writes to it, as to a backup: then it is only read."""

    def database(self, *, administrative: bool = False, marker: MarkerPlace | None = None) -> Database:
        """Give access to the file; nothing is opened yet. ``administrative``: no limit of requests cuts the work off.
        ``marker``: where the marker is."""
        return SqliteDatabase(self.path, self.is_still, UNLIMITED if administrative else None, marker)

    def __str__(self) -> str:
        return f"the SQLite database {self.path}"


class PostgresUrl(NamedTuple):
    """The URL of a store in PostgreSQL, as the text that libpq is given; it may hold a password."""

    conninfo: str

    def __str__(self) -> str:
        """Name the database and its server, and nothing that may be secret."""
        parts = urlsplit(self.conninfo)
        return f"the PostgreSQL database {parts.path.strip('/')} at {parts.hostname or 'the default host'}"

    def database(
        self,
        *,
        administrative: bool = False,
        marker: MarkerPlace | None = None,
        options: ConnectionOptions = NO_OPTIONS,
    ) -> "PostgresDatabase":
        """Give access to the database; nothing is connected yet. ``administrative``: no limit of requests cuts the work
        off. ``marker``: where the marker is."""
        from gyoji.store.database.postgres import connection
        from gyoji.store.database.postgres.database import PostgresDatabase

        listen_conninfo = None if options.listen_url is None else _postgres_url(options.listen_url).conninfo
        usual = connection.REQUEST_LIMITS if options.is_interactive else connection.COMMAND_LIMITS
        limits = connection.UNLIMITED if administrative else usual
        return PostgresDatabase(self.conninfo, options.connections, listen_conninfo, limits, marker)

    def replica(self, options: ConnectionOptions, original: "PostgresDatabase") -> "Replica | None":
        """Give access to the copy of the database, if there is one; nothing is connected yet."""
        if options.replica_url is None:
            return None
        from gyoji.store.database.postgres.database import PostgresDatabase
        from gyoji.store.database.postgres.replica import LIMITS, Replica

        copy = PostgresDatabase(_postgres_url(options.replica_url).conninfo, options.connections, limits=LIMITS)
        return Replica(copy, original)


StoreUrl = SqliteUrl | PostgresUrl


def open_databases(
    url: str, options: ConnectionOptions, marker: MarkerPlace | None = None
) -> "tuple[Database, Replica | None]":
    """Give access to the database at the URL, and to its copy; nothing is connected yet."""
    place = parse_url(url)
    if isinstance(place, PostgresUrl):
        database = place.database(marker=marker, options=options)
        return database, place.replica(options, database)
    if options._replace(is_interactive=False) != NO_OPTIONS:
        raise BadUrl(PARTLY)
    return place.database(marker=marker), None


def marker_file(url: str, given: str | None = None) -> Path | None:
    """Find where the marker of the store at the URL lies: as given, else as ``GYOJI_MARKER`` says, else beside an
    SQLite database; ``None``: nowhere that could be known."""
    configured = given or environ.get("GYOJI_MARKER")
    if configured:
        return Path(configured).absolute()
    place = parse_url(url)
    return place.path.with_name(f"{place.path.name}.marker") if isinstance(place, SqliteUrl) else None


def marker_place(url: str, key: bytes, given: str | None = None) -> MarkerPlace | None:
    """Find the marker of the store at the URL, in which stores of another key have lines of their own."""
    file = marker_file(url, given)
    return None if file is None else MarkerPlace(file, derived(key, "marker/1").hex()[:16])


def archive_url(given: str | None = None) -> str | None:
    """Find where the archive is: as given, else as ``GYOJI_ARCHIVE`` says; ``None`` if nobody says."""
    return given or environ.get("GYOJI_ARCHIVE") or None


def parse_url(url: str) -> StoreUrl:
    """Parse the URL of a store; ``BadUrl`` if this release cannot open it."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        raise BadUrl(f"this is no URL of a store: {EXPECTED}")
    if scheme == "sqlite":
        return _sqlite(rest)
    if scheme == "postgresql+psycopg":
        return _postgres(f"postgresql://{rest}")
    raise BadUrl(f"no such kind of store: {EXPECTED}")


def _postgres_url(url: str) -> PostgresUrl:
    place = parse_url(url)
    if not isinstance(place, PostgresUrl):
        raise BadUrl(PARTLY)
    return place


def _sqlite(rest: str) -> SqliteUrl:
    if not rest.startswith("/") or rest == "/" or rest.endswith(("/", ":memory:")):
        raise BadUrl(f"an SQLite store is a file: {EXPECTED}")
    if "?" in rest:
        raise BadUrl(f"an SQLite store takes no options in its URL: {EXPECTED}")
    return SqliteUrl(Path(unquote(rest[1:])).absolute())


def _postgres(url: str) -> PostgresUrl:
    try:
        import psycopg
    except ImportError:
        raise BadUrl("PostgreSQL needs the extra postgres: pip install '.[postgres]' in a checkout") from None
    try:
        psycopg.conninfo.conninfo_to_dict(url)
        named = urlsplit(url).path.strip("/")
    except (psycopg.Error, ValueError):
        raise BadUrl(f"libpq does not understand the URL: {EXPECTED}") from None
    if not named:
        raise BadUrl(f"the URL names no database: {EXPECTED}")
    return PostgresUrl(url)
