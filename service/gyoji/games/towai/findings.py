"""Finds why a state cannot be a position of TOWAI.

What the rest of a state does not determine is let be: how many plies and re-formed decks there have been, how large the
hands have grown, and how the cards on the pile obeyed the rules when they were played.
"""

from collections import Counter
from collections.abc import Iterator

from gyoji.games.card_counts import Pile, miscounted, unsorted
from gyoji.games.game import Finding, Seat
from gyoji.games.towai.components import COPIES, COUNTS, DAYLIGHTS, HAND, NUMBER, RANK, RESET, SWAP, Daylight
from gyoji.games.towai.state import State

MOST_PLIES = 2**31
"""No game is that long; the shuffles of one that was could soon not be counted in the 4 bytes of deal/v1."""


def findings(state: State) -> tuple[Finding, ...]:
    """Return all findings that make a state of TOWAI impossible. A list that has not one entry a seat, or names a seat
    that is not there, stands alone: nothing that follows from it would mean much."""
    return tuple(_misshapen(state)) or (
        *_census(state),
        *_history(state),
        *_result(state),
        *_hands(state),
        *_pile(state),
        *_turn(state),
        *_swap(state),
    )


def _misshapen(state: State) -> Iterator[Finding]:
    seats = state.seats
    for pointer, values in (
        ("/scores", state.scores),
        ("/table/hands", state.hands),
        ("/table/swap", state.swap),
        ("/table/finishes", state.finishes),
    ):
        if values is not None and len(values) != seats:
            yield Finding(pointer, "wrong-count", {"expected": seats})
    for pointer, seat in (
        ("/table/starting", state.starting),
        ("/table/turn", state.turn),
        ("/table/last_played", state.last_played),
    ):
        if seat is not None and seat >= seats:
            yield Finding(pointer, "wrong-seat")
    if state.rounds and max(state.rounds) >= seats:
        yield Finding("/table/rounds", "wrong-seat")


def _census(state: State) -> Iterator[Finding]:
    """TOW-1.1: all 60 cards, each where it can be, and hands in order."""
    cards = [*state.deck, *state.pile, *state.discard]
    for hand in state.hands:
        cards += hand
    if dict(Counter(cards)) != COPIES:
        piles = (("/table/deck", state.deck), ("/table/pile", state.pile), ("/table/discard", state.discard))
        yield from miscounted(COUNTS, (*_hand_piles(state), *piles))
    if [sorted(hand) for hand in state.hands] != [list(hand) for hand in state.hands]:
        yield from unsorted(RANK.__getitem__, _hand_piles(state))


def _hand_piles(state: State) -> list[Pile]:
    return [(f"/table/hands/{seat}", hand) for seat, hand in enumerate(state.hands)]


def _history(state: State) -> Iterator[Finding]:
    """TOW-1.2, TOW-7.3: the rounds played and who began this one."""
    over = state.phase == "finished"
    earlier = state.rounds[:-1] if over else state.rounds
    if state.round != len(earlier) + 1:
        yield Finding("/round", "wrong-round", {"expected": len(earlier) + 1})
    if earlier and state.starting != (earlier[-1] + 1) % state.seats:
        yield Finding("/table/starting", "wrong-lead", {"expected": (earlier[-1] + 1) % state.seats})
    if any(earlier.count(seat) >= state.options.finishes_to_win for seat in earlier):
        yield Finding("/table/rounds", "wrong-value")  # the game would have been over before
    if over and state.last_played not in state.rounds[-1:]:
        yield Finding("/table/last_played", "wrong-seat")
    yield from _counters(state)


def _counters(state: State) -> Iterator[Finding]:
    """TOW-1.1, TOW-6.3: a shuffle for each round, and never more than one in a move; TOW-7.1 ends a round before its
    last card makes anybody draw."""
    if state.round == 1 and _fresh(state):
        yield from _opening(state)
    elif not state.round <= state.shuffles <= state.ply + 1:
        yield Finding("/shuffles", "wrong-shuffles")
    if state.ply > MOST_PLIES:
        yield Finding("/ply", "wrong-ply", {"at_most": MOST_PLIES})


def _fresh(state: State) -> bool:
    """No card of this round has been played; a re-formed deck leaves one on the pile (TOW-6.3)."""
    return not state.pile and not state.discard


def _opening(state: State) -> Iterator[Finding]:
    """Before the first card of all no move has been made, and no deck re-formed."""
    if state.ply:
        yield Finding("/ply", "wrong-ply", {"expected": 0})
    if state.shuffles != 1:
        yield Finding("/shuffles", "wrong-shuffles", {"expected": 1})


def _result(state: State) -> Iterator[Finding]:
    """TOW-7.1, TOW-7.2: the finishes, and whether they have ended the game."""
    finishes = tuple([state.rounds.count(seat) for seat in range(state.seats)])
    over = state.phase == "finished"
    if state.finishes != finishes:
        yield Finding("/table/finishes", "wrong-value", {"expected": finishes})
    if state.scores != finishes:
        yield Finding("/scores", "wrong-scores", {"expected": finishes})
    if over != (max(finishes) >= state.options.finishes_to_win):
        yield Finding("/phase", "wrong-phase")
    result = {"winners": state.rounds[-1:], "scores": finishes, "reason": "finished"} if over else None
    if state.outcome != result:
        yield Finding("/outcome", "wrong-outcome")


def _hands(state: State) -> Iterator[Finding]:
    """Seven cards each before a round's first card; after it only who finishes the game has none (TOW-7.1)."""
    fresh = _fresh(state)
    finisher = state.turn if state.phase == "finished" else None
    for seat, hand in enumerate(state.hands):
        if fresh and len(hand) != HAND:
            yield Finding(f"/table/hands/{seat}", "wrong-count", {"expected": HAND})
        elif bool(hand) == (seat == finisher):
            yield Finding(f"/table/hands/{seat}", "wrong-count")


def _pile(state: State) -> Iterator[Finding]:
    """The pile is empty when a seat is to lead and never else; a reset takes itself away unless it was the last card
    (TOW-5.3, TOW-5.5)."""
    pile = state.pile
    if bool(pile) == (state.phase == "lead") or (state.phase == "swap" and pile[-1] != SWAP):
        yield Finding("/phase", "wrong-phase")
    if RESET in (pile[:-1] if state.phase == "finished" else pile):
        yield Finding("/table/pile", "wrong-value")
    if state.combo != (NUMBER[pile[-1]] if pile and state.phase in ("combo", "swap") else None):
        yield Finding("/table/combo", "wrong-value")
    if (state.daylight is None) != _fresh(state) or (state.daylight and state.daylight not in _daylights(state)):
        yield Finding("/table/daylight", "wrong-value")


def _daylights(state: State) -> tuple[Daylight, ...]:
    """TOW-5.1: the states of play in which the cards can have left the table.

    A Day or Night card was played by its own state (a first card under ``first_card: any`` perhaps not, TOW-R3), and
    every TOWAI card since then has flipped it, but for one that ended the game (TOW-5.5).
    """
    cards = state.pile or state.discard[-1:]
    flips = 0
    for at in range(len(cards) - 1, -1, -1):
        kind = cards[at][0]
        if kind != "T":
            led = at == 0 and state.options.first_card == "any"
            return DAYLIGHTS if led else (DAYLIGHTS[(flips + (kind == "N")) % 2],)
        flips += at < len(cards) - 1 or state.phase != "finished"
    return DAYLIGHTS


def _turn(state: State) -> Iterator[Finding]:
    """Whose turn it is, since who played last and how many have passed (TOW-3.3, TOW-6.1, TOW-6.2)."""
    if (state.last_played is None) == bool(state.pile):
        yield Finding("/table/last_played", "wrong-seat")
    if state.passes > (state.seats - 2 if state.phase == "turn" else 0):
        yield Finding("/table/passes", "wrong-count")
    turn = _expected_turn(state)
    if state.turn != turn:
        yield Finding("/table/turn", "wrong-seat", {"expected": turn})
    to_act = _expected_to_act(state)
    if state.to_act != to_act:
        yield Finding("/to_act", "wrong-to-act", {"expected": to_act})


def _expected_turn(state: State) -> Seat:
    """After a reset, or when all have passed, any seat may be the one to lead."""
    if _fresh(state):
        return state.starting
    if state.phase == "lead" or state.last_played is None:
        return state.turn
    if state.phase == "turn":
        return (state.last_played + 1 + state.passes) % state.seats
    return state.last_played


def _expected_to_act(state: State) -> tuple[Seat, ...]:
    """TOW-5.4: in a swap who has not chosen yet; else the seat on turn."""
    if state.phase == "finished":
        return ()
    if state.phase == "swap":
        return state.to_act if state.swap is None else tuple([at for at, card in enumerate(state.swap) if card is None])
    return (state.turn,)


def _swap(state: State) -> Iterator[Finding]:
    """TOW-5.4: chosen cards stay in the hands, and move when the last one is chosen."""
    if (state.swap is None) == (state.phase == "swap") or (state.swap is not None and None not in state.swap):
        yield Finding("/table/swap", "wrong-value")
    for seat, card in enumerate(state.swap or ()):
        if card is not None and card not in state.hands[seat]:
            yield Finding(f"/table/swap/{seat}", "wrong-value")
