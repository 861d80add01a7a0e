"""The rules of Lanterns, in the order of the rulebook."""

from collections.abc import Mapping, Sequence
from typing import Any

from gyoji.games.game import (
    Accepted,
    Card,
    Chance,
    Event,
    IllegalMove,
    Infraction,
    Line,
    Move,
    Pile,
    Seat,
    deal_hands,
    hands_without,
    hidden_pile,
    highest,
    join_piles,
    out_of_order_infraction,
    replace_at,
)
from gyoji.games.tricks import TrickCard, follows, plays_following
from gyoji.games.unseen import cards_of, deal_unseen, with_table
from gyoji_lanterns.state import DECK, HAND, RANK, RECORDS, SEATS, Options, Outcome, State

Ruling = Accepted[State] | IllegalMove


def deal(shuffles: int, chance: Chance) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    """LAN-1.1: all cards are shuffled, eight dealt to each seat; three lie aside."""
    hands, aside = deal_hands(chance("deck", shuffles, DECK), SEATS, HAND)
    return tuple([tuple(sorted(hand, key=RANK.__getitem__)) for hand in hands]), aside


def start(seats: int, options: Options, first: Seat, seed: str | None, chance: Chance) -> Accepted[State]:
    """LAN-1.2: who starts the first round is given."""
    hands, aside = deal(0, chance)
    state = State(
        seats=seats,
        options=options,
        seed=seed,
        shuffles=1,
        round=1,
        ply=0,
        phase="trick",
        to_act=(first,),
        scores=(0,) * seats,
        outcome=None,
        starting=first,
        lead=first,
        hands=hands,
        aside=aside,
        trick=(),
        discard=(),
        taken=(0,) * seats,
        rounds=(),
    )
    return Accepted(state, (hands_dealt(state),))


def hands_dealt(state: State) -> Event:
    """The deal of a round, as it is told."""
    return {"type": "hands_dealt", "round": state.round, "hands": state.hands, "aside": state.aside}


def legal_moves(state: State) -> list[Move]:
    """LAN-2.1, LAN-2.2: what the seat to act may play, in hand order."""
    if state.phase != "trick":
        return []
    (seat,) = state.to_act
    hand = state.hands[seat]
    return plays_following(hand, state.trick, {card: {"type": "play", "seat": seat, "card": card} for card in hand})


def adjudicate(state: State, move: Move, chance: Chance) -> Ruling:
    """One move of a well-formed shape, ruled on."""
    if move["seat"] not in state.to_act:
        return IllegalMove(out_of_order_infraction(state.phase, state.to_act, move["seat"]))
    return play(state, move["seat"], move["card"], chance)


def waived(state: State, move: Move, chance: Chance) -> Ruling:
    """What a referee may let stand: a card that does not follow (LAN-2.2)."""
    return play(state, move["seat"], move["card"], chance, stands=True)


def play(state: State, seat: Seat, card: Card, chance: Chance, *, stands: bool = False) -> Ruling:
    """LAN-2.1: any card leads. LAN-2.2: whoever holds the colour that was led has to follow."""
    if card not in state.hands[seat]:
        return IllegalMove(Infraction("card-not-in-hand", seat, None, "card-not-in-hand", {"card": card}))
    if not (stands or follows(state.hands[seat], state.trick, card)):
        facts = {"card": card, "colour": state.trick[0].card[0]}
        return IllegalMove(Infraction("rule-violation", seat, "LAN-2.2", "follow", facts))
    events: tuple[Event, ...] = ({"type": "card_played", "seat": seat, "card": card},)
    state = state._replace(
        ply=state.ply + 1,
        to_act=((seat + 1) % SEATS,),
        hands=hands_without(state.hands, seat, card),
        trick=(*state.trick, TrickCard(seat, card)),
    )
    return take_trick(state, events, chance) if len(state.trick) == SEATS else Accepted(state, events)


def take_trick(state: State, events: tuple[Event, ...], chance: Chance) -> Accepted[State]:
    """LAN-3.1: the highest card of the colour that was led takes the trick, and its seat leads the next."""
    cards = tuple([played.card for played in state.trick])
    led = [played for played in state.trick if played.card[0] == cards[0][0]]
    winner = max(led, key=lambda played: RANK[played.card]).seat
    won: Event = {"type": "trick_won", "seat": winner, "cards": cards, "rule": "LAN-3.1"}
    state = state._replace(
        to_act=(winner,),
        lead=winner,
        trick=(),
        discard=state.discard + cards,
        taken=replace_at(state.taken, winner, state.taken[winner] + 1),
    )
    if state.hands[winner]:
        return Accepted(state, (*events, won))
    return score(state, (*events, won), chance)


def score(state: State, events: tuple[Event, ...], chance: Chance) -> Accepted[State]:
    """LAN-4.1: a point for each trick. LAN-R1: another round, begun by the seat to the left (LAN-1.2), or the end."""
    scored: Event = {"type": "lanterns_lit", "round": state.round, "points": state.taken}
    rounds = (*state.rounds, state.taken)
    state = state._replace(scores=totals(rounds), rounds=rounds)
    if state.round == state.options.rounds:
        result = outcome(state.scores)
        ended = state._replace(phase="finished", to_act=(), outcome=result)
        return Accepted(ended, (*events, scored, {"type": "game_finished", **result}))
    hands, aside = deal(state.shuffles, chance)
    starting = (state.starting + 1) % SEATS
    state = state._replace(
        shuffles=state.shuffles + 1,
        round=state.round + 1,
        to_act=(starting,),
        starting=starting,
        lead=starting,
        hands=hands,
        aside=aside,
        discard=(),
        taken=(0,) * SEATS,
    )
    return Accepted(state, (*events, scored, hands_dealt(state)))


def totals(rounds: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """LAN-4.1: the points of these rounds, added up."""
    return tuple(map(sum, zip((0,) * SEATS, *rounds, strict=True)))


def outcome(scores: tuple[int, ...]) -> Outcome:
    """LAN-4.2: the most points win; equal ones share the win."""
    return {"winners": highest(scores), "scores": scores, "reason": "rounds_played"}


def worth(state: State) -> tuple[int, ...]:
    """LAN-4.1: the scores, and the tricks of a round that is not scored yet."""
    return state.scores if state.outcome is not None else totals((*state.rounds, state.taken))


def lines(state: State) -> tuple[Line, ...]:
    """LAN-4.1: how every point came about."""
    return tuple(
        [
            {"seat": seat, "rule": "LAN-4.1", "points": points, "round": number}
            for number, taken in enumerate(state.rounds, 1)
            for seat, points in enumerate(taken)
        ]
    )


# What a seat may know


def seen(state: State, seat: Seat | None) -> dict[str, Any]:
    """LAN-1.1, LAN-3.2: the own hand; of what lies face down how many cards there are."""
    hands = [hand if owner == seat else hidden_pile(hand) for owner, hand in enumerate(state.hands)]
    return {"hands": hands, "aside": hidden_pile(state.aside), "discard": hidden_pile(state.discard)}


def deal_hidden(view: Mapping[str, Any], chance: Chance) -> State:
    """LAN-1.1, LAN-3.2: the cards that are not seen may lie anywhere face down."""
    table = view["table"]
    piles = (*table["hands"], table["aside"], table["discard"])
    *hands, aside, discard = deal_unseen(DECK, cards_of(table["trick"]), piles, chance)
    sorted_hands = [tuple(sorted(hand, key=RANK.__getitem__)) for hand in hands]
    state: State = RECORDS.codec.read(with_table(view, hands=sorted_hands, aside=aside, discard=discard))
    return state


def piles(_options: Options, table: Mapping[str, Any]) -> tuple[tuple[int, Sequence[Any]], ...]:
    """Where the cards lie, of a view."""
    return ((len(DECK), (*table["hands"], table["aside"], table["trick"], table["discard"])),)


def shuffles(_options: Options, event: Event) -> tuple[Pile, ...]:
    """LAN-1.1: the deck, once a round."""
    return (("deck", join_piles((*event["hands"], event["aside"]))),) if event["type"] == "hands_dealt" else ()
