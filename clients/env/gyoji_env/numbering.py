"""Numbers the moves of a game: the actions of its environments.

Types of moves come in the order in which the game declares them; the moves of a type in the order of their members, of
which the last changes first: codes in canonical order (hand order), numbers and seats upwards, no before yes; what may
be left out is left out first, what may be null is null first. The seat is no part of an action: whoever acts makes the
move.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, count, product
from operator import itemgetter
from typing import Any, NamedTuple

from gyoji.games.game import Game, Move, Seat
from gyoji.games.records import Flag, Kind, Member, Number, SeatNumber, Text, Word, record, tag
from gyoji_env.codes import Codes

MOST_ACTIONS = 100_000
"""More no learner has a use for, and a list of them would fill the memory."""

Key = Callable[[Move], Any]
"""Of a move all that it holds beside its type and its seat."""


class Numbering(NamedTuple):
    """The actions of a game and the moves that they are."""

    moves: tuple[tuple[Move, ...], ...]
    """By seat and action, the move."""
    kinds: Mapping[str, tuple[Key, Mapping[Any, int]]]
    """By type of move, what tells its moves apart, and the action of each."""

    @property
    def size(self) -> int:
        """How many actions there are."""
        return len(self.moves[0])

    def action(self, move: Move) -> int:
        """Return the action that a move is. ``KeyError`` for what is no move of the game."""
        key, actions = self.kinds[move["type"]]
        return actions[key(move)]

    def actions(self, moves: Iterable[Move]) -> Iterator[int]:
        """List the actions that moves are."""
        kinds = self.kinds
        for move in moves:
            key, actions = kinds[move["type"]]
            yield actions[key(move)]


def numbering_of(game: Game[Any], seats: int, codes: Codes) -> Numbering:
    """Number the moves of a game. ``TypeError`` where a move holds what cannot be numbered, as lists."""
    kinds: dict[str, tuple[Key, dict[Any, int]]] = {}
    listed: list[Mapping[str, Any]] = []
    numbers = count()
    for declared in game.records.moves:
        members = [member for member in record(declared).members if member.name not in ("type", "seat")]
        key = _key(members)
        kinds[tag(declared)] = key, {}
        for chosen in _combined(tag(declared), members, seats, codes):
            kinds[tag(declared)][1][key(chosen)] = next(numbers)
            listed.append(chosen)
            if len(listed) > MOST_ACTIONS:
                raise TypeError(f"{game.slug} has more than {MOST_ACTIONS} moves")
    moves = [tuple([_move(chosen, seat) for chosen in listed]) for seat in range(seats)]
    return Numbering(tuple(moves), kinds)


def _move(chosen: Mapping[str, Any], seat: Seat) -> Move:
    return {"type": chosen["type"], "seat": seat, **chosen}


def _key(members: list[Member]) -> Key:
    """Return the function that tells the moves of a type apart by these members."""
    names = [member.name for member in members]
    if len(members) == 1 and members[0].required:
        return itemgetter(*names)
    return lambda move: tuple(map(move.get, names))


def _combined(kind: str, members: list[Member], seats: int, codes: Codes) -> Iterator[Mapping[str, Any]]:
    """List all moves of a type, without their seats."""
    choices = [_values(kind, member, seats, codes) for member in members]
    for chosen in product(*choices):
        yield {"type": kind, **dict(chain.from_iterable(chosen))}


def _values(kind: str, member: Member, seats: int, codes: Codes) -> list[tuple[tuple[str, Any], ...]]:
    """List what a member of a move may hold; nothing at all, where it may be left out."""
    try:
        values = _listed(member.kind, seats, codes)
    except TypeError as wrong:
        raise TypeError(f"moves of the type {kind} cannot be numbered: {member.name}: {wrong}") from None
    null = [None] if member.nullable else []
    left_out: list[tuple[tuple[str, Any], ...]] = [] if member.required else [()]
    return [*left_out, *[((member.name, value),) for value in (*null, *values)]]


def _listed(kind: Kind, seats: int, codes: Codes) -> Iterable[Any]:
    if isinstance(kind, Word | Text):
        return codes.of(kind)
    if isinstance(kind, Number) and kind.high - kind.low < MOST_ACTIONS:
        return range(kind.low, kind.high + 1)
    if isinstance(kind, SeatNumber):
        return range(seats)
    if isinstance(kind, Flag):
        return (False, True)
    raise TypeError(f"{type(kind).__name__} is no closed set of values")
