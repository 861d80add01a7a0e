"""A game that does not keep to its own lists is found out, and rules on nothing."""

from typing import Any

import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game
from gyoji.games.known import read_known, template
from gyoji.games.missing_fact import Found, _missing, consider

CATTE = BY_SLUG["catte"]
SEATS = 4
MOST = 10
REFUSED: dict[str, Any] = {
    "known": {"led": "W4", "hand": ["W9", "K15"], "others": 0},
    "move": {"type": "play", "card": "K15"},
}
"""A white card is held, so black is refused."""


def considered(game: Game[Any]) -> Found:
    known = read_known(CATTE, REFUSED)
    return consider(game, CATTE.questions, known, MOST, template(CATTE, SEATS, known.options), REFUSED["move"])


def test_it_accepts_a_move_that_it_does_not_list() -> None:
    lenient = CATTE._replace(adjudicate=lambda state, _move, chance: CATTE.adjudicate(state, legal(state), chance))
    with pytest.raises(TypeError, match="catte: a move is accepted that is not listed"):
        considered(lenient)


def legal(state: Any) -> Any:
    return {**CATTE.legal_moves(state)[0], "seat": state.to_act[0]}


def test_it_shuffles_before_it_refuses() -> None:
    def shuffles(state: Any, move: Any, chance: Any) -> Any:
        chance("catte/deal/1", 2, ("W1", "W2"))
        return CATTE.adjudicate(state, move, chance)

    with pytest.raises(TypeError, match="a move that is refused shuffles catte/deal/1"):
        considered(CATTE._replace(adjudicate=shuffles))


def test_it_rules_on_one_position_in_two_ways() -> None:
    (one,) = considered(CATTE).completions
    with pytest.raises(TypeError, match="differ in nothing that can be asked"):
        _missing(CATTE.questions, read_known(CATTE, REFUSED), [one, one._replace(outcome=("legal",))])
