"""The effects of cards and passes in TOWAI: draws, the swap, and the turn of day and night (TOW-5.1 to TOW-6.4)."""

from collections.abc import Sequence

from gyoji.games.game import Accepted, Card, Chance, Event, RuleId, Seat, accepted, clockwise, remove_card, replace_at
from gyoji.games.towai.components import DRAW, OTHER, RESET, SWAP, in_order, taken_up
from gyoji.games.towai.state import Choices, Hands, State


def twilight(state: State, seat: Seat, card: Card, events: tuple[Event, ...], chance: Chance) -> Accepted[State]:
    """TOW-5.1: every TOWAI card flips the state of play, and some do more. TOW-R6: the combo goes on after that."""
    daylight = OTHER[state.daylight]
    state = state._replace(daylight=daylight)
    more: list[Event] = []
    if card == DRAW:
        # TOW-5.2, TOW-R12: from the player's left; TOW-R9: it is no pass
        state, more = draw(state, clockwise(seat, state.seats)[1:], "TOW-5.2", chance)
    elif card == RESET:
        # TOW-5.3, TOW-R7: another turn as leader, with any number, and no combo of fours
        state, more = discard_pile(state, "TOW-5.3")
    elif card == SWAP:
        state, more = begin_swap(state, seat)
    return accepted(state, (*events, {"type": "daylight_flipped", "daylight": daylight}, *more))


def begin_swap(state: State, seat: Seat) -> tuple[State, list[Event]]:
    """TOW-5.4: begin the swap: every seat is to choose a card, the player too. No hand is empty: that would have ended
    the round."""
    state = state._replace(phase="swap", to_act=tuple(range(state.seats)), swap=(None,) * state.seats)
    return state, [{"type": "swap_begun", "seat": seat}]


def choose(state: State, choices: Choices, seat: Seat, card: Card) -> Accepted[State]:
    """TOW-5.4: note a seat's choice; the card stays in the hand until the last choice is in."""
    choices = replace_at(choices, seat, card)
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
            taken_up(remove_card(hand, given), received)
            for hand, given, received in zip(hands, cards, from_left, strict=True)
        ]
    )


def discard_pile(state: State, rule: RuleId) -> tuple[State, list[Event]]:
    """TOW-5.3, TOW-6.2: the pile goes to the discard as it lies, and the seat whose turn it is leads."""
    discarded: Event = {"type": "pile_discarded", "rule": rule, "cards": state.pile}
    led = state._replace(
        phase="lead", pile=(), discard=state.discard + state.pile, combo=None, last_played=None, passes=0
    )
    return led, [discarded]


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
