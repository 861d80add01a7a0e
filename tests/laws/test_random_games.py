"""Random games come to their end."""

from collections.abc import Callable
from itertools import cycle
from typing import Any

import pytest

from gyoji.games.catalogue import BY_SLUG, GAMES
from gyoji.games.chance import deal_v1, u32
from gyoji.games.game import Accepted, Game
from gyoji.simulation.derivation import choose_move, derive, root_key

MOST_PLIES = 5_000


def ends(game: Game[Any], seats: int, index: int) -> bool:
    """Play the random game of that number; tell whether it ends in time."""
    key = derive(root_key("laws"), "game", game.slug, u32(game.version), u32(index))
    deal = derive(key, "deal").hex()
    chance = deal_v1(deal)
    state = game.start(seats, game.read_options({}), 0, deal, chance).state
    for _ply in range(MOST_PLIES):
        if state.outcome is not None:
            break
        ruling = game.adjudicate(state, choose_move(game, state, key), chance)
        assert isinstance(ruling, Accepted)
        state = ruling.state
    return state.outcome is not None


def finished(game: Game[Any], seats: tuple[int, ...], games: int) -> int:
    """How many of so many random games, with each number of seats in turn, end in time."""
    tables = zip(range(games), cycle(seats), strict=False)
    return sum(ends(game, at_table, at) for at, at_table in tables)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_all_of_500_random_games_of_two_to_four_seats_end(game: Game[Any]) -> None:
    seats = tuple(range(game.min_seats, min(game.max_seats, 4) + 1))
    assert finished(game, seats, 500) == 500


@pytest.mark.parametrize(("seats", "games", "least"), [(5, 60, 0.9), (6, 40, 0.6)])
def test_most_random_games_of_towai_with_more_seats_end(
    seats: int, games: int, least: float, record_property: Callable[[str, object], None]
) -> None:
    """TOWAI need not end by its rules: with five and six seats some random games go on for longer."""
    share = finished(BY_SLUG["towai"], (seats,), games) / games
    record_property("share_finished", share)
    print(f"towai with {seats} seats: {share:.0%} of {games} random games end within {MOST_PLIES} plies")  # noqa: T201
    assert share >= least
