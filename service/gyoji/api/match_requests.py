"""The shapes of the bodies of requests that create, seed, fork and audit stored matches."""

from collections.abc import Mapping
from typing import Any, get_args

from gyoji.api.clocks import NEW_CLOCK
from gyoji.api.fields import DIGEST, Integer, OpenCards, Text, Word
from gyoji.api.match_fields import Notes, SeatsGiven
from gyoji.api.parameters import MATCH, MOST_SEATS, MOST_SEQ, NAME, ONE_LINE
from gyoji.api.referee_calls import CALL_REQUEST
from gyoji.api.shapes import Fields, GameShapes, Shape, begun, exactly_one, nested, seat_of, shape, tagged
from gyoji.log import times
from gyoji.match import records
from gyoji.match.seeding import Missing

MOST_TAGS = 16

MOST_WITHIN = 604_800
"""Seconds that seats may be given to contribute: a week."""

TIME = times.WRITTEN
"""RFC 3339 in UTC with milliseconds."""

ENTROPY = records.ENTROPY
"""16 to 64 bytes as hex digits."""

REFERENCE = rf"{ONE_LINE}{{1,200}}"


def randomness(prefix: str, *, required: bool) -> Shape:
    """Make the shape that says where shuffles come from, by policy; a request may leave out what has a default."""
    missing: dict[str, Any] = {"required": True} if required else {"load_default": "void"}
    within: dict[str, Any] = {"required": True} if required else {"load_default": 3600}
    members: Mapping[str, Fields] = {
        "server": {},
        "players": {"missing": Word(*get_args(Missing), **missing), "within": Integer(1, MOST_WITHIN, **within)},
        "director": {},
        "external": {name: Text(REFERENCE, required=True) for name in ("beacon", "reference")},
    }
    policies = {
        policy: shape(f"{prefix}{policy.capitalize()}Randomness", {"policy": Word(policy, required=True), **more})
        for policy, more in members.items()
    }
    return tagged(f"{prefix}Randomness", "policy", policies, unheard_of="no-such-policy")


RANDOMNESS = randomness("", required=True)
NEW_RANDOMNESS = randomness("New", required=False)


def disclosure(**options: object) -> Word:
    """Make the field that says to whom the secrets are disclosed when the match closes."""
    return Word("public_on_close", "auditors_only", **options)


def visibility(**options: object) -> Word:
    """Make the field that says whether anybody may watch the match."""
    return Word("private", "public", **options)


def precondition(**options: object) -> Word:
    """Make the field that says whether a move has to state the position that it is meant for."""
    return Word("optional", "required", **options)


def tags(**options: object) -> OpenCards:
    """Make the field that holds the labels by which matches can be listed."""
    return OpenCards(NAME, MOST_TAGS, distinct=True, **options)


def match_requests(games: Mapping[str, GameShapes]) -> dict[str, Shape]:
    """Make the shapes of the bodies about stored matches, by the last part of their URL. A move has the shape that its
    game declares."""
    return {
        "matches": tagged("NewMatch", "game", {slug: _new_match(shapes) for slug, shapes in games.items()}),
        "grouped": _grouped_match(),
        "groups": tagged("NewGroup", "game", {slug: _new_group(shapes) for slug, shapes in games.items()}),
        "entropy": exactly_one(
            "EntropyRequest", ("commit", "entropy"), "entropy", {"commit": Text(DIGEST), "entropy": Text(ENTROPY)}
        ),
        "calls": CALL_REQUEST,
        "fork": shape("Fork", {"seq": Integer(1, MOST_SEQ, required=True)}),
        "audits": shape("AuditRequest", {"match": Text(MATCH, required=True)}),
    }


def _new_match(shapes: GameShapes) -> Shape:
    game = shapes.game
    return shape(
        f"{shapes.prefix}NewMatch",
        {
            "game": Word(game.slug, required=True),
            "version": Integer(game.version, game.version, load_default=game.version),
            **begun(shapes, SeatsGiven(game.min_seats, game.max_seats, required=True)),
            "randomness": nested(NEW_RANDOMNESS, required=False),
            "disclosure": disclosure(load_default="public_on_close"),
            "visibility": visibility(load_default="private"),
            "if_match": precondition(load_default="optional"),
            "tags": tags(),
            "metadata": Notes(),
            "group": Text(MATCH),
            "withheld_until": Text(TIME, unlike="no-time"),
            "clock": nested(NEW_CLOCK, required=False),
        },
    )


def _grouped_match() -> Shape:
    """A match of a group, which says all that is left out here."""
    return shape(
        "GroupedMatch",
        {
            "group": Text(MATCH, required=True),
            "seats": SeatsGiven(2, MOST_SEATS),
            "first": seat_of(MOST_SEATS, required=False),
            "disclosure": disclosure(),
            "visibility": visibility(load_default="private"),
            "if_match": precondition(load_default="optional"),
            "tags": tags(),
            "metadata": Notes(),
            "clock": nested(NEW_CLOCK, required=False),
        },
    )


def _new_group(shapes: GameShapes) -> Shape:
    game = shapes.game
    return shape(
        f"{shapes.prefix}NewGroup",
        {
            "game": Word(game.slug, required=True),
            "version": Integer(game.version, game.version, load_default=game.version),
            **begun(shapes),
            "disclosure": disclosure(load_default="public_on_close"),
            "until": Text(TIME, unlike="no-time", allow_none=True, load_default=None),
        },
    )
