"""The outlook of TOWAI: what a player makes of its view."""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.games.game import Card, Chance
from gyoji.games.towai.components import DECK, HAND, in_order
from gyoji.games.towai.state import RECORDS, State
from gyoji.games.unseen import deal_unseen, with_table


def deal_hidden(view: Mapping[str, Any], chance: Chance) -> State:
    """TOW-1.1, TOW-5.4: other hands, the deck, and what others have chosen for the swap: any that are not seen."""
    table = view["table"]
    piles = (*table["hands"], table["deck"])
    *hands, deck = deal_unseen(DECK, (*table["pile"], *table["discard"]), piles, chance)
    hands = [*map(in_order, hands)]
    swap = None if table["swap"] is None else [*_choices(view, hands, chance)]
    state: State = RECORDS.codec.read(with_table(view, hands=hands, deck=deck, swap=swap))
    return state


def _choices(view: Mapping[str, Any], hands: list[tuple[Card, ...]], chance: Chance) -> Iterator[Card | None]:
    """TOW-5.4: any card of the hand, for a seat that is not to act any more and whose choice is not shown."""
    for seat, (hand, chosen) in enumerate(zip(hands, view["table"]["swap"], strict=True)):
        is_unseen = chosen is None and seat not in view["to_act"]
        yield chance("swap", seat, hand)[0] if is_unseen else chosen


def worth(state: State) -> tuple[float, ...]:
    """TOW-7.1: the finishes, and of the next one the nearer the fewer cards a seat holds."""
    if state.outcome is not None:
        return state.scores
    return tuple([score - len(hand) / (2 * HAND) for score, hand in zip(state.scores, state.hands, strict=True)])
