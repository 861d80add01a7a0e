"""Writes what a seat may know of a position as a row of numbers, from the view that the seat's token is shown.

The row has the parts of the view in their order: of the envelope ``round``, ``ply``, ``phase``, ``to_act`` and
``scores``, then the table but for ``rounds``, the record of rounds that are over. ``layouts`` says how each is laid
out; of a pile that lies open on the table by itself it is also said, as a code, which card lies last.
"""

from array import array
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gyoji.games.game import Game, Position, Seat
from gyoji.games.records import MAX_INTEGER, Many, Member, Number, Text, Word
from gyoji_env.codes import Codes
from gyoji_env.layouts import (
    Layout,
    Source,
    compiled,
    layout_of,
    layout_of_member,
    layout_of_seats,
    source_of,
    starts_of,
    with_last,
)

LEFT_OUT = "rounds"
"""The member of a table that keeps what rounds brought that are over."""

IN_POSITIONS, IN_VIEWS = "{value}.{name}", "{value}['{name}']"
"""How a member is got."""


class Encoding(NamedTuple):
    """How a game's observations are written."""

    labels: tuple[str, ...]
    """What each number says: ``hands.own.B1``."""
    low: tuple[float, ...]
    high: tuple[float, ...]
    of_position: Callable[[Position, Mapping[str, Any], Seat], "array[float]"]
    """(position, what the seat has ``seen`` of it, seat) -> the row."""
    of_view: Callable[[Mapping[str, Any], Seat], "array[float]"]
    """(the view as the seat gets it from the service, seat) -> the same row."""

    def observe(self, game: Game[Any], state: Position, seat: Seat) -> "array[float]":
        """Write what a seat may know of a position: what ``Game.view`` is made of, and nothing else."""
        return self.of_position(state, game.seen(state, seat), seat)


def encoding_of(game: Game[Any], seats: int, codes: Codes) -> Encoding:
    """Return how the observations of a game are written. ``TypeError`` where its table holds what cannot be."""
    table = [member for member in game.records.codec.table if member.name != LEFT_OUT]
    in_positions, in_views = source_of(seats, codes, IN_POSITIONS), source_of(seats, codes, IN_VIEWS)
    layouts = _layouts(game, table, in_positions)
    starts = starts_of(layouts.values())
    for source in (in_positions, in_views):
        source.names["blank"] = array("f", bytes(4 * starts[-1]))
    hideable = {member.name for member in table if member.hideable}
    of_position = [
        line
        for at, (name, layout) in zip(starts, layouts.items(), strict=False)
        for line in layout.source(str(at), f"seen['{name}']" if name in hideable else f"state.{name}")
    ]
    own = {member.name for member in table}
    of_view = [
        line
        for at, (name, layout) in zip(starts, _layouts(game, table, in_views).items(), strict=False)
        for line in layout.source(str(at), f"view['table']['{name}']" if name in own else f"view['{name}']")
    ]
    return Encoding(
        tuple([f"{name}.{label}".rstrip(".") for name, layout in layouts.items() for label in layout.labels]),
        tuple([bound for layout in layouts.values() for bound in layout.low]),
        tuple([bound for layout in layouts.values() for bound in layout.high]),
        compiled("state, seen, viewer", of_position, in_positions),
        compiled("view, viewer", of_view, in_views),
    )


def _layouts(game: Game[Any], table: list[Member], source: Source) -> dict[str, Layout]:
    """Return the parts of a view that are written, each with its layout."""
    points = Many(Number(-MAX_INTEGER, MAX_INTEGER), gaps=False, least=0, most=None, by_seat=True, distinct=False)
    return {
        "round": layout_of(Number(0, MAX_INTEGER), source),
        "ply": layout_of(Number(0, MAX_INTEGER), source),
        "phase": layout_of(Word(game.phases), source),
        "to_act": layout_of_seats(source),
        "scores": layout_of(points, source),
        **{member.name: _layout(member, source) for member in table},
    }


def _layout(member: Member, source: Source) -> Layout:
    """Lay out a member of the table. Of an open pile it matters which card was laid last."""
    layout, kind = layout_of_member(member, source), member.kind
    if member.hideable or member.nullable or not isinstance(kind, Many) or kind.by_seat:
        return layout
    return with_last(layout, source.codes.of(kind.item), source) if isinstance(kind.item, Word | Text) else layout
