"""What a seat, or a spectator, may know."""

from collections.abc import Mapping, Sequence
from typing import Any

from gyoji.games.game import Event, Known, Pile, Seat, hidden, joined
from gyoji.games.towai.components import DECK
from gyoji.games.towai.state import Choices, Options, State, written

KNOWN = Known(
    events={
        "hands_dealt": {"round": "all", "hands": "each", "deck": "nobody"},
        "daylight_declared": {"seat": "all", "daylight": "all"},
        "card_played": {"seat": "all", "card": "all"},
        "daylight_flipped": {"daylight": "all"},
        "pile_discarded": {"rule": "all", "cards": "all"},
        "card_drawn": {"seat": "all", "card": "own", "rule": "all"},
        "deck_reformed": {"count": "all", "deck": "nobody"},
        "swap_begun": {"seat": "all"},
        "swap_chosen": {"seat": "all", "card": "own"},
        "card_passed": {"from": "all", "to": "all", "card": "both"},
        "passed": {"seat": "all"},
        "turn_ended": {"seat": "all"},
        "round_finished": {"round": "all", "seat": "all"},
        "game_finished": {"winners": "all", "scores": "all", "reason": "all"},
    },
    moves={
        "play": {"seat": "all", "card": "all", "daylight": "all"},
        "pass": {"seat": "all"},
        "end_turn": {"seat": "all"},
        "swap": {"seat": "all", "card": "own"},
    },
)
"""Who may know what of what happens."""


def known(_options: Options) -> Known:
    """The same whatever the options."""
    return KNOWN


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


def view(state: State, seat: Seat | None) -> dict[str, Any]:
    """The envelope for one seat (``None``: a spectator): its own hand and its own choice; piles that lie open.

    Other hands and the deck are counts, the seed is kept back; that stays so after the game's end.
    """
    hands = [hand if owner == seat else hidden(hand) for owner, hand in enumerate(state.hands)]
    return written(state, None, hands, hidden(state.deck), _own_choice(state.swap, seat))


def _own_choice(swap: Choices | None, seat: Seat | None) -> Choices | None:
    """TOW-5.4: until all have chosen, a choice is known to the seat that made it; that it was made shows in to_act."""
    if swap is None:
        return None
    return tuple([card if chooser == seat else None for chooser, card in enumerate(swap)])


def piles(_options: Options, table: Mapping[str, Any]) -> tuple[tuple[int, Sequence[Any]], ...]:
    """Where the cards lie; those chosen in a swap are in hands, of a view."""
    return ((len(DECK), (*table["hands"], table["deck"], table["pile"], table["discard"])),)
