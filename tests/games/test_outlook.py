"""What a player makes of its view: positions that have this view, and what they are worth."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import orjson
import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Chance, Game

SEED = "0b" * 64
OWN_CATS = [f"{colour}{number}" for colour in "BWK" for number in range(1, 15)]
ERRANDS = [
    {"id": f"{level}-{number}", "level": level, "requires": {"red": 1, "blue": 0, "green": 0}, "points": 1}
    for level in (1, 2, 3)
    for number in range(4)
]
TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("tomorrow-never-meows", 3, {}),
    ("tomorrow-never-meows", 3, {"concealed": True}),
    ("tomorrow-never-meows", 4, {"concealed": True, "bluff_scoring": "per_trick", "wishes": "basic"}),
    ("catte", 3, {}),
    ("catte", 4, {"deck": OWN_CATS, "bust_bonus": "forfeit"}),
    ("towai", 2, {}),
    ("towai", 5, {"finishes_to_win": 1}),
    ("familiars-trouble", 3, {}),
    ("familiars-trouble", 3, {"errands": ERRANDS, "opening": [1, 0, 0], "errand_exchange": False}),
]


def positions(game: Game[Any], seats: int, given: dict[str, Any]) -> Iterator[Any]:
    """The positions of a random game."""
    chance, choices = deal_v1(SEED), Random(f"{game.slug} {seats}")
    state = game.start(seats, game.read_options(given), 0, SEED, chance).state
    yield state
    while state.outcome is None and state.ply < 500:
        ruling = game.adjudicate(state, choices.choice(game.legal_moves(state)), chance)
        assert isinstance(ruling, Accepted)
        state = ruling.state
        yield state


def dice(seed: int) -> Chance:
    """Chance that shuffles by a seed."""
    random = Random(seed)
    return lambda _label, _k, pile: tuple(random.sample(pile, len(pile)))


def dealer(game: Game[Any]) -> Callable[[Any, Chance], Any]:
    """What deals the hidden cards of a game."""
    assert game.deal_hidden is not None
    return game.deal_hidden


def sent(game: Game[Any], state: Any, seat: int) -> Any:
    """The view as it comes over HTTP."""
    return orjson.loads(orjson.dumps(game.view(state, seat)))


@pytest.mark.parametrize(("slug", "seats", "given"), TABLES)
def test_what_is_dealt_has_the_view_that_it_was_dealt_for(slug: str, seats: int, given: dict[str, Any]) -> None:
    """And with it the moves of the seat; what is hidden in it is another time something else."""
    game = BY_SLUG[slug]
    deal, differing = dealer(game), 0
    for state in positions(game, seats, given):
        for seat in range(seats):
            view = sent(game, state, seat)
            dealt = [deal(view, dice(number)) for number in (1, 2)]
            for each in dealt:
                assert sent(game, each, seat) == view
                assert own(game, each, seat) == own(game, state, seat)
                assert type(each) is type(state)
            differing += dealt[0] != dealt[1]
            assert deal(game.view(state, seat), dice(1)) == dealt[0]
    assert differing > 20


def own(game: Game[Any], state: Any, seat: int) -> list[Any]:
    """The moves of a seat."""
    return [move for move in game.legal_moves(state) if move["seat"] == seat]


@pytest.mark.parametrize(("slug", "seats", "given"), TABLES)
def test_what_is_dealt_can_be_played_on_to_the_end_of_the_round(slug: str, seats: int, given: dict[str, Any]) -> None:
    game, choices = BY_SLUG[slug], Random(7)
    for state in [*positions(game, seats, given)][::17]:
        dealt, chance = dealer(game)(sent(game, state, 0), dice(3)), dice(4)
        for _ply in range(40):
            if dealt.outcome is not None or dealt.round > state.round:
                break
            ruling = game.adjudicate(dealt, choices.choice(game.legal_moves(dealt)), chance)
            assert isinstance(ruling, Accepted)
            dealt = ruling.state


@pytest.mark.parametrize(("slug", "seats", "given"), TABLES)
def test_the_end_is_worth_its_scores(slug: str, seats: int, given: dict[str, Any]) -> None:
    game = BY_SLUG[slug]
    *_others, last = positions(game, seats, given)
    if last.outcome is not None:
        assert tuple(game.worth(last)) == last.scores


def conceals(state: Any, wishes: Sequence[str | None]) -> Any:
    """The position with these wishes."""
    return state._replace(wishes=tuple(wishes))


def test_a_concealed_wish_is_one_that_the_seat_could_choose() -> None:
    """TNM-2.5, TNM-2.6: an advanced wish only after its basic one, and once."""
    game = BY_SLUG["tomorrow-never-meows"]
    first = next(positions(game, 3, {"concealed": True}))
    asked = conceals(first._replace(to_act=(0,), round=2), (None, "fine", "snow"))
    asked = asked._replace(last_wishes=("snow", "fine", "fine"), advanced=(False, False, True))
    found = [dealer(game)(sent(game, asked, 0), dice(number)).wishes for number in range(60)]
    basic = {"fine", "cloudy", "rainy", "thunder", "snow"}
    assert {wishes[0] for wishes in found} == {None}
    assert {wishes[1] for wishes in found} == basic | {"very_fine"}
    assert {wishes[2] for wishes in found} == basic


def test_catte_is_worth_what_the_round_would_bring() -> None:
    """CAT-6.1 to CAT-6.3: 3 + 10 acquired and 2 unused (4); exactly 20 counts twice (1 unused); above 20 nothing."""
    game = BY_SLUG["catte"]
    state = next(positions(game, 3, {}))
    coffee = state.coffee._replace(
        acquired=(("B3", "W10"), ("K15", "B5"), ("K10", "W8", "W4")),
        unused=(("B1", "B7"), ("W2",), ("B9", "W6", "K5")),
    )
    assert game.worth(state._replace(coffee=coffee, scores=(10, 0, 1))) == (10 + 13 + 4, 40 + 1, 1 + 0 + 9)


def test_tomorrow_never_meows_is_worth_what_the_round_would_bring() -> None:
    """TNM-6.2, TNM-6.3: two Fine cards; a trick for who wishes for none; another has none yet, of two tricks in ten."""
    game = BY_SLUG["tomorrow-never-meows"]
    state = next(state for state in positions(game, 3, {}) if state.phase == "trick")
    table = state._replace(
        wishes=("fine", "snow", "snow"),
        captured=(("F1", "F2", "C1"), ("R1", "R2", "R3"), ()),
        tricks_won=(1, 1, 0),
        scores=(5, 0, 0),
    )
    assert game.worth(table) == pytest.approx((5 + 2, -3, 6 * 2 / 10))


def test_towai_is_worth_finishes_and_the_fewer_cards_the_more() -> None:
    game = BY_SLUG["towai"]
    state = next(positions(game, 2, {}))
    few = state._replace(hands=(state.hands[0][:1], state.hands[1]), scores=(0, 1), finishes=(0, 1))
    worth = game.worth(few)
    assert -0.5 < worth[0] < 0
    assert worth[1] == 0.5


def test_familiars_trouble_is_worth_its_scores() -> None:
    game = BY_SLUG["familiars-trouble"]
    state = next(positions(game, 3, {}))
    assert game.worth(state._replace(scores=(4, 4, 4))) == (4, 4, 4)
