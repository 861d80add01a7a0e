"""Finds why a state cannot be a position of Catte.

Each check is a quick comparison of the whole; pointers are made only where it fails. Pointers and facts hold counts,
seats and what lies face up, never a card. Tricks that are out of play are not reopened: they were ruled on when they
were played.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from gyoji.games.card_counts import Pile, miscounted, unsorted
from gyoji.games.catte.components import (
    CATS,
    CATS_EACH,
    CODES,
    COFFEE_EACH,
    COFFEES,
    DECK,
    LIMIT,
    RANK,
    total,
)
from gyoji.games.catte.finished_rounds import finished_rounds, is_over, last_round, last_winner, tricks_won
from gyoji.games.catte.rules import contradictions
from gyoji.games.catte.scores import outcome
from gyoji.games.catte.state import State
from gyoji.games.game import Card, Finding, Seat


def findings(state: State) -> tuple[Finding, ...]:
    """Return all findings that make a state of Catte impossible; where lists lack seats, those alone."""
    misshapen = (*contradictions(state.seats, state.options), *_misshapen(state))
    if misshapen:
        return misshapen
    return (
        *_cats(state),
        *_coffee(state),
        *_order(state),
        *_lead(state),
        *_counts(state),
        *_trick(state),
        *_turn(state),
        *_overdue(state),
        *finished_rounds(state),
        *last_round(state),
        *_progress(state),
        *_scores(state),
    )


def _misshapen(state: State) -> Iterator[Finding]:
    """What has to be a list by seat, or a seat of the table, and is not."""
    seats = state.seats
    if len(state.rounds) > seats:
        yield Finding("/table/rounds", "wrong-count", {"at_most": seats})
    for pointer, seat in (("/table/starting", state.starting), ("/table/lead", state.lead)):
        if seat >= seats:
            yield Finding(pointer, "wrong-seat")
    if {*map(len, (state.scores, state.hands, state.coffee.unused, state.coffee.acquired)), *_widths(state)} != {seats}:
        for pointer, values in _by_seat(state):
            if len(values) != seats:
                yield Finding(pointer, "wrong-count", {"expected": seats})


def _widths(state: State) -> set[int]:
    return {len(by_seat) for finished in state.rounds for by_seat in finished[1:]}


def _by_seat(state: State) -> Iterator[tuple[str, Sequence[Any]]]:
    yield "/scores", state.scores
    yield "/table/hands", state.hands
    yield "/table/coffee/unused", state.coffee.unused
    yield "/table/coffee/acquired", state.coffee.acquired
    for at, finished in enumerate(state.rounds):
        yield f"/table/rounds/{at}/points", finished.points
        yield f"/table/rounds/{at}/acquired", finished.acquired
        yield f"/table/rounds/{at}/unused", finished.unused


def _piles(pointer: str, piles: Sequence[Sequence[Card]]) -> list[Pile]:
    return [(f"{pointer}/{seat}", cards) for seat, cards in enumerate(piles)]


def _is_all_of(deck: frozenset[Card], cards: list[Card]) -> bool:
    """Every card of a deck of distinct cards, once."""
    return len(cards) == len(deck) and deck == {*cards}


def _cats(state: State) -> Iterator[Finding]:
    """CAT-R1: every cat card of the deck is in a hand, aside, in the trick or out of play."""
    deck = CATS if state.options.deck is None else frozenset(state.options.deck)
    trick = [play.card for play in state.trick]
    cards = [*state.aside, *state.discard, *trick]
    for hand in state.hands:
        cards += hand
    if not _is_all_of(deck, cards):
        hands = _piles("/table/hands", state.hands)
        rest = [("/table/aside", state.aside), ("/table/trick", trick), ("/table/discard", state.discard)]
        yield from miscounted(Counter(deck), [*hands, *rest])


def _centre(state: State) -> tuple[Card, ...]:
    return () if state.coffee.centre is None else (state.coffee.centre,)


def _coffee(state: State) -> Iterator[Finding]:
    """CAT-1.2, CAT-1.3, CAT-4.3: every coffee card is unused, acquired or in the centre."""
    cards = [*_centre(state)]
    for pile in (*state.coffee.unused, *state.coffee.acquired):
        cards += pile
    if not _is_all_of(COFFEES, cards):
        yield from miscounted(
            Counter(COFFEES),
            [
                *_piles("/table/coffee/unused", state.coffee.unused),
                *_piles("/table/coffee/acquired", state.coffee.acquired),
                ("/table/coffee/centre", _centre(state)),
            ],
        )


def _order(state: State) -> Iterator[Finding]:
    """Hands and rows lie in hand order."""
    piles = (*state.hands, *state.coffee.unused)
    ranks = [at * CODES + RANK[card] for at, cards in enumerate(piles) for card in cards]
    if sorted(ranks) != ranks:
        named = [*_piles("/table/hands", state.hands), *_piles("/table/coffee/unused", state.coffee.unused)]
        yield from unsorted(RANK.__getitem__, named)


def _true_lead(state: State) -> Seat:
    """CAT-2.1, CAT-4.4: who has to lead by the coffee cards; whoever is said to where they do not tell."""
    won = [*map(len, state.coffee.acquired)]
    if not any(won):
        return state.starting
    if state.coffee.centre is not None:
        return state.lead
    winner = last_winner(won, [*map(len, state.coffee.unused)], COFFEE_EACH[state.seats])
    return state.lead if winner is None else winner


def _lead(state: State) -> Iterator[Finding]:
    """CAT-4.4: the winner of the last trick leads, so it has acquired coffee; at first the starting player does."""
    lead = _true_lead(state)
    if lead != state.lead:
        yield Finding("/table/lead", "wrong-lead", {"expected": lead})
    elif not state.coffee.acquired[lead] and any(state.coffee.acquired):
        yield Finding("/table/lead", "wrong-lead")


def _counts(state: State) -> Iterator[Finding]:
    """CAT-1.1, CAT-4.3: how many cards lie where, after so many tricks."""
    tricks = tricks_won(state.coffee.acquired)
    cats = CATS_EACH[state.seats]
    hands = [cats - tricks] * state.seats
    for play in state.trick[: state.seats]:
        hands[play.seat % state.seats] -= 1
    aside = len(state.options.deck or DECK) - state.seats * cats
    expected = [*hands, *_rows(state), aside, state.seats * tricks]
    counts = [*map(len, (*state.hands, *state.coffee.unused, state.aside, state.discard))]
    if counts != expected:
        for (pointer, cards), count in zip(_counted(state), expected, strict=True):
            if len(cards) != count:
                yield Finding(pointer, "wrong-count", {"expected": count})


def _rows(state: State) -> list[int]:
    """CAT-2.2: a seat has served once for every trick it won, but for the one that it leads next."""
    each = COFFEE_EACH[state.seats]
    rows = [each - len(cards) for cards in state.coffee.acquired]
    if state.coffee.centre is None:
        lead = _true_lead(state)
        rows[lead] = min(each, rows[lead] + 1)
    return rows


def _counted(state: State) -> list[Pile]:
    hands = _piles("/table/hands", state.hands)
    rows = _piles("/table/coffee/unused", state.coffee.unused)
    return [*hands, *rows, ("/table/aside", state.aside), ("/table/discard", state.discard)]


def _trick(state: State) -> Iterator[Finding]:
    """CAT-2.2, CAT-3.1: no trick without coffee, none left lying when complete, and clockwise from the lead."""
    most = 0 if state.coffee.centre is None else state.seats - 1
    if len(state.trick) > most:
        yield Finding("/table/trick", "wrong-count", {"at_most": most})
    for at, play in enumerate(state.trick):
        expected = (state.lead + at) % state.seats
        if play.seat != expected:
            yield Finding(f"/table/trick/{at}/seat", "wrong-seat" if at else "wrong-lead", {"expected": expected})


def _turn(state: State) -> Iterator[Finding]:
    """CAT-2.1, CAT-2.2, CAT-3.1: the phase and whose turn it is follow from what lies on the table."""
    to_act: tuple[Seat, ...]
    if is_over(state):
        phase, to_act = "finished", ()
    elif state.coffee.centre is None:
        phase, to_act = "coffee", (state.lead,)
    else:
        phase, to_act = "trick", ((state.lead + len(state.trick)) % state.seats,)
    if state.phase != phase:
        yield Finding("/phase", "wrong-phase", {"expected": phase})
    if state.to_act != to_act:
        yield Finding("/to_act", "wrong-to-act", {"expected": to_act})


def _overdue(state: State) -> Iterator[Finding]:
    """CAT-5.1, CAT-5.2, CAT-5.3: a round that goes on and should have been scored."""
    if not is_over(state) and (
        max(map(total, state.coffee.acquired)) > LIMIT[state.seats]
        or tricks_won(state.coffee.acquired) == CATS_EACH[state.seats]
        or (state.coffee.centre is None and not state.coffee.unused[state.lead])
    ):
        yield Finding("/table/rounds", "wrong-count", {"expected": len(state.rounds) + 1})


def _progress(state: State) -> Iterator[Finding]:
    """CAT-7.1: the round, and with it the shuffles and the plies, follow from the finished rounds and the table."""
    number = len(state.rounds) + (not is_over(state))
    if state.round != number:
        yield Finding("/round", "wrong-round", {"expected": number})
    if state.shuffles != 2 * number:
        yield Finding("/shuffles", "wrong-shuffles", {"expected": 2 * number})
    plies = _plies(state)
    if state.ply != plies:
        yield Finding("/ply", "wrong-ply", {"expected": plies})


def _plies(state: State) -> int:
    """CAT-2.1, CAT-2.2: every seat plays once a trick; one coffee is served before each but a round's first."""
    seats = state.seats
    plies = sum([tricks_won(finished.acquired) * (seats + 1) - 1 for finished in state.rounds])
    if not is_over(state):
        plies += tricks_won(state.coffee.acquired) * (seats + 1) - (state.coffee.centre is None) + len(state.trick)
    return plies


def _scores(state: State) -> Iterator[Finding]:
    """CAT-6.3, CAT-7.3: scores are the points of the rounds added up, the outcome follows from them."""
    points = [finished.points for finished in state.rounds]
    scores = tuple(map(sum, zip((0,) * state.seats, *points, strict=True)))
    if state.scores != scores:
        yield Finding("/scores", "wrong-scores", {"expected": scores})
    if state.outcome != (outcome(state.scores) if is_over(state) else None):
        yield Finding("/outcome", "wrong-outcome")
