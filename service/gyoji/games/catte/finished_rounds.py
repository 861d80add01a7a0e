"""Finds why a finished round of Catte cannot have come about by play, and what its coffee cards tell of it."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from gyoji.games.catte.components import CATS_EACH, COFFEE_EACH, LIMIT, VALUE, total
from gyoji.games.catte.rules import round_end
from gyoji.games.catte.scores import round_points
from gyoji.games.catte.state import BustBonus, Round, State
from gyoji.games.game import Card, Finding, Seat


def tricks_won(acquired: Sequence[Sequence[Card]]) -> int:
    """CAT-4.3: each trick of the round has given its winner one coffee card."""
    return sum(map(len, acquired))


def last_winner(won: Sequence[int], unused: Sequence[int], each: int) -> Seat | None:
    """CAT-2.2, CAT-4.4: return the seat that has won a trick and not yet served for the next. ``None`` if there is
    none.

    Before that each seat has served once for every trick it won: the leftover coffee card of CAT-1.3 makes up for
    the last.
    """
    owing = [tricks + left - each for tricks, left in zip(won, unused, strict=True)]
    if 1 in owing and owing.count(0) == len(owing) - 1 and max(unused) <= each:
        return owing.index(1)
    return None


def finished_rounds(state: State) -> Iterator[Finding]:
    """Return the findings about each finished round by itself."""
    for at, finished in enumerate(state.rounds):
        for finding in _flaws(state.options.bust_bonus, finished):
            yield finding._replace(pointer=f"/table/rounds/{at}{finding.pointer}")


REMEMBERED = 256
"""Finished rounds, lately looked at: the positions of a game have the same ones, move after move."""


@lru_cache(REMEMBERED)
def _flaws(bust_bonus: BustBonus, finished: Round) -> tuple[Finding, ...]:
    return tuple(_found(bust_bonus, finished))


def _found(bust_bonus: BustBonus, finished: Round) -> Iterator[Finding]:
    """CAT-6.3: cards or points that cannot be; pointers into the round."""
    acquired, unused = finished.acquired, finished.unused
    won = [*map(len, acquired)]
    if len(set().union(*acquired)) < sum(won):
        yield Finding("/acquired", "duplicate-card")
    values = [*map(total, acquired)]
    points = round_points(bust_bonus, values, unused)
    if finished.points != points:
        yield Finding("/points", "wrong-scores", {"expected": points})
    winner = last_winner(won, unused, COFFEE_EACH[len(values)])
    if winner is None:
        yield Finding("/unused", "wrong-value")
    else:
        yield from _ending(finished, values, winner)


def _ending(finished: Round, values: list[int], winner: Seat) -> Iterator[Finding]:
    """CAT-R3: the last trick, and no trick before it, ended the round, for the first reason that holds."""
    seats = len(values)
    cats = CATS_EACH[seats] - tricks_won(finished.acquired)
    reason = round_end(seats, values[winner], cats, finished.unused[winner])
    values[winner] -= VALUE[finished.acquired[winner][-1]]
    if cats < 0 or max(values) > LIMIT[seats]:
        yield Finding("/acquired", "wrong-value")
    if reason is None:
        yield Finding("", "wrong-value")
    elif finished.reason != reason:
        yield Finding("/reason", "wrong-value", {"expected": reason})


def last_round(state: State) -> Iterator[Finding]:
    """CAT-R4: after the game the table lies as the last round left it, and the centre is empty."""
    if not is_over(state):
        return
    last, where = state.rounds[-1], f"/table/rounds/{len(state.rounds) - 1}"
    if state.coffee.centre is not None:
        yield Finding("/table/coffee/centre", "wrong-value")
    if last.acquired != state.coffee.acquired:
        yield Finding(f"{where}/acquired", "wrong-value")
    if last.unused != tuple(map(len, state.coffee.unused)):
        yield Finding(f"{where}/unused", "wrong-value")


def is_over(state: State) -> bool:
    """CAT-7.1: all rounds have been scored."""
    return len(state.rounds) == state.seats
