"""The list of legal moves and the ruling on a move are one and the same; a refusal changes nothing."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.api.bodies import parse_json
from gyoji.app.adjudication import answer_call
from gyoji.games.catalogue import GAMES
from gyoji.games.game import Accepted, Game, IllegalMove
from laws.strategies import after, begun, copied, dumped, law, plain, positions, some_positions, tables
from laws.universe import universe

EVERY_GAME = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


@EVERY_GAME
@law(12)
@given(data=st.data())
def test_a_move_is_accepted_if_and_only_if_it_is_listed(game: Game[Any], data: st.DataObject) -> None:
    """And the list has the order of the rules page, which is that of the universe."""
    table = data.draw(tables(game))
    chance = table.chance
    for state in positions(table, 200):
        tried = universe(game, plain(game, state))
        accepted = [move for move in tried if isinstance(game.adjudicate(state, move, chance), Accepted)]
        assert game.legal_moves(state) == accepted


@EVERY_GAME
@law(25)
@given(data=st.data())
def test_a_refused_move_changes_nothing(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(tables(game))
    for state in some_positions(table, 6):
        before = dumped(game.write_state(state))
        untouched = game.read_state(parse_json(before))
        tried = universe(game, plain(game, state))
        rulings = [game.adjudicate(state, move, table.chance) for move in tried]
        assert any(isinstance(ruling, IllegalMove) for ruling in rulings)
        assert state == untouched
        assert dumped(game.write_state(state)) == before


@EVERY_GAME
@law(25)
@given(data=st.data())
def test_the_refusal_of_one_of_many_moves_gives_back_the_last_good_state(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(tables(game))
    choices = Random(table.path)
    for state in some_positions(table, 4):
        sent = plain(game, state)
        legal = game.legal_moves(state)
        illegal = choices.choice([move for move in universe(game, sent) if move not in legal])
        good = [choices.choice(legal)] if legal else []
        last = after(table, state, good[0]) if good else state
        if illegal in game.legal_moves(last):
            continue
        body = dumped({"state": sent, "moves": [*good, illegal]})
        answer = answer_call(game.slug, "adjudications", body, "/", "en")
        assert (answer.status, answer.body["code"]) == (409, "illegal-move")
        assert answer.body["move_index"] == len(good)
        assert dumped(answer.body["state"]) == dumped(game.write_state(last))


@EVERY_GAME
@law(25)
@given(data=st.data())
def test_every_listed_move_goes_through_json_and_is_accepted_as_it_is(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(tables(game))
    for state in some_positions(table, 3):
        sent = plain(game, state)
        for move in game.legal_moves(state):
            assert copied(move) == move
            answer = answer_call(game.slug, "adjudications", dumped({"state": sent, "move": move}), "/", "en")
            assert answer.status == 200, (move, answer.body)
            assert dumped(answer.body["state"]) == dumped(game.write_state(after(table, state, move)))


@EVERY_GAME
@law(25)
@given(data=st.data())
def test_a_whole_game_is_played_with_nothing_but_what_the_service_sent(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(tables(game))
    wanted = {"seats": table.seats, "options": table.options, "first": table.first, "seed": table.seed}
    answer = answer_call(game.slug, "states", dumped(wanted), "/", "en")
    state, choices = begun(table), Random(table.path)
    for _ in range(200):
        got = copied(answer.body)
        assert got["state"] == plain(game, state)
        if not got["legal_moves"]:
            break
        move = choices.choice(got["legal_moves"])
        state = after(table, state, move)
        body = dumped({"state": got["state"], "move": move})
        answer = answer_call(game.slug, "adjudications", body, "/", "ja")
        assert answer.status == 200, (move, answer.body)
