"""Makes the examples of the contract: requests that can be sent as they are, and what they are answered.

Those of the stateless calls are made of each game. Those of stored matches and tournaments, and of problems, have been
recorded by ``tests/contract/session.py`` in the game that examples are taken from: ``examples.json`` beside its rules.
Tests send all of them.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha512
from importlib.resources import files
from itertools import product
from typing import Any

import orjson

from gyoji.api.media import IN_THE_OPEN
from gyoji.games.catalogue import EXAMPLE
from gyoji.games.chance import SeedMissing, deal_v1
from gyoji.games.game import Accepted, Game
from gyoji.games.known import read_known
from gyoji.messages.questions import consider_question, question_answer
from gyoji.messages.rulebooks import rulebook

Example = Mapping[str, Any]
"""``request`` and ``answer``, where there are any."""

SEED = sha512(b"gyoji").hexdigest()


@cache
def recorded() -> Mapping[str, Mapping[str, Any]]:
    """Read what was recorded: ``operations`` by name, ``problems`` by code."""
    found: dict[str, Any] = orjson.loads(files(EXAMPLE.package).joinpath("examples.json").read_bytes())
    return found


def stateless(game: Game[Any], identity: Mapping[str, Any]) -> dict[str, Example]:
    """Make the examples of one game's stateless calls, by the last part of their URL. ``identity`` is what every answer
    names."""
    first = game.start(game.min_seats, game.read_options({}), 0, SEED, deal_v1(SEED)).state
    state, move, ruling = _short(game)
    seat, position = move["seat"], game.write_state(state)
    dealt = {"kind": IN_THE_OPEN, **_position(game, first)}
    ruled = {"kind": IN_THE_OPEN, "events": ruling.events, **_position(game, ruling.state)}
    own = [legal for legal in game.legal_moves(state) if legal["seat"] == seat]
    lines = [{**line, "why": rulebook(game.slug).why(line, "en")} for line in game.lines(state)]
    figures = {"scores": state.scores, "rounds": game.rounds(state), "outcome": state.outcome, "lines": lines}
    bodies: dict[str, tuple[Any, Any]] = {
        "states": ({"seats": game.min_seats, "seed": SEED}, dealt),
        "adjudications": ({"state": position, "move": move}, ruled),
        "legal-moves": ({"state": position}, {"to_act": state.to_act, "legal_moves": game.legal_moves(state)}),
        "scores": ({"state": position}, figures),
        "views": ({"state": position, "seat": seat}, {"view": game.view(state, seat), "legal_moves": own}),
    }
    if game.questions is not None:
        bodies["questions"] = _question(game)
    return {
        call: {"request": _plain(request), "answer": _plain({**identity, **answer})}
        for call, (request, answer) in bodies.items()
    }


def _question(game: Game[Any]) -> tuple[Any, Any]:
    """The first question that hangs on a fact: a card in the hand, and one value of the first fact."""
    options = game.read_options({})
    fact, values = next(iter(game.questions.values(options).items()))
    for value, card in product(values, dict.fromkeys(game.questions.deck(options))):
        request = {"known": {fact: value, "hand": [card]}, "move": {"type": "play", "card": card}}
        known = read_known(game, request)
        if value != card:
            found = consider_question(game, known, request["move"])
            if found.missing is not None:
                return request, question_answer(game, request, known, found, "en")
    raise TypeError(f"{game.slug}: no question about a card hangs on anything")


def _position(game: Game[Any], state: Any) -> dict[str, Any]:
    moves = game.legal_moves(state)
    return {"state": game.write_state(state), "legal_moves": moves, "scores": state.scores, "outcome": state.outcome}


def _short(game: Game[Any]) -> tuple[Any, Any, Accepted[Any]]:
    """The position that is written with the fewest bytes, the first legal move in it, and the ruling on it."""
    return min(_played(game), key=lambda found: len(orjson.dumps(game.write_state(found[0]))))


def _played(game: Game[Any]) -> Iterator[tuple[Any, Any, Accepted[Any]]]:
    """The positions of a game in which every move is the first legal one: those in which no shuffle is due, so that
    they need no seed."""
    state = game.start(game.min_seats, game.read_options({}), 0, SEED, deal_v1(SEED)).state
    while state.outcome is None:
        move, bare = game.legal_moves(state)[0], state._replace(seed=None)
        try:
            ruling = game.adjudicate(bare, move, deal_v1(None))
        except SeedMissing:
            ruling = game.adjudicate(state, move, deal_v1(SEED))
        else:
            if isinstance(ruling, Accepted):
                yield bare, move, ruling
        if not isinstance(ruling, Accepted):
            raise TypeError(f"{game.slug}: a legal move is refused")
        state = ruling.state._replace(seed=SEED)


def _plain(document: Any) -> Any:
    return orjson.loads(orjson.dumps(document))
