"""The rounds of Tomorrow Never Meows: setting up, whose turn it is, and what happens when a round is over (sections 1,
5)."""

from gyoji.games.game import Accepted, Card, Chance, Event, Seat, accepted, clockwise, deal_hands, highest
from gyoji.games.tomorrow_never_meows.components import BASIC_OF, DECK, HAND_SIZE, RANK
from gyoji.games.tomorrow_never_meows.scores import round_lines, scored_round
from gyoji.games.tomorrow_never_meows.state import Options, Outcome, State

# 1 Setup


def start(seats: int, options: Options, first: Seat, seed: str | None, chance: Chance) -> Accepted[State]:
    """TNM-1.3: the first lead player of round 1 is given; the order of wishing begins there (TNM-2.2)."""
    hands, aside = _dealt(seats, 0, chance)
    order = clockwise(first, seats)
    nothing: tuple[None, ...] = (None,) * seats
    state = State(
        seats=seats,
        options=options,
        seed=seed,
        shuffles=1,
        round=1,
        ply=0,
        phase="wish",
        to_act=_wishing(options, order),
        scores=(0,) * seats,
        outcome=None,
        first_lead=first,
        lead=first,
        wish_order=order,
        hands=hands,
        aside=aside,
        wishes=nothing,
        announced=nothing,
        last_wishes=nothing,
        advanced=(False,) * seats,
        trick=(),
        captured=((),) * seats,
        tricks_won=(0,) * seats,
        rounds=(),
    )
    return Accepted(state, (_hands_dealt(state),))


def _dealt(seats: int, shuffles: int, chance: Chance) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    """TNM-1.1: shuffle all 36 and deal; the rest lies aside (TNM-1.2)."""
    piles, aside = deal_hands(chance("deck", shuffles, DECK), seats, HAND_SIZE[seats])
    return tuple([tuple(sorted(pile, key=RANK.__getitem__)) for pile in piles]), aside


def _hands_dealt(state: State) -> Event:
    return {"type": "hands_dealt", "round": state.round, "hands": state.hands, "aside": state.aside}


def _next_round(state: State, leader: Seat, order: tuple[Seat, ...], chance: Chance) -> State:
    """TNM-5.2: all cards are dealt anew, the wishes taken back. TNM-1.4: only after the deal come the wishes."""
    seats = state.seats
    hands, aside = _dealt(seats, state.shuffles, chance)
    return state._replace(
        shuffles=state.shuffles + 1,
        round=state.round + 1,
        phase="wish",
        to_act=_wishing(state.options, order),
        first_lead=leader,
        lead=leader,
        wish_order=order,
        hands=hands,
        aside=aside,
        wishes=(None,) * seats,
        announced=(None,) * seats,
        last_wishes=state.wishes,
        captured=((),) * seats,
        tricks_won=(0,) * seats,
    )


# Whose turn it is


def _wishing(options: Options, waiting: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """TNM-2.1: of the seats that have not wished, in their order, one after another. TNM-7.1: all at the same time."""
    return tuple(sorted(waiting)) if options.concealed else waiting[:1]


def due(state: State) -> tuple[str, tuple[Seat, ...]]:
    """Return the phase and the seats to act, as what lies on the table determines them."""
    wishes = state.wishes
    if None in wishes:
        waiting = tuple([seat for seat in state.wish_order if wishes[seat] is None])
        return "wish", _wishing(state.options, waiting)
    if state.options.concealed and None in state.announced:
        # TNM-7.2: clockwise from the round's lead player, which is what wish_order holds then
        return "announce", tuple([seat for seat in state.wish_order if state.announced[seat] is None])[:1]
    if sum(state.tricks_won) == HAND_SIZE[state.seats]:
        return "finished", ()
    # TNM-3.1: from the lead player clockwise
    return "trick", ((state.lead + len(state.trick)) % state.seats,)


# 5 Rounds and the end


def round_ended(state: State, events: tuple[Event, ...], chance: Chance) -> Accepted[State]:
    """TNM-5.1: score the round at once; then the next one, or after the last (TNM-R1: ``rounds``) the end."""
    done = scored_round(state)
    scored = {
        "type": "round_scored",
        "round": state.round,
        "points": done.points,
        "wishes": done.wishes,
        "announced": done.announced,
        "tricks": done.tricks,
        "won": state.captured,
        "lines": round_lines(state.options, state.round, done),
    }
    after = state._replace(
        scores=tuple([score + points for score, points in zip(state.scores, done.points, strict=True)]),
        advanced=tuple([spent or wish in BASIC_OF for spent, wish in zip(state.advanced, done.wishes, strict=True)]),
        rounds=(*state.rounds, done),
    )
    if state.round == state.options.rounds:
        return _finished(after, (*events, scored))
    leader = next_leader(state.options, after.scores, state.first_lead)
    order = wishing_order(state.options, after.scores, state.first_lead, leader)
    opened = _next_round(after, leader, order, chance)
    return accepted(opened, (*events, scored, _hands_dealt(opened)))


def wishing_order(options: Options, scores: tuple[int, ...], last_lead: Seat, leader: Seat) -> tuple[Seat, ...]:
    """TNM-2.3, TNM-R3: from the highest score down, equal ones clockwise from the left of the last lead player.

    TNM-7.2: with concealed wishes the order of announcing, always clockwise from the round's lead player.
    """
    seats = len(scores)
    if options.concealed:
        return clockwise(leader, seats)
    # a sort in reverse keeps the order of equal scores
    return tuple(sorted(clockwise((last_lead + 1) % seats, seats), key=scores.__getitem__, reverse=True))


def next_leader(options: Options, scores: tuple[int, ...], last_lead: Seat) -> Seat:
    """TNM-5.3, TNM-R3: the lowest score leads, of equal ones the first from the left of the last lead player on.

    TNM-R2: with ``clockwise`` the seat to the left of the last lead player.
    """
    seats = len(scores)
    left = (last_lead + 1) % seats
    if options.round_leader == "clockwise":
        return left
    return min(clockwise(left, seats), key=scores.__getitem__)


def outcome_of(scores: tuple[int, ...]) -> Outcome:
    """TNM-5.4, TNM-R4: the highest total wins, equal ones share."""
    return {"winners": highest(scores), "scores": scores, "reason": "rounds_played"}


def _finished(state: State, events: tuple[Event, ...]) -> Accepted[State]:
    outcome = outcome_of(state.scores)
    over = state._replace(phase="finished", to_act=(), outcome=outcome)
    return Accepted(over, (*events, {"type": "game_finished", **outcome}))
