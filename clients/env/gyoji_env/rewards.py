"""What seats are rewarded with: functions of the standings, by name.

``score``   the own points: every step brings what it changes of them.
``margin``  by how much these are more than the others have on average; the margins of all seats add up to nothing.
``rank``    at the end: the share of the others whom one leaves behind, less the share of those who are ahead.
``win``     at the end: 1 for who wins alone, and as much less than nothing for the others that all adds up to nothing;
            those who win together share.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

Standings = Sequence[float]
"""Points by seat."""


class Reward(NamedTuple):
    """A way to reward seats."""

    name: str
    value: Callable[[Standings, Sequence[int]], tuple[float, ...]]
    """(standings, who wins with them) -> what they are worth, by seat."""
    at_the_end: bool
    """Whether it is given when the game is over; else what a step changes of it is given after every step."""
    zero_sum: bool


def score(standings: Standings, _winners: Sequence[int]) -> tuple[float, ...]:
    """Return the points."""
    return tuple(map(float, standings))


def margin(standings: Standings, _winners: Sequence[int]) -> tuple[float, ...]:
    """Return by how much each seat has more points than the others on average."""
    others, total = len(standings) - 1, sum(standings)
    return tuple([own - (total - own) / others for own in standings])


def rank(standings: Standings, _winners: Sequence[int]) -> tuple[float, ...]:
    """Return which share of the others each seat is ahead of, less the share that is ahead of it."""
    others = len(standings) - 1
    return tuple([sum([(own > other) - (own < other) for other in standings]) / others for own in standings])


def win(standings: Standings, winners: Sequence[int]) -> tuple[float, ...]:
    """Return what the winners win of the others."""
    seats = len(standings)
    share = seats / len(winners)
    return tuple([((share if seat in winners else 0.0) - 1) / (seats - 1) for seat in range(seats)])


REWARDS: Mapping[str, Reward] = {
    "score": Reward("score", score, at_the_end=False, zero_sum=False),
    "margin": Reward("margin", margin, at_the_end=False, zero_sum=True),
    "rank": Reward("rank", rank, at_the_end=True, zero_sum=True),
    "win": Reward("win", win, at_the_end=True, zero_sum=True),
}

COOPERATIVE = ("score",)
"""Those that there are where all win or lose together."""


def reward_of(name: str, cooperative: bool) -> Reward:
    """Return the reward of that name. ``ValueError`` where the game has none such."""
    names = COOPERATIVE if cooperative else tuple(REWARDS)
    if name not in names:
        raise ValueError(f"reward: one of {', '.join(names)}")
    return REWARDS[name]
