"""The shapes of the requests about tournaments, and of the rules of tournaments."""

from collections.abc import Mapping
from typing import Any, get_args

from marshmallow import validate

from gyoji.api.clocks import NEW_CLOCK
from gyoji.api.fields import Boolean, Cards, Integer, IntegerList, ListOf, OpenCards, Text, Word
from gyoji.api.match_requests import disclosure, visibility
from gyoji.api.parameters import ENTRANT, MOST_SEATS, MOST_TABLES, NAME, ONE_LINE
from gyoji.api.shapes import Fields, GameShapes, Shape, many, nested, shape, tagged
from gyoji.players.players import PLAYERS
from gyoji.tournaments.rules import Pairing, TieBreak
from gyoji.tournaments.tournament import MOST_ENTRANTS, MOST_ROUNDS

MOST_ADDED = 500
"""Entrants of one request."""
SOME = [validate.Length(max=MOST_ADDED, error="too-long"), validate.Length(min=1, error="not-allowed")]
MOST_POINTS = 1_000_000

POINTS = "-?(0|[1-9][0-9]{0,6})(/([1-6]|10|12|15|20|30|60))?"
"""A whole number or a fraction, such as 5/2; its denominator divides 60, as those of places that are shared do. So no
sum of them has one that is much larger."""
REASON = rf"{ONE_LINE}{{1,500}}"

PAIRINGS = get_args(Pairing)
TIE_BREAKS = get_args(TieBreak)


def points(prefix: str) -> Shape:
    """Make the shape that says how the matches at a table bring points: by score, by rank, or by wins."""
    each = {"low": -MOST_POINTS, "high": MOST_POINTS, "required": True}
    return tagged(
        f"{prefix}Points",
        "by",
        {
            "score": shape(f"{prefix}PointsByScore", {"by": Word("score", required=True)}),
            "rank": shape(
                f"{prefix}PointsByRank",
                {
                    "by": Word("rank", required=True),
                    "points": IntegerList(-MOST_POINTS, MOST_POINTS, most=MOST_SEATS, required=True),
                    "forfeit": Integer(-MOST_POINTS, MOST_POINTS),
                    "by_size": ListOf(IntegerList(-MOST_POINTS, MOST_POINTS, most=MOST_SEATS), MOST_SEATS),
                },
            ),
            "wins": shape(
                f"{prefix}PointsByWins",
                {
                    "by": Word("wins", required=True),
                    "win": Integer(**each),
                    "draw": Integer(**each),
                    "loss": Integer(**each),
                },
            ),
        },
    )


POINTS_RULE = points("Tournament")


ANNOUNCED = rf"{ONE_LINE}{{1,200}}"
"""What a director announces: a text on one line."""


def tie_breaks(**options: Any) -> Cards:
    """Make the field that lists the tie-breaks between entrants with equal points, in order."""
    return Cards(TIE_BREAKS, len(TIE_BREAKS), **options)


def name_field(**options: Any) -> Text:
    """Make the field of a name that people read."""
    return Text(NAME, **{"required": True, **options})


def entrants_of_tables() -> ListOf:
    """Make the field of who sits where: tables as lists of entrants by seat."""
    return ListOf(OpenCards(ENTRANT, MOST_SEATS), MOST_TABLES)


def tournament_requests(games: Mapping[str, GameShapes]) -> dict[str, Shape]:
    """Make the shapes of the bodies of the operations on tournaments, by the last part of their URL."""
    return {
        "tournaments": tagged("NewTournament", "game", {slug: _new(shapes) for slug, shapes in games.items()}),
        "entrants": shape("NewEntrants", {"entrants": many(_new_entrant(), MOST_ADDED, validate=SOME)}),
        "rounds": shape(
            "NewRound",
            {
                "pairing": Word(*PAIRINGS),
                "early": Boolean(load_default=False),
                "held": Boolean(load_default=False),
                "tables": entrants_of_tables(),
                "byes": OpenCards(ENTRANT, MOST_ENTRANTS),
                "dry_run": Boolean(load_default=False),
            },
        ),
        "places": shape("PlaceRequest", {"token": _entrant_token()}),
        "check-ins": shape("CheckIn", {"token": _entrant_token(), "present": Boolean(required=True)}),
        "registration": shape(
            "SetRegistration", {"open": Boolean(required=True), "renew": Boolean(load_default=False)}
        ),
        "invitations": shape("InvitationRequest", {"token": _joining_token()}),
        "registrations": shape("NewRegistration", {"token": _joining_token(), **_of_entrant()}),
        "presence": shape("Presence", {"present": Boolean(required=True)}),
        "no-shows": shape(
            "NoShow",
            {
                "entrant": Text(ENTRANT, required=True),
                "outcome": Word("removed", "forfeited", "reinstated", required=True),
                "stand_in": name_field(required=False),
                "bot": Word(*PLAYERS),
            },
        ),
        "announcements": shape("Announcement", {"text": Text(ANNOUNCED, required=True, allow_none=True)}),
        "corrections": shape(
            "Correction",
            {
                "entrant": Text(ENTRANT, required=True),
                "points": Text(POINTS, required=True),
                "reason": Text(REASON, required=True),
            },
        ),
    }


def _entrant_token() -> Text:
    return Text("gyoji_ent_[A-Za-z0-9_-]{71}", required=True)


def _joining_token() -> Text:
    return Text("gyoji_join_[A-Za-z0-9_-]{71}", required=True)


def _of_entrant() -> Fields:
    return {"name": name_field(), "members": OpenCards(NAME, MOST_SEATS)}


def _new_entrant() -> Shape:
    return shape("NewEntrant", _of_entrant())


def _new(shapes: GameShapes) -> Shape:
    game = shapes.game
    sizes = game.max_seats - game.min_seats + 1
    return shape(
        f"{shapes.prefix}NewTournament",
        {
            "game": Word(game.slug, required=True),
            "version": Integer(game.version, game.version, load_default=game.version),
            "name": name_field(),
            "seats": IntegerList(game.min_seats, game.max_seats, most=sizes, required=True),
            "rounds": Integer(1, MOST_ROUNDS, required=True),
            "pairing": Word(*PAIRINGS, load_default="swiss"),
            "options": nested(shapes.options_given, required=False),
            "disclosure": disclosure(load_default="public_on_close"),
            "visibility": visibility(load_default="private"),
            "duplicate": Boolean(load_default=False),
            "points": nested(POINTS_RULE, required=False),
            "bye": Integer(-MOST_POINTS, MOST_POINTS, allow_none=True, load_default=None),
            "clock": nested(NEW_CLOCK, required=False, allow_none=True),
            "tie_breaks": tie_breaks(),
            "check_in": Boolean(load_default=False),
        },
    )
