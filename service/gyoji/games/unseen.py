"""Deals the cards that a viewer does not see: what a position may be, as far as its view tells.

A hidden pile is shown as the number of its cards (``game.hidden_pile``); what lies open lies where it is shown. Which
cards are hidden follows: all of the deck that is not seen anywhere.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from gyoji.games.game import Card, Chance

Shown = Sequence[Card] | Mapping[str, int]
"""A pile as a view shows it: its cards, or how many there are."""


def deal_unseen(
    deck: Iterable[Card], open_cards: Iterable[Card], piles: Iterable[Shown], chance: Chance
) -> list[tuple[Card, ...]]:
    """Return the piles with their cards: those that are hidden have what is left of the deck, as chance deals it.

    ``open_cards`` are those that lie elsewhere, for all to see.
    """
    shown = [*piles]
    left = Counter(deck)
    left.subtract(open_cards)
    left.subtract(card for pile in shown if not isinstance(pile, Mapping) for card in pile)
    unseen = iter(chance("unseen", 0, [*left.elements()]))
    return [tuple(_taken(pile, unseen)) for pile in shown]


def _taken(pile: Shown, unseen: Iterator[Card]) -> Iterable[Card]:
    return islice(unseen, pile["count"]) if isinstance(pile, Mapping) else pile


def with_table(view: Mapping[str, Any], **members: Any) -> dict[str, Any]:
    """Return the view with other members of its table."""
    return {**view, "table": {**view["table"], **members}}


def cards_of(trick: Iterable[Mapping[str, Any]]) -> list[Card]:
    """List the cards of a trick as a view shows it."""
    return [play["card"] for play in trick]
