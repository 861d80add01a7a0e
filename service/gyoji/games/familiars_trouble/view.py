"""What a seat, or a spectator, may know of a position."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from gyoji.games.familiars_trouble.components import CARDS
from gyoji.games.familiars_trouble.state import Options, State, by_level, envelope, errand_list, written_trick
from gyoji.games.game import Event, Known, Pile, Seat, hidden, joined

KNOWN = Known(
    events={
        "hands_dealt": {"round": "all", "hands": "each", "draw": "nobody", "errands": "all", "piles": "nobody"},
        "exchange_skipped": {"seat": "all"},
        "errand_exchange_skipped": {"seat": "all"},
        "card_passed": {"from": "all", "to": "all", "card": "both"},
        "errand_replaced": {"seat": "all", "discarded": "all", "turned_up": "all", "level": "all"},
        "card_played": {"seat": "all", "card": "all"},
        "trick_won": {"seat": "all", "cards": "all", "rule": "all"},
        "errands_completed": {"errands": "all", "totals": "all", "points": "all"},
        "errand_turned_up": {"seat": "all", "errand": "all", "level": "all"},
        "card_drawn": {"seat": "all", "card": "own"},
        "game_finished": {"winners": "all", "scores": "all", "reason": "all", "rating": "all"},
    },
    moves={
        "skip_exchange": {"seat": "all"},
        "exchange": {"seat": "all", "card": "own"},
        "skip_errand": {"seat": "all"},
        "replace_errand": {"seat": "all", "errand": "all", "level": "all"},
        "play": {"seat": "all", "card": "all"},
        "draw_errand": {"seat": "all", "level": "all"},
    },
)
"""Who may know what of what happens."""


def known(_options: Options) -> Known:
    """The same whatever the options."""
    return KNOWN


def shuffles(options: Options, event: Event) -> tuple[Pile, ...]:
    """FAM-1.1, FAM-1.2: the attribute cards, then the errands of each level, of which the display took the top ones."""
    if event["type"] != "hands_dealt":
        return ()
    turned_up = iter(event["errands"])
    errands = [
        (f"errands-{level}", (*islice(turned_up, count), *pile))
        for (level, pile), count in zip(sorted(event["piles"].items()), options.opening, strict=True)
    ]
    return ("attributes", joined((*event["hands"], event["draw"]))), *errands


def simultaneous(_state: State) -> bool:
    """One seat acts at a time."""
    return False


def view(state: State, seat: Seat | None) -> dict[str, Any]:
    """The viewer's own hand, and what lies open; FAM-4.3: the discard may be looked through by all."""
    return envelope(
        state,
        None,
        {
            "lead": state.lead,
            "hands": [hand if owner == seat else hidden(hand) for owner, hand in enumerate(state.hands)],
            "draw": hidden(state.draw),
            "errands": state.errands,
            "piles": by_level(tuple(map(hidden, state.piles))),
            "completed": state.completed,
            "discard": state.discard,
            "trick": written_trick(state),
            "exchange": state.exchange,
            "tricks": state.tricks,
        },
    )


def piles(options: Options, table: Mapping[str, Any]) -> tuple[tuple[int, Sequence[Any]], ...]:
    """Where attribute cards and errands lie, of a view."""
    errands = (table["errands"], table["completed"], *table["piles"].values())
    attributes = (*table["hands"], table["draw"], table["discard"], table["trick"])
    return (len(CARDS), attributes), (len(errand_list(options)), errands)
