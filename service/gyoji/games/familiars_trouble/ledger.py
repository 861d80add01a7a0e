"""Finds contradictions in the errands of a state: where they lie, which tricks completed them, what they brought."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain

from gyoji.games.card_counts import miscounted
from gyoji.games.familiars_trouble.components import ATTRIBUTES, LEVELS, SEATS
from gyoji.games.familiars_trouble.errands import Errand, ErrandId
from gyoji.games.familiars_trouble.scores import Totals, is_met, outcome, points, totals
from gyoji.games.familiars_trouble.state import State
from gyoji.games.game import Finding

Deck = Mapping[ErrandId, Errand]


def errand_findings(state: State, deck: Deck) -> Iterator[Finding]:
    """Return the findings about errands: each lies somewhere, once; if so, all that follows from where they lie."""
    lying = sum(state.piles, state.errands + state.completed)
    if len(lying) == len(deck) and deck.keys() == set(lying):
        return chain(
            _strays(state, deck),
            _display(state, deck),
            _completions(state, deck),
            _passed_over(state, deck),
            _accounts(state, deck),
            _plies(state),
        )
    piles = [(f"/table/piles/{level}", pile) for level, pile in zip(LEVELS, state.piles, strict=True)]
    display = ("/table/errands", state.errands)
    return miscounted(Counter(deck.keys()), [display, ("/table/completed", state.completed), *piles])


def _strays(state: State, deck: Deck) -> Iterator[Finding]:
    """FAM-1.2, FAM-2.3: no errand lies in another level's pile."""
    for level, pile in zip(LEVELS, state.piles, strict=True):
        if [deck[errand].level for errand in pile].count(level) < len(pile):
            yield Finding(f"/table/piles/{level}", "wrong-value")


# The display


def _display(state: State, deck: Deck) -> Iterator[Finding]:
    """FAM-1.2, FAM-5.1, FAM-R5: the display has its size; it can be short when it waits to be filled, or cannot be."""
    size = sum(state.options.opening)
    may_be_short = state.phase in ("replenish", "finished") or not any(state.piles)
    if len(state.errands) > size or (len(state.errands) < size and not may_be_short):
        yield Finding("/table/errands", "wrong-count", {"expected": size})
    elif not _turned_up_in_turn(state, deck):
        yield Finding("/table/errands", "wrong-value")
    elif _exchanges(state) == 0 and not state.tricks and not _as_laid_out(state, deck):
        yield Finding("/table/errands", "wrong-order")


def _turned_up_in_turn(state: State, deck: Deck) -> bool:
    """FAM-2.3: an errand once turned up leaves for its pile only in an errand exchange, one a round."""
    turned_up = [deck[errand].level for errand in state.errands + state.completed]
    gone_back = [count - turned_up.count(level) for level, count in zip(LEVELS, state.options.opening, strict=True)]
    return sum(gone_back) <= 0 and sum([count for count in gone_back if count > 0]) <= _exchanges(state)


def _as_laid_out(state: State, deck: Deck) -> bool:
    """FAM-1.2: at the start level 1, then 2, then 3."""
    levels = [deck[errand].level for errand in state.errands]
    return levels == sorted(levels)


def _exchanges(state: State) -> int:
    """Errand exchanges that are over, skipped ones too."""
    return (state.tricks + (state.phase == "trick")) * state.options.errand_exchange


# Completed errands


def _completions(state: State, deck: Deck) -> Iterator[Finding]:
    """FAM-4.2: the finished tricks, in order, can have completed the errands, in order."""
    tricks = _reached(state)
    reached = next(tricks, None)
    for at, errand in enumerate(state.completed):
        while reached and not is_met(deck[errand], reached):
            reached = next(tricks, None)
        if not reached:
            yield Finding(f"/table/completed/{at}", "wrong-value")
            return


def _passed_over(state: State, deck: Deck) -> Iterator[Finding]:
    """FAM-4.2, FAM-R2: what still lies on display after the last verdict is nothing that the last trick met."""
    if state.phase == "finished":
        last = [*_reached(state)][-1:]
        if any(is_met(deck[errand], reached) for errand in state.errands for reached in last):
            yield Finding("/table/errands", "wrong-value")


def _reached(state: State) -> Iterator[Totals]:
    """FAM-4.1: the totals of the finished tricks, which lie in the discard in the order played."""
    cards = [card for card in state.discard if card in ATTRIBUTES]
    return map(totals, zip(cards[0::3], cards[1::3], cards[2::3], strict=False))


# Points and plies


def _accounts(state: State, deck: Deck) -> Iterator[Finding]:
    """FAM-6.2, FAM-6.3: every seat has the team's score; the outcome comes with the end, and only then."""
    score = points(state.completed, deck)
    if state.scores != (score,) * SEATS:
        yield Finding("/scores", "wrong-scores", {"expected": score})
    if state.outcome != (outcome(score) if state.phase == "finished" else None):
        yield Finding("/outcome", "wrong-outcome")


def _plies(state: State) -> Iterator[Finding]:
    """Every decision is a move: a ply each, and two more for a hand exchange that was not skipped (FAM-2.2)."""
    hand_exchanges = (state.tricks + (state.phase in ("errand_exchange", "trick"))) * state.options.hand_exchange
    cards_played = SEATS * state.tricks + len(state.trick)
    errands_drawn = len(state.errands) + len(state.completed) - sum(state.options.opening)
    least = hand_exchanges + passes(state) + _exchanges(state) + cards_played + errands_drawn
    if state.ply not in range(least, least + 2 * hand_exchanges + 1, 2):
        yield Finding("/ply", "wrong-ply", {"at_least": least, "at_most": least + 2 * hand_exchanges})


def passes(state: State) -> int:
    """FAM-2.2: how many cards have been passed in the hand exchange in course; who received last has one too many."""
    if state.phase != "hand_exchange" or state.exchange is None:
        return 0
    left, across = (state.lead + 1) % SEATS, (state.lead + 2) % SEATS
    return 1 if len(state.hands[left]) >= len(state.hands[across]) else 2
