"""Draws tables and random games for the laws: options, seed and path are drawn, all the rest follows from them."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

import orjson
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from gyoji.api.bodies import parse_json
from gyoji.games.catalogue import GAMES
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Chance, Game, Move
from laws.declared import ByGame, options_of

Plain = dict[str, Any]
"""A state envelope as plain data, as JSON gives it."""

MOST_PLIES = 400
"""Where a random game is left; longer than any game but those of TOWAI with three seats and more."""

SLUGS = tuple(game.slug for game in GAMES)


class Table(NamedTuple):
    """A game about to begin, and the number that a random path through it is derived from."""

    game: Game[Any]
    seats: int
    options: Mapping[str, Any]
    first: int
    seed: str
    path: int

    @property
    def chance(self) -> Chance:
        return deal_v1(self.seed)


def law(examples: int) -> settings:
    """Set how a law is tried: the same examples in every run, as slow as they are."""
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )


# Options


def _merged(*parts: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.tuples(*parts).map(lambda drawn: {name: value for part in drawn for name, value in part.items()})


def _weather_options(seats: int) -> st.SearchStrategy[dict[str, Any]]:
    row = st.fixed_dictionaries({suit: st.integers(-9, 9) for suit in "FCRTS"})
    points = st.fixed_dictionaries(dict.fromkeys(("fine", "cloudy", "rainy", "thunder"), row))
    plain: dict[str, st.SearchStrategy[Any]] = {
        "rounds": st.sampled_from([3, 4] if seats == 4 else [3]),
        "round_leader": st.sampled_from(["lowest_score", "clockwise"]),
        "wishes": st.sampled_from(["all", "basic"]),
        "wish_points": st.none() | points,
    }
    wishing: list[dict[str, Any]] = [
        {"concealed": False, "bluff_scoring": "none"},
        {"concealed": True, "bluff_scoring": "none"},
        {"concealed": True, "bluff_scoring": "per_trick"},
    ]
    return _merged(st.fixed_dictionaries(plain), st.sampled_from(wishing))


def _cats(seats: int, entropy: int) -> list[str]:
    """Return a table's own cat cards, in no order."""
    choices = Random(entropy)
    codes = [f"{colour}{number}" for colour in "BWK" for number in range(1, 100)]
    return choices.sample(codes, {3: 39, 4: 40}[seats] + choices.choice([0, 1, 5, 20]))


def _coffee_options(seats: int) -> st.SearchStrategy[dict[str, Any]]:
    own = st.integers(0, 2**32 - 1).map(lambda entropy: _cats(seats, entropy))
    return st.fixed_dictionaries({"bust_bonus": st.sampled_from(["keep", "forfeit"]), "deck": st.none() | own})


def _twilight_options(_seats: int) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "finishes_to_win": st.sampled_from([2, 1, 3]),
            "first_card": st.sampled_from(["matching", "any"]),
            "reform": st.sampled_from(["either", "discard"]),
        }
    )


def _errand(number: int, level: int, choices: Random) -> Plain:
    needs = {colour: choices.choice([0, 0, 3 * level, 5 * level]) for colour in ("red", "blue", "green")}
    if not any(needs.values()):
        needs["red"] = 1
    return {"id": f"{level}-{number}", "level": level, "requires": needs, "points": choices.randrange(9)}


def _layout(entropy: int, own: bool) -> Plain:
    """Errands (the page's or a table's own) and an opening that they are enough for."""
    choices = Random(entropy)
    counts = [choices.randrange(12) for _ in range(3)] if own else [9, 9, 9]
    counts[choices.randrange(3)] += own
    levels = [level for level, count in enumerate(counts, 1) for _ in range(count)]
    choices.shuffle(levels)
    opened = choices.sample(levels, choices.randint(1, min(9, len(levels))))
    errands = [_errand(number, level, choices) for number, level in enumerate(levels)]
    return {"errands": errands if own else None, "opening": [opened.count(level) for level in (1, 2, 3)]}


def _familiar_options(_seats: int) -> st.SearchStrategy[dict[str, Any]]:
    plain: dict[str, st.SearchStrategy[Any]] = {
        "hand_exchange": st.booleans(),
        "errand_exchange": st.booleans(),
        "lead_rule": st.sampled_from(["attribute", "any"]),
    }
    layouts = st.builds(_layout, st.integers(0, 2**32 - 1), st.booleans())
    return _merged(st.fixed_dictionaries(plain), st.just({"errands": None, "opening": [3, 1, 1]}) | layouts)


def _declared_options(game: Game[Any]) -> Callable[[int], st.SearchStrategy[dict[str, Any]]]:
    return lambda _seats: st.fixed_dictionaries(
        {name: st.sampled_from(chosen) for name, chosen in options_of(game).items()}
    )


OPTIONS: Mapping[str, Callable[[int], st.SearchStrategy[dict[str, Any]]]] = ByGame(
    {
        "tomorrow-never-meows": _weather_options,
        "catte": _coffee_options,
        "towai": _twilight_options,
        "familiars-trouble": _familiar_options,
    },
    _declared_options,
)


# Tables and the games played at them


@st.composite
def tables(draw: st.DrawFn, game: Game[Any]) -> Table:
    """Any table that the game allows, with a path for one random game."""
    seats = draw(st.integers(game.min_seats, game.max_seats))
    options = draw(OPTIONS[game.slug](seats))
    first = draw(st.integers(0, seats - 1))
    path = draw(st.integers(0, 2**32 - 1))
    return Table(game, seats, options, first, seed_of(path), path)


def seed_of(number: int) -> str:
    """64 bytes that follow from a number."""
    return Random(number).randbytes(64).hex()


def begun(table: Table) -> Any:
    """Return the first position."""
    options = table.game.read_options(table.options)
    return table.game.start(table.seats, options, table.first, table.seed, table.chance).state


def after(table: Table, state: Any, move: Move) -> Any:
    """Return the position after a listed move."""
    ruling = table.game.adjudicate(state, move, table.chance)
    assert isinstance(ruling, Accepted), (move, ruling)
    return ruling.state


def positions(table: Table, most: int = MOST_PLIES) -> Iterator[Any]:
    """Return every position of a random game, one after another."""
    choices = Random(table.path)
    state = begun(table)
    yield state
    for _ in range(most):
        legal = table.game.legal_moves(state)
        if not legal:
            return
        state = after(table, state, choices.choice(legal))
        yield state


def some_positions(table: Table, count: int) -> list[Any]:
    """Return a few positions of a random game, its last one among them."""
    *earlier, last = positions(table)
    return [*Random(table.path).sample(earlier, min(count, len(earlier))), last]


def plain(game: Game[Any], state: Any) -> Plain:
    """Return the position as a caller gets it: through JSON."""
    state_envelope: Plain = copied(game.write_state(state))
    return state_envelope


def copied(data: Any) -> Any:
    """Copy the data through the bytes of JSON."""
    return parse_json(dumped(data))


def dumped(data: Any) -> bytes:
    """Return the bytes that the service sends."""
    return orjson.dumps(data)
