"""Drawing from the deck, and making a new one of what has been played (TOW-6.1, TOW-6.3, TOW-6.4)."""

from collections.abc import Sequence

from gyoji.games.game import Chance, Event, RuleId, Seat
from gyoji.games.towai.components import in_order, taken_up
from gyoji.games.towai.state import State


def draw(state: State, seats: Sequence[Seat], rule: RuleId, chance: Chance) -> tuple[State, list[Event]]:
    """TOW-6.4: a card each, in the order given; once there is none to be had, the seats that are left go without."""
    events: list[Event] = []
    hands = list(state.hands)
    deck = state.deck
    for seat in seats:
        if not deck:
            state, reformed = reform(state, chance)
            if not reformed:
                break
            events += reformed
            deck = state.deck
        hands[seat] = taken_up(hands[seat], deck[0])
        events.append({"type": "card_drawn", "seat": seat, "card": deck[0], "rule": rule})
        deck = deck[1:]
    return state._replace(hands=tuple(hands), deck=deck), events


def reform(state: State, chance: Chance) -> tuple[State, list[Event]]:
    """TOW-6.3: the discard and what lies under the pile's top card become the deck.

    TOW-R4: not before a card has to be drawn and there is none. TOW-R5: either of the two will do, unless the table
    plays ``reform: discard`` and the discard is empty. Nothing to take is no shuffle (TOW-6.4).
    """
    to_the_letter = state.options.reform == "discard"
    cards = () if to_the_letter and not state.discard else in_order(state.discard + state.pile[:-1])
    if not cards:
        return state, []
    deck = chance("reform", state.shuffles, cards)
    state = state._replace(deck=deck, pile=state.pile[-1:], discard=(), shuffles=state.shuffles + 1)
    return state, [{"type": "deck_reformed", "count": len(deck), "deck": deck}]
