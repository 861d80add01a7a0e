"""Bodies that can be sent as they are, for the contract."""

from hashlib import sha256, sha512
from typing import Any

import orjson

from gyoji.api.operations import Operation
from gyoji.games.catalogue import BY_SLUG, EXAMPLE
from gyoji.games.chance import deal_v1
from gyoji.games.game import Game

SEED = sha512(b"gyoji").hexdigest()
COMMITMENT = sha256(b"gyoji").hexdigest()
SOME_MATCH = "00000000-0000-4000-8000-000000000000"


def example(operation: Operation) -> dict[str, Any]:
    """A body of that operation."""
    game, call = BY_SLUG.get(operation.tag, EXAMPLE), operation.path.rsplit("/", 1)[1]
    stored: dict[str, dict[str, Any]] = {
        "matches": {"game": game.slug, "seats": [{"name": name} for name in ("East", "South", "West")]},
        "moves": {"move": _legal_moves(game)[0]},
        "entropy": {"commit": COMMITMENT},
        "groups": {"game": game.slug, "seats": 3},
        "fork": {"seq": 1},
        "audits": {"match": SOME_MATCH},
        "tournaments": {"game": game.slug, "name": "Spring cup", "seats": [3], "rounds": 4},
        "entrants": {"entrants": [{"name": name} for name in ("Ann", "Ben", "Cho")]},
        "rounds": {"dry_run": True},
        "corrections": {"entrant": "e1", "points": "-2", "reason": "Late for round 2"},
        "webhooks": {"url": "https://example.com/gyoji", "types": ["match.finished", "standings.changed"]},
        "states": {"seats": game.max_seats},
    }
    return stored[call] if call in stored else _stateless(game, call)


def _stateless(game: Game[Any], call: str) -> dict[str, Any]:
    """The first position of a game, and its first legal move."""
    more: dict[str, dict[str, Any]] = {"adjudications": {"move": _legal_moves(game)[0]}, "views": {"seat": 0}}
    return {"state": _plain(game.write_state(_first(game))), **more.get(call, {})}


def _first(game: Game[Any]) -> Any:
    return game.start(game.min_seats, game.read_options({}), 0, SEED, deal_v1(SEED)).state


def _legal_moves(game: Game[Any]) -> list[Any]:
    moves: list[Any] = _plain(game.legal_moves(_first(game)))
    return moves


def _plain(document: Any) -> Any:
    return orjson.loads(orjson.dumps(document))
