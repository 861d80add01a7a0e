"""Declares what a game can be asked of a position that is known in part, and what decides there.

Of a position a question knows some *facts* (a card that was led, day or night), some cards of the hand of whoever is to
play, and cards that lie elsewhere. A game says which facts its rules look at beside that hand, and makes of all of them
a position that its own rules rule on (``completions`` finds every one that agrees with what is known).
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from gyoji.games.game import Card, Move, Position, RuleId

S = TypeVar("S", bound=Position)

Value = str | None
"""What a fact may be: the code of a card, a word, or ``None``: nothing lies there."""
Facts = Mapping[str, Value]
"""Facts by name."""
Hand = tuple[Card, ...]

HAND = "hand"
"""What an answer is about that is about no fact: the cards of the hand beside those that are seen."""


def suit_of(card: Card) -> str:
    """Return the suit that stands before the number in the code of a card; the whole of a word without one."""
    return card.rstrip("0123456789")


class Permission(NamedTuple):
    """The reason why a move is legal: the rule, and a sentence of ``[question.permitted]`` in the game's words with its
    facts."""

    rule: RuleId
    because: str
    facts: Mapping[str, Any] = {}


class Questions(NamedTuple, Generic[S]):
    """What a game can be asked without its whole position."""

    facts: type[Any]
    """A typed dict of the facts: each a word or the code of a card, none required. They are asked in this order."""
    moves: tuple[str, ...]
    """The types of the moves that may be asked about."""
    deck: Callable[[Any], Sequence[Card]]
    """(options) -> every card that a hand may hold, as often as there is one, in hand order."""
    most: Callable[[int], int]
    """(seats) -> how many cards the hand of a seat on turn has at most."""
    values: Callable[[Any], Mapping[str, tuple[Value, ...]]]
    """(options) -> every value that each fact may have."""
    position: Callable[[S, Facts, Hand], S | None]
    """(any position under these options, all facts, a hand in hand order) -> a position with these facts in which the
    one seat to act has that hand; ``None`` where the facts cannot all be so."""
    alike: Callable[[Facts, Card], Hashable]
    """(all facts, a card of the hand) -> what rulings on *other* cards see of it: they depend on nothing of the hand
    but which of these it has at all."""
    permits: Callable[[S, Move], Permission]
    """(a position, a legal move) -> why it is legal."""
    permitted: tuple[str, ...]
    """The sentences that ``permits`` gives, by name."""
