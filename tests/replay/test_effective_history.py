"""The effective history (``gyoji-line/1``) holds the events that no ruling has taken back."""

from typing import Any

import orjson
import pytest

from gyoji.log.canonical import canonical
from gyoji.log.redaction import project_event
from gyoji.match.effective_history import history_lines, taken_back_events
from replay.refereed import Match


@pytest.fixture(scope="module")
def match() -> Match:
    """Event 8 takes back to event 5; event 11 to event 4, and with it the first ruling."""
    played = Match("tomorrow-never-meows").play(6)
    played.rule("take_back", to=5)
    played.play(2)
    played.rule("take_back", to=4)
    return played.play(4)


@pytest.mark.parametrize("reader", ["full", "public", 0])
def test_the_events_that_stand_as_the_reader_may_know_them(match: Match, reader: Any) -> None:
    lines = [*history_lines(reader, match.entries, taken_back_events(match.entries))]
    assert all(line.endswith(b"\n") and canonical(orjson.loads(line)) + b"\n" == line for line in lines)
    _header, *events = [orjson.loads(line) for line in lines]
    stand = [seq for seq in range(match.seq + 1) if not 4 < seq < 11]
    assert [event["seq"] for event in events] == stand
    assert events == [orjson.loads(canonical(project_event(reader, match.entries[seq]))) for seq in stand]
    assert [event["hash"] for event in events] == [match.entries[seq].hash.hex() for seq in stand]


@pytest.mark.parametrize(("reader", "audience"), [("full", "full"), ("public", "public"), (2, {"seat": 2})])
def test_it_says_what_it_is(match: Match, reader: Any, audience: Any) -> None:
    first = orjson.loads(next(history_lines(reader, match.entries, {})))
    created = orjson.loads(match.entries[0].body)
    assert first == {
        "format": "gyoji-line/1",
        "match": created["match"],
        "game": "tomorrow-never-meows",
        "version": 1,
        "rules_digest": created["data"]["rules_digest"],
        "line": "ruled",
        "audience": audience,
        "verifies": False,
    }


def test_without_rulings_it_is_the_whole_log() -> None:
    match = Match("catte").play(5)
    lines = [*history_lines("full", match.entries, taken_back_events(match.entries))]
    assert len(lines) == 1 + len(match.entries)
