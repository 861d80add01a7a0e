"""The rules of play of Catte, in the order of the rulebook."""

from typing import NamedTuple, cast

from gyoji.games.catte.components import (
    CATS_EACH,
    COFFEE,
    COFFEE_EACH,
    COUNTING,
    LAID,
    LIMIT,
    NEXT,
    PLAYED,
    PLAYS,
    SERVES,
    in_hand_order,
    total,
)
from gyoji.games.catte.scores import outcome, round_lines, round_points
from gyoji.games.catte.state import Coffee, Hands, Options, Round, RoundEnd, State
from gyoji.games.game import (
    Accepted,
    Card,
    Chance,
    Event,
    Finding,
    IllegalMove,
    Infraction,
    Move,
    RuleId,
    Seat,
    accepted,
    deal_hands,
    hands_without,
    out_of_order_infraction,
    replace_at,
)
from gyoji.games.tricks import TrickCard, follows, plays_following

TYPES: dict[str, tuple[str, ...]] = {"coffee": ("coffee",), "trick": ("play",), "finished": ()}


def contradictions(seats: int, options: Options) -> tuple[Finding, ...]:
    """CAT-R1: find options that contradict each other: a table's own deck with too few cards for the deal of
    CAT-1.1."""
    needed = seats * CATS_EACH[seats]
    if options.deck is None or len(options.deck) >= needed:
        return ()
    return (Finding("/options/deck", "contradictory-options", {"at_least": needed}),)


class Deal(NamedTuple):
    """Where the cards of a round lie after the deal."""

    hands: Hands
    aside: tuple[Card, ...]
    coffee: Coffee


def deal(seats: int, options: Options, shuffles: int, chance: Chance) -> Deal:
    """CAT-1.1, CAT-1.2: cat cards and coffee cards are shuffled and dealt.

    CAT-1.3: the coffee card left over lies in the centre.
    """
    hands, aside = deal_hands(chance("cats", shuffles, options.cats()), seats, CATS_EACH[seats])
    rows, left_over = deal_hands(chance("coffee", shuffles + 1, COFFEE), seats, COFFEE_EACH[seats])
    coffee = Coffee(tuple(map(in_hand_order, rows)), ((),) * seats, left_over[0])
    return Deal(tuple(map(in_hand_order, hands)), aside, coffee)


def start(seats: int, options: Options, first: Seat, seed: str | None, chance: Chance) -> Accepted[State]:
    """CAT-1.4: ``first`` starts round 1. CAT-2.1: with a cat card, as the coffee card lies in the centre already."""
    hands, aside, coffee = deal(seats, options, 0, chance)
    state = State(
        seats=seats,
        options=options,
        seed=seed,
        shuffles=2,
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
        coffee=coffee,
        trick=(),
        discard=(),
        rounds=(),
    )
    return Accepted(state, (hands_dealt(state),))


def hands_dealt(state: State) -> Event:
    """Return the domain event of the deal that a round begins with."""
    return {
        "type": "hands_dealt",
        "round": state.round,
        "hands": state.hands,
        "aside": state.aside,
        "coffee": state.coffee._asdict(),
    }


def coffee_moves(state: State, seat: Seat) -> list[Move]:
    """CAT-2.2: list the moves that serve an unused coffee card of the seat's own row."""
    serves = SERVES[seat]
    return [serves[card] for card in state.coffee.unused[seat]]


def play_moves(state: State, seat: Seat) -> list[Move]:
    """CAT-2.3, CAT-3.1: the cat cards that the seat may play, leading or following."""
    return plays_following(state.hands[seat], state.trick, PLAYS[seat])


def legal_moves(state: State) -> list[Move]:
    """List every legal move; only one seat acts at a time, and nobody after the end."""
    if state.phase == "trick":
        return play_moves(state, state.to_act[0])
    if state.phase == "coffee":
        return coffee_moves(state, state.to_act[0])
    return []


def adjudicate(state: State, move: Move, chance: Chance) -> Accepted[State] | IllegalMove:
    """Rule on a move of a well-formed shape: accept it with the next state and events, or refuse it."""
    phase, seat = state.phase, move["seat"]
    if seat not in state.to_act or move["type"] not in TYPES[phase]:
        return IllegalMove(out_of_order_infraction(phase, state.to_act, seat))
    if phase == "coffee":
        return serve(state, seat, move["card"])
    return play(state, seat, move["card"], chance)


def serve(state: State, seat: Seat, card: Card) -> Accepted[State] | IllegalMove:
    """CAT-2.2: from the second trick on, the lead player first puts an unused coffee card into the centre."""
    row = state.coffee.unused[seat]
    if card not in row:
        return IllegalMove(Infraction("card-not-in-row", seat, None, "card-not-in-row", {"card": card}))
    coffee = state.coffee._replace(unused=hands_without(state.coffee.unused, seat, card), centre=card)
    served = state._replace(ply=state.ply + 1, phase="trick", coffee=coffee)
    return accepted(served, ({"type": "coffee_served", "seat": seat, "card": card},))


def waived(state: State, move: Move, chance: Chance) -> Accepted[State] | IllegalMove:
    """Rule on a move that a referee lets stand: a card that does not follow (CAT-3.1). Who wins the trick is decided as
    always."""
    return play(state, move["seat"], move["card"], chance, stands=True)


def play(
    state: State, seat: Seat, card: Card, chance: Chance, *, stands: bool = False
) -> Accepted[State] | IllegalMove:
    """CAT-2.3, CAT-3.1: play a cat card from the hand; with ``stands`` also one that does not follow.

    CAT-3.1: whoever can follow the colour of the lead cat card must; the coffee card asks nothing of anyone.
    """
    hand, trick, seats = state.hands[seat], state.trick, state.seats
    if card not in hand or not (stands or follows(hand, trick, card)):
        return IllegalMove(not_playable(state, seat, card))
    hands = hands_without(state.hands, seat, card)
    trick += LAID[seat][card]
    played = PLAYED[seat][card]
    if len(trick) == seats:
        return take_trick(state, hands, trick, played, chance)
    following = state._replace(ply=state.ply + 1, to_act=(NEXT[seats][seat],), hands=hands, trick=trick)
    return accepted(following, played)


def not_playable(state: State, seat: Seat, card: Card) -> Infraction:
    """CAT-3.1: why the card is not among those that the seat may play."""
    if card not in state.hands[seat]:
        return Infraction("card-not-in-hand", seat, None, "card-not-in-hand", {"card": card})
    facts = {"colour": state.trick[0].card[0], "card": card}
    return Infraction("rule-violation", seat, "CAT-3.1", "follow-colour", facts)


def decided(cards: tuple[Card, ...], trump: str) -> tuple[int, RuleId]:
    """CAT-4.1, CAT-4.2: return the place of the card that wins the trick, and the rule that decides it.

    CAT-4.2: without one, of the highest in the colour of the lead. No two of a colour share a number.
    """
    codes = "".join(cards)  # in which the letters of the colours stand once a card
    deciding, rule = (trump, "CAT-4.1") if trump in codes else (codes[0], "CAT-4.2")
    counting = COUNTING[deciding]
    numbers = [counting[card] for card in cards]
    return numbers.index(max(numbers)), rule


def take_trick(
    state: State, hands: Hands, trick: tuple[TrickCard[Card], ...], played: tuple[Event], chance: Chance
) -> Accepted[State]:
    """CAT-4.3: the winner acquires the coffee card, the cat cards go face down.

    CAT-4.4: the winner leads the next trick.
    CAT-R4: so the centre is empty until somebody serves, also when the round ends here.
    """
    unused, acquired, centre = state.coffee
    served = cast(Card, centre)  # no trick is played without one
    cards = tuple([play.card for play in trick])
    at, rule = decided(cards, served[0])
    winner = trick[at].seat
    won = (*acquired[winner], served)
    value = total(won)
    events: tuple[Event, ...] = (
        *played,
        {"type": "trick_won", "seat": winner, "cards": cards, "rule": rule},
        {"type": "coffee_acquired", "seat": winner, "card": served, "total": value},
    )
    state = state._replace(
        ply=state.ply + 1,
        phase="coffee",
        to_act=(winner,),
        lead=winner,
        hands=hands,
        coffee=Coffee(unused, replace_at(acquired, winner, won), None),
        trick=(),
        discard=state.discard + cards,
    )
    reason = round_end(state.seats, value, len(hands[winner]), len(unused[winner]))
    return accepted(state, events) if reason is None else score_round(state, reason, events, chance)


def round_end(seats: int, value: int, cats: int, unused: int) -> RoundEnd | None:
    """CAT-R3: whether a trick ends the round, by the first reason that holds.

    ``value`` is what the winner's acquired coffee cards total, ``cats`` and ``unused`` how many cards it still has.

    CAT-5.1: the total is above the limit; exactly the limit does not end the round.
    CAT-5.2: the cat cards are played out.
    CAT-5.3: the winner has to lead and has no coffee card to serve; of the others nobody asks.
    """
    if value > LIMIT[seats]:
        return "limit_exceeded"
    if cats == 0:
        return "hands_empty"
    if unused == 0:
        return "no_coffee"
    return None


def score_round(state: State, reason: RoundEnd, events: tuple[Event, ...], chance: Chance) -> Accepted[State]:
    """CAT-6.3: every seat's points of the round are added to its score.

    CAT-7.1: the game has as many rounds as seats.
    CAT-7.2: the next round starts to the left of this round's starting player.
    """
    unused = tuple(map(len, state.coffee.unused))
    points = round_points(state.options.bust_bonus, [*map(total, state.coffee.acquired)], unused)
    finished = Round(reason, points, state.coffee.acquired, unused)
    scores = tuple(map(sum, zip(state.scores, points, strict=True)))
    state = state._replace(scores=scores, rounds=(*state.rounds, finished))
    lines = round_lines(state.round, state.options.bust_bonus, finished)
    scored: Event = {"type": "round_scored", "round": state.round, **finished._asdict(), "lines": lines}
    if state.round == state.seats:
        return finish(state, (*events, scored))
    state = next_round(state, NEXT[state.seats][state.starting], chance)
    return accepted(state, (*events, scored, hands_dealt(state)))


def next_round(state: State, starting: Seat, chance: Chance) -> State:
    """CAT-2.1: all is dealt anew, and the starting player leads a cat card."""
    hands, aside, coffee = deal(state.seats, state.options, state.shuffles, chance)
    return state._replace(
        shuffles=state.shuffles + 2,
        round=state.round + 1,
        phase="trick",
        to_act=(starting,),
        starting=starting,
        lead=starting,
        hands=hands,
        aside=aside,
        coffee=coffee,
        discard=(),
    )


def finish(state: State, events: tuple[Event, ...]) -> Accepted[State]:
    """CAT-7.3: the game is over, and the table stays as the last trick left it."""
    result = outcome(state.scores)
    return Accepted(
        state._replace(phase="finished", to_act=(), outcome=result), (*events, {"type": "game_finished", **result})
    )
