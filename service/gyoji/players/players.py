"""The players by name, the weakest first."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from gyoji.games.game import Game, Move, Seat
from gyoji.players.lookahead import Reach, best_move

Player = Callable[[Game[Any], Mapping[str, Any], Seat, Sequence[Move], Random], Move]
"""(game, the seat's view, seat, its legal moves, dice) -> the move. The same dice give the same move."""


def any_move(_game: Game[Any], _view: Mapping[str, Any], _seat: Seat, legal: Sequence[Move], dice: Random) -> Move:
    """Choose any of the legal moves."""
    return dice.choice(legal)


PLAYERS: Mapping[str, Player] = {
    "random": any_move,
    "greedy": partial(best_move, reach=Reach(deals=6, plies=16, to_next_turn=True)),
    "search": partial(best_move, reach=Reach(deals=24, plies=80, to_next_turn=False)),
}
"""``random`` plays any legal move. ``greedy`` looks at how it stands when its turn comes again. ``search`` plays on to
the end of the deal."""


def players_of(game: Game[Any]) -> tuple[str, ...]:
    """List the players that can play a game: where it does not say what may be hidden, only the one that plays at
    random."""
    return tuple(PLAYERS) if game.deal_hidden is not None else ("random",)
