"""The shapes of domain events that more than one game has; see the domain events page for who may know what."""

from typing import Any

from marshmallow import fields

from gyoji.api.fields import Text, Whole, Wholes, Word
from gyoji.api.json_gate import MAX_INTEGER
from gyoji.api.shapes import RULE_ID, Fields, Shape, nested, scores_field, seat_of, shape, tagged


def event(prefix: str, kind: str, members: Fields) -> Shape:
    """A domain event of that type."""
    name = prefix + "".join(part.capitalize() for part in kind.split("_"))
    return shape(name, {"type": Word(kind, required=True), **members})


def events(prefix: str, members_by_kind: dict[str, Fields]) -> Shape:
    """The union of a game's domain events, by ``type``."""
    return tagged(
        f"{prefix}Event", "type", {kind: event(prefix, kind, members) for kind, members in members_by_kind.items()}
    )


def moves(prefix: str, members_by_kind: dict[str, Fields], seats: int) -> Shape:
    """The union of a game's moves, by ``type``; each names its seat."""
    by_kind = {
        kind: shape(
            f"{prefix}{''.join(part.capitalize() for part in kind.split('_'))}Move",
            {"type": Word(kind, required=True), "seat": seat_of(seats), **members},
        )
        for kind, members in members_by_kind.items()
    }
    return tagged(f"{prefix}Move", "type", by_kind)


def cited() -> Text:
    """The id of the rule that made it happen."""
    return Text(RULE_ID, required=True)


def game_finished(seats: int, reason: str, more: Fields | None = None) -> Fields:
    """The end of the game: who won with which scores, and why it is over."""
    return {
        "winners": Wholes(0, seats - 1, most=seats, required=True),
        "scores": scores_field(),
        "reason": Word(reason, required=True),
        **(more or {}),
    }


def round_number() -> Whole:
    """A round, from 1."""
    return Whole(1, required=True)


def play_shape(prefix: str, seats: int, card: fields.Field[Any]) -> Shape:
    """One card in a trick."""
    return shape(f"{prefix}TrickCard", {"seat": seat_of(seats), "card": card})


def lines_field(prefix: str, seats: int, facts: Fields) -> fields.List[Any]:
    """Score lines as events hold them: facts without a sentence."""
    line = shape(
        f"{prefix}LineFacts",
        {"seat": seat_of(seats), "rule": cited(), "points": Whole(-MAX_INTEGER, MAX_INTEGER, required=True), **facts},
    )
    return fields.List(nested(line), required=True)
