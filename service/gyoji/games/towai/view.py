"""What a seat, or a spectator, may know."""

from collections.abc import Mapping, Sequence
from typing import Any

from gyoji.games.game import Event, Pile, Seat, hidden, joined
from gyoji.games.towai.components import DECK
from gyoji.games.towai.state import Choices, Options, State


def shuffles(_options: Options, event: Event) -> tuple[Pile, ...]:
    """TOW-1.1: the deck, once a round; TOW-6.3: the deck that was re-formed."""
    if event["type"] == "hands_dealt":
        return (("deck", joined((*event["hands"], event["deck"]))),)
    if event["type"] == "deck_reformed":
        return (("reform", tuple(event["deck"])),)
    return ()


def simultaneous(state: State) -> bool:
    """TOW-5.4: all choose the card to swap at the same time."""
    return state.phase == "swap"


def seen(state: State, seat: Seat | None) -> dict[str, Any]:
    """The own hand and the own choice; of other hands and the deck the number of cards, after the game's end too."""
    hands = [hand if owner == seat else hidden(hand) for owner, hand in enumerate(state.hands)]
    return {"hands": hands, "deck": hidden(state.deck), "swap": _own_choice(state.swap, seat)}


def _own_choice(swap: Choices | None, seat: Seat | None) -> Choices | None:
    """TOW-5.4: until all have chosen, a choice is known to the seat that made it; that it was made shows in to_act."""
    if swap is None:
        return None
    return tuple([card if chooser == seat else None for chooser, card in enumerate(swap)])


def piles(_options: Options, table: Mapping[str, Any]) -> tuple[tuple[int, Sequence[Any]], ...]:
    """Where the cards lie; those chosen in a swap are in hands, of a view."""
    return ((len(DECK), (*table["hands"], table["deck"], table["pile"], table["discard"])),)
