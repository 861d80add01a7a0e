"""Finds why a state cannot be a position of Tomorrow Never Meows.

How cards that were played obeyed the rules is not asked again: that was ruled on when they were played.
"""

from collections.abc import Iterator, Sized
from itertools import chain
from operator import attrgetter

from gyoji.games.card_counts import miscounted
from gyoji.games.game import Finding, Seat, clockwise
from gyoji.games.tomorrow_never_meows.components import CARDS, DECK, HAND_SIZE, RANK
from gyoji.games.tomorrow_never_meows.history import history
from gyoji.games.tomorrow_never_meows.rounds import due, outcome_of
from gyoji.games.tomorrow_never_meows.rules import in_play, wish_forbidden
from gyoji.games.tomorrow_never_meows.scores import totals
from gyoji.games.tomorrow_never_meows.state import Options, Round, State

ALL_CARDS = frozenset(DECK)
BY_SEAT = (
    "scores",
    "wish_order",
    "hands",
    "wishes",
    "announced",
    "last_wishes",
    "advanced",
    "captured",
    "tricks_won",
)
"""The lists of a state that have one place for each seat."""
by_seat = attrgetter(*BY_SEAT)


def contradictions(seats: int, options: Options) -> tuple[Finding, ...]:
    """TNM-R1, TNM-7.4: find options that contradict each other: four rounds need four seats. Bluffs need concealed
    wishes."""
    found = []
    if options.rounds > max(3, seats):
        found.append(Finding("/options/rounds", "contradictory-options", {"seats": seats}))
    if options.bluff_scoring != "none" and not options.concealed:
        found.append(Finding("/options/bluff_scoring", "contradictory-options"))
    return tuple(found)


def findings(state: State) -> tuple[Finding, ...]:
    """Return all findings; where lists have no place for each seat only these, and no history where rounds are
    missing."""
    found = list(contradictions(state.seats, state.options))
    misshapen = tuple(_misshapen(state))
    if misshapen:
        return (*found, *misshapen)
    phase, to_act = due(state)
    miscounted_rounds = tuple(_miscounted_rounds(state, phase))
    found += [*miscounted_rounds, *_turn(state, phase, to_act), *_wishing(state, phase), *_cards(state, phase)]
    if not miscounted_rounds:
        found += history(state, phase)
    return tuple(found)


# Shape: a place for every seat, and seats that the table has


def _misshapen(state: State) -> Iterator[Finding]:
    seats = state.seats
    if {*map(len, _lists(state))} != {seats}:
        yield from _wrong_lengths(state)
    if sorted(state.wish_order) != list(range(seats)):
        yield Finding("/table/wish_order", "wrong-seat")
    for pointer, seat in (("/table/first_lead", state.first_lead), ("/table/lead", state.lead)):
        if seat >= seats:
            yield Finding(pointer, "wrong-seat")


def _lists(state: State) -> list[Sized]:
    """Whatever has one place for each seat."""
    return [*by_seat(state), *chain.from_iterable(state.rounds)]


def _wrong_lengths(state: State) -> Iterator[Finding]:
    pointers = ["/scores", *[f"/table/{name}" for name in BY_SEAT[1:]]]
    pointers += [f"/table/rounds/{at}/{name}" for at in range(len(state.rounds)) for name in Round._fields]
    for pointer, values in zip(pointers, _lists(state), strict=True):
        if len(values) != state.seats:
            yield Finding(pointer, "wrong-count", {"expected": state.seats})


def _miscounted_rounds(state: State, phase: str) -> Iterator[Finding]:
    """TNM-5.1: a round is kept as soon as it has been played out; after the last one the game is over.

    Where the number of the round and the rounds kept disagree, either may be the wrong one: both are named.
    """
    last, over = state.options.rounds, phase == "finished"
    kept = state.round if over else state.round - 1
    lost = len(state.rounds) != kept
    if lost or not (state.round == last if over else state.round <= last):
        yield Finding("/round", "wrong-round")
    if lost:
        yield Finding("/table/rounds", "wrong-count", {"expected": kept})


# The envelope


def _turn(state: State, phase: str, to_act: tuple[Seat, ...]) -> Iterator[Finding]:
    """Phase, seats to act, plies, shuffles, scores and outcome follow from the rest."""
    if state.phase != phase:
        yield Finding("/phase", "wrong-phase", {"expected": phase})
    if state.to_act != to_act:
        yield Finding("/to_act", "wrong-to-act", {"expected": to_act})
    plies = _plies(state)
    if state.ply != plies:
        yield Finding("/ply", "wrong-ply", {"expected": plies})
    if state.shuffles != state.round:  # TNM-5.2
        yield Finding("/shuffles", "wrong-shuffles", {"expected": state.round})
    scores = totals(state.seats, state.rounds)
    if state.scores != scores:
        yield Finding("/scores", "wrong-scores", {"expected": scores})
    if state.outcome != (outcome_of(scores) if phase == "finished" else None):
        yield Finding("/outcome", "wrong-outcome")


def _plies(state: State) -> int:
    """One for each wish, announcement and card of the rounds before and of this one."""
    seats = state.seats
    a_round = seats * (HAND_SIZE[seats] + (2 if state.options.concealed else 1))
    choices = 2 * seats - state.wishes.count(None) - state.announced.count(None)
    return (state.round - 1) * a_round + choices + seats * sum(state.tricks_won) + len(state.trick)


# This round: wishes, announcements


def _wishing(state: State, phase: str) -> Iterator[Finding]:
    """Wishes and announcements come one seat after another (TNM-2.1, TNM-7.2), and play only after all of them."""
    options = state.options
    if phase != "finished":
        yield from _chosen(state)
    if options.concealed and phase != "wish" and _out_of_turn(state.wish_order, state.announced):
        yield Finding("/table/announced", "wrong-order")
    for seat, wish in enumerate(state.announced):
        if wish is not None and not (options.concealed and phase != "wish" and in_play(options, wish)):
            yield Finding(f"/table/announced/{seat}", "wrong-value")


def _chosen(state: State) -> Iterator[Finding]:
    """The wishes chosen so far; in the open game in their order."""
    for seat, wish in enumerate(state.wishes):
        if wish and wish_forbidden(state.options.wishes, state.last_wishes[seat], state.advanced[seat], wish):
            yield Finding(f"/table/wishes/{seat}", "wrong-value")
    if not state.options.concealed and _out_of_turn(state.wish_order, state.wishes):
        yield Finding("/table/wishes", "wrong-order")


def _out_of_turn(order: tuple[Seat, ...], made: tuple[str | None, ...]) -> bool:
    """Whether a seat has chosen before one whose turn came earlier."""
    if None not in made:
        return False
    chosen = [made[seat] is not None for seat in order]
    return chosen != sorted(chosen, reverse=True)


# This round: cards


def _cards(state: State, phase: str) -> Iterator[Finding]:
    everything = [*state.aside, *[play.card for play in state.trick]]
    for cards in (*state.hands, *state.captured):
        everything += cards
    if len(everything) != len(DECK) or {*everything} != ALL_CARDS:
        yield from miscounted(CARDS, _piles(state))
    yield from _lead(state)
    yield from _trick(state)
    yield from _lengths(state)
    if phase in ("wish", "announce") and (state.trick or any(state.tricks_won)):
        yield Finding("/table/trick" if state.trick else "/table/tricks_won", "wrong-count", {"expected": 0})


def _lead(state: State) -> Iterator[Finding]:
    """TNM-3.4: whoever leads has won a trick. TNM-3.5: the first trick is led by the round's lead player."""
    if not (state.tricks_won[state.lead] if any(state.tricks_won) else state.lead == state.first_lead):
        yield Finding("/table/lead", "wrong-lead")


def _piles(state: State) -> Iterator[tuple[str, tuple[str, ...]]]:
    for seat, hand in enumerate(state.hands):
        yield f"/table/hands/{seat}", hand
    yield "/table/aside", state.aside
    yield "/table/trick", tuple([play.card for play in state.trick])
    for seat, cards in enumerate(state.captured):
        yield f"/table/captured/{seat}", cards


def _trick(state: State) -> Iterator[Finding]:
    """TNM-3.1: the lead player's card, then one of each seat clockwise; a whole trick does not stay."""
    played = tuple([play.seat for play in state.trick])
    if len(played) >= state.seats:
        yield Finding("/table/trick", "wrong-count", {"most": state.seats - 1})
    elif played and played[0] != state.lead:
        yield Finding("/table/trick/0/seat", "wrong-lead", {"expected": state.lead})
    elif played != clockwise(state.lead, state.seats)[: len(played)]:
        yield Finding("/table/trick", "wrong-order")


def _lengths(state: State) -> Iterator[Finding]:
    """TNM-1.1, TNM-3.4: how many cards each hand and each pile of won cards holds, and in which order a hand lies."""
    seats, each = state.seats, HAND_SIZE[state.seats]
    left = each - sum(state.tricks_won)
    played = {play.seat for play in state.trick}
    for seat, hand in enumerate(state.hands):
        if len(hand) != left - (seat in played):
            yield Finding(f"/table/hands/{seat}", "wrong-count", {"expected": max(0, left - (seat in played))})
        if [*hand] != sorted(hand, key=RANK.__getitem__):
            yield Finding(f"/table/hands/{seat}", "wrong-order")
    for seat, cards in enumerate(state.captured):
        if len(cards) != state.tricks_won[seat] * seats:
            yield Finding(f"/table/captured/{seat}", "wrong-count", {"expected": state.tricks_won[seat] * seats})
    aside = len(DECK) - seats * each
    if len(state.aside) != aside:
        yield Finding("/table/aside", "wrong-count", {"expected": aside})
