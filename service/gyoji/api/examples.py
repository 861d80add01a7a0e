"""Makes the examples of the contract: the first position of a game, and a move in it, which can be sent as they are."""

from hashlib import sha256, sha512
from typing import Any

import orjson

from gyoji.games.chance import deal_v1
from gyoji.games.game import Game

SEED = sha512(b"gyoji").hexdigest()
COMMITMENT = sha256(b"gyoji").hexdigest()
SOME_MATCH = "00000000-0000-4000-8000-000000000000"


def first_state(game: Game[Any]) -> Any:
    """Return the first position of a game, as plain data."""
    return _plain(game.write_state(_first(game)))


def first_move(game: Game[Any]) -> Any:
    """Return the first move that is legal in the first position of a game."""
    return _plain(game.legal_moves(_first(game))[0])


def _first(game: Game[Any]) -> Any:
    return game.start(game.min_seats, game.read_options({}), 0, SEED, deal_v1(SEED)).state


def _plain(document: Any) -> Any:
    return orjson.loads(orjson.dumps(document))
