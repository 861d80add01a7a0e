"""Single openings are taken out of a fuller file, added to a redacted one, and rejected where they do not fit."""

from collections.abc import Sequence
from typing import Any

import orjson
import pytest

from gyoji.audit.openings import Secret, UnfitOpening, is_full, opened, opening_of, position, rewritten, secrets_of
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.canonical import canonical
from gyoji.log.entries import Entry
from gyoji.log.files import redact_lines
from gyoji.log.redaction import Reader, openings_for
from replay.tampering import SHORT, Lines, entries_of, file_of, judged, taken_apart, word

EACH = pytest.mark.parametrize("slug", SHORT)
GAME = BY_SLUG["towai"]
FULL = entries_of("towai", "auditors_only")


def narrowed(entries: Sequence[Entry], reader: Reader = "public") -> list[Entry]:
    """The log as that reader holds it."""
    return [
        entry._replace(openings=openings_for(reader, entry, orjson.loads(entry.body)), position=None)
        for entry in entries
    ]


def secrets(entries: Sequence[Entry]) -> list[Any]:
    """Every opening of a secret, as a document."""
    return [opening_of(entry, one.place) for entry in entries for one in secrets_of(entry)]


def positions(slug: str, entries: Sequence[Entry]) -> list[Any]:
    return [position(BY_SLUG[slug], entries, entry.seq) for entry in entries if entry.position is not None]


def as_file(entries: Sequence[Entry], reader: Reader = "public") -> Lines:
    """The lines of a redacted file that has been opened so far."""
    parts = taken_apart(tuple(redact_lines(file_of(FULL), reader)))
    return tuple(rewritten(parts.header, entries, parts.ending["head"]))


@EACH
def test_with_every_fact_it_is_the_full_file_again(slug: str) -> None:
    """Byte for byte, in whatever order they come."""
    entries = entries_of(slug, "auditors_only")
    parts = taken_apart(tuple(redact_lines(file_of(entries), "public")))
    told = [*positions(slug, entries), *secrets(entries)]
    whole = opened(BY_SLUG[slug], narrowed(entries), [*told[::-1], *told])
    assert is_full(whole)
    assert tuple(rewritten(parts.header, whole, parts.ending["head"])) == file_of(entries)


def test_a_fact_is_what_the_file_says() -> None:
    assert secrets_of(FULL[1])[:2] == [Secret(0, [0], True), Secret(1, [1], True)]
    assert secrets_of(narrowed(FULL, 1)[1])[:2] == [Secret(0, [0], False), Secret(1, [1], True)]
    found = opening_of(FULL[1], 1)
    assert (found["seq"], found["index"], list(found["payload"])) == (1, 1, ["/events/0/hands/1"])
    with pytest.raises(UnfitOpening, match="does not open secret 0 of event 1"):
        opening_of(narrowed(FULL, 1)[1], 0)


def test_one_fact_more_is_one_line_more() -> None:
    """And nothing else: the same events, the same head, and an audit that finds nothing wrong."""
    before = as_file(narrowed(FULL))
    assert before == tuple(redact_lines(file_of(FULL), "public"))
    after = as_file(opened(GAME, narrowed(FULL), [opening_of(FULL[1], 0)]))
    added = {*after} - {*before}
    assert canonical({"opening": opening_of(FULL[1], 0)}) + b"\n" in added
    assert len(after) == len(before) + 1
    assert len(added) == 2  # and the last line, with another digest
    assert after[0] == before[0]
    assert taken_apart(after).ending["head"] == taken_apart(before).ending["head"]
    assert (word(before), word(after)) == ("verified_partial", "verified_partial")


def test_openings_one_by_one_never_spoil_a_file() -> None:
    """Whatever has been opened so far, no check fails, and at the end all have passed."""
    entries: Sequence[Entry] = narrowed(FULL)
    for number, document in enumerate(secrets(FULL)):
        entries = opened(GAME, entries, [document])
        if number % 7 == 0:
            assert word(as_file(entries)) == "verified_partial"
    whole = as_file(opened(GAME, entries, positions("towai", FULL)))
    assert word(whole) == "verified"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"salt": "00" * 32}, "does not fit secret 0 of event 1"),
        ({"payload": {"/events/0/hands/0": ["D5"]}}, "does not fit secret 0 of event 1"),
        ({"payload": {}}, "does not fit secret 0 of event 1"),
        ({"index": 1}, "does not fit secret 1 of event 1"),
        ({"index": 99}, "does not fit secret 99 of event 1"),
        ({"seq": 2}, "does not fit secret 0 of event 2"),
        ({"seq": 99_999}, "the log has no event 99999"),
    ],
)
def test_what_does_not_fit_is_refused(wrong: dict[str, Any], why: str) -> None:
    """The text of the refusal names the place and tells no card."""
    with pytest.raises(UnfitOpening, match=why) as refused:
        opened(GAME, narrowed(FULL), [{**opening_of(FULL[1], 0), **wrong}])
    assert not [card for card in opening_of(FULL[1], 0)["payload"]["/events/0/hands/0"] if card in str(refused.value)]


def test_another_matchs_fact_is_refused() -> None:
    other = entries_of("towai", "auditors_only", "another")
    with pytest.raises(UnfitOpening, match="does not fit secret 0 of event 1"):
        opened(GAME, narrowed(FULL), [opening_of(other[1], 0)])


def test_a_file_that_lies_gives_no_fact() -> None:
    lying = FULL[1]._replace(openings=(FULL[1].openings[0]._replace(salt=bytes(32)), *FULL[1].openings[1:]))
    with pytest.raises(UnfitOpening, match="does not fit secret 0 of event 1"):
        opening_of(lying, 0)


def test_a_position_needs_all_that_came_before() -> None:
    told = position(GAME, FULL, 1)
    before = [opening_of(FULL[seq], one.place) for seq in (0, 1) for one in secrets_of(FULL[seq])]
    with pytest.raises(UnfitOpening, match="cannot be checked"):
        opened(GAME, narrowed(FULL), [told])
    with pytest.raises(UnfitOpening, match="cannot be checked"):
        opened(GAME, narrowed(FULL), [told, *before[:-1]])
    entries = opened(GAME, narrowed(FULL), [told, *before])
    assert entries[1].position == FULL[1].position
    assert word(as_file(entries)) == "verified_partial"


def test_positions_that_are_none() -> None:
    for wrong, why in (
        ({"seq": 1, "position": "00" * 32}, "does not fit the position of event 1"),
        ({"seq": 2, "position": "00" * 32}, "event 2 has no position"),
        ({"seq": 16, "position": position(GAME, FULL, 1)["position"]}, "does not fit the position of event 16"),
    ):
        with pytest.raises(UnfitOpening, match=why):
            opened(GAME, FULL, [wrong])
    with pytest.raises(UnfitOpening, match="does not open the position of event 2"):
        position(GAME, FULL, 2)
    with pytest.raises(UnfitOpening, match="does not open the position of event 16"):
        position(GAME, narrowed(FULL), 16)


def test_a_seats_file_with_anothers_fact() -> None:
    """Seat 0 is shown one hand of seat 1: it stays seat 0's file, and is still no full one."""
    entries = opened(GAME, narrowed(FULL, 0), [opening_of(FULL[1], 1)])
    lines = as_file(entries, 0)
    assert taken_apart(lines).header["audience"] == {"seat": 0}
    verdict = judged(lines)
    assert (verdict.verdict, verdict.first_divergence) == ("verified_partial", None)
    assert tuple(redact_lines(lines, 0)) == tuple(redact_lines(file_of(FULL), 0))
