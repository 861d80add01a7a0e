"""Looks ahead from the view of a seat: deals the hidden cards anew, and plays on (determinised Monte Carlo).

Each of a number of deals that the view allows is played on from after every legal move, all seats at random, by the
rules themselves; the move after which it went best on average is chosen. Nothing but the view is looked at: in two
worlds that are one to the seat it makes the same move with the same dice.

The method is flat Monte Carlo over determinisations (Ginsberg, "GIB: Imperfect information in a computationally
challenging game", 2001; Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012, section II):
simple, strong in games of tricks, and blind to what others can and cannot know.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from gyoji.games.game import DEALT, Accepted, Chance, Game, Move, Seat


class Reach(NamedTuple):
    """How much is looked at."""

    deals: int
    """The deals that are tried."""
    plies: int
    """The most moves that are played on in each."""
    to_next_turn: bool
    """Whether only until it is the seat's turn again. Else until hands are dealt anew, or the game is over."""


class ListedMoveRefused(Exception):
    """A move that a view lists is refused in a position that has this view: the rules of the game contradict it."""


def best_move(
    game: Game[Any], view: Mapping[str, Any], seat: Seat, legal: Sequence[Move], dice: Random, reach: Reach
) -> Move:
    """Return the legal move after which it goes best for the seat, as far as it is looked; of equal ones the first."""
    if game.deal_hidden is None:
        raise ValueError(f"{game.slug} cannot be looked ahead in: it does not say what may be hidden")
    if len(legal) == 1:
        return legal[0]
    chance = chance_of(dice)
    totals = [0.0] * len(legal)
    for _deal in range(reach.deals):
        dealt = game.deal_hidden(view, chance)
        for at, move in enumerate(legal):
            totals[at] += value(game, _played_on(game, dealt, move, seat, dice, reach), seat)
    return legal[totals.index(max(totals))]


def chance_of(dice: Random) -> Chance:
    """Return the chance that dice are: it shuffles every pile."""
    return lambda _label, _k, pile: tuple(dice.sample(pile, len(pile)))


def value(game: Game[Any], state: Any, seat: Seat) -> float:
    """Return how much better than the others a seat stands, or how well all of them stand together."""
    worth = game.worth(state)
    own = worth[seat]
    return own if game.cooperative else own - (sum(worth) - own) / (len(worth) - 1)


def _played_on(game: Game[Any], state: Any, move: Move, seat: Seat, dice: Random, reach: Reach) -> Any:
    """Play a move, and on from there at random as far as it is looked; return the position."""
    chance = chance_of(dice)
    for _ply in range(reach.plies):
        ruling = game.adjudicate(state, move, chance)
        if not isinstance(ruling, Accepted):
            raise ListedMoveRefused(f"{game.slug}: {ruling.infraction.reason}")
        state = ruling.state
        is_over = state.outcome is not None or ruling.events[-1]["type"] == DEALT
        if is_over or (reach.to_next_turn and seat in state.to_act):
            break
        move = _any_move(game, state, dice)
    return state


def _any_move(game: Game[Any], state: Any, dice: Random) -> Move:
    """Choose any legal move. Among rivals nobody passes who can do something else, or games of shedding would last long
    in which nobody cares to win."""
    legal = game.legal_moves(state)
    if game.cooperative or not game.passes:
        return dice.choice(legal)
    return dice.choice([move for move in legal if move["type"] not in game.passes] or legal)
