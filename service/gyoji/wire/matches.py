"""The shapes of what is asked about stored matches: the bodies of the calls that create, fork and audit them."""

from collections.abc import Mapping

from gyoji.wire.fields import OpenCards, Text, Whole, Word
from gyoji.wire.given import Notes, SeatsGiven
from gyoji.wire.parameters import MATCH, MOST_SEQ, NAME
from gyoji.wire.shapes import GameShapes, Shape, nested, seat_of, shape, tagged

MOST_TAGS = 16

RANDOMNESS = shape("Randomness", {"policy": Word("server", required=True)})


def disclosure(**options: object) -> Word:
    """To whom the secrets are disclosed when the match closes."""
    return Word("public_on_close", "auditors_only", **options)


def visibility(**options: object) -> Word:
    """Whether anybody may watch."""
    return Word("private", "public", **options)


def precondition(**options: object) -> Word:
    """Whether every move has to say which position it is meant for."""
    return Word("optional", "required", **options)


def tags(**options: object) -> OpenCards:
    """Labels by which matches can be listed."""
    return OpenCards(NAME, MOST_TAGS, distinct=True, **options)


def match_requests(games: Mapping[str, GameShapes]) -> dict[str, Shape]:
    """The bodies of the calls about stored matches, by the last part of their address; a move is its game's own."""
    return {
        "matches": tagged("NewMatch", "game", {slug: _new_match(shapes) for slug, shapes in games.items()}),
        "fork": shape("Fork", {"seq": Whole(1, MOST_SEQ, required=True)}),
        "audits": shape("AuditRequest", {"match": Text(MATCH, required=True)}),
    }


def _new_match(shapes: GameShapes) -> Shape:
    game = shapes.game
    return shape(
        f"{shapes.prefix}NewMatch",
        {
            "game": Word(game.slug, required=True),
            "version": Whole(game.version, game.version, load_default=game.version),
            "seats": SeatsGiven(game.min_seats, game.max_seats, required=True),
            "options": nested(shapes.options_given, required=False),
            "first": seat_of(game.max_seats, required=False, load_default=0),
            "randomness": nested(RANDOMNESS, required=False),
            "disclosure": disclosure(load_default="public_on_close"),
            "visibility": visibility(load_default="private"),
            "if_match": precondition(load_default="optional"),
            "tags": tags(),
            "metadata": Notes(),
        },
    )
