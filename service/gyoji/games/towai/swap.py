"""The swap that a ``T5`` calls for (TOW-5.4)."""

from gyoji.games.game import Accepted, Card, Event, Seat, accepted, replaced, without
from gyoji.games.towai.components import taken_up
from gyoji.games.towai.events import Hands
from gyoji.games.towai.state import Choices, State


def begin_swap(state: State, seat: Seat) -> tuple[State, list[Event]]:
    """TOW-5.4: every seat is to choose a card, the player too. No hand is empty: that would have ended the round."""
    state = state._replace(phase="swap", to_act=tuple(range(state.seats)), swap=(None,) * state.seats)
    return state, [{"type": "swap_begun", "seat": seat}]


def choose(state: State, choices: Choices, seat: Seat, card: Card) -> Accepted[State]:
    """TOW-5.4: the chosen card stays in the hand until the last choice is in."""
    choices = replaced(choices, seat, card)
    chosen: Event = {"type": "swap_chosen", "seat": seat, "card": card}
    waiting = tuple([chooser for chooser in state.to_act if chooser != seat])
    state = state._replace(ply=state.ply + 1, to_act=waiting, swap=choices)
    if waiting:
        return accepted(state, (chosen,))
    return _pass_on(state, tuple([card for card in choices if card is not None]), chosen)


def _pass_on(state: State, cards: tuple[Card, ...], chosen: Event) -> Accepted[State]:
    """TOW-5.4: all chosen cards go to the right at once; between two seats that is an exchange (TOW-R8).

    TOW-R6: the combo goes on with the number just played. TOW-R9: no turn and no pass has been used up.
    """
    seats = state.seats
    state = state._replace(phase="combo", to_act=(state.turn,), hands=_exchanged(state.hands, cards), swap=None)
    passed: list[Event] = [
        {"type": "card_passed", "from": seat, "to": (seat - 1) % seats, "card": card} for seat, card in enumerate(cards)
    ]
    return Accepted(state, (chosen, *passed))


def _exchanged(hands: Hands, cards: tuple[Card, ...]) -> Hands:
    """Every hand without the card it gives and with the one from its left."""
    from_left = (*cards[1:], cards[0])
    return tuple(
        [
            taken_up(without(hand, given), received)
            for hand, given, received in zip(hands, cards, from_left, strict=True)
        ]
    )
