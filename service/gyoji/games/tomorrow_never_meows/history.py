"""Finds why the finished rounds of Tomorrow Never Meows cannot have been, and what they determine of the next round."""

from collections.abc import Iterator
from functools import lru_cache
from operator import gt

from gyoji.games.game import Finding, Seat, clockwise
from gyoji.games.tomorrow_never_meows.components import BASIC_OF, BASIC_WISHES, HAND_SIZE, SUIT_SIZE, WISHES
from gyoji.games.tomorrow_never_meows.rounds import next_leader, wishing_order
from gyoji.games.tomorrow_never_meows.rules import in_play, wish_forbidden
from gyoji.games.tomorrow_never_meows.scores import round_points, scored_round, totals
from gyoji.games.tomorrow_never_meows.state import Options, Round, State

BASIC = frozenset(BASIC_WISHES)


def history(state: State, phase: str) -> Iterator[Finding]:
    """Find where a finished round broke the rules of wishing or does not add up, or the state disagrees with it."""
    last: tuple[str | None, ...] = (None,) * state.seats
    before, spent = last, (False,) * state.seats
    for at, done in enumerate(state.rounds):
        yield from _wishes(state.options, f"/table/rounds/{at}", done.wishes, last, spent)
        for finding in _flaws(state.seats, state.options, done):
            yield finding._replace(pointer=f"/table/rounds/{at}{finding.pointer}")
        before, last, spent = last, done.wishes, _spent(spent, done.wishes)
    if state.last_wishes != (before if phase == "finished" else last):
        yield Finding("/table/last_wishes", "wrong-value")
    if state.advanced != spent:
        yield Finding("/table/advanced", "wrong-value")
    yield from _opening(state)
    if phase == "finished" and state.rounds[-1] != scored_round(state):
        yield Finding(f"/table/rounds/{len(state.rounds) - 1}", "wrong-value")


def _spent(before: tuple[bool, ...], wishes: tuple[str, ...]) -> tuple[bool, ...]:
    """TNM-2.6: who has chosen an advanced wish, after a round with these wishes."""
    if BASIC.issuperset(wishes):
        return before
    return tuple([was or wish in BASIC_OF for was, wish in zip(before, wishes, strict=True)])


def _wishes(
    options: Options,
    pointer: str,
    wishes: tuple[str | None, ...],
    last: tuple[str | None, ...],
    spent: tuple[bool, ...],
) -> Iterator[Finding]:
    """TNM-2.5, TNM-2.6, TNM-2.7: wishes that the seats could choose."""
    if BASIC.issuperset(wishes):  # TNM-2.4
        return
    for seat, wish in enumerate(wishes):
        if wish not in WISHES or wish_forbidden(options.wishes, last[seat], spent[seat], wish):
            yield Finding(f"{pointer}/wishes/{seat}", "wrong-value")


REMEMBERED = 256
"""Finished rounds, lately looked at: the positions of a game have the same ones, move after move."""


@lru_cache(REMEMBERED)
def _flaws(seats: int, options: Options, done: Round) -> tuple[Finding, ...]:
    """What is wrong with a finished round by itself; pointers into the round."""
    return (*_announced(options, done.announced), *_round(seats, options, done))


def _announced(options: Options, announced: tuple[str | None, ...]) -> Iterator[Finding]:
    """TNM-7.2: with concealed wishes every seat has announced one of the game in play, otherwise none has."""
    for seat, wish in enumerate(announced):
        wrong = not (options.concealed and in_play(options, wish)) if wish else options.concealed
        if wrong:
            yield Finding(f"/announced/{seat}", "wrong-value")


def _round(seats: int, options: Options, done: Round) -> Iterator[Finding]:
    """All tricks and their cards were won by someone, and the points are those of the wishes."""
    if sum(done.tricks) != HAND_SIZE[seats]:
        yield Finding("/tricks", "wrong-count", {"expected": HAND_SIZE[seats]})
    for seat, tricks in enumerate(done.tricks):
        if sum(done.won[seat]) != tricks * seats:
            yield Finding(f"/won/{seat}", "wrong-count", {"expected": tricks * seats})
    if any(map(gt, map(sum, zip(*done.won, strict=True)), SUIT_SIZE.values())):
        yield Finding("/won", "wrong-count")
    if done.points != round_points(options, done):
        yield Finding("/points", "wrong-scores")


def _opening(state: State) -> Iterator[Finding]:
    """TNM-2.2, TNM-2.3, TNM-5.3: who leads first in this round, and in which order the seats wish."""
    leaders = []
    for leader, order in _openings(state, state.round - 1):
        if state.first_lead == leader and state.wish_order == order:
            return
        leaders.append(leader)
    if state.first_lead in leaders:
        yield Finding("/table/wish_order", "wrong-order")
    else:
        yield Finding("/table/first_lead", "wrong-lead")


def _openings(state: State, before: int) -> Iterator[tuple[Seat, tuple[Seat, ...]]]:
    """First lead player and order of wishing as they can be after so many rounds; TNM-1.3 leaves the first open."""
    if before == 0:
        for first in range(state.seats):
            yield first, clockwise(first, state.seats)
        return
    scores = totals(state.seats, state.rounds[:before])
    # where no scores are equal it makes no difference who led before
    plain = len({*scores}) == state.seats and state.options.round_leader == "lowest_score"
    for last in (0,) if plain else _leaders(state, before - 1):
        leader = next_leader(state.options, scores, last)
        yield leader, wishing_order(state.options, scores, last, leader)


def _leaders(state: State, before: int) -> tuple[Seat, ...]:
    """The seats that can have led first after so many rounds."""
    if before == 0 or state.options.round_leader == "clockwise":
        return tuple(range(state.seats))
    scores = totals(state.seats, state.rounds[:before])
    lowest = min(scores)
    if scores.count(lowest) == 1:
        return (scores.index(lowest),)
    return tuple([next_leader(state.options, scores, last) for last in _leaders(state, before - 1)])
