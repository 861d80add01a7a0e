"""Makes what the HTTP measures send: adjudications of our games, and a document of 4 KB for the echo."""

from itertools import islice
from random import Random
from typing import Any, NamedTuple

import orjson

from benchmarks.random_games import play_positions
from gyoji.games.game import Game, Move, Position

GAMES_PLAYED = 6
POSITIONS = 60
SUITS, RANKS = "CDHS", "23456789TJQKA"


def choose_adjudications(game: Game[Any]) -> list[tuple[Position, Move]]:
    """Choose positions from the whole length of some random games, evenly, each with a move to rule on."""
    each = POSITIONS // GAMES_PLAYED
    chosen: list[tuple[Position, Move]] = []
    for number in range(GAMES_PLAYED):
        played = list(play_positions(game, Random(number)))
        chosen.extend(islice(played, len(played) // each // 2, None, max(1, len(played) // each)))
    return chosen


def request_body(game: Game[Any], state: Position, move: Move) -> bytes:
    """Write the body of ``POST /v1/games/<game>/adjudications``."""
    return orjson.dumps({"state": game.write_state(state), "move": move})


MOST_BATCHED = 100
"""Moves in one request; a game that is over sooner gives as many as it has."""
BATCHES = 8


class Batch(NamedTuple):
    """A position and the moves that followed it."""

    state: Position
    moves: tuple[Move, ...]


def choose_batches(game: Game[Any]) -> list[Batch]:
    """Choose games from their first position on, of which all batches have the same number of moves."""
    played = [list(islice(play_positions(game, Random(number)), MOST_BATCHED)) for number in range(BATCHES * 4)]
    longest = sorted(played, key=len, reverse=True)[:BATCHES]
    most = min(map(len, longest))
    return [Batch(game_played[0][0], tuple(move for _state, move in game_played[:most])) for game_played in longest]


def batch_body(game: Game[Any], batch: Batch) -> bytes:
    """Write the body of the same request with all the moves of a batch."""
    return orjson.dumps({"state": game.write_state(batch.state), "moves": batch.moves})


def four_kilobytes() -> bytes:
    """Write a card game's state of about 4 KB, as a service without rules of its own would carry it."""
    rng = Random(4)
    pack = [rank + suit for suit in SUITS for rank in RANKS] * 2
    rng.shuffle(pack)
    return orjson.dumps(
        {
            "id": rng.randbytes(16).hex(),
            "version": 41,
            "status": "playing",
            "rules": {"name": "tricks", "revision": 3, "digest": rng.randbytes(32).hex(), "target": 100},
            "players": [_player(seat, pack[seat * 13 : seat * 13 + 13], rng) for seat in range(4)],
            "stock": pack[52:92],
            "discarded": [rng.choice(pack) for _ in range(30)],
            "trick": {"lead": 1, "plays": [_play(1, rng), _play(2, rng)]},
            "tricks": [_trick(rng) for _ in range(14)],
            "history": [[rng.randrange(27) for _ in range(4)] for _ in range(28)],
            "previous": rng.randbytes(32).hex(),
            "seed": rng.randbytes(64).hex(),
            "signature": rng.randbytes(64).hex(),
            "trump": None,
            "to_act": [3],
        }
    )


def _player(seat: int, hand: list[str], rng: Random) -> dict[str, Any]:
    return {
        "seat": seat,
        "id": rng.randbytes(8).hex(),
        "name": f"Player {seat}",
        "present": True,
        "bid": rng.randrange(8),
        "score": rng.randrange(100),
        "hand": hand,
    }


def _play(seat: int, rng: Random) -> dict[str, Any]:
    return {"seat": seat, "card": rng.choice(RANKS) + rng.choice(SUITS)}


def _trick(rng: Random) -> dict[str, Any]:
    plays = [_play(seat, rng) for seat in range(4)]
    return {"lead": 0, "winner": rng.randrange(4), "points": rng.randrange(6), "plays": plays}
