"""The view of TOWAI: what a seat, or a spectator, may know of a position."""

from collections.abc import Mapping, Sequence
from typing import Any

from gyoji.games.game import Event, Pile, Seat, hidden_pile, join_piles
from gyoji.games.towai.components import DECK
from gyoji.games.towai.state import Choices, Options, State


def shuffles(_options: Options, event: Event) -> tuple[Pile, ...]:
    """TOW-1.1, TOW-6.3: return the shuffle that an event describes: the deck, once a round, or re-formed."""
    if event["type"] == "hands_dealt":
        return (("deck", join_piles((*event["hands"], event["deck"]))),)
    if event["type"] == "deck_reformed":
        return (("reform", tuple(event["deck"])),)
    return ()


def simultaneous(state: State) -> bool:
    """TOW-5.4: tell whether all seats choose at the same time: the card to swap."""
    return state.phase == "swap"


def seen(state: State, seat: Seat | None) -> dict[str, Any]:
    """Return the table as a seat may know it: its own hand and choice. Of other hands and the deck the number of cards,
    after the game's end too."""
    hands = [hand if owner == seat else hidden_pile(hand) for owner, hand in enumerate(state.hands)]
    return {"hands": hands, "deck": hidden_pile(state.deck), "swap": _own_choice(state.swap, seat)}


def _own_choice(swap: Choices | None, seat: Seat | None) -> Choices | None:
    """TOW-5.4: until all have chosen, a choice is known to the seat that made it; that it was made shows in to_act."""
    if swap is None:
        return None
    return tuple([card if chooser == seat else None for chooser, card in enumerate(swap)])


def piles(_options: Options, table: Mapping[str, Any]) -> tuple[tuple[int, Sequence[Any]], ...]:
    """Return the piles of cards in a view, with how many cards there are; cards chosen in a swap are still in hands."""
    return ((len(DECK), (*table["hands"], table["deck"], table["pile"], table["discard"])),)
