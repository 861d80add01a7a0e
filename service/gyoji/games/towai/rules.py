"""The rules of TOWAI, in the order of the rulebook. Legality, and the effects of cards and passes, have their own
modules."""

from gyoji.games import game
from gyoji.games.game import (
    Accepted,
    Card,
    Chance,
    Event,
    IllegalMove,
    Infraction,
    Line,
    Seat,
    accepted,
    deal_hands,
    hands_without,
    out_of_order_infraction,
    replace_at,
)
from gyoji.games.towai.components import (
    DAYLIGHTS,
    DECK,
    END_TURNS,
    HAND,
    LEADS,
    NUMBER,
    PASSED,
    PASSES,
    PLAYED,
    PLAYS,
    SWAPS,
    TURN_ENDED,
    Daylight,
    in_order,
)
from gyoji.games.towai.effects import choose, discard_pile, draw, twilight
from gyoji.games.towai.legality import misdeclared, playable, unplayable, violation
from gyoji.games.towai.state import Hands, Options, Outcome, Phase, State

Ruling = Accepted[State] | IllegalMove

TYPES: dict[Phase, tuple[str, ...]] = {
    "lead": ("play", "pass"),  # a pass is none of its moves, but TOW-2.2 has something to say to it
    "turn": ("play", "pass"),
    "combo": ("play", "end_turn"),
    "swap": ("swap",),
    "finished": (),
}


def start(seats: int, options: Options, first: Seat, seed: str | None, chance: Chance) -> Accepted[State]:
    """TOW-1.2: who starts round 1 is given; nobody has finished yet."""
    hands, deck = _deal(seats, 0, chance)
    nobody = (0,) * seats
    state = State(
        seats=seats,
        options=options,
        seed=seed,
        shuffles=1,
        round=1,
        ply=0,
        phase="lead",
        to_act=(first,),
        scores=nobody,
        outcome=None,
        starting=first,
        daylight=None,
        hands=hands,
        deck=deck,
        pile=(),
        discard=(),
        turn=first,
        combo=None,
        last_played=None,
        passes=0,
        swap=None,
        finishes=nobody,
        rounds=(),
    )
    return Accepted(state, (_hands_dealt(state),))


def _deal(seats: int, shuffles: int, chance: Chance) -> tuple[Hands, tuple[Card, ...]]:
    """TOW-1.1: all cards are shuffled, seven dealt to each seat, the rest is the deck."""
    hands, deck = deal_hands(chance("deck", shuffles, DECK), seats, HAND)
    return tuple([in_order(hand) for hand in hands]), deck


def _hands_dealt(state: State) -> Event:
    return {"type": "hands_dealt", "round": state.round, "hands": state.hands, "deck": state.deck}


def _next_round(state: State, starting: Seat, events: tuple[Event, ...], chance: Chance) -> Accepted[State]:
    """TOW-1.1 once more, after a last card, which has left no combo and no passes."""
    hands, deck = _deal(state.seats, state.shuffles, chance)
    state = state._replace(
        shuffles=state.shuffles + 1,
        round=state.round + 1,
        phase="lead",
        to_act=(starting,),
        starting=starting,
        daylight=None,
        hands=hands,
        deck=deck,
        pile=(),
        discard=(),
        turn=starting,
        last_played=None,
    )
    return Accepted(state, (*events, _hands_dealt(state)))


def legal_moves(state: State) -> list[game.Move]:
    """List every legal move: by seat, then in the phase's order of types, then in hand order.

    Identical cards make one move.
    """
    phase = state.phase
    if phase == "turn":
        return _plays(state, PASSES)
    if phase == "combo":
        return _plays(state, END_TURNS)
    return _leads(state) if phase == "lead" else _swaps(state)


def _leads(state: State) -> list[game.Move]:
    seat = state.turn
    fitting = [(playable(state, daylight), LEADS[daylight][seat]) for daylight in DAYLIGHTS]
    return [leads[card] for card in dict.fromkeys(state.hands[seat]) for cards, leads in fitting if card in cards]


def _swaps(state: State) -> list[game.Move]:
    return [SWAPS[seat][card] for seat in state.to_act for card in dict.fromkeys(state.hands[seat])]


def _plays(state: State, otherwise: tuple[game.Move, ...]) -> list[game.Move]:
    """The cards that the seat on turn may play onto the pile, then what it may do ``otherwise`` (by seat)."""
    seat = state.turn
    plays = PLAYS[seat]
    cards = playable(state, state.daylight).intersection(state.hands[seat])
    moves = [plays[card] for card in sorted(cards)]
    moves.append(otherwise[seat])
    return moves


def adjudicate(state: State, move: game.Move, chance: Chance) -> Ruling:
    """Rule on a move: whose turn and what kind of move, then where the card is, then the rules."""
    phase, seat, kind = state.phase, move["seat"], move["type"]
    if seat not in state.to_act or kind not in TYPES[phase]:
        return IllegalMove(out_of_order_infraction(phase, state.to_act, seat))
    if kind == "pass":
        return _pass(state, seat, chance)
    if kind == "end_turn":
        return _end_turn(state, seat)
    card = move["card"]
    if card not in state.hands[seat]:
        return IllegalMove(Infraction("card-not-in-hand", seat, None, "card-not-in-hand", {"card": card}))
    if state.swap is not None:
        return choose(state, state.swap, seat, card)
    return _play(state, seat, card, move.get("daylight"), chance)


def waived(state: State, move: game.Move, chance: Chance) -> Ruling:
    """Rule on a move that a referee lets stand: a card of the wrong number (TOW-3.1, TOW-3.2, TOW-4.1). One of the
    other kind belies the state of play (TOW-5.1), so it is taken back instead. A leader still has to play, and to
    declare, and nobody else declares."""
    if move["type"] != "play":
        return adjudicate(state, move, chance)
    return _play(state, move["seat"], move["card"], move.get("daylight"), chance, stands=True)


def _play(
    state: State, seat: Seat, card: Card, declared: Daylight | None, chance: Chance, *, stands: bool = False
) -> Ruling:
    """TOW-3.3: the card goes onto the pile; the turn goes on until the seat ends it (TOW-4.2)."""
    if (declared is None) == (state.phase == "lead"):
        return IllegalMove(misdeclared(state, seat))
    daylight = declared or state.daylight
    if card not in playable(state, daylight) and not stands:
        return IllegalMove(unplayable(state, seat, card, daylight))
    hands = hands_without(state.hands, seat, card)
    state = state._replace(
        ply=state.ply + 1,
        phase="combo",
        daylight=daylight,
        hands=hands,
        pile=(*state.pile, card),
        combo=NUMBER[card],
        last_played=seat,
        passes=0,
    )
    played = PLAYED[seat][card]
    events = ({"type": "daylight_declared", "seat": seat, "daylight": declared}, *played) if declared else played
    if not hands[seat]:
        return _finish(state, seat, events, chance)
    if card[0] == "T":
        return twilight(state, seat, card, events, chance)
    return accepted(state, events)


def _end_turn(state: State, seat: Seat) -> Accepted[State]:
    """TOW-4.2: the turn is over when the seat says so."""
    left = (seat + 1) % state.seats
    ended = state._replace(ply=state.ply + 1, phase="turn", to_act=(left,), turn=left, combo=None)
    return accepted(ended, TURN_ENDED[seat])


def _pass(state: State, seat: Seat, chance: Chance) -> Ruling:
    """TOW-6.1: a seat may pass whatever it holds, and draws; a leader may not (TOW-2.2, TOW-R1).

    TOW-6.2: after the passes of all the others the seat that played last leads; it is the one on the left, and has no
    turn in between (TOW-R11). The last to pass draws before the pile is discarded (TOW-R10).
    """
    if state.phase == "lead":
        return IllegalMove(violation(seat, "TOW-2.2", "leader-plays"))
    state, drawn = draw(state, (seat,), "TOW-6.1", chance)
    left = (seat + 1) % state.seats
    state = state._replace(ply=state.ply + 1, passes=state.passes + 1, to_act=(left,), turn=left)
    if left == state.last_played:
        state, discarded = discard_pile(state, "TOW-6.2")
        drawn += discarded
    return accepted(state, (PASSED[seat], *drawn))


def _finish(state: State, seat: Seat, events: tuple[Event, ...], chance: Chance) -> Accepted[State]:
    """TOW-7.1: the last card ends the round, before any effect of it, the flip included (TOW-5.5, TOW-R2)."""
    finishes = replace_at(state.finishes, seat, state.finishes[seat] + 1)
    finished: Event = {"type": "round_finished", "round": state.round, "seat": seat}
    state = state._replace(combo=None, scores=finishes, finishes=finishes, rounds=(*state.rounds, seat))
    if finishes[seat] == state.options.finishes_to_win:
        return _win(state, seat, (*events, finished))
    # TOW-7.3, TOW-1.2: a new round, begun by the seat left of the one who finished
    return _next_round(state, (seat + 1) % state.seats, (*events, finished), chance)


def _win(state: State, seat: Seat, events: tuple[Event, ...]) -> Accepted[State]:
    """TOW-7.2: the game ends, and the table stays as the last card left it."""
    outcome: Outcome = {"winners": (seat,), "scores": state.scores, "reason": "finished"}
    ended = state._replace(phase="finished", to_act=(), outcome=outcome)
    return Accepted(ended, (*events, {"type": "game_finished", **outcome}))


def lines(state: State) -> tuple[Line, ...]:
    """TOW-7.1: return one score item for each finish; a seat's items add up to its score."""
    return tuple(
        [
            {"seat": seat, "rule": "TOW-7.1", "points": 1, "round": number}
            for number, seat in enumerate(state.rounds, start=1)
        ]
    )
