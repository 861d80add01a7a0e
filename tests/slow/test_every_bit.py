"""Every single bit of a replay file turned, and the file cut off at every byte: never verified, always the right word.

``make bits`` runs it; the sampled version is in ``tests/replay/test_audit_tampering.py``.
"""

import pytest

from replay.tampering import cut_at_lf, entries_of, file_of, flipped, word

BODY = b"".join(file_of(entries_of("towai")[:12]))
FINISHED = b"".join(file_of(entries_of("towai")))
"""A whole match: of it only what a sample leaves out matters, the end of the log and the head."""
PART = 64
PARTS = -(-len(BODY) // PART)
HEADER = BODY.index(b"\n") + 1


@pytest.mark.parametrize("part", range(PARTS))
def test_every_bit(part: int) -> None:
    for at in range(part * PART, min(len(BODY), (part + 1) * PART)):
        expected = {"tampered", "malformed"} if at < HEADER else {"tampered", "key_untrusted"}
        for bit in range(8):
            assert word(flipped(BODY, 8 * at + bit)) in expected, (at, bit)


@pytest.mark.parametrize("part", range(PARTS))
def test_cut_off_at_every_byte(part: int) -> None:
    for length in range(part * PART, min(len(BODY), (part + 1) * PART)):
        assert word(cut_at_lf(BODY[:length])) == ("malformed" if length < HEADER else "incomplete"), length


@pytest.mark.parametrize("part", range(24))
def test_every_bit_of_the_end_of_a_finished_match(part: int) -> None:
    """``match_finished`` with its position, ``seed_disclosed`` and the head."""
    begin = FINISHED.index(b"\n", FINISHED.rindex(b'"type":"move_played"')) + 1
    end = len(FINISHED) - begin
    for at in range(begin + part * end // 24, begin + (part + 1) * end // 24):
        for bit in range(8):
            assert word(flipped(FINISHED, 8 * at + bit)) in ("tampered", "key_untrusted"), (at, bit)
