"""Thousands of changed files, golden ones among them, audited on the short way and read in full; ``make slow``."""

from pathlib import Path
from random import Random

import pytest

from golden.logs import FILES
from gyoji.games.catalogue import BY_SLUG
from replay.changed_files import changed
from replay.tampering import cut_at_lf, entries_of, file_of
from replay.test_prediction import READERS, agree

SAMPLES = 500
SEEDS = range(4)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("slug", BY_SLUG)
def test_changed_files(slug: str, seed: int) -> None:
    rng = Random(f"{slug} {seed}")
    files = [file_of(entries_of(slug, seed=f"both ways {seed}"), reader) for reader in READERS]  # type: ignore[arg-type]
    for _ in range(SAMPLES):
        agree(changed(rng.choice(files), rng))


@pytest.mark.parametrize("file", FILES, ids=[f"{file.parent.name}/{file.stem}" for file in FILES])
def test_changed_golden_files(file: Path) -> None:
    rng = Random(f"{file.parent.name}/{file.stem}")
    lines = tuple(cut_at_lf(file.read_bytes()))
    for _ in range(20):
        agree(changed(lines, rng))
