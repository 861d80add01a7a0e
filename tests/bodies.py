"""Makes bodies of requests of the right shape, and positions reached by random play."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from random import Random
from typing import Any

import orjson

from gyoji.api.media import CALLS
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Game, Infraction, Move, Position

Plain = dict[str, Any]

SEED = (
    "4e6f72ed99ea8fa134b09fc4667f908aa9c78f37532268b8b30a4ac85ce4f4cd"
    "7281a1878989e878aa6c7cfa970a9be57b0990c6859c9711ed354e4eec257803"
)
"""The seed of the published check vectors."""

POSTS = tuple(product(BY_SLUG, CALLS))
"""(game, call) of every operation that takes a body."""

OPTIONS: Mapping[str, tuple[Plain, ...]] = {
    "tomorrow-never-meows": (
        {},
        {"concealed": True, "bluff_scoring": "per_trick", "rounds": 4},
        {"wishes": "basic", "round_leader": "clockwise"},
    ),
    "catte": ({}, {"bust_bonus": "forfeit"}),
    "towai": ({}, {"finishes_to_win": 1, "first_card": "any", "reform": "discard"}),
    "familiars-trouble": (
        {},
        {"hand_exchange": False, "lead_rule": "any"},
        {"errand_exchange": False, "opening": [2, 2, 1]},
    ),
}


def plain(value: Any) -> Any:
    """Return the value as JSON gives it."""
    return orjson.loads(orjson.dumps(value))


def games(slug: str) -> Iterator[tuple[Game[Any], int, Plain]]:
    """List the game with every number of seats and some of its options."""
    game = BY_SLUG[slug]
    for seats, options in product(range(game.min_seats, game.max_seats + 1), OPTIONS[slug]):
        if not game.contradictions(seats, game.read_options(options)):
            yield game, seats, options


def played(
    game: Game[Any], seats: int, options: Plain, path: int, plies: int
) -> Iterator[tuple[Position, Move | None]]:
    """Play one random game; give its positions, each with the move that is made there."""
    random, chance = Random(path), deal_v1(SEED)
    state = game.start(seats, game.read_options(options), path % seats, SEED, chance).state
    for _ply in range(plies):
        if state.outcome is not None:
            break
        move = random.choice(game.legal_moves(state))
        yield state, move
        ruling = game.adjudicate(state, move, chance)
        assert isinstance(ruling, Accepted)
        state = ruling.state
    yield state, None


@cache
def some_states(slug: str) -> tuple[Plain, ...]:
    """Return well-formed states of that game as JSON: one of every phase and stage of random games of every size."""
    found = []
    for path, (game, seats, options) in enumerate(games(slug)):
        positions = [state for state, _move in played(game, seats, options, path, 300)]
        found += [plain(game.write_state(state)) for state in positions[:: max(1, len(positions) // 6)]]
    return tuple(found)


def refusals(slug: str) -> Iterator[tuple[Position, Infraction]]:
    """Return refused moves of random games: at every 20th ply, whatever has been legal at an earlier one, by every
    seat."""
    for path, (game, seats, options) in enumerate(games(slug)):
        seen: dict[bytes, Move] = {}
        for state, _move in list(played(game, seats, options, path, 400))[::20]:
            for move in (*game.legal_moves(state), *_as_others(game.legal_moves(state), seats)):
                seen.setdefault(orjson.dumps(move), move)
            for move in seen.values():
                ruling = game.adjudicate(state, move, deal_v1(SEED))
                if not isinstance(ruling, Accepted):
                    yield state, ruling.infraction


def _as_others(moves: list[Move], seats: int) -> Iterator[Move]:
    for move, seat in product(moves, range(seats)):
        yield {**move, "seat": seat}


def body(slug: str, call: str) -> Plain:
    """Return a body that the call answers with 200."""
    game = BY_SLUG[slug]
    if call == "states":
        return {"seats": game.min_seats, "seed": SEED}
    state = game.start(game.min_seats, game.read_options({}), 0, SEED, deal_v1(SEED)).state
    request: Plain = {"state": plain(game.write_state(state))}
    if call == "adjudications":
        request["move"] = plain(game.legal_moves(state)[0])
    if call == "views":
        request["seat"] = 0
    return request
