"""The games as games of OpenSpiel: whoever imports this can load them, as ``pyspiel.load_game("gyoji_catte_v1")``.

Choices that are made at the same time are made one after the other, each hidden from the others. Shuffles are chance
nodes, a card each, so the probabilities of deals are those of the table.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
import orjson
import pyspiel

from gyoji_env.course import Course, Limits, beginning
from gyoji_env.names import GAME_OF, game_of
from gyoji_env.rewards import reward_of
from gyoji_env.table import Table, table_of

PREFIX = "gyoji_"
MAX_PLIES = 10_000
"""Moves after which a game is left where nothing is said: OpenSpiel wants an end to every game."""
MOST_POINTS = 1e6
"""What scores and margins are said to be within; no game declares less."""


def load(
    name: str,
    players: int | None = None,
    reward: str | None = None,
    options: Mapping[str, Any] | None = None,
    max_plies: int = MAX_PLIES,
    deals: int = 0,
) -> pyspiel.Game:
    """Load a game by the name of its environments. ``max_plies`` and ``deals`` make it smaller: see ``Limits``."""
    return pyspiel.load_game(PREFIX + name, _parameters(name, players, reward, options, max_plies, deals))


def _parameters(
    name: str,
    players: int | None = None,
    reward: str | None = None,
    options: Mapping[str, Any] | None = None,
    max_plies: int = MAX_PLIES,
    deals: int = 0,
) -> dict[str, Any]:
    """Return the parameters of a game as OpenSpiel has them; options as JSON, in the way of URLs."""
    game = game_of(name)
    return {
        "players": game.min_seats if players is None else players,
        "reward": reward or ("score" if game.cooperative else "win"),
        "options": quote(orjson.dumps(options), safe="") if options else "",
        "max_plies": max_plies,
        "deals": deals,
    }


def _game_type(short_name: str, name: str, reward: str, defaults: Mapping[str, Any]) -> pyspiel.GameType:
    game, kinds = game_of(name), pyspiel.GameType.Utility
    zero_sum = reward_of(reward, game.cooperative).zero_sum
    return pyspiel.GameType(
        short_name=short_name,
        long_name=f"{game.slug}, version {game.version}, by the rules of gyoji",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=kinds.IDENTICAL if game.cooperative else kinds.ZERO_SUM if zero_sum else kinds.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.max_seats,
        min_num_players=game.min_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults,
    )


class CardGame(pyspiel.Game):
    """One game at a table."""

    name = ""
    """That of its environments."""
    short_name = ""
    """That in OpenSpiel."""
    defaults: Mapping[str, Any] = {}

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given, name = {**self.defaults, **(params or {})}, self.name
        options = orjson.loads(unquote(given["options"])) if given["options"] else {}
        table = table_of(name, given["players"], given["reward"], options)
        limits = Limits(given["max_plies"], given["deals"])
        most = 1.0 if table.reward.at_the_end else MOST_POINTS
        info = pyspiel.GameInfo(
            num_distinct_actions=table.numbering.size,
            max_chance_outcomes=max(table.codes.largest, limits.deals),
            num_players=table.seats,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0 if table.reward.zero_sum else None,
            max_game_length=limits.max_plies,
        )
        kind = _game_type(self.short_name, name, given["reward"], self.defaults)
        super().__init__(kind, info, given)
        self.table = table
        self._beginning = beginning(table, limits)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what the game is loaded by."""
        return pyspiel.load_game, (self.short_name, self.get_parameters())

    def new_initial_state(self) -> "CardState":
        """Return the point before the deal."""
        return CardState(self, self._beginning)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SeatObserver":
        """Return what writes observations."""
        if params:
            raise ValueError(f"observers take no parameters; these were given: {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return SeatObserver(self.table, kind)


class CardState(pyspiel.State):
    """A point in the course of a game, as OpenSpiel's algorithms go through it."""

    def __init__(self, game: CardGame, course: Course) -> None:
        super().__init__(game)
        self.course = course

    def current_player(self) -> int:
        """Return who decides next."""
        if self.course.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.course.is_chance else self.course.seat

    def _legal_actions(self, _player: int) -> list[int]:
        return self.course.actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may bring, with its probabilities."""
        return self.course.outcomes

    def _apply_action(self, action: int) -> None:
        course = self.course
        self.course = course.after_chance(action) if course.is_chance else course.after_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            point = self.course.point
            return f"shuffled {point.codes[action]}" if point.left else f"deal {action}"
        move = self.course.table.numbering.moves[player][action]
        return " ".join([str(value) for name, value in move.items() if name != "seat"])

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.course.is_over

    def returns(self) -> list[float]:
        """Return what each seat has in the end."""
        return [*self.course.returns()]

    def __str__(self) -> str:
        """The whole position, hidden cards too, and the shuffle under way."""
        point, game = self.course.point, self.course.table.game
        state = None if point.state is None else game.write_state(point.state)
        return orjson.dumps({"state": state, "move": point.move, "piles": point.piles, "drawn": point.drawn}).decode()


class SeatObserver:
    """Writes what a seat knows: its view, as JSON and as a row of numbers; with perfect recall all that it has been
    told."""

    def __init__(self, table: Table, kind: pyspiel.IIGObservationType) -> None:
        self._table, self._recall = table, kind.perfect_recall
        self._open_to_all = kind.private_info == pyspiel.PrivateInfoType.NONE
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("observers see what one seat sees")
        size = 0 if self._recall or self._open_to_all else len(table.encoding.labels)
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: CardState, player: int) -> None:
        """Write what a seat sees into ``tensor``; nothing before the deal."""
        position = state.course.point.state
        if not self.tensor.size or position is None:
            self.tensor.fill(0)
            return
        self.tensor[:] = self._table.encoding.observe(self._table.game, position, player)

    def string_from(self, state: CardState, player: int) -> str:
        """Return what a seat sees, or has been told, as JSON."""
        point = state.course.point
        if self._recall and not self._open_to_all:
            return "\n".join((f"seat {player}", *(point.told[player] if point.told else ())))
        if point.state is None:
            return ""
        seat = None if self._open_to_all else player
        return orjson.dumps(self._table.game.view(point.state, seat)).decode()


def register(name: str, as_name: str, **parameters: Any) -> type[CardGame]:
    """Have OpenSpiel know a game under a name, with what ``load`` takes as its defaults, for programs that load games
    by their names alone. Return its class."""
    defaults = _parameters(name, **parameters)
    made = type(
        f"{CardGame.__name__}_{as_name}", (CardGame,), {"name": name, "short_name": as_name, "defaults": defaults}
    )
    pyspiel.register_game(_game_type(as_name, name, defaults["reward"], defaults), made)
    return made


SMALL = {"max_plies": 3, "deals": 2}
"""What is small enough to be gone through whole: three moves of either of two deals."""

REGISTERED = [
    register(_name, f"{PREFIX}{_name}{_suffix}", **_smaller)
    for _name in GAME_OF
    for _suffix, _smaller in (("", {}), ("_small", SMALL))
]
"""The classes that are registered, one for each game and one for each made small."""
