"""The outlook of Catte: what a player makes of its view."""

from collections.abc import Mapping
from typing import Any

from gyoji.games.catte.components import in_hand_order, total
from gyoji.games.catte.scores import round_points
from gyoji.games.catte.state import RECORDS, State
from gyoji.games.game import Chance
from gyoji.games.unseen import cards_of, deal_unseen, with_table


def deal_hidden(view: Mapping[str, Any], chance: Chance) -> State:
    """CAT-1.1, CAT-4.3: other hands, the cards aside and those of earlier tricks lie face down: any that are not
    seen."""
    table, options = view["table"], RECORDS.codec.read_options(view["options"])
    piles = (*table["hands"], table["aside"], table["discard"])
    *hands, aside, discard = deal_unseen(options.cats(), cards_of(table["trick"]), piles, chance)
    state: State = RECORDS.codec.read(
        with_table(view, hands=[*map(in_hand_order, hands)], aside=aside, discard=discard)
    )
    return state


def worth(state: State) -> tuple[int, ...]:
    """CAT-6.3: the scores, and what the round would bring as it stands."""
    if state.outcome is not None:
        return state.scores
    coffee = state.coffee
    points = round_points(state.options.bust_bonus, [*map(total, coffee.acquired)], [*map(len, coffee.unused)])
    return tuple(map(sum, zip(state.scores, points, strict=True)))
