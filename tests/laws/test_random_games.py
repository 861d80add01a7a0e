"""Random games come to their end."""

from collections.abc import Callable
from typing import Any

import pytest

from gyoji.games.catalogue import BY_SLUG, GAMES
from gyoji.games.game import Game
from gyoji.wire.simulation import play

MOST_PLIES = 5_000
GAMES_EACH = 500
SMALL_TABLES = [(game, seats) for game in GAMES for seats in range(game.min_seats, min(game.max_seats, 4) + 1)]


def finished(game: Game[Any], seats: int, games: int) -> int:
    """How many of so many random games end in time."""
    ends = [play(game, seats, {}, "laws", at, MOST_PLIES).last for at in range(games)]
    return sum(state.outcome is not None for state in ends)


@pytest.mark.parametrize(("game", "seats"), SMALL_TABLES, ids=[f"{game.slug}-{seats}" for game, seats in SMALL_TABLES])
def test_all_random_games_of_two_to_four_seats_end(game: Game[Any], seats: int) -> None:
    assert finished(game, seats, GAMES_EACH) == GAMES_EACH


@pytest.mark.parametrize(("seats", "games", "least"), [(5, 100, 0.9), (6, 60, 0.6)])
def test_most_random_games_of_towai_with_more_seats_end(
    seats: int, games: int, least: float, record_property: Callable[[str, object], None]
) -> None:
    """TOWAI need not end by its rules: with five and six seats some random games go on for longer."""
    share = finished(BY_SLUG["towai"], seats, games) / games
    record_property("share_finished", share)
    print(f"towai with {seats} seats: {share:.0%} of {games} random games end within {MOST_PLIES} plies")  # noqa: T201
    assert share >= least
