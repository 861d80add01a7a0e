"""Players see the view of their seat and nothing else, and the stronger ones are stronger."""

from random import Random
from typing import Any

import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game, Move
from gyoji.players.lookahead import ListedMoveRefused, Reach, best_move
from gyoji.players.players import PLAYERS, Player, players_of
from gyoji.players.tables import play_game
from laws.strategies import SLUGS, Plain
from laws.worlds import Worlds, pool

QUICK = {"greedy": Reach(3, 16, to_next_turn=True), "search": Reach(3, 80, to_next_turn=False)}
"""The players as they are, but for the number of deals: they are asked often here."""


def chosen(player: Player, game: Game[Any], world: Plain, seat: int) -> Move:
    """The move that a player makes in a world."""
    state = game.read_state(world)
    legal = [move for move in game.legal_moves(state) if move["seat"] == seat]
    return player(game, game.view(state, seat), seat, legal, Random(5))


def asked(slug: str) -> list[Worlds]:
    """Pairs of worlds that are one to a seat which has a choice."""
    found = []
    for worlds in pool(slug):
        legal = worlds.game.legal_moves(worlds.game.read_state(worlds.one))
        if worlds.differ_in_cards and len([move for move in legal if move["seat"] == worlds.viewer]) > 1:
            found.append(worlds)
    return found


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("slug", SLUGS)
def test_in_two_worlds_that_are_one_to_the_seat_it_makes_the_same_move(slug: str, name: str) -> None:
    tried = asked(slug)
    assert len(tried) >= 15
    for worlds in tried[:20]:
        player = quick(name)
        seat = worlds.viewer
        assert seat is not None
        one, other = [chosen(player, worlds.game, world, seat) for world in (worlds.one, worlds.other)]
        assert one == other


def quick(name: str) -> Player:
    """A player that looks at few deals."""
    if name not in QUICK:
        return PLAYERS[name]
    return lambda game, view, seat, legal, dice: best_move(game, view, seat, legal, dice, QUICK[name])


@pytest.mark.parametrize("name", PLAYERS)
def test_the_dice_decide(name: str) -> None:
    """The test above would hold of a player that always makes the first move."""
    game, player = BY_SLUG["catte"], quick(name)
    found = []
    for worlds in asked("catte")[:6]:
        state = game.read_state(worlds.one)
        (seat,) = state.to_act
        legal, view = game.legal_moves(state), game.view(state, seat)
        found.append(len({str(player(game, view, seat, legal, Random(number))) for number in range(12)}))
    assert max(found) > 1


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_is_the_same_for_the_same_seed(slug: str) -> None:
    game = BY_SLUG[slug]
    table = [quick("greedy"), *[PLAYERS["random"]] * (game.min_seats - 1)]
    one, again, other = [play_game(game, table, seed) for seed in ("a", "a", "b")]
    assert one == again != other
    assert one.outcome is not None


WON: dict[str, int] = {"catte": 3, "towai": 2, "tomorrow-never-meows": 3}


@pytest.mark.parametrize("slug", WON)
def test_who_looks_ahead_beats_who_does_not(slug: str) -> None:
    """By chance one in so many games is won; the README of gyoji-bot has the figures of many more."""
    game, seats = BY_SLUG[slug], WON[slug]
    won = 0
    for index in range(30):
        table = [PLAYERS["random"]] * seats
        table[index % seats] = PLAYERS["greedy"]
        won += play_game(game, table, f"law {index}").outcome["winners"] == (index % seats,)
    assert won > 30 / seats * 1.25


def test_a_game_that_does_not_say_what_may_be_hidden_is_played_at_random_only() -> None:
    silent = BY_SLUG["catte"]._replace(deal_hidden=None)
    assert players_of(silent) == ("random",)
    with pytest.raises(ValueError, match="catte"):
        best_move(silent, {}, 0, [{}, {}], Random(1), QUICK["greedy"])


def test_rules_that_refuse_what_they_list_are_told_of() -> None:
    game = BY_SLUG["catte"]
    state = next(iter(asked("catte"))).one
    begun = game.read_state(state)
    seat = begun.to_act[0]
    wrong = [{"type": "play", "seat": seat, "card": "K99"}, {"type": "play", "seat": seat, "card": "K98"}]
    with pytest.raises(ListedMoveRefused, match="catte"):
        best_move(game, game.view(begun, seat), seat, wrong, Random(1), QUICK["greedy"])
    table: list[Player] = [lambda *_asked: wrong[0]] * 3
    with pytest.raises(ListedMoveRefused, match="catte"):
        play_game(game, table, "x")
