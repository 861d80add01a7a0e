"""Clocks: what is left of a seat's time, and when it is up, from the times of the log alone."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gyoji.log.times import instant
from gyoji.match.clocks import (
    LONGEST_MS,
    Clock,
    Control,
    add_time,
    charge_move,
    deadlines,
    expired_seats,
    pause_clock,
    read_control,
    restore_clock,
    resume_clock,
    start_clock,
    stop_clock,
    used_ms,
    write_control,
)

NOON = datetime(2026, 2, 28, 12, tzinfo=UTC)


def at(ms: int) -> str:
    """So many milliseconds after noon, as a log writes it."""
    return (NOON + timedelta(milliseconds=ms)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


BANKED = Control(move_ms=30_000, bank_ms=600_000, increment_ms=5_000, on_expiry="default")
"""Half a minute a move, ten minutes beside that, five seconds more for each move."""
BARE = Control(move_ms=30_000, bank_ms=None, increment_ms=0, on_expiry="referee")
"""Half a minute a move."""
SUDDEN = Control(move_ms=0, bank_ms=60_000, increment_ms=0, on_expiry="forfeit")
"""A minute for the whole match."""


def begun(control: Control, *to_act: int) -> Clock:
    return start_clock(control, 3, to_act, at(0))


# Controls


@pytest.mark.parametrize("control", [BANKED, BARE, SUDDEN, BANKED._replace(move_ms=0, bank_ms=1)])
def test_a_control_is_what_the_log_states(control: Control) -> None:
    assert read_control(write_control(control)) == control


def test_how_the_log_states_it() -> None:
    assert write_control(BANKED) == {
        "move_ms": 30_000,
        "bank_ms": 600_000,
        "increment_ms": 5_000,
        "on_expiry": "default",
    }


@pytest.mark.parametrize(
    "found",
    [
        None,
        [],
        "move_ms",
        {},
        {**BANKED._asdict(), "more": 1},
        {"move_ms": 1, "bank_ms": 1, "increment_ms": 1},
        BANKED._replace(move_ms=-1)._asdict(),
        BANKED._replace(move_ms=True)._asdict(),
        BANKED._replace(increment_ms=-1)._asdict(),
        BANKED._replace(bank_ms=LONGEST_MS + 1)._asdict(),
        {**BANKED._asdict(), "move_ms": 1.0},
        {**BANKED._asdict(), "increment_ms": None},
        {**BANKED._asdict(), "on_expiry": "lose"},
        {**BANKED._asdict(), "on_expiry": ["pass"]},
        BARE._replace(move_ms=0)._asdict(),
        SUDDEN._replace(bank_ms=0)._asdict(),
        BARE._replace(increment_ms=1)._asdict(),
    ],
)
def test_what_is_no_control(found: object) -> None:
    """Among them: no time at all, and an increment without a bank to add it to."""
    assert read_control(found) is None


# Deadlines


def test_a_decision_has_its_free_time_and_then_the_bank() -> None:
    assert deadlines(begun(BANKED, 1)) == (None, at(630_000), None)
    assert deadlines(begun(BARE, 1)) == (None, at(30_000), None)
    assert deadlines(begun(SUDDEN, 1)) == (None, at(60_000), None)


@pytest.mark.parametrize(("control", "last"), [(BANKED, 630_000), (BARE, 30_000), (SUDDEN, 60_000)])
def test_a_millisecond_early_at_the_deadline_and_a_millisecond_late(control: Control, last: int) -> None:
    clock = begun(control, 1)
    assert expired_seats(clock, at(last - 1)) == ()
    assert expired_seats(clock, at(last)) == ()
    assert expired_seats(clock, at(last + 1)) == (1,)


def test_a_deadline_goes_over_midnight_and_over_the_end_of_a_month() -> None:
    clock = start_clock(BARE._replace(move_ms=LONGEST_MS), 2, (0,), "2027-12-31T23:59:59.999Z")
    assert deadlines(clock) == ("2028-12-31T23:59:59.999Z", None)
    leap = start_clock(BARE, 2, (0,), "2028-02-28T23:59:45.250Z")
    assert deadlines(leap) == ("2028-02-29T00:00:15.250Z", None)


def test_after_the_last_time_that_can_be_written_there_is_no_deadline() -> None:
    clock = start_clock(BARE, 2, (0,), "9999-12-31T23:59:59.000Z")
    assert deadlines(clock) == ("9999-12-31T23:59:59.999Z", None)
    assert expired_seats(clock, "9999-12-31T23:59:59.999Z") == ()


# Moves


@pytest.mark.parametrize(
    ("used", "left"),
    [
        (0, 605_000),
        (30_000, 605_000),
        (30_001, 604_999),
        (100_000, 535_000),
        (630_000, 5_000),
        (630_001, 5_000),
        (9_000_000, 5_000),
    ],
)
def test_what_a_move_leaves_in_the_bank(used: int, left: int) -> None:
    """Free time costs nothing, the rest the bank, which is never below 0, also of a late move; then the increment."""
    clock = charge_move(begun(BANKED, 1), 1, (2,), at(used), same_decision=False)
    assert clock.banks_ms == (600_000, left, 600_000)
    assert clock.credited_ms == (0, 5_000, 0)
    assert deadlines(clock) == (None, None, at(used + 630_000))


def test_without_a_bank_every_decision_begins_anew() -> None:
    clock = charge_move(begun(BARE, 1), 1, (1,), at(29_000), same_decision=False)
    assert deadlines(clock) == (None, at(59_000), None)
    assert clock.banks_ms == (0, 0, 0)


def test_a_bank_runs_out_over_many_moves() -> None:
    clock = begun(SUDDEN, 0)
    for turn in range(1, 5):
        clock = charge_move(clock, 0, (0,), at(turn * 15_000), same_decision=False)
        assert clock.banks_ms[0] == 60_000 - turn * 15_000
    assert deadlines(clock) == (at(60_000), None, None)
    assert expired_seats(clock, at(60_001)) == (0,)


# Choices that are made together


def test_each_seats_own_time_runs_until_it_has_chosen() -> None:
    clock = begun(BANKED, 0, 1, 2)
    clock = charge_move(clock, 1, (0, 2), at(40_000), same_decision=True)
    assert clock.banks_ms == (600_000, 595_000, 600_000)
    assert deadlines(clock) == (at(630_000), None, at(630_000))
    clock = charge_move(clock, 2, (0,), at(100_000), same_decision=True)
    assert clock.banks_ms == (600_000, 595_000, 535_000)
    clock = charge_move(clock, 0, (1,), at(130_000), same_decision=False)
    assert clock.banks_ms == (505_000, 595_000, 535_000)
    assert deadlines(clock) == (None, at(130_000 + 30_000 + 595_000), None)


def test_both_seats_of_a_choice_are_late() -> None:
    clock = start_clock(BARE, 2, (0, 1), at(0))
    assert expired_seats(clock, at(30_001)) == (0, 1)
    one = charge_move(clock, 0, (1,), at(30_001), same_decision=True)
    assert expired_seats(one, at(30_001)) == (1,)
    both = charge_move(one, 1, (0,), at(30_001), same_decision=False)
    assert expired_seats(both, at(30_001)) == ()
    assert deadlines(both) == (at(60_001), None)


def test_of_a_choice_only_who_has_used_up_its_bank_is_late() -> None:
    clock = add_time(start_clock(BANKED, 2, (0, 1), at(0)), 0, -600_000)
    assert expired_seats(clock, at(30_001)) == (0,)
    assert expired_seats(clock, at(630_001)) == (0, 1)


# Pauses


def test_time_stands_still_while_the_match_is_paused() -> None:
    clock = pause_clock(begun(BANKED, 1), at(100_000))
    assert deadlines(clock) == (None, None, None)
    assert expired_seats(clock, at(10_000_000)) == ()
    clock = resume_clock(clock, at(1_000_000))
    assert deadlines(clock) == (None, at(1_000_000 + 530_000), None)
    clock = charge_move(clock, 1, (2,), at(1_000_010), same_decision=False)
    assert clock.banks_ms == (600_000, 600_000 - 70_010 + 5_000, 600_000)


def test_free_time_is_not_given_twice_by_a_pause() -> None:
    clock = resume_clock(pause_clock(begun(BARE, 1), at(20_000)), at(500_000))
    assert expired_seats(clock, at(510_000)) == ()
    assert expired_seats(clock, at(510_001)) == (1,)


def test_who_was_late_before_a_pause_is_so_after_it() -> None:
    clock = resume_clock(pause_clock(begun(BARE, 1), at(30_001)), at(500_000))
    assert expired_seats(clock, at(500_000)) == (1,)


def test_a_move_that_is_ruled_on_during_a_pause() -> None:
    """It costs what had been used before the pause; the next decision has not begun to run."""
    clock = charge_move(pause_clock(begun(BANKED, 1), at(40_000)), 1, (2,), at(900_000), same_decision=False)
    assert clock.banks_ms == (600_000, 595_000, 600_000)
    assert deadlines(clock) == (None, None, None)
    assert deadlines(resume_clock(clock, at(1_000_000))) == (None, None, at(1_630_000))


def test_the_others_of_a_choice_stand_still_as_well() -> None:
    clock = pause_clock(begun(BARE, 0, 1, 2), at(10_000))
    clock = charge_move(clock, 1, (0, 2), at(50_000), same_decision=True)
    assert deadlines(resume_clock(clock, at(100_000))) == (at(120_000), None, at(120_000))


def test_pausing_twice_or_resuming_what_runs_changes_nothing_that_was_used() -> None:
    clock = pause_clock(begun(BARE, 1), at(10_000))
    assert pause_clock(clock, at(20_000)) == clock
    again = resume_clock(resume_clock(clock, at(30_000)), at(45_000))
    assert deadlines(again) == (None, at(50_000), None)


def test_nothing_runs_when_the_match_is_over() -> None:
    clock = stop_clock(begun(BANKED, 1), at(100_000))
    assert clock.banks_ms == (600_000, 530_000, 600_000)
    assert expired_seats(clock, at(90_000_000)) == ()
    assert resume_clock(clock, at(200_000)).since == (None, None, None)


# Take-backs


def test_a_take_back_refunds_nothing_and_takes_increments_away() -> None:
    clock = begun(BANKED, 0)
    first = charge_move(clock, 0, (1,), at(130_000), same_decision=False)
    assert first.banks_ms == (505_000, 600_000, 600_000)
    second = charge_move(first, 1, (2,), at(200_000), same_decision=False)
    assert second.banks_ms == (505_000, 565_000, 600_000)
    third = charge_move(second, 2, (0,), at(210_000), same_decision=False)
    back = restore_clock(third, first.credited_ms, (1,), at(300_000))
    assert back.banks_ms == (505_000 - 60_000, 560_000, 600_000), "seat 0 had begun to use its bank"
    assert back.credited_ms == (5_000, 0, 0)
    assert deadlines(back) == (None, at(300_000 + 30_000 + 560_000), None)


def test_what_was_earned_and_used_again_is_not_owed() -> None:
    control = Control(0, 10_000, 5_000, "forfeit")
    clock = charge_move(start_clock(control, 2, (0,), at(0)), 0, (0,), at(10_000), same_decision=False)
    assert clock.banks_ms == (5_000, 10_000)
    clock = charge_move(clock, 0, (1,), at(14_000), same_decision=False)
    assert clock.banks_ms == (6_000, 10_000)
    back = restore_clock(clock, (0, 0), (0,), at(14_000))
    assert back.banks_ms == (0, 10_000)
    assert expired_seats(back, at(14_000)) == ()
    assert expired_seats(back, at(14_001)) == (0,)


def test_a_pause_goes_on_over_a_take_back() -> None:
    clock = pause_clock(charge_move(begun(BANKED, 0), 0, (1,), at(10_000), same_decision=False), at(50_000))
    back = restore_clock(clock, (0, 0, 0), (0,), at(400_000))
    assert back.banks_ms == (600_000, 590_000, 600_000)
    assert deadlines(back) == (None, None, None)
    assert deadlines(resume_clock(back, at(500_000))) == (at(1_130_000), None, None)


def test_a_match_that_was_over_runs_again() -> None:
    over = charge_move(begun(BANKED, 2), 2, (), at(10_000), same_decision=False)
    assert deadlines(over) == (None, None, None)
    back = restore_clock(over, (0, 0, 0), (2,), at(90_000))
    assert back.banks_ms == (600_000, 600_000, 600_000)
    assert deadlines(back) == (None, None, at(720_000))


# Time given and taken by a referee


def test_a_referee_gives_time_to_a_bank_and_takes_it() -> None:
    clock = add_time(begun(BANKED, 1), 1, 60_000)
    assert deadlines(clock) == (None, at(690_000), None)
    assert add_time(clock, 1, -700_000).banks_ms == (600_000, 0, 600_000)
    assert add_time(clock, 2, -1).banks_ms == (600_000, 660_000, 599_999)


def test_without_banks_the_running_decision_gets_it() -> None:
    clock = begun(BARE, 1)
    assert deadlines(add_time(clock, 1, 45_000)) == (None, at(75_000), None)
    assert deadlines(add_time(clock, 1, -10_000)) == (None, at(20_000), None)
    assert add_time(clock, 0, 45_000) == clock, "it has no decision to make"
    following = charge_move(add_time(clock, 1, 45_000), 1, (1,), at(70_000), same_decision=False)
    assert deadlines(following) == (None, at(100_000), None), "it was for that decision alone"


def test_time_given_to_a_late_seat_counts_from_where_it_is_late() -> None:
    clock = resume_clock(add_time(pause_clock(begun(BARE, 1), at(31_000)), 1, 11_000), at(100_000))
    assert deadlines(clock) == (None, at(110_000), None)


# Laws


class Step(NamedTuple):
    """Something that happens so many milliseconds after what happened before it."""

    what: str
    after: int
    seat: int
    choice: int


KINDS = ("move", "move", "move", "together", "pause", "resume")
STEPS = st.lists(
    st.builds(Step, st.sampled_from(KINDS), st.integers(0, 200_000), st.integers(0, 2), st.integers(1, 7)), max_size=16
)
CONTROLS = st.builds(
    Control, st.sampled_from([0, 1, 30_000]), st.integers(1, 900_000), st.integers(0, 20_000), st.just("referee")
)


class Watch:
    """The same time kept the plain way: a count of milliseconds a seat, which goes on from event to event."""

    def __init__(self, control: Control) -> None:
        self.control, self.now, self.is_paused = control, 0, False
        self.to_act: tuple[int, ...] = (0,)
        self.banks = [control.bank_ms or 0] * 3
        self.used, self.thought, self.late, self.earned = [0] * 3, [0] * 3, [0] * 3, [0] * 3

    def wait(self, ms: int) -> None:
        self.now += ms
        for seat in () if self.is_paused else self.to_act:
            self.used[seat] += ms
            self.thought[seat] += ms

    def move(self, seat: int, following: tuple[int, ...], together: bool) -> None:
        beyond = max(0, self.used[seat] - self.control.move_ms)
        self.late[seat] += beyond - min(beyond, self.banks[seat])
        self.banks[seat] += self.control.increment_ms - min(beyond, self.banks[seat])
        self.earned[seat] += self.control.increment_ms
        self.used = [0 if at == seat else ms for at, ms in enumerate(self.used)] if together else [0] * 3
        self.to_act = following


def seats_of(choice: int) -> tuple[int, ...]:
    """One to three seats, by the bits of 1 to 7."""
    return tuple([seat for seat in range(3) if choice >> seat & 1])


Moment = tuple[Clock, Watch]


def played(control: Control, steps: list[Step], begin: int = 0) -> Iterator[Moment]:
    """Both clocks after each of the events; the match begins so many milliseconds after noon."""
    clock, watch = start_clock(control, 3, (0,), at(begin)), Watch(control)
    for step in steps:
        watch.wait(step.after)
        now = at(begin + watch.now)
        if step.what in ("pause", "resume"):
            watch.is_paused = step.what == "pause"
            clock = pause_clock(clock, now) if watch.is_paused else resume_clock(clock, now)
        else:
            seat = watch.to_act[step.seat % len(watch.to_act)]
            rest = tuple([other for other in watch.to_act if other != seat])
            together = step.what == "together" and bool(rest)
            following = rest if together else seats_of(step.choice)
            clock = charge_move(clock, seat, following, now, same_decision=together)
            watch.move(seat, following, together)
        yield clock, watch


def law(examples: int) -> settings:
    """How a law is tried: the same examples in every run."""
    return settings(max_examples=examples, deadline=None, derandomize=True)


@law(60)
@given(CONTROLS, STEPS)
def test_no_time_is_made_or_lost(control: Control, steps: list[Step]) -> None:
    """A bank is what it began with and what was earned, less the time beyond the free one; what was beyond the bank as
    well is nobody's debt."""
    for clock, watch in played(control, steps):
        now = at(watch.now)
        assert list(clock.banks_ms) == watch.banks
        assert list(clock.credited_ms) == watch.earned
        assert [used_ms(clock, seat, now) for seat in range(3)] == watch.used
        assert min(clock.banks_ms) >= 0


@law(40)
@given(CONTROLS, STEPS)
def test_every_millisecond_of_thought_is_in_the_accounts_once(control: Control, steps: list[Step]) -> None:
    """Of a match without free time in which one seat at a time is to act."""
    bare = control._replace(move_ms=0)
    alone = [step._replace(choice=1 << step.seat) for step in steps]
    for clock, watch in played(bare, alone):
        for seat in range(3):
            spent = (bare.bank_ms or 0) + clock.credited_ms[seat] - clock.banks_ms[seat]
            assert spent + watch.late[seat] + watch.used[seat] == watch.thought[seat]


@law(40)
@given(CONTROLS, STEPS, st.integers(0, 3_000))
def test_a_seat_is_late_when_it_has_used_more_than_it_had(control: Control, steps: list[Step], wait: int) -> None:
    for clock, watch in played(control, steps):
        left = [control.move_ms + watch.banks[seat] - watch.used[seat] for seat in range(3)]
        running = () if watch.is_paused else watch.to_act
        assert expired_seats(clock, at(watch.now + wait)) == tuple([seat for seat in running if wait > left[seat]])
        assert deadlines(clock) == tuple([at(watch.now + left[seat]) if seat in running else None for seat in range(3)])


@law(40)
@given(CONTROLS, STEPS, st.integers(0, 10**9), st.data())
def test_a_pause_changes_no_time_of_any_seat(control: Control, steps: list[Step], length: int, data: Any) -> None:
    """Wherever it is put and however long it is, all that comes later comes so much later."""
    plain = [step for step in steps if step.what not in ("pause", "resume")]
    place = data.draw(st.integers(0, len(plain)))
    split = data.draw(st.integers(0, 200_000))
    before = [Step("pause", min(split, plain[place].after if place < len(plain) else split), 0, 1)]
    rest = [step._replace(after=step.after - before[0].after) for step in plain[place : place + 1]]
    halted = [*plain[:place], *before, Step("resume", length, 0, 1), *rest, *plain[place + 1 :]]
    ends = [[*played(control, each)] for each in (plain, halted)]
    if rest:
        (clock, _), (other, _) = ends[0][-1], ends[1][-1]
        assert other.banks_ms == clock.banks_ms
        assert [None if each is None else instant(each) - length for each in deadlines(other)] == [
            None if each is None else instant(each) for each in deadlines(clock)
        ]


@law(25)
@given(CONTROLS, STEPS, st.integers(-(10**10), 10**10))
def test_only_differences_of_times_count(control: Control, steps: list[Step], begin: int) -> None:
    for (clock, _), (other, _) in zip(played(control, steps), played(control, steps, begin), strict=True):
        assert (other.banks_ms, other.spent_ms, other.credited_ms) == (
            clock.banks_ms,
            clock.spent_ms,
            clock.credited_ms,
        )


@law(40)
@given(CONTROLS, STEPS, st.integers(0, 200_000), st.data())
def test_a_take_back_never_gives_time(control: Control, steps: list[Step], wait: int, data: Any) -> None:
    """Each bank is at most what it was; what is missing is the increments and what the decision had used of it."""
    moments = [clock for clock, _ in played(control, steps)]
    if moments:
        then = data.draw(st.sampled_from(moments))
        clock, now = moments[-1], at(sum(step.after for step in steps) + wait)
        back = restore_clock(clock, then.credited_ms, (1,), now)
        assert back.credited_ms == then.credited_ms
        for seat in range(3):
            beyond = max(0, used_ms(clock, seat, now) - control.move_ms)
            lost = clock.credited_ms[seat] - then.credited_ms[seat]
            assert back.banks_ms[seat] == max(0, max(0, clock.banks_ms[seat] - beyond) - lost)
            assert 0 <= back.banks_ms[seat] <= clock.banks_ms[seat]
        assert back.is_paused == clock.is_paused
