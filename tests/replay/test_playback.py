"""The playback steps through replay files, whoever made them, as far as the rules can replay them."""

import random
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from golden.logs import EVERY, FILES, NAMES, entries, match_states
from gyoji.audit import playback
from gyoji.audit.playback import Playback, play_back
from gyoji.log.canonical import canonical
from gyoji.log.files import redact_lines
from gyoji.log.parser import LIMITS
from gyoji.messages.verdicts import rules_for
from replay.tampering import Event, Lines, Parts, entries_of, file_of, forged, taken_apart
from replay.test_audit_hostile import LINES

WHOLE = file_of(entries_of("catte"))
LAST = len(taken_apart(WHOLE).events) - 1
MOVES = [event.document["seq"] for event in taken_apart(WHOLE).events if event.document["type"] == "move_played"]


def read(lines: Iterable[bytes], after: int = -1, limit: int = 500) -> Playback:
    """The steps of a file, which has to be one."""
    kept = [*lines]
    found = play_back(lambda: kept, rules_for, after, limit)
    assert found is not None
    return found


def known(found: Playback) -> list[int]:
    """The events after which the position is known."""
    return [step.entry.seq for step in found.steps if step.state is not None]


@pytest.mark.parametrize("file", EVERY[::3], ids=NAMES[::3])
def test_an_honest_file_can_be_played_again_to_its_end(file: Path) -> None:
    found = read(file.read_bytes().splitlines(keepends=True))
    assert (found.broken, found.seq, len(found.steps)) == (None, len(match_states(file)) - 1, len(match_states(file)))
    for step, entry, at in zip(found.steps, entries(file), match_states(file), strict=True):
        assert (step.entry.seq, step.entry.body, step.entry.hash) == (entry.seq, entry.body, entry.hash)
        assert step.over or not at.over
        same = None if at.state is None else at.state._replace(seed=None)
        assert (None if step.state is None else step.state._replace(seed=None)) == same
    assert found.created["data"]["game"] == file.parent.name


def test_some_of_the_events() -> None:
    found = read(WHOLE, after=9, limit=4)
    assert [step.entry.seq for step in found.steps] == [10, 11, 12, 13]
    assert (found.seq, known(found), found.created["type"]) == (LAST, [10, 11, 12, 13], "match_created")
    assert [step.state for step in found.steps] == [step.state for step in read(WHOLE).steps[10:14]]
    assert read(WHOLE, after=LAST).steps == []
    assert read(WHOLE, after=9, limit=4).kinds == read(WHOLE).kinds >= {"dealt", "match_finished", "seed_disclosed"}


@pytest.mark.parametrize("reader", ["public", 1])
def test_a_redacted_file_is_told_without_positions(reader: int | str) -> None:
    found = read(redact_lines(WHOLE, reader))  # type: ignore[arg-type]
    assert (found.broken, known(found), len(found.steps), found.audience) == (None, [], LAST + 1, reader)
    openings = found.steps[1].entry.openings
    assert len(openings) == (0 if reader == "public" else 1)


# Where it breaks


def another_card(seq: int) -> Lines:
    """A card that the seat does not hold."""

    def change(parts: Parts) -> None:
        event = parts.events[seq]
        event.data["move"]["card"] = next(
            other.data["move"]["card"]
            for other in parts.events
            if other.document["type"] == "move_played" and other.document["actor"] != event.document["actor"]
        )

    return forged(WHOLE, change)


@pytest.mark.parametrize("at", [0, 5, 20])
def test_an_illegal_move_breaks_it_there(at: int) -> None:
    """The position before it, from which the legal moves follow, is known; none after it is. All is told."""
    seq = MOVES[at]
    found = read(another_card(seq))
    assert (found.broken, known(found), len(found.steps)) == (seq, [*range(1, seq)], LAST + 1)


def test_wrong_consequences_break_it_as_well() -> None:
    def winner(event: Event) -> Any:
        return next((item for item in event.data["events"] if item["type"] == "trick_won"), None)

    won = next(seq for seq in MOVES if winner(taken_apart(WHOLE).events[seq]) is not None)

    def change(parts: Parts) -> None:
        winner(parts.events[won])["seat"] = (winner(parts.events[won])["seat"] + 1) % 3

    found = read(forged(WHOLE, change))
    assert (found.broken, known(found)) == (won, [*range(1, won)])


def test_a_time_that_was_changed_breaks_nothing_that_can_be_played() -> None:
    changed = [line.replace(b'"at":"2026', b'"at":"2027') for line in WHOLE]
    assert changed != list(WHOLE)
    assert read(changed).broken is None


def test_an_event_that_is_missing_breaks_it() -> None:
    seq = MOVES[3]
    found = read([line for line in WHOLE if b'"seq":%d,' % seq not in line])
    assert (found.broken, known(found)) == (seq, [*range(1, seq)])
    assert [step.entry.seq for step in found.steps] == [at for at in range(LAST + 1) if at != seq]
    assert read([line for line in WHOLE if b'"seq":%d,' % seq not in line], limit=seq).broken is None  # not reached


def test_an_event_that_comes_again_is_left_out() -> None:
    at = next(number for number, line in enumerate(WHOLE) if b'"seq":%d,' % MOVES[3] in line)
    found = read((*WHOLE[: at + 1], WHOLE[at], *WHOLE[at + 1 :]))
    assert (found.broken, len(found.steps)) == (MOVES[3] + 1, LAST + 1)


@pytest.mark.parametrize("name", LINES)
def test_a_line_that_is_none_breaks_it(name: str) -> None:
    at = next(number for number, line in enumerate(WHOLE) if b'"seq":%d,' % MOVES[3] in line)
    found = read((*WHOLE[:at], LINES[name][0] + b"\n", *WHOLE[at:]))
    is_opening = LINES[name][0].startswith(b'{"opening":')  # of the event before, which hides nothing
    assert found.broken == (None if is_opening else MOVES[3])
    assert len(found.steps) == LAST + 1


@pytest.mark.parametrize("line", [b"x" * (LIMITS.line + 1) + b"\n", b'{"a":' + b"[" * 65 + b"]" * 65 + b"}\n"])
def test_over_the_limits_nothing_more_is_read(line: bytes) -> None:
    at = next(number for number, line in enumerate(WHOLE) if b'"seq":%d,' % MOVES[3] in line)
    found = read((*WHOLE[:at], line, *WHOLE[at:]))
    assert (found.broken, found.seq) == (MOVES[3], MOVES[3] - 1)


def test_openings_without_end_are_over_the_limits() -> None:
    big = b'{"opening":{"index":0,"payload":{"/a":"%b"},"salt":"%b","seq":0}}\n' % (b"x" * 1_000_000, b"0" * 64)
    assert [read((*WHOLE[:3], *[big] * many, *WHOLE[3:])).seq for many in (4, 5)] == [LAST, 0]


def test_after_many_lines_that_are_none_it_is_given_up() -> None:
    most = playback.MOST_UNREADABLE
    assert [read((*WHOLE[:3], *[b"{}\n"] * many, *WHOLE[3:])).seq for many in (most - 1, most)] == [LAST, 0]
    read_on = [0]

    def lines() -> Iterable[bytes]:
        yield WHOLE[0]
        for _number in range(10 * most):
            read_on[0] += 1
            yield b"{}\n"

    found = play_back(lines, rules_for, -1, 500)
    assert found is not None
    assert found.seq == -1
    assert read_on == [10 * most + most]  # what is coming is looked for in all of them


def test_an_opening_that_does_not_fit_is_left_out() -> None:
    """As is one that opens nothing, or belongs to another event: the deal stays hidden, and nothing can be played."""
    dealt = next(number for number, line in enumerate(WHOLE) if b'"type":"dealt"' in line)
    wrong = WHOLE[dealt + 1].replace(b'"salt":"', b'"salt":"00')[:-1]
    for line in (wrong.replace(b'"salt":"00', b'"salt":"')[:-9] + b"}}\n", WHOLE[dealt - 1], b'{"opening":1}\n'):
        found = read((*WHOLE[: dealt + 1], line, *WHOLE[dealt + 2 :]))
        assert (found.broken, known(found)) == (1, [])


@pytest.mark.parametrize("lines", [(), (b"",), (b"{}\n",), WHOLE[1:], (WHOLE[0][:-1],)])
def test_what_is_no_replay_file_has_no_steps(lines: Lines) -> None:
    assert play_back(lambda: lines, rules_for, -1, 500) is None


def test_a_header_alone_has_none_either() -> None:
    assert read(WHOLE[:1]) == Playback(taken_apart(WHOLE).header, {}, [], None, -1, frozenset(), "seeding")


def test_a_file_by_other_rules_is_told_and_not_played() -> None:
    def change(parts: Parts) -> None:
        parts.header["rules_digest"] = parts.events[0].data["rules_digest"] = "ab" * 32

    found = read(forged(WHOLE, change))
    assert (found.broken, known(found), len(found.steps)) == (0, [], LAST + 1)


def test_random_bytes_in_the_middle_end_nothing() -> None:
    rng, body = random.Random(11), b"".join(WHOLE)
    for _ in range(40):
        at = rng.randrange(len(body))
        made = body[:at] + rng.randbytes(rng.randrange(1, 60)) + body[at + rng.randrange(200) :]
        found = play_back(partial(made.splitlines, keepends=True), rules_for, -1, 500)
        assert found is None or len(found.steps) <= LAST + 1


def test_an_event_of_a_type_that_there_is_not_is_told_as_it_is() -> None:
    def change(parts: Parts) -> None:
        parts.events[MOVES[2]].document["type"] = "\x1b[2J<script>"

    found = read(forged(WHOLE, change))
    assert found.broken == MOVES[2]
    assert "\x1b[2J<script>" in found.kinds
    assert canonical({"type": "\x1b[2J<script>"})[1:-1] in found.steps[MOVES[2]].entry.body


def test_files_of_the_repository_are_not_changed_by_it() -> None:
    lines = FILES[0].read_bytes().splitlines(keepends=True)
    assert [step.entry.body for step in read(lines).steps] == [line[:-1] for line in lines if b'"prev":' in line]
