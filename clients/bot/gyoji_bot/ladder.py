"""Measures the players that come with gyoji: in every game each against the one before it, in this process."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game
from gyoji.players.players import PLAYERS, Player, players_of
from gyoji.players.tables import play_game
from gyoji_bot import comparison
from gyoji_bot.comparison import Step, compare


def climb(games: int, seed: str, only: str | None = None) -> Iterator[Step]:
    """Play so many games for each step; the player sits at every seat in turn."""
    for slug, game in BY_SLUG.items():
        if only in (None, slug):
            for others, player in pairwise(players_of(game)):
                seats = game.min_seats
                played = [_play(game, seats, player, others, f"{seed} {slug} {index}", index) for index in range(games)]
                yield Step(slug, seats, player, others, compare(played))


def _play(game: Game[Any], seats: int, player: str, others: str, seed: str, index: int) -> comparison.Game:
    """Play one game; of a cooperative one also the same without the player."""
    seat = index % seats
    table: list[Player] = [PLAYERS[others]] * seats
    baseline = play_game(game, table, seed).scores[0] if game.cooperative else None
    table[seat] = PLAYERS[player]
    over = play_game(game, table, seed)
    return comparison.Game(seat, over.scores, over.outcome["winners"], baseline)
