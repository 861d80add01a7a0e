"""The rules of play of Tomorrow Never Meows, in the order of the rulebook (sections 1 and 5: ``rounds``. 6:
``scores``)."""

from collections.abc import Mapping
from functools import lru_cache

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
    replace_at,
)
from gyoji.games.tomorrow_never_meows.components import (
    BASIC_OF,
    CHOICES,
    COUNTING,
    LAID,
    PLAYED,
    PLAYS,
    WISHES,
)
from gyoji.games.tomorrow_never_meows.rounds import due, round_ended
from gyoji.games.tomorrow_never_meows.state import AnnounceMove, Hands, Options, State
from gyoji.games.tricks import TrickCard, follows, plays_following

MOVES: Mapping[str, tuple[str, ...]] = {
    "wish": ("wish",),
    "announce": ("announce",),
    "trick": ("play",),
    "finished": (),
}
"""The move types of each phase."""

WISH_BECAUSE: Mapping[RuleId, str] = {
    "TNM-2.7": "basic-wishes-only",
    "TNM-2.5": "basic-wish-not-chosen",
    "TNM-2.6": "advanced-wish-once",
}


# 2 Wishing


def wish_forbidden(wishes: str, last: str | None, advanced: bool, wish: str) -> RuleId | None:
    """TNM-2.4: return the rule that forbids a wish; ``None`` if it may be chosen, as a basic wish always may.

    ``wishes`` is the option, ``last`` the seat's wish of the round before, ``advanced`` whether it has spent its
    advanced wish.
    """
    if wish not in BASIC_OF:
        return None
    if wishes == "basic":
        return "TNM-2.7"  # TNM-R10: in the open game too
    if last != BASIC_OF[wish]:
        return "TNM-2.5"
    return "TNM-2.6" if advanced else None  # TNM-R9: whichever it was, in 4 rounds too


def _wish_rule(state: State, seat: Seat, wish: str) -> RuleId | None:
    return wish_forbidden(state.options.wishes, state.last_wishes[seat], state.advanced[seat], wish)


def _wish(state: State, seat: Seat, wish: str) -> Accepted[State] | IllegalMove:
    """TNM-2.1, TNM-7.1: the seat's wish for this round."""
    rule = _wish_rule(state, seat, wish)
    if rule:
        facts = {"wish": wish, "basic": BASIC_OF[wish]}
        return IllegalMove(Infraction("rule-violation", seat, rule, WISH_BECAUSE[rule], facts))
    chosen = state._replace(ply=state.ply + 1, wishes=replace_at(state.wishes, seat, wish))
    return accepted(_turned(chosen), ({"type": "wish_chosen", "seat": seat, "wish": wish},))


def _turned(state: State) -> State:
    phase, to_act = due(state)
    return state._replace(phase=phase, to_act=to_act)


# 3 Playing a trick


def _plays(state: State, seat: Seat) -> list[Move]:
    """TNM-3.2: the cards of the suit that was led. TNM-3.3, TNM-3.1: any card without one, and for the lead."""
    return plays_following(state.hands[seat], state.trick, PLAYS[seat])


def _play(
    state: State, seat: Seat, card: Card, chance: Chance, *, stands: bool = False
) -> Accepted[State] | IllegalMove:
    """TNM-3.1: one card to the trick."""
    hand, trick, seats = state.hands[seat], state.trick, state.seats
    if card not in hand or not (stands or follows(hand, trick, card)):
        return IllegalMove(_not_playable(hand, trick, seat, card))
    hands = hands_without(state.hands, seat, card)
    trick += LAID[seat][card]
    played = PLAYED[seat][card]
    if len(trick) == seats:
        return _taken(state, hands, trick, played, chance)
    following = state._replace(ply=state.ply + 1, to_act=((seat + 1) % seats,), hands=hands, trick=trick)
    return accepted(following, played)


def _not_playable(hand: tuple[Card, ...], trick: tuple[TrickCard[Card], ...], seat: Seat, card: Card) -> Infraction:
    """TNM-3.2: why the seat may not play the card; unless it is not in the hand, cards of the suit led are."""
    if card not in hand:
        return Infraction("card-not-in-hand", seat, None, "card-not-in-hand", {"card": card})
    suit = trick[0].card[0]
    cards = tuple([held for held in hand if held[0] == suit])
    return Infraction("rule-violation", seat, "TNM-3.2", "follow-suit", {"card": card, "suit": suit, "cards": cards})


def _taken(
    state: State, hands: Hands, trick: tuple[TrickCard[Card], ...], played: tuple[Event], chance: Chance
) -> Accepted[State]:
    """TNM-3.4: the winner takes the cards and leads the next trick. TNM-5.1: no cards left, the round ends."""
    cards = tuple([play.card for play in trick])
    at, rule = decided(cards)
    winner = trick[at].seat
    after = state._replace(
        ply=state.ply + 1,
        to_act=(winner,),
        hands=hands,
        trick=(),
        lead=winner,
        captured=replace_at(state.captured, winner, state.captured[winner] + cards),
        tricks_won=replace_at(state.tricks_won, winner, state.tricks_won[winner] + 1),
    )
    events = (*played, {"type": "trick_won", "seat": winner, "cards": cards, "rule": rule})
    if hands[winner]:
        return accepted(after, events)
    return round_ended(after, events, chance)


# 4 Who wins the trick


def decided(cards: tuple[Card, ...]) -> tuple[int, RuleId]:
    """Return the card (its place in the order of play) that wins a whole trick, and the rule that decides it."""
    codes = "".join(cards)  # in which the letters of the suits stand once a card
    led = codes[0]
    if "T" in codes:
        if "S" in codes:
            return _highest(cards, "S"), "TNM-4.1"  # TNM-R8: after a Snow lead too
        return _highest(cards, "T"), "TNM-4.2"
    if "S" in codes:
        if led != "S":
            return _highest(cards, led), "TNM-4.3"
        if codes.count("S") < len(cards):
            return _highest(cards, "FCR"), "TNM-4.4"
        return _highest(cards, "S"), "TNM-4.5"
    return _highest(cards, led), "TNM-4.6"


def _highest(cards: tuple[Card, ...], suits: str) -> int:
    """The place of the highest card of these suits; among equal numbers (TNM-4.4) the one played later."""
    counting = COUNTING[suits]
    best = top = 0
    for at, card in enumerate(cards):
        number = counting[card]
        if number >= top:
            best, top = at, number
    return best


# 7 Concealed wishes


def in_play(options: Options, wish: str) -> bool:
    """TNM-2.7: tell whether the game in play has a wish. TNM-7.2: any of these may be announced, true or false, whether
    or not the seat could choose it."""
    return options.wishes == "all" or wish not in BASIC_OF


def _announce(state: State, seat: Seat, wish: str) -> Accepted[State] | IllegalMove:
    """TNM-7.2: the seat says aloud what it claims to wish for."""
    if not in_play(state.options, wish):
        return IllegalMove(Infraction("rule-violation", seat, "TNM-7.2", "announce-wish-in-play", {"wish": wish}))
    said = state._replace(ply=state.ply + 1, announced=replace_at(state.announced, seat, wish))
    return accepted(_turned(said), ({"type": "wish_announced", "seat": seat, "wish": wish},))


# Moves


def legal_moves(state: State) -> list[Move]:
    """List every legal move, by seat, then in the order of wishes or of the hand."""
    if state.phase == "trick":
        return _plays(state, state.to_act[0])
    if state.phase == "wish":
        return _wishes(state)
    return [*_announcements(state)]


def _wishes(state: State) -> list[Move]:
    return [
        move
        for seat in state.to_act
        for move in _choices(seat, state.options.wishes, state.last_wishes[seat], state.advanced[seat])
    ]


@lru_cache(maxsize=256)
def _choices(seat: Seat, wishes: str, last: str | None, advanced: bool) -> tuple[Move, ...]:
    """What ``wish_forbidden`` leaves to the seat. They are few: 4 seats, 2 sets of wishes, one of 8 wishes before
    or none, an advanced one spent or not."""
    return tuple([move for wish, move in CHOICES[seat].items() if wish_forbidden(wishes, last, advanced, wish) is None])


def _announcements(state: State) -> list[AnnounceMove]:
    return [
        {"type": "announce", "seat": seat, "wish": wish}
        for seat in state.to_act
        for wish in WISHES
        if in_play(state.options, wish)
    ]


def adjudicate(state: State, move: Move, chance: Chance) -> Accepted[State] | IllegalMove:
    """Rule on a move: accept it with the next state and events, or refuse it."""
    phase, seat = state.phase, move["seat"]
    if seat not in state.to_act or move["type"] not in MOVES[phase]:
        return IllegalMove(out_of_order_infraction(phase, state.to_act, seat))
    if phase == "trick":
        return _play(state, seat, move["card"], chance)
    if phase == "wish":
        return _wish(state, seat, move["wish"])
    return _announce(state, seat, move["wish"])


# What a referee may let stand


def waived(state: State, move: Move, chance: Chance) -> Accepted[State] | IllegalMove:
    """Rule on a move that a referee lets stand: a card that does not follow suit (TNM-3.2). A wish that the seat had no
    right to shows in every position after it, so it is taken back instead."""
    if state.phase == "trick":
        return _play(state, move["seat"], move["card"], chance, stands=True)
    return adjudicate(state, move, chance)
