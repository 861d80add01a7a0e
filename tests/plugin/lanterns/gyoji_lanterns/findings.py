"""Why a position of Lanterns cannot have come about by play. Findings name places and numbers, never a card."""

from collections import Counter
from collections.abc import Iterator

from gyoji.games.card_counts import Pile, miscounted, unsorted
from gyoji.games.game import Finding
from gyoji_lanterns.rules import outcome, totals
from gyoji_lanterns.state import DECK, HAND, RANK, SEATS, State


def findings(state: State) -> tuple[Finding, ...]:
    """Everything that makes the state impossible; where lists lack seats, that alone."""
    return tuple(_misshapen(state)) or (*_cards(state), *_counts(state), *_turn(state), *_score(state))


def _misshapen(state: State) -> Iterator[Finding]:
    lists = {"/scores": state.scores, "/table/hands": state.hands, "/table/taken": state.taken}
    lists |= {f"/table/rounds/{at}": taken for at, taken in enumerate(state.rounds)}
    for pointer, by_seat in lists.items():
        if len(by_seat) != SEATS:
            yield Finding(pointer, "wrong-count", {"expected": SEATS})


def _cards(state: State) -> Iterator[Finding]:
    """LAN-1.1: every card lies somewhere, once, and hands lie in order."""
    hands: list[Pile] = [(f"/table/hands/{seat}", hand) for seat, hand in enumerate(state.hands)]
    trick = [played.card for played in state.trick]
    rest = [("/table/aside", state.aside), ("/table/trick", trick), ("/table/discard", state.discard)]
    yield from miscounted(Counter(DECK), [*hands, *rest])
    yield from unsorted(RANK.__getitem__, hands)


def _counts(state: State) -> Iterator[Finding]:
    """LAN-1.1, LAN-2.1, LAN-3.1: how many cards lie where, after so many tricks."""
    tricks = sum(state.taken)
    played = {one.seat for one in state.trick}
    for seat, hand in enumerate(state.hands):
        if len(hand) != max(0, HAND - tricks - (seat in played)):
            yield Finding(f"/table/hands/{seat}", "wrong-count")
    if len(state.discard) != SEATS * tricks:
        yield Finding("/table/discard", "wrong-count", {"expected": SEATS * tricks})
    if len(state.trick) >= SEATS:
        yield Finding("/table/trick", "wrong-count", {"at_most": SEATS - 1})
    for at, one in enumerate(state.trick):
        if one.seat != (state.lead + at) % SEATS:
            yield Finding(f"/table/trick/{at}/seat", "wrong-seat")
    if not (state.taken[state.lead] if tricks else state.lead == state.starting):
        yield Finding("/table/lead", "wrong-lead")


def _turn(state: State) -> Iterator[Finding]:
    """LAN-R1: phase, round, shuffles and plies follow from what has been played."""
    over = len(state.rounds) == state.options.rounds
    number = len(state.rounds) + (not over)
    if len(state.rounds) > state.options.rounds or (over and state.rounds[-1] != state.taken):
        yield Finding("/table/rounds", "wrong-count", {"at_most": state.options.rounds})
    if not over and sum(state.taken) >= HAND:
        yield Finding("/table/taken", "wrong-value")
    for at, taken in enumerate(state.rounds):
        if sum(taken) != HAND:
            yield Finding(f"/table/rounds/{at}", "wrong-value")
    plies = SEATS * (HAND * (number - 1) + sum(state.taken)) + len(state.trick)
    if state.phase != ("finished" if over else "trick"):
        yield Finding("/phase", "wrong-phase")
    if state.to_act != (() if over else ((state.lead + len(state.trick)) % SEATS,)):
        yield Finding("/to_act", "wrong-to-act")
    for pointer, value, expected, code in (
        ("/round", state.round, number, "wrong-round"),
        ("/shuffles", state.shuffles, number, "wrong-shuffles"),
        ("/ply", state.ply, plies, "wrong-ply"),
    ):
        if value != expected:
            yield Finding(pointer, code, {"expected": expected})  # type: ignore[arg-type]


def _score(state: State) -> Iterator[Finding]:
    """LAN-4.1, LAN-4.2: scores are the points of the rounds, and the outcome follows from them."""
    if state.scores != totals(state.rounds):
        yield Finding("/scores", "wrong-scores", {"expected": totals(state.rounds)})
    over = len(state.rounds) == state.options.rounds
    if state.outcome != (outcome(state.scores) if over else None):
        yield Finding("/outcome", "wrong-outcome")
