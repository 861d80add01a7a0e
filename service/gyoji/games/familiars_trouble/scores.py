"""Scores of Familiar's Trouble: verdict and points."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from gyoji.games.familiars_trouble.components import ATTRIBUTES, SEATS
from gyoji.games.familiars_trouble.errands import Errand, ErrandId
from gyoji.games.familiars_trouble.state import Outcome, State, errand_deck
from gyoji.games.game import Card, Line, Seat

Totals = tuple[int, int, int]
"""Red, blue and green."""

Rating = Literal["poor", "fair", "good", "excellent", "legendary"]

RATINGS: tuple[tuple[int, Rating], ...] = (
    (50, "legendary"),
    (40, "excellent"),
    (30, "good"),
    (20, "fair"),
    (0, "poor"),
)


def totals(cards: Sequence[Card]) -> Totals:
    """FAM-4.1: red, blue and green over the three cards played."""
    one, two, three = cards
    red, blue, green = ATTRIBUTES[one]
    red2, blue2, green2 = ATTRIBUTES[two]
    red3, blue3, green3 = ATTRIBUTES[three]
    return red + red2 + red3, blue + blue2 + blue3, green + green2 + green3


def is_met(errand: Errand, reached: Totals) -> bool:
    """FAM-4.2: all the requirements of the errand are within the totals."""
    red, blue, green = errand.requires
    return red <= reached[0] and blue <= reached[1] and green <= reached[2]


def completed_by(reached: Totals, errands: Iterable[ErrandId], deck: Mapping[ErrandId, Errand]) -> tuple[ErrandId, ...]:
    """FAM-4.2, FAM-R8: every errand that is met, in display order; each is compared with the full totals."""
    return tuple([errand for errand in errands if is_met(deck[errand], reached)])


def points(errands: Iterable[ErrandId], deck: Mapping[ErrandId, Errand]) -> int:
    """FAM-6.2: the sum of the errands' points."""
    return sum([deck[errand].points for errand in errands])


def rating(score: int) -> Rating:
    """FAM-6.3: the band of the publisher's revised chart that the team's score lies in."""
    return next(label for least, label in RATINGS if score >= least)


def winners(scores: Sequence[int]) -> tuple[Seat, ...]:
    """FAM-6.2: the score is the team's, and all seats win or lose together."""
    return tuple(range(len(scores)))


def outcome(score: int) -> Outcome:
    """FAM-6.1: how the game ended; the rating says how well the seats did."""
    scores = (score,) * SEATS
    return {
        "winners": winners(scores),
        "scores": scores,
        "reason": "hands_played",
        "rating": rating(score),
    }


def lines(state: State) -> tuple[Line, ...]:
    """FAM-4.2: return one score item for each completed errand, with its requirements; they add up to the team's
    score."""
    deck = errand_deck(state.options)
    return tuple([_line(deck[errand]) for errand in state.completed])


def _line(errand: Errand) -> Line:
    return {
        "seat": None,
        "rule": "FAM-4.2",
        "points": errand.points,
        "errand": errand.id,
        **errand.requires._asdict(),
    }
