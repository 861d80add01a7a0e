"""Where a store is: what its URL says. No message repeats a URL, since it may hold a password."""

from os import environ
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from gyoji.store.database.port import Database

if TYPE_CHECKING:
    from gyoji.store.database.marker import MarkerPlace
    from gyoji.store.database.postgres.database import PostgresDatabase
    from gyoji.store.database.postgres.replica import Replica

PARTLY = "connections, a replica and an address to listen at are of PostgreSQL alone"

EXPECTED = "expected sqlite:///file.db, sqlite:////folder/file.db or postgresql+psycopg://user@host/database"


class BadAddress(ValueError):
    """The URL of the store is none that this release can open."""


class Ways(NamedTuple):
    """How else a PostgreSQL database is reached, or the same with limits."""

    connections: int | None = None
    """How many connections the threads of a process share; ``None``: each has its own."""
    replica: str | None = None
    """The URL of a copy, where what cannot change any more may be read."""
    listening: str | None = None
    """The URL of PostgreSQL itself, where the store's leads to something before it that lends connections."""
    hurried: bool = False
    """Whether callers wait, who are told within seconds where the database does not answer."""


class SqliteAddress(NamedTuple):
    """A file."""

    path: Path
    is_still: bool = False
    """Whether nobody writes to it, as to a backup: then it is only read."""

    def database(self, unhurried: bool = False, marker: "MarkerPlace | None" = None) -> Database:
        """The way to it; nothing is opened yet. ``unhurried``: for administrative work, which no limit of requests
        cuts off. ``marker``: where it is named what was stored last."""
        from gyoji.store.database.sqlite import UNLIMITED, SqliteDatabase  # noqa: PLC0415

        return SqliteDatabase(self.path, self.is_still, UNLIMITED if unhurried else None, marker)


class PostgresAddress(NamedTuple):
    """What libpq is told; it may hold a password."""

    conninfo: str

    def database(
        self,
        unhurried: bool = False,
        marker: "MarkerPlace | None" = None,
        ways: Ways = Ways(),  # noqa: B008 - a value
    ) -> "PostgresDatabase":
        """The way to it; nothing is connected yet. ``unhurried``: for administrative work, which no limit of requests
        cuts off. ``marker``: where it is named what was stored last."""
        from gyoji.store.database.postgres.connection import PATIENT, REQUESTS, UNLIMITED  # noqa: PLC0415
        from gyoji.store.database.postgres.database import PostgresDatabase  # noqa: PLC0415

        listening = None if ways.listening is None else _second(ways.listening).conninfo
        limits = UNLIMITED if unhurried else REQUESTS if ways.hurried else PATIENT
        return PostgresDatabase(self.conninfo, ways.connections, listening, limits, marker)

    def replica(self, ways: Ways, original: "PostgresDatabase") -> "Replica | None":
        """The copy of the database, if there is one; nothing is connected yet."""
        if ways.replica is None:
            return None
        from gyoji.store.database.postgres.database import PostgresDatabase  # noqa: PLC0415
        from gyoji.store.database.postgres.replica import LIMITS, Replica  # noqa: PLC0415

        copy = PostgresDatabase(_second(ways.replica).conninfo, ways.connections, limits=LIMITS)
        return Replica(copy, original)


Address = SqliteAddress | PostgresAddress


def reached(url: str, ways: Ways, marker: "MarkerPlace | None" = None) -> "tuple[Database, Replica | None]":
    """The database at the URL, and its copy."""
    place = address(url)
    if isinstance(place, PostgresAddress):
        database = place.database(marker=marker, ways=ways)
        return database, place.replica(ways, database)
    if ways._replace(hurried=False) != Ways():
        raise BadAddress(PARTLY)
    return place.database(marker=marker), None


def marker_file(url: str, given: str | None = None) -> Path | None:
    """Where the marker of the store at the URL lies: as given, else as ``GYOJI_MARKER`` says, else beside an SQLite
    database; ``None``: nowhere that could be known."""
    configured = given or environ.get("GYOJI_MARKER")
    if configured:
        return Path(configured).absolute()
    place = address(url)
    return place.path.with_name(f"{place.path.name}.marker") if isinstance(place, SqliteAddress) else None


def mark(url: str, key: bytes, given: str | None = None) -> "MarkerPlace | None":
    """The marker of the store at the URL, in which stores of another key have lines of their own."""
    from gyoji.store.database.marker import MarkerPlace  # noqa: PLC0415
    from gyoji.store.encryption import derived  # noqa: PLC0415

    place = marker_file(url, given)
    return None if place is None else MarkerPlace(place, derived(key, "marker/1").hex()[:16])


def _second(url: str) -> PostgresAddress:
    place = address(url)
    if not isinstance(place, PostgresAddress):
        raise BadAddress(PARTLY)
    return place


def address(url: str) -> Address:
    """The URL, understood."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        raise BadAddress(f"this is no URL of a store: {EXPECTED}")
    if scheme == "sqlite":
        return _sqlite(rest)
    if scheme == "postgresql+psycopg":
        return _postgres(f"postgresql://{rest}")
    raise BadAddress(f"no such kind of store: {EXPECTED}")


def _sqlite(rest: str) -> SqliteAddress:
    if not rest.startswith("/") or rest == "/" or rest.endswith(("/", ":memory:")):
        raise BadAddress(f"an SQLite store is a file: {EXPECTED}")
    if "?" in rest:
        raise BadAddress(f"an SQLite store takes no options in its URL: {EXPECTED}")
    return SqliteAddress(Path(unquote(rest[1:])).absolute())


def _postgres(url: str) -> PostgresAddress:
    try:
        import psycopg  # noqa: PLC0415
    except ImportError:
        raise BadAddress("PostgreSQL needs the extra postgres: pip install '.[postgres]' in a checkout") from None
    try:
        psycopg.conninfo.conninfo_to_dict(url)
        named = urlsplit(url).path.strip("/")
    except (psycopg.Error, ValueError):
        raise BadAddress(f"libpq does not understand the URL: {EXPECTED}") from None
    if not named:
        raise BadAddress(f"the URL names no database: {EXPECTED}")
    return PostgresAddress(url)


def archive_url(given: str | None = None) -> str | None:
    """Where the archive is: as given, else as ``GYOJI_ARCHIVE`` says; ``None`` if nobody says."""
    return given or environ.get("GYOJI_ARCHIVE") or None
