"""A table: what is played, and how its moves, views and results are put into numbers. Nothing of it ever changes."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gyoji.games.game import Game, Seat
from gyoji_env.codes import Codes, codes_of
from gyoji_env.names import game_of
from gyoji_env.numbering import Numbering, numbering_of
from gyoji_env.observation import Encoding, encoding_of
from gyoji_env.rewards import Reward, reward_of


class Table(NamedTuple):
    """What is played, and how it is put into numbers."""

    name: str
    """As ``catte_v1``."""
    game: Game[Any]
    seats: int
    options: Any
    """The game's frozen options."""
    first: Seat
    codes: Codes
    numbering: Numbering
    encoding: Encoding
    reward: Reward

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what the table was set up from."""
        options = self.game.write_options(self.options)
        return table_of, (self.name, self.seats, self.reward.name, options, self.first)


def table_of(
    name: str, seats: int | None, reward: str, options: Mapping[str, Any] | None = None, first: Seat = 0
) -> Table:
    """Set up a table. ``ValueError`` where the game cannot be played so, ``TypeError`` where it cannot be put into
    numbers."""
    game = game_of(name)
    count = game.min_seats if seats is None else seats
    if not game.min_seats <= count <= game.max_seats:
        raise ValueError(f"{name}: from {game.min_seats} to {game.max_seats} seats, not {count}")
    if not 0 <= first < count:
        raise ValueError(f"{name}: there is no seat {first}")
    read = game.read_options(options or {})
    wrong = game.contradictions(count, read)
    if wrong:
        raise ValueError(f"{name}: options that contradict each other: {', '.join(found.pointer for found in wrong)}")
    codes = codes_of(game, count, read)
    return Table(
        name,
        game,
        count,
        read,
        first,
        codes,
        numbering_of(game, count, codes),
        encoding_of(game, count, codes),
        reward_of(reward, game.cooperative),
    )
