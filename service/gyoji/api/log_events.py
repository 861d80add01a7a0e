"""The shapes of what events of the log hold, as they stand in it and as the feed gives them.

What a reader may not know of an event is ``null``, a list of it ``{"count": n}``. Which fields that can happen to is
not said again here: it follows from what each game declares of its events and moves.
"""

from collections.abc import Iterable, Mapping
from copy import copy
from functools import cache
from typing import Any, NamedTuple, get_args

from marshmallow import fields

from gyoji.api.clocks import LOGGED_CLOCK
from gyoji.api.fields import (
    DIGEST,
    SEED,
    Cards,
    Documented,
    Hidden,
    Listed,
    OpenCards,
    Text,
    Whole,
    Wholes,
    Word,
)
from gyoji.api.match_fields import Notes
from gyoji.api.match_requests import ENTROPY, RANDOMNESS, TIME, disclosure, precondition, tags, visibility
from gyoji.api.parameters import MATCH, MOST_SEATS, MOST_SEQ, NAME
from gyoji.api.rulings import RESULT, Seats, logged_ruling_members
from gyoji.api.shapes import (
    MOST_MOVES,
    GameShapes,
    Shape,
    any_of,
    many,
    members_of,
    nested,
    seat_of,
    shape,
    tagged,
    variants_of,
)
from gyoji.games.records import Fields as Knowers
from gyoji.games.records import record, tag
from gyoji.match.clocks import Expiry
from gyoji.match.events.match_voided import VoidReason

MOST_EVENTS_OF_MOVE = MOST_MOVES


def match_field() -> Text:
    """The id of a match."""
    return Text(MATCH, required=True)


def seq_field(least: int = 0, **options: Any) -> Whole:
    """The number of an event."""
    return Whole(least, MOST_SEQ, **{"required": True, **options})


def hash_field() -> Text:
    """The hash of an event."""
    return Text(DIGEST, required=True)


def time_field(**options: Any) -> Text:
    """A time of the log."""
    return Text(TIME, **{"required": True, **options})


class Logged(NamedTuple):
    """What a game's log holds, as a reader may know it."""

    move: Shape
    event: Shape
    created: Shape
    """``data`` of ``match_created``."""
    dealt: Shape
    moved: Shape
    """``data`` of ``move_played`` and of ``choice_made``."""
    ruled: Shape
    """``data`` of ``ruling_made``."""
    expired: Shape
    """``data`` of ``clock_expired``."""


@cache
def logged(shapes: GameShapes) -> Logged:
    """The shapes of what one game's log holds."""
    records = shapes.game.records
    move = _knowable(shapes.prefix, shapes.move, records.moves)
    event = _knowable(shapes.prefix, shapes.event, records.events)
    moved = {"move": nested(move, required=False), "events": events_field(event, required=False)}
    return Logged(
        move,
        event,
        _created(shapes),
        _dealt(shapes, event),
        _moved(shapes, move, event),
        _ruled(shapes, moved),
        _expired(shapes, moved),
    )


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
        return Listed(Hidden(field.each), field.most, required=True)
    if isinstance(field, fields.Nested):
        piles = members_of(type(field.schema)).items()
        return nested(shape(f"{name}Piles", {level: Hidden(_listing(pile), required=True) for level, pile in piles}))
    if isinstance(field, Cards | OpenCards | Wholes):
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


WITHHELD = f"(group|{TIME})"
"""What a disclosure waits for."""

SOURCE = shape("ForkSource", {"match": match_field(), "seq": seq_field(1), "hash": hash_field()})


def _created(shapes: GameShapes) -> Shape:
    game = shapes.game
    return shape(
        f"{shapes.prefix}MatchCreatedData",
        {
            "game": Word(game.slug, required=True),
            "version": Whole(game.version, game.version, required=True),
            "rules_digest": Text(DIGEST, required=True),
            "seats": Whole(game.min_seats, game.max_seats, required=True),
            "options": nested(shapes.options),
            "first": seat_of(game.max_seats),
            "randomness": nested(RANDOMNESS),
            "disclosure": disclosure(required=True),
            "visibility": visibility(required=True),
            "if_match": precondition(required=True),
            "deal_id": Text(MATCH, required=True),
            "seed_commitment": Text(DIGEST, required=True),
            "names": Hidden(Listed(Text(NAME), MOST_SEATS), required=True, allow_none=True),
            "metadata": Notes(required=True, allow_none=True),
            "tags": Hidden(tags(), required=True),
            "from": nested(SOURCE, required=False),
            "withheld_until": Text(WITHHELD),
            "clock": nested(LOGGED_CLOCK, required=False),
        },
    )


def _dealt(shapes: GameShapes, event: Shape) -> Shape:
    return shape(
        f"{shapes.prefix}DealtData",
        {
            "events": events_field(event),
            "position": nested(shapes.view, required=False),
            "missing": seats_field(required=False),
        },
    )


def seats_field(**options: Any) -> Wholes:
    """Some seats, ascending."""
    return Wholes(0, MOST_SEATS - 1, most=MOST_SEATS, **{"required": True, **options})


def _moved(shapes: GameShapes, move: Shape, event: Shape) -> Shape:
    return shape(f"{shapes.prefix}MoveData", {"move": nested(move), "events": events_field(event)})


def _ruled(shapes: GameShapes, moved: Mapping[str, Any]) -> Shape:
    """What a referee has ruled: the move that it made or let stand, or the position that is the position again."""
    position = {"position": nested(shapes.view, required=False)}
    return shape(f"{shapes.prefix}RulingMadeData", {**logged_ruling_members(), **moved, **position})


def _expired(shapes: GameShapes, moved: Mapping[str, Any]) -> Shape:
    """Whose time was up, since when, and what was done: the move that was made for a seat."""
    return shape(
        f"{shapes.prefix}ClockExpiredData",
        {
            "seats": Seats(1, required=True),
            "deadlines": Listed(Text(TIME), MOST_SEATS, required=True),
            "then": Word(*get_args(Expiry), required=True),
            **moved,
        },
    )


def data_by_type(games: Mapping[str, GameShapes], logs: Mapping[str, Logged]) -> dict[str, Shape]:
    """The members of ``data`` by type of log event."""
    moved = any_of("MoveData", [log.moved for log in logs.values()])
    outcome = any_of("Outcome", [shapes.outcome for shapes in games.values()])
    return {
        "match_created": tagged("MatchCreatedData", "game", {slug: log.created for slug, log in logs.items()}),
        "entropy_committed": shape("EntropyCommittedData", {"commit": Text(DIGEST, required=True)}),
        "entropy_revealed": shape("EntropyRevealedData", {"entropy": Text(ENTROPY, required=True)}),
        "dealt": any_of("DealtData", [log.dealt for log in logs.values()]),
        "move_played": moved,
        "choice_made": moved,
        "ruling_made": any_of("RulingMadeData", [log.ruled for log in logs.values()]),
        "clock_expired": any_of("ClockExpiredData", [log.expired for log in logs.values()]),
        "match_paused": shape("MatchPausedData", {}),
        "match_resumed": shape("MatchResumedData", {}),
        "match_finished": shape(
            "MatchFinishedData",
            {"outcome": nested(outcome, allow_none=True), "result": nested(RESULT, required=False)},
        ),
        "match_voided": shape(
            "MatchVoidedData", {"reason": Word(*get_args(VoidReason), required=True), "missing": seats_field()}
        ),
        "seed_disclosed": shape("SeedDisclosedData", {"server_secret": Text(SEED, required=True, allow_none=True)}),
    }


ACTOR = shape(
    "Actor",
    {
        "role": Word("service", "operator", "referee", "director", "seat", required=True),
        "seat": Whole(0, MOST_SEATS - 1),
        "key": Text("[0-9a-f]{16}"),
    },
)


def feed_event(data: Mapping[str, Shape]) -> Shape:
    """A log event as the feed gives it: ``data`` with what the viewer may know in its place."""

    def shown(kind: str) -> Shape:
        return shape(
            f"Feed{type_name(kind)}",
            {
                "seq": seq_field(),
                "type": Word(kind, required=True),
                "at": time_field(),
                "actor": nested(ACTOR),
                "data": nested(data[kind]),
                "hash": hash_field(),
            },
        )

    return tagged("FeedEvent", "type", {kind: shown(kind) for kind in data})


def type_name(kind: str) -> str:
    """The type of a log event as part of a name."""
    return "".join(part.capitalize() for part in kind.split("_"))
