"""The legality of cards in TOWAI: which may be played, and why one may not (TOW-2.1, sections 3 and 4), by phase."""

from gyoji.games.game import Card, Infraction, RuleId, Seat
from gyoji.games.towai.components import CODES, DAYLIGHTS, NUMBER, Daylight
from gyoji.games.towai.state import State

Codes = frozenset[Card]

FITTING: dict[Daylight | None, Codes] = {
    "day": frozenset([card for card in CODES if card[0] != "N"]),
    "night": frozenset([card for card in CODES if card[0] != "D"]),
}
"""The kinds that go with the state of play: its own, and TOWAI."""

LEADING: dict[str, dict[Daylight | None, Codes]] = {
    "matching": FITTING,
    "any": {"day": frozenset(CODES), "night": frozenset(CODES)},
}
"""TOW-2.1: what may be led, of any number. TOW-R3: under ``first_card: any`` every kind, at every lead."""

ONTO: dict[tuple[Daylight | None, int], Codes] = {
    **{("day", top): frozenset([card for card in FITTING["day"] if NUMBER[card] >= top]) for top in range(1, 8)},
    **{("night", top): frozenset([card for card in FITTING["night"] if NUMBER[card] <= top]) for top in range(1, 8)},
}
"""TOW-3.1, TOW-3.2: what goes onto the pile, by the state of play and the number on top."""

COMBINING: dict[tuple[Daylight | None, int | None], Codes] = {
    (daylight, combo): frozenset([card for card in FITTING[daylight] if NUMBER[card] == combo])
    for daylight in DAYLIGHTS
    for combo in range(1, 8)
}
"""TOW-4.1: what a combo goes on with, by the state of play and the number just played."""


def playable(state: State, daylight: Daylight | None) -> Codes:
    """List the cards that the seat on turn may play in this phase, under the given state of play."""
    if state.phase == "turn":
        return ONTO[daylight, NUMBER[state.pile[-1]]]
    if state.phase == "combo":
        return COMBINING[daylight, state.combo]
    return LEADING[state.options.first_card][daylight]


def misdeclared(state: State, seat: Seat) -> Infraction:
    """TOW-2.1: return the reason to refuse a lead without declared day or night, or a declaration by anybody else."""
    if state.phase == "lead":
        return violation(seat, "TOW-2.1", "leader-declares")
    return violation(seat, "TOW-2.1", "only-leader-declares", daylight=state.daylight)


def unplayable(state: State, seat: Seat, card: Card, daylight: Daylight | None) -> Infraction:
    """Return why a card may not be played. TOW-2.1 for a lead, TOW-4.1 for a combo (number, then kind), else TOW-3.1 or
    TOW-3.2."""
    if state.phase == "lead":
        return violation(seat, "TOW-2.1", "lead-kind", card=card, kind=card[0], daylight=daylight)
    if state.phase == "turn":
        return _not_onto(seat, card, daylight, NUMBER[state.pile[-1]])
    if NUMBER[card] != state.combo:
        return violation(seat, "TOW-4.1", "combo-number", card=card, combo=state.combo)
    return violation(seat, "TOW-4.1", "combo-kind", card=card, kind=card[0], daylight=daylight)


def _not_onto(seat: Seat, card: Card, daylight: Daylight | None, top: int) -> Infraction:
    """TOW-3.1 by day, TOW-3.2 by night: the kind first, then the number."""
    rule = "TOW-3.1" if daylight == "day" else "TOW-3.2"
    if card not in FITTING[daylight]:
        return violation(seat, rule, "turn-kind", card=card, kind=card[0], daylight=daylight)
    return violation(seat, rule, "too-low" if daylight == "day" else "too-high", card=card, top=top)


def violation(seat: Seat, rule: RuleId, because: str, **facts: str | int | None) -> Infraction:
    return Infraction("rule-violation", seat, rule, because, facts)
