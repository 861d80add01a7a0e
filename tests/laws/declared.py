"""Derives what the laws have to know of a game from what the game declares.

The games of gyoji are told of by hand beside it, so that a law does not rest on the declaration that it tries.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, TypeVar

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game, Move
from gyoji.games.records import Flag, Kind, Many, Member, Number, Record, SeatNumber, Word, record, tag

Path = tuple[str | int, ...]
Known = TypeVar("Known")


class ByGame(dict[str, Known]):
    """Something by game: told by hand, or derived from what another game declares."""

    def __init__(self, told: Mapping[str, Known], derive: Callable[[Game[Any]], Known]) -> None:
        super().__init__(told)
        self._derive = derive

    def __missing__(self, slug: str) -> Known:
        return self.setdefault(slug, self._derive(BY_SLUG[slug]))


def values(kind: Kind, seats: int) -> list[Any]:
    """List every value of a kind that has few."""
    if isinstance(kind, Word):
        return [*kind.words]
    if isinstance(kind, Number):
        return [*range(kind.low, kind.high + 1)]
    if isinstance(kind, SeatNumber):
        return [*range(seats)]
    assert isinstance(kind, Flag), kind
    return [False, True]


def moves_of(game: Game[Any]) -> Callable[[Any, int], list[Move]]:
    """List every move of a seat, type by type."""

    def moves(_state: Any, seat: int) -> list[Move]:
        return [
            {"type": tag(one), "seat": seat, **dict(zip(names, chosen, strict=True))}
            for one in game.records.moves
            for names, kinds in [_own(record(one).members)]
            for chosen in product(*[values(kind, game.max_seats) for kind in kinds])
        ]

    return moves


def _own(members: tuple[Member, ...]) -> tuple[list[str], list[Kind]]:
    own = [member for member in members if member.name not in ("type", "seat")]
    return [member.name for member in own], [member.kind for member in own]


def options_of(game: Game[Any]) -> dict[str, list[Any]]:
    """List the values of every option."""
    return {member.name: values(member.kind, game.max_seats) for member in game.records.codec.options.members}


def codes_of(game: Game[Any]) -> tuple[str, ...]:
    """List the codes of the game's one deck, in hand order."""
    (hands,) = [member.kind for member in game.records.codec.table if member.name == "hands"]
    assert isinstance(hands, Many)
    assert isinstance(hands.item, Many)
    assert isinstance(hands.item.item, Word)
    return hands.item.item.words


def piles_of(game: Game[Any], state: Any, *, hideable: bool = False) -> list[Path]:
    """List every pile of the table, or those alone that a view may hide."""
    wanted = [member for member in game.records.codec.table if member.hideable or not hideable]
    return [path for member in wanted for path in _paths(member, state["seats"], codes_of(game))]


def _paths(member: Member, seats: int, codes: tuple[str, ...]) -> Iterator[Path]:
    kind = member.kind
    if not isinstance(kind, Many):
        return
    if isinstance(kind.item, Many) and isinstance(kind.item.item, Word) and kind.item.item.words == codes:
        yield from (("table", member.name, seat) for seat in range(seats))
    elif isinstance(kind.item, Record) or (isinstance(kind.item, Word) and kind.item.words == codes):
        yield ("table", member.name)
