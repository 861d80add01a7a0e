"""Plays whole games of players in this process, by the rules alone; the same seed gives the same game."""

from collections.abc import Mapping, Sequence
from hashlib import sha512
from random import Random
from typing import Any

from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Game
from gyoji.players.lookahead import ListedMoveRefused
from gyoji.players.players import Player


def play_game(game: Game[Any], players: Sequence[Player], seed: str, options: Mapping[str, Any] | None = None) -> Any:
    """Play a game to its end, with a player for each seat; return the last position.

    The cards come from the seed alone, so that others who play with the same seed are dealt the same.
    """
    chance = deal_v1(sha512(seed.encode()).hexdigest())
    state = game.start(len(players), game.read_options(options or {}), 0, None, chance).state
    while state.outcome is None:
        seat = state.to_act[0]
        legal = [move for move in game.legal_moves(state) if move["seat"] == seat]
        dice = Random(f"{seed} {seat} {state.ply}")
        move = players[seat](game, game.view(state, seat), seat, legal, dice)
        ruling = game.adjudicate(state, move, chance)
        if not isinstance(ruling, Accepted):
            raise ListedMoveRefused(f"{game.slug}: {ruling.infraction.reason}")
        state = ruling.state
    return state
