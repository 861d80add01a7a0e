"""The audit says the same of a file whether its lines are predicted or all read in full."""

from collections.abc import Sequence
from random import Random

import pytest

from golden.logs import EVERY, NAMES
from gyoji.games.catalogue import BY_SLUG
from replay.changed_files import both, changed, document
from replay.tampering import Lines, Parts, cut_at_lf, entries_of, file_of, forged, judged, result, why

SAMPLES = 40
READERS = ("full", "public", 0)


def agree(lines: Sequence[bytes]) -> str:
    """The verdict of both."""
    short, full = both(lines)
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


def hides_nothing(line: bytes) -> bool:
    """Whether it is an event that no opening belongs to."""
    return b'"position":null' in line and b'"secret":[],"seq":' in line


@pytest.mark.parametrize("many", [1, 2])
def test_openings_after_an_event_that_hides_nothing(many: int) -> None:
    """They are said to be misplaced at that event; and of one that is none, where it stands."""
    lines = file_of(entries_of("catte"))
    at = next(at for at, line in enumerate(lines[20:], 20) if hides_nothing(line) and hides_nothing(lines[at + 1]))
    seq = int(lines[at].rpartition(b'"seq":')[2].partition(b",")[0])
    strays = [line for line in lines if line.startswith(b'{"opening":')][:many]
    with_strays = (*lines[: at + 1], *strays, *lines[at + 1 :])
    assert agree(with_strays) == "tampered"
    assert judged(with_strays).first_divergence[:2] == (seq, "openings")  # type: ignore[index]
    broken = (*lines[: at + 1], *strays, b'{"opening":{}}\n', *lines[at + 1 :])
    assert agree(broken) == "tampered"
    assert why(judged(broken), "bytes").facts == {"line": at + 2 + many}  # type: ignore[union-attr]


def test_after_a_false_result_no_position_is_said_to_be_right() -> None:
    """The last move says that others have won, and the log goes on as the rules have it."""

    def others_have_won(parts: Parts) -> None:
        (told,) = [
            told for event in parts.events for told in event.data.get("events", ()) if told["type"] == "game_finished"
        ]
        told["winners"] = [0]

    lines = file_of(entries_of("familiars-trouble"))
    assert result(judged(lines), "positions") == "pass"
    false = forged(lines, others_have_won)
    agree(false)
    assert result(judged(false), "result") == "fail"
    assert why(judged(false), "positions").code == "parted-before"  # type: ignore[union-attr]
