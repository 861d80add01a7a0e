"""Clocks measure how long each seat may think, and how long it has thought.

A decision gives every seat that is to act ``move_ms`` for free; after that its bank runs. Whoever has moved gets its
increment. Where several choose together, each seat's own time runs until it has chosen. Nothing happens by itself when
a deadline has passed: a late move stands unless somebody has claimed the expiry first. While the match is paused, time
stands still. All of it follows from the times of the log; the clock of the machine is never read.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, get_args

from gyoji.games.game import Seat, replace_at
from gyoji.games.records import Within
from gyoji.log.times import instant, written_instant

Expiry = Literal["referee", "forfeit", "default", "pass"]
"""What happens to a seat whose time is up: the match is paused for a referee, the seat forfeits, the first of its legal
moves is made for it, or it passes."""

LONGEST_MS = 366 * 24 * 60 * 60 * 1000
"""No duration of a control is longer."""


class Control(NamedTuple):
    """The time control of a match; all durations in milliseconds."""

    move_ms: Annotated[int, Within(0, LONGEST_MS)]
    """Free time of every decision."""
    bank_ms: Annotated[int | None, Within(0, LONGEST_MS)]
    """Each seat's time beside that, for the whole match; ``None``: there is none."""
    increment_ms: Annotated[int, Within(0, LONGEST_MS)]
    """What a move adds to the bank of its seat."""
    on_expiry: Expiry


class Clock(NamedTuple):
    """The clock of a match, by seat; all durations in milliseconds."""

    control: Control
    banks_ms: tuple[int, ...]
    """What is left of each bank after the decisions made so far; 0 without a bank."""
    credited_ms: tuple[int, ...]
    """The increments that each seat has earned so far."""
    since: tuple[str | None, ...]
    """Since when a seat's time runs; ``None``: it does not."""
    spent_ms: tuple[int, ...]
    """What each seat had used of the running decision before ``since``; below 0 where a referee gave it time."""
    to_act: tuple[Seat, ...]
    """The seats whose decision this is."""
    is_paused: bool = False


def read_control(found: object) -> Control | None:
    """Read the time control that a log states as ``clock``; ``None`` if the value is no time control."""
    if not isinstance(found, Mapping) or found.keys() != set(Control._fields):
        return None
    control = Control(**found)
    return control if _is_sound(control) else None


def _is_sound(control: Control) -> bool:
    move, bank, increment, on_expiry = control
    durations = [move, increment] if bank is None else [move, increment, bank]
    if not all(type(duration) is int and 0 <= duration <= LONGEST_MS for duration in durations):
        return False
    has_time = move > 0 if bank is None else move + bank > 0
    return has_time and (bank is not None or increment == 0) and on_expiry in get_args(Expiry)


def write_control(control: Control) -> dict[str, Any]:
    """Write a time control as the log states it."""
    return control._asdict()


def start_clock(control: Control, seats: int, to_act: tuple[Seat, ...], at: str) -> Clock:
    """Start the clock of a match whose first decision begins at that time."""
    nothing = (0,) * seats
    clock = Clock(control, (control.bank_ms or 0,) * seats, nothing, (None,) * seats, nothing, ())
    return _begun(clock, to_act, at)


def charge_move(clock: Clock, seat: Seat, to_act: tuple[Seat, ...], at: str, *, same_decision: bool) -> Clock:
    """Charge a seat for its move, in time or late, and start the time of ``to_act``, who are to act now. A move made
    for a seat counts as its own.

    ``same_decision``: the others are still to choose in the decision that the seat has chosen in, and their time runs
    on. Otherwise a new decision begins, for all of them.
    """
    clock = _charged(clock, seat, at)
    increment = clock.control.increment_ms
    clock = clock._replace(
        banks_ms=replace_at(clock.banks_ms, seat, clock.banks_ms[seat] + increment),
        credited_ms=replace_at(clock.credited_ms, seat, clock.credited_ms[seat] + increment),
    )
    return _still(clock, seat)._replace(to_act=to_act) if same_decision else _begun(clock, to_act, at)


def pause_clock(clock: Clock, at: str) -> Clock:
    """Pause the clock: no seat's time runs from then on."""
    used = tuple([used_ms(clock, seat, at) for seat in range(len(clock.since))])
    return clock._replace(since=(None,) * len(used), spent_ms=used, is_paused=True)


def resume_clock(clock: Clock, at: str) -> Clock:
    """Resume the clock: the time of the seats to act runs on. A seat whose time was up before the pause is as late as
    it was."""
    if not clock.is_paused:
        return clock
    return clock._replace(since=_running(clock, clock.to_act, at), is_paused=False)


def stop_clock(clock: Clock, at: str) -> Clock:
    """Stop the clock at the end of the match. What has been used of the running decision is charged."""
    return _begun(_all_charged(clock, at)._replace(is_paused=False), (), at)


def restore_clock(clock: Clock, credited_then: tuple[int, ...], to_act: tuple[Seat, ...], at: str) -> Clock:
    """Set the clock after a take-back. Each seat had earned ``credited_then`` in the restored position, and ``to_act``
    are to act.

    Time used stays used, that of the decision which is given up too; increments earned since are taken away; a pause
    goes on.
    """
    clock = _all_charged(clock, at)
    lost = [now - then for now, then in zip(clock.credited_ms, credited_then, strict=True)]
    banks = tuple([max(0, bank - less) for bank, less in zip(clock.banks_ms, lost, strict=True)])
    return _begun(clock._replace(banks_ms=banks, credited_ms=credited_then), to_act, at)


def add_time(clock: Clock, seat: Seat, ms: int) -> Clock:
    """Add time that a referee gives a seat, or (below 0) takes: to its bank, which is never below 0. Without banks to
    the decision that it has to make, if it has to make one."""
    if clock.control.bank_ms is not None:
        return clock._replace(banks_ms=replace_at(clock.banks_ms, seat, max(0, clock.banks_ms[seat] + ms)))
    if seat not in clock.to_act:
        return clock
    return clock._replace(spent_ms=replace_at(clock.spent_ms, seat, clock.spent_ms[seat] - ms))


def used_ms(clock: Clock, seat: Seat, at: str) -> int:
    """Return the milliseconds that a seat has used of the running decision. The times of a log never run backwards, so
    ``at`` is not before ``since``."""
    since = clock.since[seat]
    return clock.spent_ms[seat] + (0 if since is None else instant(at) - instant(since))


def deadlines(clock: Clock) -> tuple[str | None, ...]:
    """Return, by seat, the last moment at which a move is in time; ``None`` where no time runs. A moment beyond the
    last time that can be written is that time."""
    allowed, spent = _allowed(clock), clock.spent_ms
    return tuple(
        [
            None if since is None else written_instant(instant(since) + allowed[seat] - spent[seat])
            for seat, since in enumerate(clock.since)
        ]
    )


def expired_seats(clock: Clock, at: str) -> tuple[Seat, ...]:
    """Return the seats whose deadline had passed at a time."""
    now = instant(at)
    return tuple([seat for seat, last in enumerate(deadlines(clock)) if last is not None and now > instant(last)])


def _allowed(clock: Clock) -> list[int]:
    return [clock.control.move_ms + bank for bank in clock.banks_ms]


def _charged(clock: Clock, seat: Seat, at: str) -> Clock:
    """What the seat has used beyond its free time is gone from its bank."""
    beyond = max(0, used_ms(clock, seat, at) - clock.control.move_ms)
    return clock._replace(banks_ms=replace_at(clock.banks_ms, seat, max(0, clock.banks_ms[seat] - beyond)))


def _all_charged(clock: Clock, at: str) -> Clock:
    for seat in clock.to_act:
        clock = _charged(clock, seat, at)
    return clock


def _still(clock: Clock, seat: Seat) -> Clock:
    return clock._replace(since=replace_at(clock.since, seat, None), spent_ms=replace_at(clock.spent_ms, seat, 0))


def _begun(clock: Clock, to_act: tuple[Seat, ...], at: str) -> Clock:
    """A new decision, of which nothing has been used."""
    return clock._replace(
        since=_running(clock, () if clock.is_paused else to_act, at),
        spent_ms=(0,) * len(clock.spent_ms),
        to_act=to_act,
    )


def _running(clock: Clock, seats: tuple[Seat, ...], at: str) -> tuple[str | None, ...]:
    return tuple([at if seat in seats else None for seat in range(len(clock.since))])
