"""Scores of Catte (section 6 of the rulebook): what a round is worth, and why."""

from collections.abc import Sequence

from gyoji.games.catte.components import LIMIT, total
from gyoji.games.catte.state import BustBonus, Outcome, Round, State
from gyoji.games.game import Line, Seat, highest


def times_counted(value: int, limit: int) -> int:
    """CAT-6.1: the total of the acquired coffee cards as it is, doubled exactly at the limit, nothing above it."""
    if value < limit:
        return 1
    return 2 if value == limit else 0


def forfeits(bust_bonus: BustBonus, value: int, limit: int) -> bool:
    """CAT-R2: with ``bust_bonus: forfeit`` a seat above the limit gets nothing for its unused coffee cards."""
    return value > limit and bust_bonus == "forfeit"


def unused_points(bust_bonus: BustBonus, value: int, unused: int, limit: int) -> int:
    """CAT-6.2: the number of unused coffee cards, squared, unless forfeited."""
    return 0 if forfeits(bust_bonus, value, limit) else unused * unused


def round_points(bust_bonus: BustBonus, values: Sequence[int], unused: Sequence[int]) -> tuple[int, ...]:
    """CAT-6.3: a seat's points for what its acquired coffee cards total and for its unused ones, added up."""
    limit = LIMIT[len(values)]
    return tuple(
        [
            times_counted(value, limit) * value + unused_points(bust_bonus, value, left, limit)
            for value, left in zip(values, unused, strict=True)
        ]
    )


def coffee_line(number: int, seat: Seat, value: int, limit: int) -> Line:
    """Return the score item of CAT-6.1 for a seat's acquired coffee cards in a round."""
    times = times_counted(value, limit)
    return {
        "seat": seat,
        "rule": "CAT-6.1",
        "points": times * value,
        "round": number,
        "times": times,
        "total": value,
        "limit": limit,
    }


def unused_line(number: int, seat: Seat, unused: int) -> Line:
    """Return the score item of CAT-6.2 for a seat's unused coffee cards in a round."""
    return {"seat": seat, "rule": "CAT-6.2", "points": unused * unused, "round": number, "unused": unused}


def forfeit_line(number: int, seat: Seat, value: int, unused: int, limit: int) -> Line:
    """Return the score item of CAT-R2, worth nothing, for a seat that forfeits its unused coffee cards in a round."""
    return {
        "seat": seat,
        "rule": "CAT-R2",
        "points": 0,
        "round": number,
        "unused": unused,
        "total": value,
        "limit": limit,
    }


def round_lines(number: int, bust_bonus: BustBonus, finished: Round) -> tuple[Line, ...]:
    """Return two score items for each seat, in seat order, for round ``number``."""
    limit = LIMIT[len(finished.unused)]
    explained: list[Line] = []
    for seat, unused in enumerate(finished.unused):
        value = total(finished.acquired[seat])
        explained.append(coffee_line(number, seat, value, limit))
        if forfeits(bust_bonus, value, limit):
            explained.append(forfeit_line(number, seat, value, unused, limit))
        else:
            explained.append(unused_line(number, seat, unused))
    return tuple(explained)


def lines(state: State) -> tuple[Line, ...]:
    """Return all score items of the finished rounds, round by round."""
    return tuple(
        [
            line
            for number, finished in enumerate(state.rounds, 1)
            for line in round_lines(number, state.options.bust_bonus, finished)
        ]
    )


def outcome(scores: tuple[int, ...]) -> Outcome:
    """CAT-7.3: the highest total wins; equal totals share the win."""
    return {"winners": highest(scores), "scores": scores, "reason": "rounds_played"}
