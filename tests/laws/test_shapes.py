"""Whatever the rules make has the shape that is published: states, moves, events, views and score lines."""

from functools import cache
from hashlib import sha512
from typing import Any

import jsonschema_rs
import orjson
import pytest

from gyoji.api.contract import plain_components
from gyoji.games.catalogue import GAMES
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Game
from gyoji.published_files import schema

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "tomorrow-never-meows": [{}, {"concealed": True, "bluff_scoring": "per_trick"}],
    "catte": [{}, {"bust_bonus": "forfeit"}],
    "towai": [{}, {"finishes_to_win": 1, "first_card": "any"}],
    "familiars-trouble": [{}, {"lead_rule": "any", "hand_exchange": False}],
}
SETTINGS = [(game, options) for game in GAMES for options in OPTIONS.get(game.slug, [{}])]


def _agrees(validator: Any, made: Any) -> None:
    document = orjson.loads(orjson.dumps(made))
    assert validator.is_valid(document), [error.message for error in validator.iter_errors(document)][:3]


@cache
def _shape(slug: str, name: str) -> Any:
    return jsonschema_rs.validator_for(schema(f"{slug}/{name}"))


@cache
def _line(slug: str) -> Any:
    """A score line as the scores call answers it, before its sentence is made."""
    components = plain_components()
    name = next(name for name in components if name.endswith("ScoreLine") and name.lower().startswith(slug[:3]))
    line = {**components[name], "required": [member for member in components[name]["required"] if member != "why"]}
    return jsonschema_rs.validator_for(line)


@pytest.mark.parametrize(("game", "options"), SETTINGS, ids=lambda value: getattr(value, "slug", str(value)[:20]))
def test_what_the_rules_make_has_the_published_shape(game: Game[Any], options: dict[str, Any]) -> None:
    seed = sha512(game.slug.encode()).hexdigest()
    chance = deal_v1(seed)
    state, events = game.start(
        game.max_seats if game.slug != "towai" else 3, game.read_options(options), 0, seed, chance
    )
    for event in events:
        _agrees(_shape(game.slug, "event"), event)
    while state.outcome is None:
        legal = game.legal_moves(state)
        move = legal[(7 * state.ply + 3) % len(legal)]
        _agrees(_shape(game.slug, "move"), move)
        ruling = game.adjudicate(state, move, chance)
        assert isinstance(ruling, Accepted)
        state = ruling.state
        for event in ruling.events:
            _agrees(_shape(game.slug, "event"), event)
    _agrees(_shape(game.slug, "state"), game.write_state(state))
    for viewer in (None, 0):
        _agrees(_shape(game.slug, "view"), game.view(state, viewer))
    lines = game.lines(state)
    for line in lines:
        _agrees(_line(game.slug), line)
    assert sum(line["points"] for line in lines) == (sum(state.scores) if not game.cooperative else state.scores[0])
