"""A state that the service returned is a position of the game, with its seed and, until a shuffle is due, without."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.api.bodies import parse_json
from gyoji.app.adjudication import answer_call
from gyoji.games.catalogue import GAMES
from gyoji.games.chance import SeedMissing, deal_v1
from gyoji.games.game import Accepted, Game, IllegalMove, Move
from laws.strategies import Table, after, dumped, law, plain, positions, some_positions, tables
from laws.universe import universe

EVERY_GAME = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


@EVERY_GAME
@law(60)
@given(data=st.data())
def test_a_state_reached_by_play_is_never_impossible(game: Game[Any], data: st.DataObject) -> None:
    for state in positions(data.draw(tables(game)), 1500):
        assert game.findings(state) == ()


@EVERY_GAME
@law(40)
@given(data=st.data())
def test_every_state_goes_through_json(game: Game[Any], data: st.DataObject) -> None:
    for state in positions(data.draw(tables(game))):
        sent = dumped(game.write_state(state))
        back = game.read_state(parse_json(sent))
        assert back == state
        assert dumped(game.write_state(back)) == sent


def seedless(game: Game[Any], state: Any) -> Any:
    return game.read_state({**plain(game, state), "seed": None})


@EVERY_GAME
@law(12)
@given(data=st.data())
def test_without_a_seed_play_goes_on_until_a_shuffle_is_due(game: Game[Any], data: st.DataObject) -> None:
    """Whatever is illegal stays so: the seed is asked for only by a move that would otherwise stand."""
    table = data.draw(tables(game))
    asked_for_seed = 0
    for state in positions(table, 150):
        blind = seedless(game, state)
        assert game.findings(blind) == ()
        legal = game.legal_moves(state)
        assert game.legal_moves(blind) == legal
        asked_for_seed += sum(needs_seed(table, state, blind, move) for move in legal)
        for move in universe(game, plain(game, state)):
            if move not in legal:
                assert isinstance(game.adjudicate(blind, move, deal_v1(None)), IllegalMove)
    assert asked_for_seed or game.slug not in ("tomorrow-never-meows", "catte")


def needs_seed(table: Table, state: Any, blind: Any, move: Move) -> bool:
    """A listed move does without a seed what it does with one, or else shuffles and says that it cannot."""
    game = table.game
    following = after(table, state, move)
    if following.shuffles > state.shuffles:
        with pytest.raises(SeedMissing):
            game.adjudicate(blind, move, deal_v1(None))
        return True
    ruling = game.adjudicate(blind, move, deal_v1(None))
    assert isinstance(ruling, Accepted)
    assert ruling.state == seedless(game, following)
    return False


@EVERY_GAME
@law(40)
@given(data=st.data())
def test_the_finding_for_a_shuffle_that_is_due_names_the_seed(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(tables(game))
    due = [(state, move) for state in positions(table) for move in shuffling(table, state)]
    for state, move in due[:3]:
        sent = {**plain(game, state), "seed": None}
        answer = answer_call(game.slug, "adjudications", dumped({"state": sent, "move": move}), "/", "en")
        assert (answer.status, answer.body["code"]) == (409, "impossible-state")
        assert [(found["pointer"], found["code"]) for found in answer.body["findings"]] == [
            ("/state/seed", "seed-missing")
        ]


def shuffling(table: Table, state: Any) -> list[Move]:
    """The listed moves that shuffle."""
    legal = table.game.legal_moves(state)
    return [move for move in legal if after(table, state, move).shuffles > state.shuffles]


@EVERY_GAME
@law(25)
@given(data=st.data())
def test_every_call_answers_for_every_state(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(tables(game))
    for state in some_positions(table, 4):
        sent = plain(game, state)
        for seat in (None, *range(table.seats)):
            assert answer_call(game.slug, "views", dumped({"state": sent, "seat": seat}), "/", "en").status == 200
        for call in ("legal-moves", "scores"):
            assert answer_call(game.slug, call, dumped({"state": sent}), "/", "ja").status == 200
        lines = game.lines(state)
        for seat, score in enumerate(state.scores):
            of_seat = [line["points"] for line in lines if line["seat"] in (seat, None)]
            assert not lines or sum(of_seat) == score
