"""The short way of the audit says of every file what is said of it read in full."""

from collections.abc import Sequence
from random import Random

import pytest

from golden.logs import EVERY, NAMES
from gyoji.games.catalogue import BY_SLUG
from replay.tampering import Lines, cut_at_lf, entries_of, file_of
from replay.ways import both, changed, document, has_stray_opening

SAMPLES = 40
READERS = ("full", "public", 0)


def agree(lines: Sequence[bytes]) -> str:
    """The verdict of both."""
    short, full = both(lines)
    if has_stray_opening(lines):
        assert short.verdict == full.verdict
    else:
        assert document(short) == document(full)
    return short.verdict


@pytest.mark.parametrize("file", EVERY, ids=NAMES)
def test_golden_files(file: object) -> None:
    lines = cut_at_lf(file.read_bytes())  # type: ignore[attr-defined]
    short, full = both(lines, None)
    assert document(short) == document(full)


@pytest.mark.parametrize("slug", BY_SLUG)
def test_changed_files(slug: str) -> None:
    rng = Random(f"both ways {slug}")
    files: list[Lines] = [file_of(entries_of(slug), reader) for reader in READERS]  # type: ignore[arg-type]
    said = {agree(changed(rng.choice(files), rng)) for _ in range(SAMPLES)}
    assert {"tampered", "incomplete"} <= said
    assert len(said) > 3
