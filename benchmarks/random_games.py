"""Plays random games of ours, the same for the same number."""

from collections.abc import Iterator
from random import Random
from typing import Any

from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Chance, Game, Move, Position

SEATS = 4
"""As many as the peers' game has, where ours can seat them."""

MOST_PLIES = 5_000


def first_position(game: Game[Any], rng: Random, seats: int | None = None) -> tuple[Any, Chance]:
    """Deal under a random seed, with default options; return the position and the chance of that seed."""
    seed = rng.randbytes(64).hex()
    chance = deal_v1(seed)
    return game.start(seats or min(SEATS, game.max_seats), game.read_options({}), 0, seed, chance).state, chance


def play_positions(game: Game[Any], rng: Random) -> Iterator[tuple[Position, Move]]:
    """Give every position of a random game, with the move that was played in it."""
    state, chance = first_position(game, rng)
    for _ply in range(MOST_PLIES):
        if state.outcome is not None:
            return
        move = rng.choice(game.legal_moves(state))
        yield state, move
        state = play_move(game, state, move, chance)


def play_move(game: Game[Any], state: Any, move: Move, chance: Chance) -> Any:
    """Return the next position. A listed move that is refused would make every figure worthless."""
    ruling = game.adjudicate(state, move, chance)
    if not isinstance(ruling, Accepted):
        raise RuntimeError(f"{game.slug}: a listed move was refused: {ruling.infraction.reason}")
    return ruling.state
