"""What a referee may let stand in random games: only what breaks a rule, and nothing that nobody could go on from."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.games.catalogue import GAMES, is_own
from gyoji.games.game import Accepted, Game, IllegalMove, Move
from laws.strategies import Table, begun, law, plain, some_positions, tables
from laws.universe import universe

EVERY_GAME = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
STANDING = {"TNM-3.2", "CAT-3.1", "TOW-3.1", "TOW-3.2", "TOW-4.1", "FAM-3.2", "FAM-3.6"}
"""The rules about which card may be chosen."""
FALLING = {
    *("TNM-2.5", "TNM-2.6", "TNM-2.7", "TNM-7.2"),
    *("TOW-2.1", "TOW-2.2", "TOW-3.1", "TOW-3.2", "TOW-4.1"),
    *("FAM-2.2", "FAM-2.4"),
}
"""Those about what there is to choose from at all, and those whose breach shows in the position ever after: a wish, and
TOWAI's kinds (but not its numbers)."""


def misplays(table: Table, state: Any) -> list[tuple[Move, str, Accepted[Any] | IllegalMove]]:
    """The moves that break a rule, the rule, and what comes of the move if it is to stand."""
    game, found = table.game, []
    for move in universe(game, plain(game, state)):
        ruling = game.adjudicate(state, move, table.chance)
        if isinstance(ruling, IllegalMove) and ruling.infraction.reason == "rule-violation":
            found.append((move, ruling.infraction.rule or "", game.irregular(state, move, table.chance)))
    return found


@EVERY_GAME
@law(8)
@given(data=st.data())
def test_only_what_breaks_a_rule_stands_and_leads_to_a_position(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(tables(game))
    for state in some_positions(table, 5):
        for move, rule, stood in misplays(table, state):
            if isinstance(stood, Accepted):
                assert rule in STANDING or not is_own(game)
                assert game.findings(stood.state) == ()
                assert stood.state.ply == state.ply + 1
                assert game.legal_moves(stood.state) or stood.state.outcome is not None
            else:
                assert rule in FALLING or not is_own(game)
                assert stood == game.adjudicate(state, move, table.chance)


def wild(table: Table, share: float, most: int) -> list[Any]:
    """The positions of a random game in which so many of the moves are misplays where there are any."""
    choices, game = Random(table.path), table.game
    reached = [begun(table)]
    while reached[-1].to_act and len(reached) < most:
        state = reached[-1]
        standing: list[Any] = []
        if choices.random() < share:
            standing = [stood.state for _, _, stood in misplays(table, state) if isinstance(stood, Accepted)]
        if not standing:
            ruling = game.adjudicate(state, choices.choice(game.legal_moves(state)), table.chance)
            assert isinstance(ruling, Accepted)
            standing = [ruling.state]
        reached.append(choices.choice(standing))
    return reached


@EVERY_GAME
@law(4)
@given(data=st.data())
def test_a_game_of_many_misplays_is_played_on_to_its_end(game: Game[Any], data: st.DataObject) -> None:
    """Every position of it is one of the game, goes through a state envelope, and its scores are those of the lines."""
    table = data.draw(tables(game))
    reached = wild(table, 0.2, 200)
    for state in reached:
        assert game.findings(state) == ()
    last = reached[-1]
    assert game.read_state(plain(game, last)) == last
    assert last.outcome is not None or (game.slug == "towai" and len(reached) == 200)
    points = [0] * table.seats
    for line in game.lines(last):
        for seat in range(table.seats) if line["seat"] is None else (line["seat"],):
            points[seat] += line["points"]
    assert tuple(points) == last.scores
    if last.outcome is not None:
        assert game.winners(last.scores) == last.outcome["winners"]


@EVERY_GAME
@law(15)
@given(data=st.data())
def test_who_wins_by_the_scores_is_who_won(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(tables(game))
    last = some_positions(table, 0)[-1]
    if last.outcome is not None:
        assert last.outcome["winners"] == game.winners(last.outcome["scores"])
