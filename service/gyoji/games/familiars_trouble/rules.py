"""The rules of Familiar's Trouble, in the order of the rulebook; section 4 lies in ``scores``."""

from collections.abc import Callable, Mapping

from gyoji.games.familiars_trouble.components import (
    CLOCKWISE,
    COLOURS,
    COUNTING,
    DRAWN,
    LAID,
    LEFT,
    MATCHING,
    OBLIGING,
    PLAYED,
    PLAYS,
    SEATS,
    TRICKS,
    VALUE,
    distinct,
    taken_up,
)
from gyoji.games.familiars_trouble.scores import completed_by, outcome, points, totals
from gyoji.games.familiars_trouble.setup import (
    Ruling,
    empty_pile,
    exchange,
    exchanges,
    first_phase,
    not_in_hand,
    open_levels,
    replace_errand,
    replacements,
    skip_errand,
    skip_exchange,
    top_turned_up,
)
from gyoji.games.familiars_trouble.state import State, errand_deck
from gyoji.games.game import (
    Accepted,
    Card,
    Chance,
    Event,
    IllegalMove,
    Infraction,
    Move,
    RuleId,
    Seat,
    accepted,
    hands_without,
    out_of_order_infraction,
)
from gyoji.games.tricks import TrickCard

MOVES: Mapping[str, tuple[str, ...]] = {
    "hand_exchange": ("skip_exchange", "exchange"),
    "errand_exchange": ("skip_errand", "replace_errand"),
    "trick": ("play",),
    "replenish": ("draw_errand",),
    "finished": (),
}
"""The move types of every phase, in the order of the phase table."""


def legal_moves(state: State) -> list[Move]:
    """List every legal move, in the order of the rulebook."""
    return LISTED[state.phase](state)


def adjudicate(state: State, move: Move, _chance: Chance) -> Ruling:
    """Rule on a move. Nothing is shuffled after the start, so no chance is taken."""
    phase, kind = state.phase, move["type"]
    if move["seat"] not in state.to_act or kind not in MOVES[phase]:
        return IllegalMove(out_of_order_infraction(phase, state.to_act, move["seat"]))
    return RULED[kind](state, move)


def waived(state: State, move: Move, chance: Chance) -> Ruling:
    """Rule on a move that a referee lets stand: a card that does not follow (FAM-3.2, FAM-3.6). Nothing comes from an
    empty pile, and no exchange that has begun is skipped."""
    return _play(state, move, stands=True) if move["type"] == "play" else adjudicate(state, move, chance)


# 1 Setup: see ``setup``
# 2 Exchanges: see ``exchange``


# 3 The trick


def playable(state: State, seat: Seat) -> tuple[Card, ...]:
    """FAM-3.1 to FAM-3.6: list the cards that the seat may play, in hand order.

    FAM-3.1: the lead player any card. FAM-3.2, FAM-3.6: a seat that holds an obliging card one that matches the lead
    card, which is an obliging card or (FAM-3.3, FAM-R6) a three-colour card. Any other seat, and every seat when a
    three-colour card is led (FAM-3.5), any card.
    """
    hand, trick = state.hands[seat], state.trick
    if not trick or OBLIGING[trick[0].card].isdisjoint(hand):
        return hand
    matching = MATCHING[trick[0].card]
    return tuple([card for card in hand if card in matching])


def follows(hand: tuple[Card, ...], trick: tuple[TrickCard[Card], ...], card: Card) -> bool:
    """Tell whether a card of the hand may be played to the trick (see ``playable``)."""
    if not trick:
        return True
    lead = trick[0].card
    return card in MATCHING[lead] or OBLIGING[lead].isdisjoint(hand)


def _plays(state: State) -> list[Move]:
    (seat,) = state.to_act
    plays = PLAYS[seat]
    return [plays[card] for card in distinct(playable(state, seat))]


def _play(state: State, move: Move, *, stands: bool = False) -> Ruling:
    """FAM-3.1: each seat in turn, clockwise from the lead player, plays one card."""
    seat, card = move["seat"], move["card"]
    hand = state.hands[seat]
    if card not in hand:
        return IllegalMove(not_in_hand(seat, card))
    if not (stands or follows(hand, state.trick, card)):
        return IllegalMove(_not_followed(state, seat, card))
    hands = hands_without(state.hands, seat, card)
    trick = state.trick + LAID[seat][card]
    played = PLAYED[seat][card]
    if len(trick) == SEATS:
        return _verdict(state, hands, trick, played)
    following = state._replace(ply=state.ply + 1, to_act=(LEFT[seat],), hands=hands, trick=trick)
    return accepted(following, played)


def _not_followed(state: State, seat: Seat, card: Card) -> Infraction:
    """FAM-3.6 where the one obliging card held has two colours, else FAM-3.2."""
    lead = state.trick[0].card
    obliging = tuple([held for held in state.hands[seat] if held in OBLIGING[lead]])
    if len(obliging) == 1 and len(COLOURS[obliging[0]]) == 2:
        facts = {"card": card, "lead": lead, "obliging": obliging[0]}
        return Infraction("rule-violation", seat, "FAM-3.6", "only-two-colour-card", facts)
    return Infraction("rule-violation", seat, "FAM-3.2", "follow", {"card": card, "lead": lead, "obliging": obliging})


def _decided(cards: tuple[Card, ...], lead_rule: str) -> tuple[int, RuleId]:
    """FAM-3.7: the place of the highest matching card, FAM-3.8: or the highest of all; of equals the one played first.

    ``COUNTING`` knows which cards match: one that does not counts 0, and the lead card always matches itself.
    """
    counting, rule = (VALUE, "FAM-3.8") if lead_rule == "any" else (COUNTING[cards[0]], "FAM-3.7")
    values = [counting[card] for card in cards]
    return values.index(max(values)), rule


# 4 Verdict


def _verdict(
    state: State, hands: tuple[tuple[Card, ...], ...], trick: tuple[TrickCard[Card], ...], played: tuple[Event]
) -> Accepted[State]:
    """FAM-4.1 to FAM-4.3: the trick goes to the discard and what it completes to the team.

    FAM-R1: the winner has become the lead player before that.
    """
    cards = tuple([play.card for play in trick])
    at, rule = _decided(cards, state.options.lead_rule)
    winner = trick[at].seat
    deck = errand_deck(state.options)
    reached = totals(cards)
    completed = completed_by(reached, state.errands, deck)
    gained = points(completed, deck)
    red, blue, green = reached
    by_colour = {"red": red, "blue": blue, "green": green}
    won = {"type": "trick_won", "seat": winner, "cards": cards, "rule": rule}
    verdict = {"type": "errands_completed", "errands": completed, "totals": by_colour, "points": gained}
    judged = state._replace(
        ply=state.ply + 1,
        to_act=(winner,),
        scores=tuple([score + gained for score in state.scores]),
        lead=winner,
        hands=hands,
        errands=tuple([errand for errand in state.errands if errand not in completed]),
        completed=state.completed + completed,
        discard=state.discard + cards,
        trick=(),
        tricks=state.tricks + 1,
    )
    return _after_verdict(judged, (*played, won, verdict))


def _after_verdict(state: State, events: tuple[Event, ...]) -> Accepted[State]:
    """FAM-5.1, FAM-6.1: the display is filled, or the hands at once, or the game is over."""
    if state.tricks == TRICKS:
        return _finished(state, events)
    if replenishing_due(state):
        return accepted(state._replace(phase="replenish"), events)
    return _round_ended(state, events)


# 5 Replenishing


def replenishing_due(state: State) -> bool:
    """FAM-5.1, FAM-R5: the display is smaller than it began, and some pile is left to draw from."""
    return len(state.errands) < sum(state.options.opening) and any(state.piles)


def _draws(state: State) -> list[Move]:
    """FAM-5.1, FAM-R7: any level that is left, whatever was completed."""
    return [{"type": "draw_errand", "seat": state.lead, "level": level} for level in open_levels(state)]


def _draw_errand(state: State, move: Move) -> Ruling:
    """FAM-5.1, FAM-R9: one errand at a time, each seen before the next is chosen."""
    seat, level = move["seat"], move["level"]
    if not state.piles[level - 1]:
        return IllegalMove(empty_pile(seat, level))
    errand, piles = top_turned_up(state.piles, level)
    drawn = state._replace(ply=state.ply + 1, errands=(*state.errands, errand), piles=piles)
    events = ({"type": "errand_turned_up", "seat": seat, "errand": errand, "level": level},)
    return accepted(drawn, events) if replenishing_due(drawn) else _round_ended(drawn, events)


def _round_ended(state: State, events: tuple[Event, ...]) -> Accepted[State]:
    """FAM-5.2, FAM-R9: clockwise from the lead player each seat draws a card while there are any."""
    hands, told = [*state.hands], [*events]
    order = CLOCKWISE[state.lead]
    for at, card in enumerate(state.draw[:SEATS]):
        seat = order[at]
        hands[seat] = taken_up(hands[seat], card)
        told.append(DRAWN[seat][card])
    ended = state._replace(
        phase=first_phase(state.options), hands=tuple(hands), draw=state.draw[SEATS:], round=state.round + 1
    )
    return accepted(ended, tuple(told))


# 6 The end


def _finished(state: State, events: tuple[Event, ...]) -> Accepted[State]:
    """FAM-6.1, FAM-R2: after the last trick's verdict the game is over, and nothing is turned up."""
    result = outcome(state.scores[0])
    ended = state._replace(phase="finished", to_act=(), outcome=result)
    return Accepted(ended, (*events, {"type": "game_finished", **result}))


LISTED: Mapping[str, Callable[[State], list[Move]]] = {
    "hand_exchange": exchanges,
    "errand_exchange": replacements,
    "trick": _plays,
    "replenish": _draws,
    "finished": lambda _state: [],
}
RULED: Mapping[str, Callable[[State, Move], Ruling]] = {
    "skip_exchange": skip_exchange,
    "exchange": exchange,
    "skip_errand": skip_errand,
    "replace_errand": replace_errand,
    "play": _play,
    "draw_errand": _draw_errand,
}
