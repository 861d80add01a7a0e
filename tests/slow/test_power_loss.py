"""The power goes at any moment: nothing that was acknowledged is lost, and the service starts as if nothing had been.

Two processes of the service play, two threads each, on the product's own store and connection, under a preloaded
library that records every call on the store's files. From the record the disk is made as the power loss may have left
it, 200 times; the service is made ready on it, and what had been acknowledged until then is looked for.

That this finds a loss is shown by settings that are known to lose.
"""

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from gyoji.app.preparation import prepare_store
from gyoji.store import check_store, open_store, store_key
from gyoji.store.database import sqlite
from gyoji.store.interface import Store
from slow.powerloss import workload
from slow.powerloss.disks import Disk, calls
from slow.powerloss.shim import built, watched
from slow.powerloss.workload import choose, service

CUTS = 200
MOVES = 90
PROCESSES = 2


class Settled(NamedTuple):
    """Journal mode and ``synchronous`` of the product's connections."""

    journal: str
    synchronous: str


PRODUCT = Settled("product", "product")
"""What the product chooses."""


class Found(NamedTuple):
    """What came of all the cuts."""

    acknowledged: int
    lost: int
    faults: list[str]


def _traced(folder: Path, settled: Settled, library: Path) -> Path:
    """The trace of a service that is made ready, and played on by several processes."""
    trace = folder.with_suffix(".trace")
    folder.mkdir()
    environment = watched(library, folder, trace)
    command: list[str | Path] = [sys.executable, workload.__file__]
    told: list[str | Path] = [folder, *settled]
    with folder.with_suffix(".log").open("wb") as log:
        subprocess.run([*command, "prepare", *told], env=environment, stderr=log, check=True)
        playing = [
            subprocess.Popen([*command, "play", *told, str(MOVES), str(seed)], env=environment, stderr=log)
            for seed in range(PROCESSES)
        ]
        assert [process.wait(300) for process in playing] == [0] * PROCESSES
    return trace


def _cut(trace: Path, settled: Settled, folder: Path) -> Found:
    """Every cut, each with nothing kept of what was not synced, and with anything of it."""
    chance = Random(2)
    recorded = calls(trace)
    cuts = set(chance.sample(range(len(recorded)), CUTS))
    disk, lost, faults = Disk(), 0, []
    for number, call in enumerate(recorded):
        if number in cuts:
            for name, left in (("dropped", disk.dropped()), ("torn", disk.torn(chance))):
                missing, wrong = _restarted(left, disk.told, folder / f"{number}-{name}")
                lost += missing
                faults += [f"cut {number}, {name}: {fault}" for fault in wrong]
        disk.follow(call)
    return Found(len(disk.told), lost, faults)


def _restarted(left: dict[str, bytes], told: list[str], folder: Path) -> tuple[int, list[str]]:
    """How much of what was acknowledged is missing when the service is made ready there, and what is wrong besides."""
    folder.mkdir(parents=True)
    for name, content in left.items():
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o600)
    settings = service(folder)
    prepare_store(settings)
    key = store_key(settings.store, None)
    store = open_store(settings.store, key)
    try:
        missing = sum(1 for line in told if not _is_stored(store, *line.split()))
    finally:
        store.close()
    wrong = [str(finding) for finding in check_store(settings.store, key)]
    for file in folder.iterdir():
        file.unlink()
    return missing, wrong


def _is_stored(store: Store, match: str, seq: str, digest: str) -> bool:
    found = [entry.hash.hex() for entry in store.entries(match, int(seq) - 1, int(seq))]
    return len(found) == 1 and digest in ("-", found[0])


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The preloaded library."""
    return built(tmp_path_factory.mktemp("library"))


def _after_the_cuts(settled: Settled, tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch) -> Found:
    trace = _traced(tmp_path / "store", settled, library)
    monkeypatch.setattr(sqlite, "DURABILITY", sqlite.DURABILITY)  # put back when the test ends
    choose(*settled)
    found = _cut(trace, settled, tmp_path / "cuts")
    print(f"{settled}: {found.acknowledged} acknowledged, {found.lost} times missing in {2 * CUTS} disks")  # noqa: T201 - the figures of the run
    return found


def test_nothing_that_was_acknowledged_is_lost(tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = _after_the_cuts(PRODUCT, tmp_path, library, monkeypatch)
    assert found.faults == []
    assert found.lost == 0
    assert found.acknowledged >= PROCESSES * MOVES


@pytest.mark.parametrize("settled", [Settled("wal", "NORMAL"), Settled("delete", "FULL")], ids="-".join)
def test_looser_settings_are_seen_to_lose(
    settled: Settled, tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WAL is not synced before the next checkpoint; a journal whose end is not synced undoes what it belonged to."""
    found = _after_the_cuts(settled, tmp_path, library, monkeypatch)
    assert found.lost > 0
