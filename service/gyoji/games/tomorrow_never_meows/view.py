"""The view of Tomorrow Never Meows: what a seat may know of a position."""

from collections.abc import Mapping, Sequence
from typing import Any

from gyoji.games.game import Card, Event, Pile, Seat, hidden_pile, join_piles
from gyoji.games.tomorrow_never_meows.components import DECK
from gyoji.games.tomorrow_never_meows.state import Options, State


def shuffles(_options: Options, event: Event) -> tuple[Pile, ...]:
    """TNM-1.1: return the shuffle that an event describes: the deck, once a round."""
    if event["type"] != "hands_dealt":
        return ()
    return (("deck", join_piles((*event["hands"], event["aside"]))),)


def simultaneous(state: State) -> bool:
    """TNM-7.1: tell whether all seats choose at the same time: concealed wishes."""
    return state.options.concealed and state.phase == "wish"


def _hands(state: State, viewer: Seat | None) -> tuple[Any, ...]:
    return tuple([hand if seat == viewer else hidden_pile(hand) for seat, hand in enumerate(state.hands)])


def _wishes(state: State, viewer: Seat | None) -> tuple[str | None, ...]:
    """TNM-2.1: open to all. TNM-7.1: face down to everybody else until they are scored (TNM-7.3)."""
    if not state.options.concealed or state.phase == "finished":
        return state.wishes
    return tuple([wish if seat == viewer else None for seat, wish in enumerate(state.wishes)])


def _captured(state: State) -> tuple[tuple[Card, ...] | dict[str, int], ...]:
    """TNM-3.6: nobody looks at won cards, their winner neither, until the round is scored."""
    if state.phase == "finished":
        return state.captured
    return tuple([hidden_pile(cards) for cards in state.captured])


def seen(state: State, seat: Seat | None) -> dict[str, Any]:
    """Return the table as a seat may know it: its own hand and wish, and what lies open. TNM-1.2: the cards aside stay
    hidden."""
    return {
        "hands": _hands(state, seat),
        "aside": hidden_pile(state.aside),
        "wishes": _wishes(state, seat),
        "captured": _captured(state),
    }


def piles(_options: Options, table: Mapping[str, Any]) -> tuple[tuple[int, Sequence[Any]], ...]:
    """Return the piles of cards in a view, with how many cards there are."""
    return ((len(DECK), (*table["hands"], table["aside"], table["trick"], *table["captured"])),)
