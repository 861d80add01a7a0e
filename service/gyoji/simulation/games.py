"""Plays games at random from a seed: the same seed gives the same games on any machine."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gyoji.games.chance import deal_v1, u32
from gyoji.games.game import Game, Move, Position, Refused
from gyoji.simulation.derivation import derive, root_key


class SimulatedGame(NamedTuple):
    """One simulated game: its first position, its moves and its last position."""

    seed: str
    first: Position
    moves: tuple[Move, ...]
    last: Position


def simulate_game(
    game: Game[Any], seats: int, options: Mapping[str, Any], seed: str, index: int, max_plies: int
) -> SimulatedGame:
    """Play game number ``index`` of a seed, with nothing written down."""
    key = derive(root_key(seed), "game", game.slug, u32(game.version), u32(index))
    deal = derive(key, "deal").hex()
    chance = deal_v1(deal)
    state = first = game.start(seats, game.read_options(options), 0, deal, chance).state
    moves: list[Move] = []
    while state.outcome is None and len(moves) < max_plies:
        move = choose_move(game, state, key)
        ruling = game.adjudicate(state, move, chance)
        if isinstance(ruling, Refused):
            raise RuntimeError(f"{game.slug}: a listed move was refused: {ruling.breach.reason}")
        state = ruling.state
        moves.append(move)
    return SimulatedGame(deal, first, tuple(moves), state)


def choose_move(game: Game[Any], state: Any, key: bytes) -> Move:
    """Choose the next move, any of the legal ones."""
    legal = game.legal_moves(state)
    return legal[int.from_bytes(derive(key, "choice", u32(state.ply))[:16], "big") % len(legal)]
