"""The verifier that shares no code, against ours at length: shuffles, bits, cuts, disfigured and honest files."""

import random
from base64 import b64encode
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from replay.shapes import SHAPES, receipts
from replay.tampering import SHORT, cut_at_lf, entries_of, file_of, flipped
from verifier.corpora import (
    BEACONS,
    TRUST,
    Judged,
    bits,
    cut_off,
    differences,
    disfigurements,
    forged_deals,
    reordered,
)
from verifier.javascript import called, command, failed, verdict, verdicts
from verifier.mutated import mutated
from verifier.seeded import POLICIES, dealt, played
from verifier.test_deals import agree


def compared(files: Judged) -> None:
    found = verdicts([b"".join(lines) for lines in files.values()], trust=TRUST, beacons=BEACONS)
    assert differences(files, found) == []


def test_ten_thousand_shuffles() -> None:
    assert agree(10_000)


@pytest.mark.parametrize("part", range(10))
def test_single_bits(part: int) -> None:
    compared(bits(800, random.Random(part)))


def test_cut_off_everywhere() -> None:
    compared(cut_off(7))


def test_forged_deals_and_reordered_contributions() -> None:
    compared(forged_deals(["towai", "catte", "familiars-trouble"]))
    compared(dict(reordered(list(POLICIES))))


@pytest.mark.parametrize("slug", SHORT)
def test_bits_of_whole_matches(slug: str) -> None:
    body, rng = b"".join(file_of(entries_of(slug))), random.Random(slug)
    compared({f"bit {bit}": tuple(flipped(body, bit)) for bit in rng.sample(range(8 * len(body)), 100)})
    compared({f"cut at {end}": tuple(cut_at_lf(body[:end])) for end in rng.sample(range(len(body)), 50)})


@pytest.mark.parametrize("part", range(4))
def test_disfigured_files_never_end_it_and_never_please_it_more(part: int) -> None:
    compared(disfigurements(150, f"part {part}"))


@pytest.mark.parametrize("part", range(20))
def test_ten_thousand_mutated_files(part: int) -> None:
    """Without the key and with it: never a file that one verifier passes and the other refuses."""
    compared(dict(mutated(500, f"part {part}")))


@pytest.mark.parametrize("slug", SHORT)
@pytest.mark.parametrize("name", POLICIES)
def test_honest_files_at_every_event(slug: str, name: str) -> None:
    entries = played(dealt(slug, POLICIES[name])).entries
    readers = ("full", "public", 0)
    files = [file_of(entries[:end], readers[end % 3]) for end in range(1, len(entries) + 1)]  # type: ignore[arg-type]
    for told in verdicts([b"".join(lines) for lines in files], trust=TRUST, beacons=BEACONS):
        assert (told["verdict"], failed(told)) == ("verified_partial", set())


def slowest_doubling(calls: Sequence[tuple[str, dict[str, Any]]]) -> float:
    """The greatest factor between the costs of one call and the next, by processor time: of each the least of many, as
    others are at work on the machine as well."""
    best = [float("inf")] * len(calls)
    for _attempt in range(6):
        costs = called([("costOf", call) for _round in range(4) for call in calls])
        best = [min(best[at], *costs[len(calls) + at :: len(calls)]) for at in range(len(calls))]
        factor = max(after / before for before, after in pairwise(best))
        if factor <= TWICE:
            break
    return factor


TWICE = 2.3
"""What twice the bytes may cost."""


@pytest.mark.parametrize("shape", SHAPES)
def test_it_reads_in_linear_time(shape: str) -> None:
    files = [b64encode(SHAPES[shape](size)).decode() for size in (2, 4, 8)]
    assert slowest_doubling([(file, {"trust": TRUST}) for file in files]) <= TWICE
    assert verdict(SHAPES[shape](8), trust=TRUST)["verdict"] != "malformed"  # then it would not have been read


def test_receipts_are_read_in_linear_time() -> None:
    file = b64encode(b"".join(file_of(entries_of("towai")))).decode()
    assert slowest_doubling([(file, {"trust": TRUST, "receipts": receipts(size)}) for size in (2, 4, 8)]) <= TWICE


@pytest.mark.parametrize("shape", ["deep", "wide", "empty_lists", "many_openings", "many_short_events"])
def test_memory_does_not_grow_with_a_file(shape: str, tmp_path: Path) -> None:
    """Sixty megabytes are read with a heap of 160 MB, in which a file's objects would not find room."""
    size = 1
    while len(SHAPES[shape](2 * size)) < 60_000_000:
        size *= 2
    file = tmp_path / "large.jsonl"
    file.write_bytes(SHAPES[shape](size))
    assert 25_000_000 < file.stat().st_size < 64 * 2**20
    done = command(file, "--json", heap=160)
    assert done.returncode == 20, done.stderr[-500:]
