"""Where the cards of a view lie: however much is hidden, all of them are somewhere."""

from random import Random
from typing import Any

import orjson
import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted

SEED = "5e" * 64
TABLES: list[tuple[str, int, dict[str, Any], set[int]]] = [
    ("tomorrow-never-meows", 3, {"concealed": True}, {36}),
    ("tomorrow-never-meows", 4, {}, {36}),
    ("catte", 3, {}, {41, 13}),
    ("catte", 4, {"deck": [f"{colour}{number}" for colour in "BWK" for number in range(1, 15)]}, {42, 13}),
    ("towai", 2, {}, {60}),
    ("towai", 6, {"finishes_to_win": 1}, {60}),
    ("familiars-trouble", 3, {}, {27}),
    (
        "familiars-trouble",
        3,
        {
            "hand_exchange": True,
            "opening": [1, 0, 0],
            "errands": [{"id": "A", "level": 1, "requires": {"red": 1, "blue": 0, "green": 0}, "points": 1}],
        },
        {27, 1},
    ),
]
"""Seats and options of a game, and how many cards of each kind its rules page counts."""


@pytest.mark.parametrize(("slug", "seats", "given", "counts"), TABLES)
def test_all_cards_lie_somewhere(slug: str, seats: int, given: dict[str, Any], counts: set[int]) -> None:
    game, chance, choices = BY_SLUG[slug], deal_v1(SEED), Random(slug)
    options = game.read_options(given)
    state = game.start(seats, options, 0, SEED, chance).state
    for _ply in range(400):
        for viewer in (None, *range(seats)):
            table = orjson.loads(orjson.dumps(game.view(state, viewer)))["table"]
            for most, piles in game.piles(options, table):
                sizes = [pile["count"] if isinstance(pile, dict) else len(pile) for pile in piles]
                assert sum(sizes) == most
        if state.outcome is not None:
            break
        ruling = game.adjudicate(state, choices.choice(game.legal_moves(state)), chance)
        assert isinstance(ruling, Accepted)
        state = ruling.state
    assert counts <= {most for most, _piles in game.piles(options, table)}
