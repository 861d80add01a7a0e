"""Chance as it was recorded: what the events tell of shuffles is enough to play a game again without its seed."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from gyoji.games.catalogue import BY_SLUG, GAMES
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Event, Game, NotRecorded, chance_of_piles

SEED = "5c" * 64
LABELS = {
    "tomorrow-never-meows": {"deck"},
    "catte": {"cats", "coffee"},
    "towai": {"deck", "reform"},
    "familiars-trouble": {"attributes", "errands-1", "errands-2", "errands-3"},
}
"""randomness.md, labels and order of shuffles."""


def piles(game: Game[Any], options: Any, events: tuple[Event, ...]) -> list[Any]:
    """Every shuffle that the events tell of."""
    return [pile for event in events for pile in game.shuffles(options, event)]


def played(game: Game[Any], seats: int, given: Mapping[str, Any]) -> tuple[list[Any], list[tuple[Any, Accepted[Any]]]]:
    """The first deal, and every move of a random game with the ruling on it."""
    chance, choice = deal_v1(SEED), Random(7)
    options = game.read_options(given)
    first = game.start(seats, options, 0, SEED, chance)
    state, moves = first.state, []
    while state.outcome is None:
        move = choice.choice(game.legal_moves(state))
        ruling = game.adjudicate(state, move, chance)
        assert isinstance(ruling, Accepted)
        moves.append((move, ruling))
        state = ruling.state
    return [options, first], moves


@pytest.mark.parametrize("game", GAMES, ids=list(BY_SLUG))
def test_a_game_is_played_again_from_what_its_events_tell(game: Game[Any]) -> None:
    (options, first), moves = played(game, 3, {})
    told = piles(game, options, first.events)
    started = game.start(3, options, 0, SEED, chance_of_piles(told))
    assert started == first
    state = started.state
    labels = [label for label, _cards in told]
    for move, ruling in moves:
        told = piles(game, options, ruling.events)
        labels += [label for label, _cards in told]
        again = game.adjudicate(state, move, chance_of_piles(told))
        assert again == ruling
        state = ruling.state
    assert set(labels) == LABELS[game.slug]


@pytest.mark.parametrize("game", GAMES, ids=list(BY_SLUG))
def test_a_shuffle_that_is_not_recorded_as_it_was_made_is_refused(game: Game[Any]) -> None:
    options = game.read_options({})
    (label, cards), *more = piles(game, options, game.start(3, options, 0, SEED, deal_v1(SEED)).events)
    for wrong in ([], [("other", cards), *more], [(label, cards[1:]), *more], [(label, (cards[1], *cards[1:])), *more]):
        with pytest.raises(NotRecorded):
            game.start(3, options, 0, SEED, chance_of_piles(wrong))


@pytest.mark.parametrize(
    ("slug", "options", "phases"),
    [
        ("tomorrow-never-meows", {"concealed": True}, {"wish"}),
        ("tomorrow-never-meows", {}, set()),
        ("catte", {}, set()),
        ("towai", {}, {"swap"}),
        ("familiars-trouble", {}, set()),
    ],
)
def test_seats_choose_at_the_same_time_only_here(slug: str, options: Mapping[str, Any], phases: set[str]) -> None:
    game = BY_SLUG[slug]
    (_options, first), moves = played(game, 3, options)
    states = [first.state, *[ruling.state for _move, ruling in moves]]
    assert {state.phase for state in states if game.simultaneous(state)} == phases
    assert all(game.simultaneous(state) for state in states if state.phase in phases)


def test_wishes_are_known_to_all_unless_they_are_concealed() -> None:
    game = BY_SLUG["tomorrow-never-meows"]
    assert game.known(game.read_options({})).moves["wish"]["wish"] == "all"
    assert game.known(game.read_options({"concealed": True})).moves["wish"]["wish"] == "own"
    for slug in ("catte", "towai", "familiars-trouble"):
        other = BY_SLUG[slug]
        assert other.known(other.read_options({})).events["card_played"] == {"seat": "all", "card": "all"}
