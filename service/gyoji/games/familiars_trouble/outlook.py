"""The outlook of Familiar's Trouble: what a player makes of its view."""

from collections.abc import Mapping
from typing import Any

from gyoji.games.familiars_trouble.components import CARDS, LEVELS, in_order
from gyoji.games.familiars_trouble.state import RECORDS, State, errand_list
from gyoji.games.game import Chance
from gyoji.games.unseen import cards_of, deal_unseen, with_table


def deal_hidden(view: Mapping[str, Any], chance: Chance) -> State:
    """FAM-1.1, FAM-1.2: other hands, the draw pile and the errand piles: any that are not seen."""
    table, options = view["table"], RECORDS.codec.read_options(view["options"])
    seen = (*table["discard"], *cards_of(table["trick"]))
    *hands, draw = deal_unseen(CARDS, seen, (*table["hands"], table["draw"]), chance)
    turned_up = {*table["errands"], *table["completed"]}
    left = [errand for errand in errand_list(options) if errand.id not in turned_up]
    piles = {
        str(level): chance("errands", level, [errand.id for errand in left if errand.level == level])
        for level in LEVELS
    }
    state: State = RECORDS.codec.read(with_table(view, hands=[*map(in_order, hands)], draw=draw, piles=piles))
    return state
