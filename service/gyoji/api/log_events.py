"""The shapes of the events of a log, as the log holds them and as the feed shows them.

What a reader may not know of an event is ``null``, a list of it ``{"count": n}``. Which fields that can happen to is
not said again here: it follows from what each game declares of its events and moves.
"""

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from functools import cache, partial
from typing import Any, NamedTuple

from marshmallow import fields

from gyoji.api.fields import (
    DIGEST,
    Cards,
    Documented,
    Hidden,
    Integer,
    IntegerList,
    ListOf,
    OpenCards,
    Text,
    Word,
)
from gyoji.api.match_requests import TIME
from gyoji.api.parameters import MATCH, MOST_SEATS, MOST_SEQ
from gyoji.api.referee_calls import CALLS_NEWS
from gyoji.api.rulings import SHARED
from gyoji.api.shapes import (
    MOST_MOVES,
    GameShapes,
    Shape,
    any_of,
    many,
    members_of,
    nested,
    shape,
    tagged,
    variants_of,
)
from gyoji.games.records import Fields as Knowers
from gyoji.games.records import Foreign, record, tag
from gyoji.match.fold import RECORDS

MOST_EVENTS_OF_MOVE = MOST_MOVES


def match_field() -> Text:
    """The id of a match."""
    return Text(MATCH, required=True)


def seq_field(least: int = 0, **options: Any) -> Integer:
    """The number of an event."""
    return Integer(least, MOST_SEQ, **{"required": True, **options})


def hash_field() -> Text:
    """The hash of an event."""
    return Text(DIGEST, required=True)


def time_field(**options: Any) -> Text:
    """A time of the log."""
    return Text(TIME, **{"required": True, **options})


class LogShapes(NamedTuple):
    """The shapes of what one game's log holds, as a reader may know it."""

    move: Shape
    event: Shape
    data: Mapping[type, Shape]
    """What an event holds in ``data``, by its record, where that depends on the game."""
    told: Mapping[type, Shape]
    """The same as the feed shows it: it says its game."""


@cache
def log_shapes(shapes: GameShapes) -> LogShapes:
    """Make the shapes of what one game's log holds."""
    records = shapes.game.records
    move = _knowable(shapes.prefix, shapes.move, records.moves)
    event = _knowable(shapes.prefix, shapes.event, records.events)
    builder = SHARED.with_foreign(_of_game(shapes, move, event))
    held = {
        declared: builder.logged(record(declared).members)
        for declared in dict.fromkeys(RECORDS.values())
        if _depends_on_game(declared)
    }
    named = {"game": Word(shapes.game.slug, required=True)}
    data, told = (
        {declared: shape(shapes.prefix + declared.__name__, {**more, **members}) for declared, members in held.items()}
        for more in ({}, named)
    )
    return LogShapes(move, event, data, told)


def _of_game(shapes: GameShapes, move: Shape, event: Shape) -> Mapping[str, Callable[..., fields.Field[Any]]]:
    """The fields of what the game of a match declares, by the name that the records of events have for it."""
    game = shapes.game
    return {
        "game": partial(Word, game.slug),
        "version": partial(Integer, game.version, game.version),
        "seats": partial(Integer, game.min_seats, game.max_seats),
        "seat": partial(Integer, 0, game.max_seats - 1),
        "options": partial(nested, shapes.options),
        "view": partial(nested, shapes.view),
        "move": partial(nested, move),
        "events": partial(events_field, event),
    }


OF_GAME = frozenset(["game", "version", "seats", "seat", "options", "view", "move", "events"])


def _depends_on_game(declared: type) -> bool:
    kinds = [member.kind for member in record(declared).members]
    return any(isinstance(kind, Foreign) and kind.name in OF_GAME for kind in kinds)


def _knowable(prefix: str, union: Shape, declared: Iterable[type[Any]]) -> Shape:
    """The union of moves or events in which what may be hidden may be: a variant that hides nothing stays as it is."""
    found = {}
    variants = variants_of(union)
    for one in declared:
        knowers = {member.name: member.known.knower for member in record(one).members if member.known is not None}
        variant = variants[tag(one)]
        found[tag(one)] = _with_hidden(_logged_name(prefix, variant), variant, knowers) if knowers else variant
    return tagged(_logged_name(prefix, union), "type", found)


def _logged_name(prefix: str, named: Shape) -> str:
    return f"{prefix}Logged{named.__name__.removeprefix(prefix)}"


def _with_hidden(name: str, variant: Shape, knowers: Knowers) -> Shape:
    return shape(
        name,
        {
            member: _hidden(name, field, knowers[member]) if member in knowers else field
            for member, field in members_of(variant).items()
        },
    )


def _hidden(name: str, field: Any, knower: str) -> fields.Field[Any]:
    """The field where it may be hidden: each seat's own, piles by level, one list, or one value."""
    if knower == "each":
        return ListOf(Hidden(field.each), field.most, required=True)
    if isinstance(field, fields.Nested):
        piles = members_of(type(field.schema)).items()
        return nested(shape(f"{name}Piles", {level: Hidden(_listing(pile), required=True) for level, pile in piles}))
    if isinstance(field, Cards | OpenCards | IntegerList):
        return Hidden(field, required=True)
    return _nullable(field)


def _listing(pile: fields.Field[Any]) -> Documented:
    if not isinstance(pile, Documented):
        raise TypeError("a pile is one field")
    return pile


def _nullable(field: fields.Field[Any]) -> fields.Field[Any]:
    nullable = copy(field)
    nullable.allow_none = True
    return nullable


def events_field(event: Shape, **options: Any) -> fields.List[Any]:
    """The domain events of one log event."""
    return many(event, MOST_EVENTS_OF_MOVE, **options)


def seats_field(**options: Any) -> IntegerList:
    """Some seats, ascending."""
    return IntegerList(0, MOST_SEATS - 1, most=MOST_SEATS, **{"required": True, **options})


def data_by_type(games: Mapping[str, GameShapes]) -> dict[str, Shape]:
    """The members of ``data`` by type of log event, as the log has it."""

    def logged(declared: type) -> Shape:
        variants = {slug: log_shapes(shapes).data[declared] for slug, shapes in games.items()}
        is_tagged = any(member.name == "game" for member in record(declared).members)
        name = declared.__name__
        return tagged(name, "game", variants) if is_tagged else any_of(name, variants.values())

    return _by_type(games, logged)


def feed_data(games: Mapping[str, GameShapes]) -> dict[str, Shape]:
    """The same as the feed shows it, where the game tells its variants apart."""

    def told(declared: type) -> Shape:
        variants = {slug: log_shapes(shapes).told[declared] for slug, shapes in games.items()}
        return tagged(declared.__name__, "game", variants)

    return _by_type(games, told)


def _by_type(games: Mapping[str, GameShapes], of_all: Callable[[type], Shape]) -> dict[str, Shape]:
    """The shape of each record by type of log event; ``of_all`` makes that of one which depends on the game."""
    outcome = any_of("Outcome", [shapes.outcome for shapes in games.values()])
    builder = SHARED.with_foreign({"outcome": partial(nested, outcome)})
    made = {
        declared: of_all(declared)
        if _depends_on_game(declared)
        else shape(declared.__name__, builder.logged(record(declared).members))
        for declared in dict.fromkeys(RECORDS.values())
    }
    return {kind: made[declared] for kind, declared in RECORDS.items()}


ACTOR = shape(
    "Actor",
    {
        "role": Word("service", "operator", "referee", "director", "seat", required=True),
        "seat": Integer(0, MOST_SEATS - 1),
        "key": Text("[0-9a-f]{16}"),
    },
)


SEAT_TO_ACT = shape(
    "SeatToAct", {"seat": Integer(0, MOST_SEATS - 1, required=True), "deadline": time_field(allow_none=True)}
)


def feed_event(data: Mapping[str, Shape]) -> Shape:
    """Make the shape of a log event as the feed shows it: with what the viewer may know merged into ``data``, and who
    may move after it."""

    def shown(kind: str) -> Shape:
        return shape(
            f"Feed{type_name(kind)}",
            {
                "match": match_field(),
                "seq": seq_field(),
                "type": Word(kind, required=True),
                "at": time_field(),
                "actor": nested(ACTOR),
                "data": nested(data[kind]),
                "hash": hash_field(),
                "to_act": many(SEAT_TO_ACT, MOST_SEATS),
            },
        )

    return tagged("FeedEvent", "type", {kind: shown(kind) for kind in data})


def stream_data(feed: Shape) -> Shape:
    """Make the shape of what a stream of a match says in ``data``: an event of the feed, that it begins anew, or who
    calls the referee."""
    return tagged("MatchStreamData", "type", {**variants_of(feed), "reset": RESET, "calls": CALLS_NEWS})


def joint_stream_data(feed: Shape) -> Shape:
    """Make the shape of what a stream of many matches says in ``data``: an event of a feed, or that it begins anew."""
    return tagged("JointStreamData", "type", {**variants_of(feed), "reset": JOINT_RESET})


JOINT_RESET = shape("JointStreamReset", {"type": Word("reset", required=True)})

RESET = shape(
    "StreamReset",
    {"type": Word("reset", required=True), "asked": seq_field(), "last": seq_field()},
)


def type_name(kind: str) -> str:
    """Return the type of a log event in camel case, as the names of its schemas contain it."""
    return "".join(part.capitalize() for part in kind.split("_"))
