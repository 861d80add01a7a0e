"""Makes a fixed set of requests for all games, and a digest of all their answers; as a script it prints the digest."""

import sys
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any

from gyoji.app.adjudication import answer_call
from gyoji.games.catalogue import BY_SLUG, GAMES
from gyoji.games.game import Game
from gyoji.messages.language import LANGUAGES
from laws.strategies import Plain, Table, dumped, plain, positions, seed_of
from laws.universe import universe

Request = tuple[str, Plain]
"""The call and its body."""


def requests(game: Game[Any]) -> Iterator[Request]:
    """Make every call with every kind of answer, at a few positions of one game a number of seats."""
    for seats in range(game.min_seats, game.max_seats + 1):
        table = Table(game, seats, {}, seats - 1, seed_of(seats), seats)
        yield "states", {"seats": seats, "seed": table.seed}
        yield "states", {"seats": seats, "first": 9, "options": {"no": 1, "such": 2, "option": 3}}
        for state in [*positions(table, 120)][::40]:
            yield from _of_state(table, plain(game, state))


def _of_state(table: Table, state: Plain) -> Iterator[Request]:
    yield from (("views", {"state": state, "seat": seat}) for seat in (None, *range(table.seats)))
    yield from ((call, {"state": state}) for call in ("legal-moves", "scores"))
    moves = universe(table.game, state)
    listed = table.game.legal_moves(table.game.read_state(state))
    for move in [*Random(table.path).sample(moves, 20), *listed[:2]]:
        yield "adjudications", {"state": state, "move": move}
    impossible = {**state, "round": 9, "to_act": [1, 0], "scores": [7, 7]}
    yield "scores", {"state": impossible}
    yield "scores", {"state": {**state, "phase": "no", "seats": "many", "extra": {}, "table": {}}}


def digest() -> str:
    """Return the SHA-256 of the status and the bytes of every answer, one after another."""
    answers = sha256()
    for slug in BY_SLUG:
        for at, (call, body) in enumerate(requests(BY_SLUG[slug])):
            answer = answer_call(slug, call, dumped(body), "/", LANGUAGES[at % 2])
            answers.update(b"%d %s\n" % (answer.status, dumped(answer.body)))
    return answers.hexdigest()


if __name__ == "__main__":
    sys.stdout.write(f"{digest()} {len(GAMES)}")
