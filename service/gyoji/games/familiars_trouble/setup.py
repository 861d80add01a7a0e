"""Section 1 of the rules page: what is dealt and laid out."""

from gyoji.games.familiars_trouble.components import CARDS, HAND, LEVELS, in_order
from gyoji.games.familiars_trouble.errands import ErrandId
from gyoji.games.familiars_trouble.events import Piles
from gyoji.games.familiars_trouble.exchange import first_phase
from gyoji.games.familiars_trouble.state import Options, State, errand_list
from gyoji.games.game import Accepted, Chance, Event, Seat, dealt


def start(seats: int, options: Options, first: Seat, seed: str | None, chance: Chance) -> Accepted[State]:
    """FAM-1.1, FAM-1.3: five cards a seat, the other twelve to draw from; the first lead player is given."""
    hands, draw = dealt(chance("attributes", 0, CARDS), seats, HAND)
    errands, piles = _laid_out(options, chance)
    state = State(
        seats=seats,
        options=options,
        seed=seed,
        shuffles=1 + len(LEVELS),
        round=1,
        ply=0,
        phase=first_phase(options),
        to_act=(first,),
        scores=(0,) * seats,
        outcome=None,
        lead=first,
        hands=tuple(map(in_order, hands)),
        draw=draw,
        errands=errands,
        piles=piles,
        completed=(),
        discard=(),
        trick=(),
        exchange=None,
        tricks=0,
    )
    return Accepted(state, (_hands_dealt(state),))


def _laid_out(options: Options, chance: Chance) -> tuple[tuple[ErrandId, ...], Piles]:
    """FAM-1.2: three shuffled piles, and the top errands of each turned up."""
    shuffled = [
        chance(f"errands-{level}", level, [errand.id for errand in errand_list(options) if errand.level == level])
        for level in LEVELS
    ]
    laid = list(zip(shuffled, options.opening, strict=True))
    return tuple([errand for pile, count in laid for errand in pile[:count]]), tuple(
        [pile[count:] for pile, count in laid]
    )


def _hands_dealt(state: State) -> Event:
    return {
        "type": "hands_dealt",
        "round": state.round,
        "hands": state.hands,
        "draw": state.draw,
        "errands": state.errands,
        "piles": {str(level): pile for level, pile in zip(LEVELS, state.piles, strict=True)},
    }
