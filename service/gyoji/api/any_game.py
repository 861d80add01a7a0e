"""Makes the shapes of what may be of any game: its moves, as the contract describes them once for all games."""

from collections.abc import Iterable, Sequence
from typing import Any

from marshmallow import fields

from gyoji.api.fields import AnyValue, Documented, Integer, Text, Word
from gyoji.api.records import kind_name
from gyoji.api.shapes import GameShapes, Shape, members_of, shape, tagged, variants_of


class AnyText(Documented):
    """A field that holds a text of which each game says what it may be."""

    kind = str

    def json_schema(self) -> dict[str, Any]:
        return {"type": "string"}


def any_move(games: Iterable[GameShapes]) -> Shape:
    """Make the union of the moves of all games, told apart by their type. A type that several games have is one
    variant, which takes the moves of all of them."""
    found: dict[str, list[Shape]] = {}
    for game in games:
        for kind, variant in variants_of(game.move).items():
            found.setdefault(kind, []).append(variant)
    return tagged("AnyMove", "type", {kind: _variant(kind, of_games) for kind, of_games in found.items()})


def _variant(kind: str, of_games: Sequence[Shape]) -> Shape:
    if len(of_games) == 1:
        return of_games[0]
    declared = [members_of(variant) for variant in of_games]
    names = dict.fromkeys(name for members in declared for name in members)
    return shape(
        f"Any{kind_name(kind)}Move",
        {name: _wide([members[name] for members in declared if name in members], len(declared)) for name in names},
    )


def _wide(held: Sequence[fields.Field[Any]], games: int) -> Documented:
    """The member that takes what any of the fields takes; required where all games have it, and demand it."""
    required = len(held) == games and all(field.required for field in held)
    words = dict.fromkeys(word for field in held if isinstance(field, Word) for word in field.words)
    numbers = [field for field in held if isinstance(field, Integer)]
    if len(numbers) == len(held):
        return Integer(min(each.low for each in numbers), max(each.high for each in numbers), required=required)
    if all(isinstance(field, Word) and field.words == tuple(words) for field in held):
        return Word(*words, required=required)
    return (AnyText if all(isinstance(field, Word | Text) for field in held) else AnyValue)(required=required)
