"""No card is ever lost, doubled or made up, and a table where one was is refused."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.app.adjudication import answer_call
from gyoji.games.catalogue import GAMES
from gyoji.games.game import Game
from gyoji.messages.problems import Answer
from laws.piles import DECKS, Path, cards_at, census, lost, value_at, with_card
from laws.strategies import Plain, dumped, law, plain, positions, some_positions, tables
from laws.universe import strange_cat

EVERY_GAME = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)

FOREIGN = {"tomorrow-never-meows": "F11", "towai": "D8", "familiars-trouble": "RBG2", "catte": "B2"}
"""Codes that look like cards of the game's closed set and are none; in Catte that is the coffee."""


@EVERY_GAME
@law(25)
@given(data=st.data())
def test_cards_are_conserved_at_every_ply(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(tables(game))
    states = positions(table)
    deck = census(plain(game, next(states)))
    for state in states:
        assert census(plain(game, state)) == deck


def viewed(game: Game[Any], state: Plain) -> Answer:
    return answer_call(game.slug, "views", dumped({"state": state, "seat": None}), "/", "en")


def piles(state: Plain) -> Iterator[tuple[str, Path]]:
    for deck, paths in DECKS[state["game"]](state).items():
        yield from ((deck, path) for path in paths)


@EVERY_GAME
@law(25)
@given(data=st.data())
def test_a_lost_card_makes_a_state_impossible(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(tables(game))
    for state in some_positions(table, 4):
        whole = plain(game, state)
        for _deck, path in piles(whole):
            cards = cards_at(whole, path)
            if cards:
                short = lost(whole, path, Random(table.path).randrange(len(cards)))
                is_impossible(viewed(game, short), path)


@EVERY_GAME
@law(25)
@given(data=st.data())
def test_a_doubled_card_makes_a_state_impossible(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(tables(game))
    for state in some_positions(table, 4):
        whole = plain(game, state)
        for deck, path in piles(whole):
            card = Random(table.path).choice(sorted(census(whole)[deck].elements()))
            if value_at(whole, path) != card:
                is_impossible(viewed(game, with_card(whole, path, card)), path)


def is_impossible(answer: Answer, path: Path) -> None:
    assert (answer.status, answer.body["code"]) == (409, "impossible-state"), (path, answer.body)
    assert answer.body["findings"], path


@EVERY_GAME
@law(15)
@given(data=st.data())
def test_a_foreign_card_is_no_shape_or_in_an_open_set_impossible(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(tables(game))
    for state in some_positions(table, 2):
        whole = plain(game, state)
        for deck, path in piles(whole):
            card = foreign(whole, deck)
            broken = with_card(whole, path, card)
            answer = viewed(game, broken)
            if deck in ("cats", "errands"):
                is_impossible(answer, path)
            else:
                assert (answer.status, answer.body["code"]) == (422, "invalid-request"), path
                assert [error["pointer"] for error in answer.body["errors"]] == [pointer(broken, path, card)]


def foreign(state: Plain, deck: str) -> str:
    if deck == "errands":
        return "no-such-errand"
    return strange_cat(state) if deck == "cats" else FOREIGN.get(state["game"], "Z9")


def pointer(state: Plain, path: Path, card: str) -> str:
    """Where the shape is wrong: at the very card."""
    pile = value_at(state, path)
    if path[-1] == "trick":
        return _pointer((*path, len(pile) - 1, "card"))
    return _pointer((*path, pile.index(card)) if isinstance(pile, list) else path)


def _pointer(path: Path) -> str:
    return "/state/" + "/".join(map(str, path))
