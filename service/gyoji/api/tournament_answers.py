"""The shapes of the answers about tournaments."""

from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

from gyoji.api.clocks import CONTROL
from gyoji.api.fields import DIGEST, SEED, Boolean, Integer, IntegerList, ListOf, OpenCards, Text, Word
from gyoji.api.log_events import hash_field, seats_field, seq_field, time_field
from gyoji.api.match_requests import disclosure, visibility
from gyoji.api.parameters import CURSOR, ENTRANT, MATCH, MOST_LISTED, MOST_SEATS, MOST_TABLES, NAME, STATUSES
from gyoji.api.shapes import Fields, GameShapes, Shape, many, nested, problem_members, scores_field, shape, tagged
from gyoji.api.tournament_requests import (
    ANNOUNCED,
    MOST_POINTS,
    PAIRINGS,
    POINTS_RULE,
    TIE_BREAKS,
    name_field,
    tie_breaks,
)
from gyoji.match.state import ResultBy
from gyoji.messages.tournaments import faults, lines, refusals
from gyoji.tournaments.tie_breaks import Figure
from gyoji.tournaments.tournament import MOST_ENTRANTS, MOST_ROUNDS, PlaceStatus

FIGURE = "-?(0|[1-9][0-9]{0,17})(/[1-9][0-9]{0,17})?"
"""A whole number or a fraction, such as 5/2."""
MOST_CORRECTIONS = 100_000
MOST_LINES = 100_000
MOST_FAULTS = 10_000


class TournamentAnswers(NamedTuple):
    """The shapes of the answers of the operations on tournaments."""

    tournament: Shape
    listed: Shape
    round: Shape
    tokens: Shape
    place: Shape
    registration: Shape
    invitation: Shape
    registered: Shape
    standings: Shape
    refused: Shape


def tournament_answers(games: Mapping[str, GameShapes]) -> TournamentAnswers:
    """Make the shapes of the answers about tournaments of any of these games."""
    return TournamentAnswers(
        tagged("Tournament", "game", {slug: _tournament(shapes) for slug, shapes in games.items()}),
        shape("Tournaments", {"tournaments": many(_summary(games), MOST_LISTED), "next": _cursor()}),
        ROUND,
        ENTRANT_TOKENS,
        _place(games),
        REGISTRATION,
        _invitation(games),
        REGISTERED,
        STANDINGS,
        shape(
            "TournamentRefused",
            {
                **problem_members(("tournament-refused",)),
                "reason": Word(*refusals(), required=True),
                "because": Text(required=True),
                "faults": many(FAULT, MOST_FAULTS),
            },
        ),
    )


def _cursor() -> Text:
    return Text(CURSOR, required=True, allow_none=True)


def _id() -> Text:
    return Text(MATCH, required=True)


def _figure(**options: Any) -> Text:
    return Text(FIGURE, **{"required": True, **options})


def _entrant(**options: Any) -> Text:
    return Text(ENTRANT, **{"required": True, **options})


def _token() -> Text:
    return Text(longest=256, required=True)


def _whole(most: int, **options: Any) -> Integer:
    return Integer(0, most, **{"required": True, **options})


def _status() -> Word:
    return Word("open", "closed", required=True)


FAULT = shape(
    "TableFault",
    {
        "code": Word(*faults(), required=True),
        "table": Integer(1, MOST_TABLES, required=True, allow_none=True),
        "entrant": _entrant(allow_none=True),
        "why": Text(required=True),
    },
)
LINKS = shape(
    "TournamentLinks",
    {name: Text(required=True) for name in ("self", "entrants", "rounds", "corrections", "standings", "log", "close")},
)
TAKES_PART = shape(
    "Entrant",
    {
        "entrant": _entrant(),
        "name": name_field(),
        "members": OpenCards(NAME, MOST_SEATS, required=True),
        "withdrawn": _whole(MOST_ROUNDS, allow_none=True),
        "present": Boolean(),
    },
)
CORRECTED = shape("CorrectionMade", {"entrant": _entrant(), "points": _figure(), "reason": Text(required=True)})
PAIRED = shape(
    "PairedRound",
    {
        "round": _whole(MOST_ROUNDS),
        "pairing": Word(*PAIRINGS, required=True),
        "tables": _whole(MOST_TABLES),
        "byes": _whole(MOST_ENTRANTS),
        "absent": Integer(1, MOST_ENTRANTS),
        "closed": Boolean(required=True),
    },
)


def _named(games: Mapping[str, Any]) -> Fields:
    return {
        "tournament": _id(),
        "name": name_field(),
        "game": Word(*games, required=True),
        "version": Integer(1, required=True),
        "rules_digest": Text(DIGEST, required=True),
        "status": _status(),
        "seq": seq_field(),
        "created": time_field(),
        "visibility": visibility(required=True),
    }


def _summary(games: Mapping[str, GameShapes]) -> Shape:
    return shape(
        "TournamentSummary",
        {
            **_named(games),
            "entrants": _whole(MOST_ENTRANTS),
            "rounds": _whole(MOST_ROUNDS),
            "paired": _whole(MOST_ROUNDS),
            "links": nested(LINKS),
        },
    )


def _tournament(shapes: GameShapes) -> Shape:
    game = shapes.game
    return shape(
        f"{shapes.prefix}Tournament",
        {
            **_named({game.slug: shapes}),
            "teams": Boolean(required=True),
            "seats": IntegerList(game.min_seats, game.max_seats, required=True),
            "rounds": _whole(MOST_ROUNDS),
            "pairing": Word(*PAIRINGS, required=True),
            "options": nested(shapes.options),
            "disclosure": disclosure(required=True),
            "clock": nested(CONTROL, allow_none=True),
            "duplicate": Boolean(required=True),
            "points": nested(POINTS_RULE),
            "bye": Integer(-MOST_POINTS, MOST_POINTS, required=True, allow_none=True),
            "tie_breaks": tie_breaks(required=True),
            "check_in": Boolean(),
            "registration": Word("open", "closed"),
            "seed_commitment": hash_field(),
            "seed": Text(DIGEST, required=True, allow_none=True),
            "entrants": many(TAKES_PART, MOST_ENTRANTS),
            "paired": many(PAIRED, MOST_ROUNDS),
            "corrections": many(CORRECTED, MOST_CORRECTIONS),
            "announcement": Text(ANNOUNCED),
            "links": nested(LINKS),
        },
    )


RESULT = shape(
    "TableResult",
    {
        "by": Word(*get_args(ResultBy), required=True),
        "scores": scores_field(allow_none=True),
        "winners": seats_field(),
        "forfeited": seats_field(),
    },
)
TABLE_SEAT = shape(
    "TableSeat",
    {
        "seat": _whole(MOST_SEATS - 1),
        "entrant": _entrant(),
        "name": name_field(),
        "token": Text(longest=256),
    },
)
NO_SHOW = shape(
    "TableNoShow",
    {"entrant": _entrant(), "name": name_field(), "outcome": Word("removed", "forfeited", required=True)},
)
TABLE = shape(
    "TournamentTable",
    {
        "table": Integer(1, MOST_TABLES, required=True),
        "match": Text(MATCH, required=True, allow_none=True),
        "status": Word(*STATUSES, required=True, allow_none=True),
        "seats": many(TABLE_SEAT, MOST_SEATS),
        "result": nested(RESULT, allow_none=True),
        "no_shows": many(NO_SHOW, MOST_SEATS, required=False),
    },
)
ROUND = shape(
    "Round",
    {
        "tournament": _id(),
        "seq": seq_field(),
        "round": Integer(1, MOST_ROUNDS, required=True),
        "pairing": Word(*PAIRINGS, required=True),
        "seed": Text(SEED, required=True),
        "closed": Boolean(required=True),
        "tables": many(TABLE, MOST_TABLES),
        "byes": ListOf(Text(ENTRANT), MOST_ENTRANTS, required=True),
        "absent": ListOf(Text(ENTRANT), MOST_ENTRANTS),
    },
)
ENTRANT_TOKEN = shape("EntrantToken", {"entrant": _entrant(), "name": name_field(), "token": _token()})
ENTRANT_TOKENS = shape("EntrantTokens", {"tournament": _id(), "entrants": many(ENTRANT_TOKEN, MOST_ENTRANTS)})
PLACE_SEAT = shape("PlaceSeat", {"seat": _whole(MOST_SEATS - 1), "name": name_field(), "token": Text(longest=256)})


REGISTRATION = shape(
    "Registration",
    {
        "tournament": _id(),
        "seq": seq_field(),
        "open": Boolean(required=True),
        "token": Text(longest=256, required=True, allow_none=True),
    },
)
REGISTERED = shape("Registered", {"tournament": _id(), "entrant": _entrant(), "name": name_field(), "token": _token()})


def _invitation(games: Mapping[str, GameShapes]) -> Shape:
    sizes = [shapes.game for shapes in games.values()]
    seats = min(game.min_seats for game in sizes), max(game.max_seats for game in sizes)
    return shape(
        "Invitation",
        {
            "tournament": _id(),
            "title": name_field(),
            "game": Word(*games, required=True),
            "open": Boolean(required=True),
            "teams": Boolean(required=True),
            "seats": IntegerList(*seats, required=True),
        },
    )


def _place(games: Mapping[str, Any]) -> Shape:
    return shape(
        "Place",
        {
            "tournament": _id(),
            "title": name_field(),
            "game": Word(*games, required=True),
            "entrant": _entrant(),
            "name": name_field(),
            "status": Word(*get_args(PlaceStatus), required=True),
            "announcement": Text(ANNOUNCED),
            "present": Boolean(),
            "round": Integer(1, MOST_ROUNDS, required=True, allow_none=True),
            "table": Integer(1, MOST_TABLES, required=True, allow_none=True),
            "match": Text(MATCH, required=True, allow_none=True),
            "seats": many(PLACE_SEAT, MOST_SEATS),
        },
    )


AT_TABLE = shape(
    "TableOfRound", {"round": Integer(1, MOST_ROUNDS, required=True), "table": Integer(1, MOST_TABLES, required=True)}
)
LINE = shape(
    "StandingLine",
    {
        "figure": Word(*get_args(Figure), required=True),
        "what": Word(*[word for word in lines() if word != "shared-place"], required=True),
        "amount": _figure(),
        "round": Integer(1, MOST_ROUNDS, required=True, allow_none=True),
        "table": Integer(1, MOST_TABLES, required=True, allow_none=True),
        "match": Text(MATCH, required=True, allow_none=True),
        "why": Text(required=True),
    },
)
TIE_BREAK = shape("TieBreakFigure", {"figure": Word(*TIE_BREAKS, required=True), "value": _figure(allow_none=True)})
STANDING = shape(
    "StandingRow",
    {
        "place": Integer(1, MOST_ENTRANTS, required=True),
        "entrant": _entrant(),
        "name": name_field(),
        "withdrawn": Boolean(required=True),
        "points": _figure(),
        "tie_breaks": many(TIE_BREAK, len(TIE_BREAKS)),
        "lines": many(LINE, MOST_LINES),
    },
)
STANDINGS = shape(
    "Standings",
    {
        "tournament": _id(),
        "name": name_field(),
        "status": _status(),
        "seq": seq_field(),
        "rounds": _whole(MOST_ROUNDS),
        "paired": _whole(MOST_ROUNDS),
        "running": many(AT_TABLE, MOST_TABLES * MOST_ROUNDS),
        "rows": many(STANDING, MOST_ENTRANTS),
    },
)
