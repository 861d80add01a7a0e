"""The stateless traffic of a soak: games that nobody keeps, each ruling compared with that of the rules here."""

from collections import deque
from collections.abc import Iterator
from random import Random
from typing import Any

import orjson

from benchmarks.soak.requests import Answer, Course, SoakRequest, WrongAnswer, check_equal, check_status
from gyoji.games.catalogue import GAMES
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Game, Move

BATCH = 12
"""Moves of a request that brings several."""

REMEMBERED = 40
"""Moves made before, of which some will be illegal now."""


def play_stateless(number: int) -> Course:
    """Play random games of one kind after the other, for ever."""
    rng = Random(number)
    for at in range(number, number + 10**9):
        game = GAMES[at % len(GAMES)]
        yield from _play_game(game, rng)


def _play_game(game: Game[Any], rng: Random) -> Course:
    """Play one game; most requests ask for a ruling on a move, a few for something else about the position."""
    seats, seed = rng.randint(game.min_seats, game.max_seats), rng.randbytes(64).hex()
    chance = deal_v1(seed)
    state = game.start(seats, game.read_options({}), 0, seed, chance).state
    answer = yield _call(game, "states", {"seats": seats, "seed": seed})
    _same_position(game, state, check_status(answer, 200, "states"), "states")
    earlier: deque[Move] = deque(maxlen=REMEMBERED)
    while state.outcome is None:
        asked = rng.random()
        if asked < 0.08:
            yield from _legal_moves(game, state)
        elif asked < 0.14:
            yield from _view(game, state, rng.randrange(seats))
        elif asked < 0.17:
            yield from _scores(game, state)
        elif asked < 0.25 and earlier:
            yield from _refuse(game, state, rng.choice(earlier))
        elif asked < 0.27:
            yield from _malformed(game)
        most = BATCH if rng.random() < 0.06 else 1
        moves: list[Move] = []
        before = state
        for move, after in _moves(game, state, rng, most):
            moves.append(move)
            state = after
        yield from _check_ruling(game, before, moves, state)
        earlier.extend(moves)


def _moves(game: Game[Any], state: Any, rng: Random, most: int) -> Iterator[tuple[Move, Any]]:
    """Make random moves, each with the position after it; fewer where the game is over before."""
    for _move in range(most):
        if state.outcome is not None:
            return
        move = rng.choice(game.legal_moves(state))
        ruling = game.adjudicate(state, move, deal_v1(state.seed))
        if not isinstance(ruling, Accepted):
            raise WrongAnswer(f"{game.slug}: a listed move is refused")
        state = ruling.state
        yield move, state


def _check_ruling(game: Game[Any], state: Any, moves: list[Move], after: Any) -> Course:
    sent = {"move": moves[0]} if len(moves) == 1 else {"moves": moves}
    kind = f"adjudication {game.slug}" if len(moves) == 1 else "batch of moves"
    answer = yield _call(game, "adjudications", {"state": game.write_state(state), **sent}, kind)
    _same_position(game, after, check_status(answer, 200, kind), kind)


def _same_position(game: Game[Any], state: Any, answer: Answer, kind: str) -> None:
    said = answer.document
    check_equal(said["state"], game.write_state(state), kind, "position")
    check_equal(said["legal_moves"], game.legal_moves(state), kind, "list of legal moves")
    check_equal(said["scores"], state.scores, kind, "score")
    check_equal(said["outcome"], state.outcome, kind, "outcome")


def _legal_moves(game: Game[Any], state: Any) -> Course:
    answer = yield _call(game, "legal-moves", {"state": game.write_state(state)})
    check_equal(
        check_status(answer, 200, "legal-moves").document["legal_moves"], game.legal_moves(state), "legal-moves", "list"
    )


def _view(game: Game[Any], state: Any, seat: int) -> Course:
    answer = yield _call(game, "views", {"state": game.write_state(state), "seat": seat})
    check_equal(check_status(answer, 200, "views").document["view"], game.view(state, seat), "views", "view")


def _scores(game: Game[Any], state: Any) -> Course:
    answer = yield _call(game, "scores", {"state": game.write_state(state)})
    check_equal(check_status(answer, 200, "scores").document["scores"], state.scores, "scores", "score")


def _refuse(game: Game[Any], state: Any, move: Move) -> Course:
    """Send a move of another time: nearly always illegal by now."""
    ruling = game.adjudicate(state, move, deal_v1(state.seed))
    if isinstance(ruling, Accepted):
        return
    answer = yield _call(game, "adjudications", {"state": game.write_state(state), "move": move}, "refused move")
    said = check_status(answer, 409, "refused move").document
    check_equal(
        (said["reason"], said["rule"]), (ruling.infraction.reason, ruling.infraction.rule), "refused move", "reason"
    )


def _malformed(game: Game[Any]) -> Course:
    answer = yield SoakRequest("malformed JSON", "POST", f"/v1/games/{game.slug}/adjudications", b'{"state":')
    check_status(answer, 400, "malformed JSON")


def _call(game: Game[Any], call: str, body: Any, kind: str = "") -> SoakRequest:
    return SoakRequest(kind or call, "POST", f"/v1/games/{game.slug}/{call}", orjson.dumps(body))
