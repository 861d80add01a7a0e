"""Counts cards in a state: every card of the deck has to be somewhere, once."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from gyoji.games.game import Card, Finding

Pile = tuple[str, Sequence[Card]]
"""A pointer and the cards that lie there."""


def miscounted(deck: Counter[Card], piles: Iterable[Pile]) -> Iterator[Finding]:
    """Find unknown cards and cards too many, at the pile where they lie; and cards that lie nowhere, at ``/table``.

    A finding names the pile and never the card, which may be hidden.
    """
    left = deck.copy()
    for pointer, cards in piles:
        unknown = twice = False
        for card in cards:
            if card not in deck:
                unknown = True
            elif left[card] == 0:
                twice = True
            else:
                left[card] -= 1
        if unknown:
            yield Finding(pointer, "unknown-card")
        if twice:
            yield Finding(pointer, "duplicate-card")
    missing = left.total()
    if missing:
        yield Finding("/table", "missing-card", {"count": missing})


def unsorted(rank: Callable[[Card], int], piles: Iterable[Pile]) -> Iterator[Finding]:
    """Find piles that are kept in canonical order and do not lie in it; ``rank`` gives a card's place in that order."""
    for pointer, cards in piles:
        ranks = [rank(card) for card in cards]
        if any(ranks[at] > ranks[at + 1] for at in range(len(ranks) - 1)):
            yield Finding(pointer, "wrong-order")
