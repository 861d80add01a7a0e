"""Backups of a store that is large and busy: nobody is refused, no kill leaves a file that is not whole."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from subprocess import PIPE
from threading import Event
from time import monotonic

import pytest

from gyoji.store import backup, check_store, open_store, restore
from gyoji.store.backups.manifest import verified_manifest
from gyoji.store.files import PREFIX
from gyoji.store.interface import Store
from servers import ENVIRONMENT
from store.databases import KINDS, empty_database, migrated_database
from store.logs import KEY, appended, created

MATCHES = 200
LENGTH = 300
KILLS = 10


@contextmanager
def _large(kind: str, folder: Path) -> Iterator[tuple[str, Store]]:
    with migrated_database(kind, folder) as url, closing(open_store(url, KEY)) as store:
        for _ in range(MATCHES):
            created(store, LENGTH)
        yield url, store


@pytest.mark.parametrize("kind", KINDS)
def test_writers_go_on_while_a_backup_is_made(kind: str, tmp_path: Path) -> None:
    """None is refused, and nothing is missing. How long the longest of them waited is printed: make slow, with -s."""
    with _large(kind, tmp_path) as (url, store):
        match, entries = created(store, 2)
        stop, waited = Event(), list[float]()

        def play() -> None:
            while not stop.is_set():
                began = monotonic()
                entries.append(appended(store, match, entries[-1]))
                waited.append(monotonic() - began)

        with ThreadPoolExecutor(1) as pool:
            playing = pool.submit(play)
            try:
                acknowledged = len(entries)
                backup(url, tmp_path / "b")
            finally:
                stop.set()
            playing.result(60)
        size = (tmp_path / "b").stat().st_size
        sys.stdout.write(f"{kind}: {size >> 20} MiB, {len(waited)} appends, the longest {max(waited):.3f} s\n")
    with empty_database("sqlite", tmp_path / "b.restored") as restored:
        (tmp_path / "b.restored").mkdir()
        assert restore(tmp_path / "b", restored) is not None
        assert check_store(restored, KEY) == []
        with closing(open_store(restored, KEY)) as copy:
            kept = list(copy.entries(match))
    assert kept == entries[: len(kept)]
    assert len(kept) >= acknowledged


@pytest.mark.parametrize("kind", KINDS)
def test_whenever_a_backup_is_killed(kind: str, tmp_path: Path) -> None:
    """There is no file of its name, or a whole one; the run that is not killed leaves nothing of the others."""
    command = [sys.executable, "-m", "gyoji", "store", "backup"]
    folder = tmp_path / "backups"
    folder.mkdir()
    chance = Random(6)
    with _large(kind, tmp_path) as (url, _store):
        environment = {**ENVIRONMENT, "GYOJI_STORE": url}
        began = monotonic()
        subprocess.run([*command, folder / "first"], env=environment, check=True, stdout=PIPE)
        took = monotonic() - began
        drafts = 0
        for number in range(KILLS):
            with subprocess.Popen([*command, folder / f"{number}"], env=environment, stdout=PIPE) as process:
                try:
                    process.wait(chance.uniform(0.2, 1.1) * took)
                except subprocess.TimeoutExpired:
                    process.kill()
            drafts += len(list(folder.glob(f"{PREFIX}*")))
            for path in folder.glob("[0-9]*"):
                assert verified_manifest(path) is not None
        assert drafts > 0, "not one was killed in the middle"
        subprocess.run([*command, folder / "last"], env=environment, check=True, stdout=PIPE)
    assert list(folder.glob(f"{PREFIX}*")) == []
    assert check_store(f"sqlite:///{folder / 'last'}", KEY) == []
