"""The view of Catte: what a seat may know of a position."""

from collections.abc import Mapping, Sequence
from typing import Any

from gyoji.games.catte.components import COFFEE
from gyoji.games.catte.state import Options, State
from gyoji.games.game import Event, Pile, Seat, hidden_pile, join_piles


def shuffles(_options: Options, event: Event) -> tuple[Pile, ...]:
    """CAT-1.1, CAT-1.2: return the shuffles that an event describes: cat cards, then coffee cards, once a round.
    CAT-1.3: the last coffee card is the centre's."""
    if event["type"] != "hands_dealt":
        return ()
    coffee = event["coffee"]
    cats = join_piles((*event["hands"], event["aside"]))
    return ("cats", cats), ("coffee", join_piles((*coffee["unused"], (coffee["centre"],))))


def seen(state: State, seat: Seat | None) -> dict[str, Any]:
    """CAT-1.1, CAT-4.3: return the table as a seat may know it: its own hand. Of other hands and face-down cards how
    many there are."""
    hands = [hand if owner == seat else hidden_pile(hand) for owner, hand in enumerate(state.hands)]
    return {"hands": hands, "aside": hidden_pile(state.aside), "discard": hidden_pile(state.discard)}


def piles(options: Options, table: Mapping[str, Any]) -> tuple[tuple[int, Sequence[Any]], ...]:
    """Return the piles of cat cards and of coffee cards in a view, with how many cards there are of each."""
    coffee = table["coffee"]
    centre = () if coffee["centre"] is None else (coffee["centre"],)
    cats = (*table["hands"], table["aside"], table["trick"], table["discard"])
    return (len(options.cats()), cats), (len(COFFEE), (*coffee["unused"], *coffee["acquired"], centre))
