"""The verifier that shares no code, against ours at length: shuffles, bits, cuts, disfigured and honest files."""

import random

import pytest

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
from verifier.javascript import failed, verdicts
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
