"""The setup of Familiar's Trouble before the first trick: the deal (FAM-1) and the exchanges (FAM-2)."""

from functools import lru_cache

from gyoji.games.familiars_trouble.components import (
    CARDS,
    EXCHANGES,
    HAND,
    LEFT,
    LEVELS,
    PASSED,
    SKIPS,
    Level,
    distinct,
    in_order,
    taken_up,
)
from gyoji.games.familiars_trouble.errands import ErrandId
from gyoji.games.familiars_trouble.state import Options, Piles, State, errand_deck, errand_list
from gyoji.games.game import (
    Accepted,
    Card,
    Chance,
    Event,
    IllegalMove,
    Infraction,
    Move,
    Seat,
    accepted,
    deal_hands,
    remove_card,
    replace_at,
)


def start(seats: int, options: Options, first: Seat, seed: str | None, chance: Chance) -> Accepted[State]:
    """FAM-1.1, FAM-1.3: five cards a seat, the other twelve to draw from; the first lead player is given."""
    hands, draw = deal_hands(chance("attributes", 0, CARDS), seats, HAND)
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


Ruling = Accepted[State] | IllegalMove


def first_phase(options: Options) -> str:
    return "hand_exchange" if options.hand_exchange else _after_hand_exchange(options)


def _after_hand_exchange(options: Options) -> str:
    return "errand_exchange" if options.errand_exchange else "trick"


def exchanges(state: State) -> list[Move]:
    """FAM-2.1, FAM-2.2: list the moves of the exchange; the lead player may skip it as long as it has not begun."""
    (seat,) = state.to_act
    exchanges = EXCHANGES[seat]
    passes = [exchanges[card] for card in distinct(state.hands[seat])]
    return [SKIPS[seat], *passes] if state.exchange is None else passes


def skip_exchange(state: State, move: Move) -> Ruling:
    """FAM-2.1: skipping is the lead player's choice; FAM-2.2: an exchange that has begun goes all the way round."""
    seat = move["seat"]
    if state.exchange is not None:
        return IllegalMove(Infraction("rule-violation", seat, "FAM-2.2", "exchange-begun", {"lead": state.lead}))
    skipped = state._replace(ply=state.ply + 1, phase=_after_hand_exchange(state.options))
    return accepted(skipped, ({"type": "exchange_skipped", "seat": seat},))


def exchange(state: State, move: Move) -> Ruling:
    """FAM-2.2: pass one card to the left, which may be the one just received. Over once the card is back at the lead
    player.

    FAM-R3: that holds with one card left each as well.
    """
    seat, card = move["seat"], move["card"]
    hand = state.hands[seat]
    if card not in hand:
        return IllegalMove(not_in_hand(seat, card))
    left = LEFT[seat]
    hands = [*state.hands]
    hands[seat] = remove_card(hand, card)
    hands[left] = taken_up(hands[left], card)
    over = left == state.lead
    phase, begun = (_after_hand_exchange(state.options), None) if over else (state.phase, state.lead)
    passed = state._replace(ply=state.ply + 1, phase=phase, to_act=(left,), hands=tuple(hands), exchange=begun)
    return accepted(passed, PASSED[seat][card])


def not_in_hand(seat: Seat, card: Card) -> Infraction:
    return Infraction("card-not-in-hand", seat, None, "card-not-in-hand", {"card": card})


def replacements(state: State) -> list[Move]:
    """FAM-2.3, FAM-2.4: list the replacements, by errand on display, then by level; with all piles empty only
    skipping."""
    seat = state.lead
    levels = open_levels(state)
    listed: list[Move] = [{"type": "skip_errand", "seat": seat}]
    for errand in state.errands:
        listed += replacements_of(seat, errand, levels)
    return listed


@lru_cache(maxsize=1024)
def replacements_of(seat: Seat, errand: ErrandId, levels: tuple[Level, ...]) -> tuple[Move, ...]:
    """Return the moves that replace an errand, one a level. They recur in most positions, so they are cached (27
    errands, 3 seats and some sets of levels)."""
    return tuple([{"type": "replace_errand", "seat": seat, "errand": errand, "level": level} for level in levels])


def open_levels(state: State) -> tuple[Level, ...]:
    """FAM-2.4: the levels whose pile can be drawn from."""
    piles = state.piles
    return LEVELS if all(piles) else tuple([level for level in LEVELS if piles[level - 1]])


def skip_errand(state: State, move: Move) -> Ruling:
    """FAM-2.3: skipping is the lead player's choice."""
    skipped = state._replace(ply=state.ply + 1, phase="trick")
    return accepted(skipped, ({"type": "errand_exchange_skipped", "seat": move["seat"]},))


def replace_errand(state: State, move: Move) -> Ruling:
    """FAM-2.3: one errand goes, the top one of a pile comes, and the one that went goes under its own pile."""
    seat, discarded, level = move["seat"], move["errand"], move["level"]
    if discarded not in state.errands:
        return IllegalMove(
            Infraction("errand-not-on-display", seat, None, "errand-not-on-display", {"errand": discarded})
        )
    own_level = errand_deck(state.options)[discarded].level
    if not state.piles[level - 1]:
        return IllegalMove(empty_pile(seat, level, level == own_level))
    turned_up, piles = top_turned_up(state.piles, level)
    errands = (*remove_card(state.errands, discarded), turned_up)
    piles = replace_at(piles, own_level - 1, (*piles[own_level - 1], discarded))
    exchanged = state._replace(ply=state.ply + 1, phase="trick", errands=errands, piles=piles)
    event = {"type": "errand_replaced", "seat": seat, "discarded": discarded, "turned_up": turned_up, "level": level}
    return accepted(exchanged, (event,))


def empty_pile(seat: Seat, level: int, returns: bool = False) -> Infraction:
    """FAM-2.4: an empty pile cannot be drawn from; FAM-R4: the errand that would return to it comes too late."""
    because = "empty-pile-own-level" if returns else "empty-pile"
    return Infraction("rule-violation", seat, "FAM-2.4", because, {"level": level})


def top_turned_up(piles: Piles, level: int) -> tuple[ErrandId, Piles]:
    pile = piles[level - 1]
    return pile[0], replace_at(piles, level - 1, pile[1:])
