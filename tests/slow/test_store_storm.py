"""The store under more than a test run has time for: a hundred thousand writes, ten thousand flipped bits."""

from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from gyoji.store import check_store, open_store
from store.damage import exported, flipped
from store.databases import KINDS, migrated_database
from store.logs import KEY, created
from store.races import play, processes

WRITERS = 8
MATCHES = 25
MOVES = 500
FLIPS = 10_000

MEMORY = Path("/dev/shm")  # noqa: S108 - where syncing is free, so that locks are what is waited for


@pytest.mark.parametrize("kind", KINDS)
def test_a_hundred_thousand_writes_and_nobody_hears_of_a_lock(kind: str) -> None:
    """R21: every writer goes round the matches from another one on; any refusal but ``Conflict`` fails the test."""
    with (
        TemporaryDirectory(dir=MEMORY if MEMORY.exists() else None) as folder,
        migrated_database(kind, Path(folder)) as url,
        closing(open_store(url, KEY)) as store,
    ):
        matches = [created(store)[0] for _ in range(MATCHES)]
        store.close()
        work = [(url, matches[3 * n :] + matches[: 3 * n], f"p{n}", MOVES) for n in range(WRITERS)]
        with processes(WRITERS) as pool:
            met = pool.starmap(play, work)
        assert sum(met, Counter())["stored"] == WRITERS * MATCHES * MOVES == 100_000
        assert check_store(url, KEY) == []
        assert {head.seq for match in matches if (head := store.head(match))} == {WRITERS * MOVES}


def test_ten_thousand_flipped_bits(tmp_path: Path) -> None:
    """R7: every flip is found, or every exported byte is what it was. Two thirds of so small a file hold nothing: every
    index of an empty table has a page."""
    with migrated_database("sqlite", tmp_path) as url, closing(open_store(url, KEY)) as store:
        for _ in range(3):
            created(store, 40)
    file = Path(url.removeprefix("sqlite:///"))
    kept = exported(url)
    bits = Random(20260102).sample(range(file.stat().st_size * 8), FLIPS)
    assert sum([flipped(file, bit, kept) for bit in bits]) > FLIPS // 4
