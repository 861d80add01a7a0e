"""Every kind of ruling in every game, at the first, a middle and the last ply, and the match then played to its end.

The slow suite has every kind for itself, at many more plies.
"""

import pytest

from gyoji.games.game import Seat
from gyoji.match.rulings.ruling_made import RULING_KINDS
from gyoji.match.state import Result, result_of
from replay.refereed import BANKED
from replay.rulings_everywhere import (
    POINTS,
    RULINGS,
    Setting,
    at_ply,
    audit,
    look_at,
    place_of,
    rule_every_way,
    step_through,
    whole,
)

SETTINGS = [
    Setting("tomorrow-never-meows", (("concealed", True),)),
    Setting("catte"),
    Setting("towai", (("finishes_to_win", 1),)),
    Setting("familiars-trouble"),
]
EVERY_GAME = pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.slug)
PLACES = pytest.mark.parametrize("place", ["first", "middle", "last"])


def plies(setting: Setting, place: str) -> int:
    """After the first move, after half of them, before the last one."""
    last = whole(setting).plies - 1
    return {"first": 1, "middle": last // 2, "last": last}[place]


def test_every_kind_is_among_them() -> None:
    assert RULINGS.keys() == RULING_KINDS.keys()


@EVERY_GAME
@PLACES
def test_every_ruling_and_then_the_match_is_played_on(setting: Setting, place: str) -> None:
    """After the end a referee changes the result, and takes that back too: the match is played to another end."""
    match = at_ply(setting, plies(setting, place))
    rule_every_way(match)
    here = match.seq
    match.play()
    look_at(match, POINTS)
    match.rule("points", seat=1, points=9)
    look_at(match, POINTS + 9)
    match.rule("result", winners=(), scores=None)
    assert result_of(match.current) == Result("ruling", match.current.adjusted, ())
    match.rule("take_back", to=here)
    assert result_of(match.current) is None
    match.play()
    look_at(match, POINTS + 9)
    audit(match)
    if place == "middle":
        step_through(match)


@EVERY_GAME
@PLACES
def test_a_misplay_that_stands_and_then_the_match_is_played_on(setting: Setting, place: str) -> None:
    match = at_ply(setting, place_of(setting, "accept", plies(setting, place)))
    RULINGS["accept"](match)
    match.play()
    look_at(match)
    audit(match)


def only(setting: Setting, seat: Seat, value: int) -> tuple[int, ...]:
    return tuple([value if at == seat else 0 for at in range(whole(setting).match_states[1].seeding.seats)])


@EVERY_GAME
def test_what_a_take_back_leaves_as_it_is(setting: Setting) -> None:
    """Points, substitutes, a pause, time that was given and time that was used; what was earned since then goes."""
    match = at_ply(setting, whole(setting).plies // 2)
    then = match.current
    match.rule("points", seat=1, points=5)
    match.rule("substitute", seat=0, name="a substitute")
    match.rule("time", seat=2, add_ms=7_000)
    match.play(6).rule("pause")
    assert then.clock is not None
    assert match.current.clock is not None
    credited, banks = match.current.clock.credited_ms, match.current.clock.banks_ms
    match.rule("take_back", to=then.seq)
    after = match.current
    assert after.clock is not None
    assert after.state._replace(seed=None) == then.state._replace(seed=None)
    assert (after.status, after.course.rulings) == ("paused", 5)
    assert after.course.adjustments == only(setting, 1, 5)
    assert after.course.names == {0: "a substitute"}
    earned = [now - before for now, before in zip(credited, then.clock.credited_ms, strict=True)]
    assert sum(earned) == 6 * BANKED.increment_ms
    assert list(after.clock.banks_ms) == [bank - less for bank, less in zip(banks, earned, strict=True)]
    given = [now - before for now, before in zip(after.clock.banks_ms, then.clock.banks_ms, strict=True)]
    assert tuple(given) == only(setting, 2, 7_000), "every move was made within its free time"
    match.rule("resume")
    match.play()
    look_at(match, 5)
    audit(match)
