"""The view of Familiar's Trouble: what a seat, or a spectator, may know of a position."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from gyoji.games.familiars_trouble.components import CARDS, LEVELS
from gyoji.games.familiars_trouble.state import Options, State, errand_list
from gyoji.games.game import Event, Pile, Seat, hidden_pile, join_piles


def shuffles(options: Options, event: Event) -> tuple[Pile, ...]:
    """FAM-1.1, FAM-1.2: return the shuffles that an event describes. The attribute cards, then the errands of each
    level, of which the display took the top ones."""
    if event["type"] != "hands_dealt":
        return ()
    turned_up = iter(event["errands"])
    errands = [
        (f"errands-{level}", (*islice(turned_up, count), *pile))
        for (level, pile), count in zip(sorted(event["piles"].items()), options.opening, strict=True)
    ]
    return ("attributes", join_piles((*event["hands"], event["draw"]))), *errands


def seen(state: State, seat: Seat | None) -> dict[str, Any]:
    """Return the table as a seat may know it: its own hand; of other hidden cards how many there are."""
    return {
        "hands": [hand if owner == seat else hidden_pile(hand) for owner, hand in enumerate(state.hands)],
        "draw": hidden_pile(state.draw),
        "piles": {str(level): hidden_pile(pile) for level, pile in zip(LEVELS, state.piles, strict=True)},
    }


def piles(options: Options, table: Mapping[str, Any]) -> tuple[tuple[int, Sequence[Any]], ...]:
    """Return the piles of attribute cards and of errands in a view, with how many there are of each."""
    errands = (table["errands"], table["completed"], *table["piles"].values())
    attributes = (*table["hands"], table["draw"], table["discard"], table["trick"])
    return (len(CARDS), attributes), (len(errand_list(options)), errands)
