"""The chance that a log recounts: its shuffles come as they were recorded."""

from collections.abc import Iterable
from typing import Any

from gyoji.games.game import Chance, Event, Game, Pile, recorded


def piles_of(game: Game[Any], options: Any, events: Iterable[Event]) -> list[Pile]:
    """Every shuffle that the game's events tell of."""
    return [pile for event in events for pile in game.shuffles(options, event)]


def recorded_chance(game: Game[Any], options: Any, events: Iterable[Event]) -> Chance:
    """The shuffles as the game's events tell of them. One that they do not tell of raises ``NotRecorded``."""
    return recorded(piles_of(game, options, events))
