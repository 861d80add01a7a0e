"""The players that come with gyoji, as bots: ``random``, ``greedy``, ``search``."""

from gyoji.games.catalogue import BY_SLUG
from gyoji.players.players import PLAYERS, players_of
from gyoji_bot.bot import Bot, Document, Turn
from gyoji_bot.words import SaidError

PATIENCE = 60.0
"""Seconds that they may take: on a busy machine a search is slow, and it is to be the same every time."""


def opponent(name: str) -> type[Bot]:
    """Return the bot that plays as the player of that name. ``SaidError`` where there is none."""
    if name not in PLAYERS:
        raise SaidError("no player", name=name, players=", ".join(PLAYERS))
    player = PLAYERS[name]

    class Opponent(Bot):
        """One of the players that come with gyoji."""

        games = tuple([slug for slug, game in BY_SLUG.items() if name in players_of(game)])
        think = PATIENCE

        def choose(self, turn: Turn) -> Document:
            """Choose as the player does."""
            game = BY_SLUG[turn.game]
            return dict(player(game, turn.view, turn.seat, turn.legal_moves, turn.random))

    Opponent.__name__ = Opponent.__qualname__ = name
    return Opponent
