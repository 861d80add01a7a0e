"""What the second implementation notices in the course of a log, its bytes, chain and head: one fault at a time."""

from collections.abc import Callable
from random import Random

import pytest
from flask import Flask

from replay.independent import faults
from replay.independent_cases import DIGESTS, states, tried, written
from replay.independent_file import Doc, Replay, taken_apart
from replay.independent_secrets import merged
from replay.independent_writer import of_type, place, sealed, trust_in, value_of

CATTE, TOWAI = "catte, 3 seats", "towai, 4 seats"
Change = Callable[[Replay], None]


def renumbered(replay: Replay) -> None:
    """Close the gaps, and put positions where they are due, so that only what is missing is missed."""
    for seq, entry in enumerate(replay.entries):
        entry.doc["seq"] = seq
        for opening in entry.openings:
            opening["seq"] = seq
        due = seq == 1 or (seq > 1 and seq % 16 == 0) or entry.doc["type"] == "match_finished"
        entry.doc["position"], entry.salt = ("ab" * 32, "cd" * 32) if due else (None, None)


def dropped(replay: Replay, *kinds: str) -> None:
    replay.entries[:] = [entry for entry in replay.entries if entry.doc["type"] not in kinds]
    renumbered(replay)


# The course of a log


def without_position(replay: Replay) -> None:
    replay.entries[16].doc["position"] = replay.entries[16].salt = None


def position_too_many(replay: Replay) -> None:
    replay.entries[17].doc["position"], replay.entries[17].salt = "ab" * 32, "cd" * 32


def another_outcome(replay: Replay) -> None:
    of_type(replay, "match_finished").doc["data"]["outcome"]["winners"] = [0, 1, 2, 3]


def played_for_another(replay: Replay) -> None:
    replay.entries[2].doc["actor"]["seat"] = 3


def reasoned(replay: Replay) -> None:
    """A rule where none is listed."""
    entry, event = place(replay, "turn_ended")
    value_of(entry.doc["data"], event)["rule"] = "TOW-4.2"


def dealt_twice(replay: Replay) -> None:
    replay.entries[2].doc["type"] = "dealt"
    replay.entries[2].doc["position"], replay.entries[2].salt = "ab" * 32, "cd" * 32


def unknown_type(replay: Replay) -> None:
    place(replay, "turn_ended")[0].doc["type"] = "turn_taken"


def chosen_at_once(replay: Replay) -> None:
    of_type(replay, "choice_made").doc["type"] = "move_played"


def other_digest(replay: Replay) -> None:
    replay.header["rules_digest"] = replay.entries[0].doc["data"]["rules_digest"] = "ab" * 32


def other_game(replay: Replay) -> None:
    replay.header["version"] = 2


def no_such_seat(replay: Replay) -> None:
    replay.header["audience"] = {"seat": 4}


def other_format(replay: Replay) -> None:
    replay.header["format"] = "gyoji-replay/2"


def other_match(replay: Replay) -> None:
    replay.entries[5].doc["match"] = "00000000-0000-4000-8000-000000000001"


def gap(replay: Replay) -> None:
    """One turn's end is gone; the events after it keep their numbers."""
    replay.entries.remove(place(replay, "turn_ended")[0])


def no_such_day(replay: Replay) -> None:
    for entry in replay.entries:
        entry.doc["at"] = "2026-02-29T00:00:00.000Z"


def earlier(replay: Replay) -> None:
    replay.entries[8].doc["at"] = replay.entries[6].doc["at"]


def pushed(replay: Replay, seq: int) -> None:
    """That event and all after it come a year later."""
    for entry in replay.entries[seq:]:
        entry.doc["at"] = "2027" + entry.doc["at"][4:]


def later_result(replay: Replay) -> None:
    pushed(replay, of_type(replay, "match_finished").seq)


def later_secret(replay: Replay) -> None:
    pushed(replay, of_type(replay, "seed_disclosed").seq)


def later_deal(replay: Replay) -> None:
    pushed(replay, 1)


def told_late(replay: Replay) -> None:
    """The time until which it was withheld had come when the match ended."""
    replay.created["withheld_until"] = of_type(replay, "match_finished").doc["at"]
    later_secret(replay)


COURSE: dict[str, tuple[Change, set[str]]] = {
    "no position where one is due": (without_position, {"positions"}),
    "a position where none is due": (position_too_many, {"positions"}),
    "another outcome": (another_outcome, {"course"}),
    "a seat that moved for another": (played_for_another, {"event"}),
    "a rule too many": (reasoned, {"event"}),
    "a second first deal": (dealt_twice, {"course", "times"}),
    "an unknown type": (unknown_type, {"event"}),
    "a choice that is no choice": (chosen_at_once, {"event"}),
    "the seed kept back": (lambda replay: dropped(replay, "seed_disclosed"), {"course"}),
    "a finished match without its end": (lambda replay: dropped(replay, "match_finished"), {"course"}),
    "a finished game in a match that runs": (
        lambda replay: dropped(replay, "match_finished", "seed_disclosed"),
        {"course"},
    ),
    "other rules than published": (other_digest, {"header"}),
    "another version": (other_game, {"header"}),
    "a seat that does not exist": (no_such_seat, {"header", "audience"}),
    "another format": (other_format, {"header"}),
    "an event of another match": (other_match, {"chain"}),
    "a gap": (gap, {"chain"}),
    "a day that there is not": (no_such_day, {"event", "times"}),
    "a time before the last one": (earlier, {"times"}),
    "a result later than the last move": (later_result, {"times"}),
    "a secret later than the end": (later_secret, {"times"}),
    "a deal later than the setup": (later_deal, {"times"}),
    "a secret that waited for nothing": (told_late, {"times"}),
}


@pytest.mark.parametrize("kind", COURSE)
def test_course(kind: str) -> None:
    change, expected = COURSE[kind]
    assert tried(written(TOWAI)[0], change) == expected


def test_another_state_than_the_positions(app: Flask) -> None:
    file, trust = written(CATTE)
    known, _events = states(app, file)
    wrong = {seq: merged(state, [{"/ply": 1000}]) if seq == 32 else state for seq, state in known.items()}
    assert [(fault.check, fault.seq) for fault in faults(file, trust, DIGESTS, wrong.__getitem__)] == [
        ("positions", 32)
    ]


# Bytes, chain, head


def lines_of(name: str) -> list[bytes]:
    return written(name)[0].splitlines(keepends=True)


def resealed(lines: list[bytes], header: Doc) -> set[str]:
    body = b"".join(lines[:-1])
    file = sealed(body, header, taken_apart(b"".join(lines)).entries[-1])
    return {fault.check for fault in faults(file, trust_in(header["origin"]), DIGESTS)}


@pytest.mark.parametrize(
    ("line", "old", "new"),
    [
        (0, b'"version":1', b'"version": 1'),
        (0, b'"version":1', b'"version":1.0'),
        (-2, b'"actor":{', b'"v":1,"actor":{'),
    ],
    ids=["a space", "a fraction", "a name twice"],
)
def test_lines_that_are_not_canonical(line: int, old: bytes, new: bytes) -> None:
    lines = lines_of(CATTE)
    assert old in lines[line]
    lines[line] = lines[line].replace(old, new)
    assert resealed(lines, taken_apart(written(CATTE)[0]).header) == {"bytes"}


def test_an_event_changed_behind_its_hash() -> None:
    lines = lines_of(CATTE)
    at = next(number for number, line in enumerate(lines) if b'"seq":20,' in line)
    lines[at] = lines[at].replace(b'.000Z"', b'.001Z"')
    assert resealed(lines, taken_apart(written(CATTE)[0]).header) == {"chain"}


def test_openings_that_stand_elsewhere_and_files_cut_short() -> None:
    lines = lines_of(CATTE)
    moved = [*lines[:2], *lines[3:5], lines[2], *lines[5:]]
    for file in (b"".join(moved), b"".join(lines)[:-1], b"".join(lines[:-1]), b""):
        assert {fault.check for fault in faults(file)} == {"malformed"}


def test_heads() -> None:
    file, trust = written(CATTE)
    key = trust["keys"][0]
    no_keys: Doc = {"keys": []}
    assert faults(file, trust) == []
    for other in (
        trust_in(key["origin"]),
        {"keys": [{**key, "revoked": "2026-01-01T00:00:00.000Z"}]},
        {"keys": [{**key, "origin": "elsewhere"}]},
        {"keys": [{**key, "public": trust_in("x")["keys"][0]["public"]}]},
        no_keys,
    ):
        assert {fault.check for fault in faults(file, other)} == {"head"}


def test_a_head_of_an_earlier_event() -> None:
    replay = taken_apart(written(CATTE)[0])
    body = b"".join(lines_of(CATTE)[:-1])
    file = sealed(body, replay.header, replay.entries[-2])
    assert {fault.check for fault in faults(file, trust_in(replay.header["origin"]))} == {"head"}


def test_the_digest_of_the_file() -> None:
    file, trust = written(CATTE)
    digest = taken_apart(file).digest.encode()
    assert {fault.check for fault in faults(file.replace(digest, b"ab" * 32), trust)} == {"file"}


def test_no_bit_can_be_turned() -> None:
    file, trust = written(CATTE)
    chance = Random(7)
    footer = len(file) - len(lines_of(CATTE)[-1])
    before, within = range(8 * footer), range(8 * footer, 8 * len(file))
    for bit in chance.sample(before, 10) + chance.sample(within, 30):
        turned = bytearray(file)
        turned[bit // 8] ^= 1 << bit % 8
        assert faults(bytes(turned), trust, DIGESTS) != [], bit
