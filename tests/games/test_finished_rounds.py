"""What is remembered of a finished round is what looking again would find, for sound rounds and for broken ones."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.catte import finished_rounds as catte
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Game
from gyoji.games.tomorrow_never_meows import history as tnm

SEED = "5c" * 64


def last_position(game: Game[Any], seats: int, options: dict[str, Any]) -> Any:
    dice, chance = random.Random(seats), deal_v1(SEED)
    state = game.start(seats, game.read_options(options), 0, SEED, chance).state
    while state.to_act:
        ruling = game.adjudicate(state, dice.choice(game.legal_moves(state)), chance)
        assert isinstance(ruling, Accepted)
        state = ruling.state
    return state


def variants(value: Any, depth: int = 0) -> Iterator[Any]:
    """The value, and the same with one thing in it changed, or a card of a seat's left out or there twice."""
    yield value
    if isinstance(value, tuple):
        made = getattr(value, "_make", tuple)
        for at, inner in enumerate(value):
            changed = list(variants(inner, depth + 1))[1:]
            for other in changed:
                yield made([*value[:at], other, *value[at + 1 :]])
            if depth == 2 and isinstance(inner, str):
                yield (*value[:at], *value[at + 1 :])
                yield (*value[:at], inner, *value[at:])
    elif isinstance(value, bool) or value is None:
        yield "fine"
    elif isinstance(value, int):
        yield from (value + 1, -value)


@pytest.mark.parametrize("bust_bonus", ["keep", "forfeit"])
@pytest.mark.parametrize("seats", [3, 4])
def test_of_catte(seats: int, bust_bonus: str) -> None:
    state = last_position(BY_SLUG["catte"], seats, {"bust_bonus": bust_bonus})
    broken = 0
    for finished in state.rounds:
        for variant in variants(finished):
            for rule in ("keep", "forfeit"):
                found = tuple(catte._found(rule, variant))
                assert catte._flaws(rule, variant) == catte._flaws(rule, variant) == found
                broken += bool(found)
    assert broken > 100
    assert not any(catte._flaws(bust_bonus, finished) for finished in state.rounds)


@pytest.mark.parametrize("options", [{}, {"concealed": True, "bluff_scoring": "per_trick"}])
@pytest.mark.parametrize("seats", [3, 4])
def test_of_tomorrow_never_meows(seats: int, options: dict[str, Any]) -> None:
    game = BY_SLUG["tomorrow-never-meows"]
    state = last_position(game, seats, options)
    own = game.read_options({**options, "wish_points": game.tables["wish_points"]})
    plain = game.read_options({})
    broken = 0
    for done in state.rounds:
        for variant in variants(done):
            for table in (state.options, plain):
                found = tnm._flaws.__wrapped__(seats, table, variant)
                assert tnm._flaws(seats, table, variant) == tnm._flaws(seats, table, variant) == found
                broken += bool(found)
            assert tnm._flaws(seats, own, variant) == tnm._flaws(seats, state.options, variant)
    assert broken > 100
    assert not any(tnm._flaws(seats, state.options, done) for done in state.rounds)
