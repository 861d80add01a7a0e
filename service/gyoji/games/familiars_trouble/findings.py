"""Finds why a state cannot be a position of Familiar's Trouble: options, counts, turn order, the course of the game.

Cards and errands lie open or hidden; a finding names the place alone. What errands tell is in ``ledger``.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from gyoji.games.card_counts import miscounted
from gyoji.games.familiars_trouble.components import CARDS, HAND, LEVELS, RANK, SEATS, TRICKS
from gyoji.games.familiars_trouble.errands import Errand
from gyoji.games.familiars_trouble.ledger import errand_findings, passes
from gyoji.games.familiars_trouble.rules import replenishing_due
from gyoji.games.familiars_trouble.state import Options, State, errand_deck
from gyoji.games.game import Card, Finding, Seat

DECK = Counter(CARDS)
SORTED_CARDS = sorted(CARDS)
MAX_DISPLAY = 9
MAX_ERRANDS = 99
AFTER_TRICK = ("replenish", "finished")
"""The phases in which the round's trick is over and its cards are not yet replaced."""
POINTERS = ("/table/hands/0", "/table/hands/1", "/table/hands/2")


def findings(state: State) -> tuple[Finding, ...]:
    """Return all findings that make a state of Familiar's Trouble impossible.

    Contradictory options, lists of another length than the table has and counters out of range stand alone: nothing
    else can be told from such a state.
    """
    amiss = (*contradictions(state.seats, state.options), *_misshapen(state))
    if amiss:
        return amiss
    return tuple(
        chain(
            _course(state),
            _turn(state),
            _trick(state),
            _counts(state),
            _cards(state),
            errand_findings(state, errand_deck(state.options)),
        )
    )


# Options


def contradictions(_seats: int, options: Options) -> tuple[Finding, ...]:
    """FAM-1.2: the options fit together: a display of 1 to 9 errands, laid out from a deck that has them.

    The page's own deck has nine of each level, enough for every display.
    """
    size = sum(options.opening)
    wrong_size = (
        () if 0 < size <= MAX_DISPLAY else (_contradiction("/options/opening", at_least=1, at_most=MAX_DISPLAY),)
    )
    return wrong_size if options.errands is None else (*wrong_size, *_unusable(options.errands, options.opening))


def _contradiction(pointer: str, **facts: int) -> Finding:
    return Finding(pointer, "contradictory-options", facts)


def _unusable(errands: tuple[Errand, ...], opening: tuple[int, ...]) -> Iterator[Finding]:
    yield from _unusable_list(errands)
    levels = [errand.level for errand in errands]
    for level, count in zip(LEVELS, opening, strict=False):
        if count > levels.count(level):
            yield _contradiction("/options/opening", level=level, at_most=levels.count(level))


def _unusable_list(errands: tuple[Errand, ...]) -> Iterator[Finding]:
    if len(errands) > MAX_ERRANDS:
        yield _contradiction("/options/errands", at_most=MAX_ERRANDS)
    if len({errand.id for errand in errands}) < len(errands):
        yield _contradiction("/options/errands")
    for at, errand in enumerate(errands):
        if not any(errand.requires):
            yield _contradiction(f"/options/errands/{at}/requires", at_least=1)


# Shape that only the table's size decides


def _misshapen(state: State) -> Iterator[Finding]:
    for pointer, length in (
        ("/seats", state.seats),
        ("/scores", len(state.scores)),
        ("/table/hands", len(state.hands)),
    ):
        if length != SEATS:
            yield Finding(pointer, "wrong-count", {"expected": SEATS})
    if not 0 <= state.lead < SEATS:
        yield Finding("/table/lead", "wrong-seat")
    if not 0 <= state.tricks <= TRICKS:
        yield Finding("/table/tricks", "wrong-value", {"at_most": TRICKS})


# The course of the game


def _course(state: State) -> Iterator[Finding]:
    """Phase and round follow from the tricks finished: FAM-5.2 counts a round up, FAM-R2 leaves the ninth standing."""
    if not _phase_is_possible(state):
        yield Finding("/phase", "wrong-phase")
    else:
        expected = state.tricks + (state.phase not in AFTER_TRICK)
        if state.round != expected:
            yield Finding("/round", "wrong-round", {"expected": expected})
    if state.shuffles != 1 + len(LEVELS):
        yield Finding("/shuffles", "wrong-shuffles", {"expected": 1 + len(LEVELS)})


def _phase_is_possible(state: State) -> bool:
    """FAM-2.1, FAM-2.3, FAM-5.1, FAM-6.1: the phase exists and there is something to do in it."""
    phase, options, tricks = state.phase, state.options, state.tricks
    if phase == "finished" or tricks == TRICKS:
        return phase == "finished" and tricks == TRICKS
    if phase == "replenish":
        return tricks > 0 and replenishing_due(state)
    if phase == "hand_exchange":
        return options.hand_exchange
    return options.errand_exchange or phase == "trick"


def _turn(state: State) -> Iterator[Finding]:
    to_act = _expected_to_act(state)
    if state.to_act != to_act:
        yield Finding("/to_act", "wrong-to-act", {"expected": to_act})
    if state.exchange is not None:
        if state.phase != "hand_exchange":
            yield Finding("/table/exchange", "wrong-phase")
        elif state.exchange != state.lead:
            yield Finding("/table/exchange", "wrong-seat", {"expected": state.lead})


def _expected_to_act(state: State) -> tuple[Seat, ...]:
    """Who must be to act, given phase, lead player, trick and (while cards are passed) hands."""
    if state.phase == "finished":
        return ()
    if state.phase == "trick":
        return ((state.lead + len(state.trick)) % SEATS,)
    return ((state.lead + passes(state)) % SEATS,)


def _trick(state: State) -> Iterator[Finding]:
    """FAM-3.1: led by the lead player, then clockwise; three cards are never left lying."""
    if state.phase != "trick" and state.trick:
        yield Finding("/table/trick", "wrong-count", {"expected": 0})
    elif len(state.trick) >= SEATS:
        yield Finding("/table/trick", "wrong-count", {"at_most": SEATS - 1})
    for at, play in enumerate(state.trick):
        if play.seat != (state.lead + at) % SEATS:
            yield Finding(f"/table/trick/{at}/seat", "wrong-seat" if at else "wrong-lead")


# Cards


def _counts(state: State) -> Iterator[Finding]:
    """FAM-1.1, FAM-5.2: how many cards each seat holds, and how many are drawn and discarded by now."""
    for pointer, hand, expected in zip(POINTERS, state.hands, _hand_sizes(state), strict=True):
        if len(hand) != expected:
            yield Finding(pointer, "wrong-count", {"expected": expected})
    drawn = state.tricks - (state.phase in AFTER_TRICK)
    left = min(12, max(0, 12 - SEATS * drawn))
    if len(state.draw) != left:
        yield Finding("/table/draw", "wrong-count", {"expected": left})
    if len(state.discard) != SEATS * state.tricks:
        yield Finding("/table/discard", "wrong-count", {"expected": SEATS * state.tricks})


def _hand_sizes(state: State) -> list[int]:
    full = HAND - 1 if state.phase in AFTER_TRICK else HAND
    sizes = [min(full, TRICKS - state.tricks)] * SEATS
    for play in state.trick:
        sizes[play.seat % SEATS] -= 1
    passed = passes(state)
    if passed:
        sizes[state.lead] -= 1
        sizes[(state.lead + passed) % SEATS] += 1
    return sizes


def _cards(state: State) -> Iterator[Finding]:
    """FAM-1.1: the 27 cards are all there, and hands lie in canonical order."""
    played = [play.card for play in state.trick]
    hands = state.hands
    if sorted([*hands[0], *hands[1], *hands[2], *state.draw, *state.discard, *played]) != SORTED_CARDS:
        piles = [*zip(POINTERS, hands, strict=True), ("/table/draw", state.draw)]
        yield from miscounted(DECK, [*piles, ("/table/discard", state.discard), ("/table/trick", played)])
    for pointer, hand in zip(POINTERS, hands, strict=True):
        if [*hand] != sorted(hand, key=_rank):
            yield Finding(pointer, "wrong-order")


def _rank(card: Card) -> int:
    return RANK.get(card, len(RANK))
