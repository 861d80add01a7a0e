"""Logs stepped through: the views that changes lead to, moves in groups, and who sees what."""

from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden.logs import EVERY, FILES, NAMES, REPLAYS, entries, game_of, match_states, settings
from gyoji.games.game import Move
from gyoji.log.redaction import Reader
from gyoji.match.viewer_frames import Frame, Perspective, Step, frames, group_moves, steps, view_changes
from replay.stepped_frames import applied, plain, whole_views

CATTE = REPLAYS / "catte" / "shared-win.jsonl"
CANCELLED = REPLAYS / "familiars-trouble" / "cancelled-before-the-deal.jsonl"
VOIDED = REPLAYS / "familiars-trouble" / "cancelled-after-the-deal.jsonl"


def seen(file: Path, reader: Reader, state: Any) -> Any:
    """What the game shows that reader of a position."""
    if reader == "full":
        return game_of(file).write_state(state._replace(seed=None))
    return game_of(file).view(state, None if reader == "public" else reader)


def sight(file: Path, reader: Reader) -> Perspective:
    """What the reader sees of the positions of a file."""

    def legal(state: Any) -> list[Move]:
        moves = game_of(file).legal_moves(state)
        return [move for move in moves if reader in ("full", move["seat"])]

    return Perspective(reader, lambda state: seen(file, reader, state), legal)


def known_steps(file: Path) -> list[Step]:
    """The steps of a golden replay, from where it is known to stand after each."""
    return [Step(entry, at.state, at.over) for entry, at in zip(entries(file), match_states(file), strict=True)]


def framed(file: Path, reader: Reader = "full") -> list[Frame]:
    """The frames of a golden replay."""
    return list(frames(known_steps(file), sight(file, reader)))


@pytest.mark.parametrize("number", range(len(EVERY)), ids=NAMES)
def test_changes_lead_from_view_to_view(number: int) -> None:
    """To everything, to what everybody knows, and to what a seat knows; to each of them of every fourth file."""
    file = EVERY[number]
    seats = settings(file)["seats"]
    each: list[Reader] = ["full", "public", *range(seats)]
    for reader in each if number % 4 == 0 else each[number % 2 :: seats]:
        expected = [None if at.state is None else seen(file, reader, at.state) for at in match_states(file)]
        found = frames(known_steps(file), Perspective(reader, partial(seen, file, reader), lambda _state: ()))
        assert whole_views(found) == plain(expected), reader


@pytest.mark.parametrize("file", FILES[::11], ids=NAMES[: len(FILES) : 11])
def test_changes_are_small(file: Path) -> None:
    """Together, less than a third of the views that they lead to."""
    found = framed(file)
    changes = [[*frame.change] for frame in found if frame.change is not None]
    assert 3 * len(orjson.dumps(changes)) < len(orjson.dumps(whole_views(found)))


def test_the_view_is_whole_where_it_begins_and_changes_after_that() -> None:
    found = framed(CATTE)
    assert [frame.change is None for frame in found[:4]] == [True, True, False, False]
    assert (found[0].view, found[1].view) == (None, seen(CATTE, "full", match_states(CATTE)[1].state))
    assert all(frame.change is not None for frame in found[2:])
    later = list(frames(known_steps(CATTE)[20:], sight(CATTE, "full")))
    assert later[0].view == seen(CATTE, "full", match_states(CATTE)[20].state)


def test_a_view_that_is_lost_begins_anew_as_none() -> None:
    steps_of = known_steps(CATTE)[:6]
    lost = [*steps_of[:3], *[step._replace(state=None) for step in steps_of[3:5]], steps_of[5]]
    found = list(frames(lost, sight(CATTE, "full")))
    assert [frame.change is None for frame in found] == [True, True, False, True, False, True]
    assert [frame.view is None for frame in found] == [True, False, False, True, True, False]
    assert found[4].change == ([], [])
    assert whole_views(found)[4:] == plain([None, seen(CATTE, "full", match_states(CATTE)[5].state)])


def test_before_a_deal_there_is_no_view() -> None:
    assert {(frame.view, frame.change) for frame in framed(CANCELLED)[:1]} == {(None, None)}
    assert whole_views(framed(CANCELLED)) == [None] * 8


def test_a_log_goes_on_from_where_it_stands() -> None:
    game, log, known = game_of(CATTE), entries(CATTE), match_states(CATTE)
    for start, before in ((0, None), (1, known[0]), (30, known[29])):
        found = list(steps(before, log[start:], game, bytes(64)))
        assert [(step.entry, step.state, step.over) for step in found] == [
            (entry, at.state, at.over) for entry, at in zip(log[start:], known[start:], strict=True)
        ]


def test_the_events_are_told_as_the_reader_may_know_them() -> None:
    dealt = {reader: framed(CATTE, reader)[1].document["data"]["events"][0] for reader in ("full", "public", 1)}
    assert [type(hand) for hand in dealt["full"]["hands"]] == [list] * len(dealt["full"]["hands"])
    assert {type(hand) for hand in dealt["public"]["hands"]} == {dict}
    assert [type(hand) for hand in dealt[1]["hands"]][:3] == [dict, list, dict]


# Legal moves


def test_legal_moves_are_those_after_the_event_and_none_at_the_end() -> None:
    found = framed(CATTE)
    for frame, at in zip(found, match_states(CATTE), strict=True):
        expected = [] if at.state is None or at.over else game_of(CATTE).legal_moves(at.state)
        assert [*expanded(frame.legal)] == [*map(plain, expected)]
    assert found[1].legal[0]["seat"] == match_states(CATTE)[1].state.to_act[0]
    assert found[-1].legal == []


def test_of_a_void_match_no_move_is_legal_any_more() -> None:
    void = [frame.document["type"] for frame in framed(VOIDED)].index("match_voided")
    assert match_states(VOIDED)[void].state.to_act
    assert [frame.legal != [] for frame in framed(VOIDED)][void - 1 :] == [True, False, False]


def expanded(legal: list[dict[str, Any]]) -> Any:
    """Moves one by one."""
    for move in legal:
        if "card" in move:
            yield from ({**move, "card": card} for card in move["card"])
        else:
            yield move


def test_moves_that_differ_only_in_their_card_are_one() -> None:
    play = {"type": "play", "seat": 0}
    moves: list[Move] = [
        {**play, "card": "D1", "daylight": "day"},
        {"type": "pass", "seat": 0},
        {**play, "card": "T3", "daylight": "day"},
        {**play, "card": "T3", "daylight": "night"},
        {**play, "card": "D1", "daylight": "day", "seat": 1},
    ]
    assert group_moves(moves) == [
        {"type": "play", "seat": 0, "card": ["D1", "T3"], "daylight": "day"},
        {"type": "pass", "seat": 0},
        {"type": "play", "seat": 0, "card": ["T3"], "daylight": "night"},
        {"type": "play", "seat": 1, "card": ["D1"], "daylight": "day"},
    ]
    assert moves[0]["card"] == "D1"


# Changes


@pytest.mark.parametrize(
    ("before", "after", "to_set", "to_add"),
    [
        ({"a": 1}, {"a": 1}, [], []),
        ({"a": 1, "b": {"c": 2}}, {"a": 1, "b": {"c": 3}}, [(("b", "c"), 3)], []),
        ({"a": ["x"]}, {"a": ["x", "y", "z"]}, [], [(("a",), ["y", "z"])]),
        ({"a": []}, {"a": ["x"]}, [(("a",), ["x"])], []),
        ({"a": ["x", "y"]}, {"a": ["x"]}, [(("a",), ["x"])], []),
        ({"a": ["x", "y", "z", "u"]}, {"a": ["x", "y", "z", "v"]}, [(("a", 3), "v")], []),
        ({"a": ["x", "y", "z", "u"]}, {"a": ["x", "y", "v", "v"]}, [(("a",), ["x", "y", "v", "v"])], []),
        ({"a": [["x"], ["y"]]}, {"a": [["x", "z"], ["v"]]}, [(("a", 1), ["v"])], [(("a", 0), ["z"])]),
        ({"a": None}, {"a": {"count": 2}}, [(("a",), {"count": 2})], []),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}, [(("a", "c"), 2)], []),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, [(("a",), {"b": 1})], []),
        ({"a": {"count": 2}}, {"a": ["x", "y"]}, [(("a",), ["x", "y"])], []),
    ],
)
def test_changes_say_what_has_to_be_set_and_added(before: Any, after: Any, to_set: Any, to_add: Any) -> None:
    change = view_changes(before, after)
    assert [(tuple(path), value) for path, value in change.set] == to_set
    assert [(tuple(path), items) for path, items in change.add] == to_add


SCALARS = st.none() | st.booleans() | st.integers(0, 3).map(lambda number: f"n{number}")
TREES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner), max_leaves=12
)


@given(TREES, TREES)
def test_whatever_changes_they_lead_there(before: Any, after: Any) -> None:
    change = view_changes(before, after)
    assert applied(before, *plain([change.set, change.add])) == after
