"""Makes marshmallow shapes of records (``gyoji.games.records``): those of games, of events and of rulings."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from marshmallow import fields

from gyoji.api.fields import (
    Boolean,
    BooleanList,
    Cards,
    Documented,
    Hidden,
    Integer,
    IntegerList,
    ListOf,
    OpenCards,
    Seats,
    Text,
    Word,
)
from gyoji.api.shapes import Fields, GameShapes, Shape, envelope, many, nested, shape, tagged
from gyoji.games import records
from gyoji.games.codec import plain
from gyoji.games.game import Game
from gyoji.games.records import Foreign, Keyed, Kind, Many, Member, Number, Record, SeatNumber, record, tag

Field = fields.Field[Any]

OF_EVERY_LINE = ("seat", "rule", "points")
"""What every score line has; the rest are the facts of its game."""


class Builder:
    """Makes marshmallow fields and shapes: ``prefix`` is what their names begin with, ``seats`` how many a table has at
    most. Each record becomes one shape, wherever it occurs."""

    def __init__(self, prefix: str, seats: int, foreign: Mapping[str, Callable[..., Field]] | None = None) -> None:
        """``foreign``: the fields of what the records hold and another declares, by name, each made of options."""
        self._prefix = prefix
        self._seats = seats
        self._foreign = foreign or {}
        self._made: dict[str, tuple[object, Shape]] = {}
        self.values: dict[str, Documented] = {}
        """The fields of texts that have a name, by the name."""

    def with_foreign(self, foreign: Mapping[str, Callable[..., Field]]) -> "Builder":
        """Return a builder that knows further fields; both builders share the shapes that either has made."""
        found = Builder(self._prefix, self._seats, {**self._foreign, **foreign})
        found._made, found.values = self._made, self.values
        return found

    def shape(self, name: str, members: Iterable[Member], *, viewed: bool = False) -> Shape:
        """Make the shape of these members; ``viewed``: as views hold them, in which some may be hidden."""
        return self._once(name, tuple(members), viewed)

    def members(self, members: Iterable[Member]) -> dict[str, Field]:
        """Make a field for each of the members."""
        return {member.name: self._field(member) for member in members}

    def logged(self, members: Iterable[Member]) -> dict[str, Field]:
        """Make a field for each of the members of a logged event, of which some may be hidden."""
        return {
            member.name: Hidden(self._documented(member.kind), required=True, allow_none=member.nullable)
            if member.hideable
            else self._field(member)
            for member in members
        }

    def asked(self, members: Iterable[Member]) -> dict[str, Field]:
        """Make a field for each of the members of a request; one that may be left out defaults to null."""
        return {
            member.name: self._field(member)
            if member.required
            else self.field(member.kind, member.name, required=False, allow_none=True, load_default=None)
            for member in members
        }

    def given(self, options: Record) -> dict[str, Field]:
        """Make a field for each of the options in a request; each may be left out, and then has its default."""
        defaults = options.type._field_defaults
        return {
            member.name: self.field(
                member.kind,
                member.name,
                required=False,
                load_default=_json(plain(member.kind, defaults[member.name])),
                allow_none=member.nullable,
            )
            for member in options.members
        }

    def variant(self, name: str, declared: type[Any], common: Fields) -> Shape:
        """Make the shape of one kind of move or event: its ``type``, the members common to its union, and its own."""
        own = [member for member in record(declared).members if member.name not in ("type", *common)]
        return shape(name, {"type": Word(tag(declared), required=True), **common, **self.members(own)})

    def _field(self, member: Member) -> Field:
        return self.field(member.kind, member.name, required=member.required, allow_none=member.nullable)

    def _viewed(self, member: Member) -> Field:
        """The member of a view: what may be hidden is what it is, or a count."""
        kind = member.kind
        if not member.hideable or (isinstance(kind, Many) and kind.gaps):
            return self._field(member)
        if isinstance(kind, Keyed):
            item = {name: Hidden(self._documented(kind.item), required=True) for name in kind.names}
            return nested(self._named(f"{member.name.capitalize()}View", item))
        if isinstance(kind, Many) and isinstance(kind.item, Many):
            return ListOf(Hidden(self._documented(kind.item)), self._most(kind), required=True)
        return Hidden(self._documented(kind), required=True)

    def field(self, kind: Kind, name: str, **options: Any) -> Field:
        """Make the field of one kind of value; ``name`` is the name of the member that holds it."""
        if isinstance(kind, Many):
            return self._many(kind, **options)
        if isinstance(kind, Record):
            return nested(self._record(kind), **options)
        if isinstance(kind, Keyed):
            item = {key: self.field(kind.item, name, required=True) for key in kind.names}
            return nested(self._named(name.capitalize(), item), **options)
        if isinstance(kind, Foreign):
            return self._foreign[kind.name](**options)
        return self._scalar(kind, **options)

    def _scalar(self, kind: Kind, **options: Any) -> Documented:
        if isinstance(kind, SeatNumber):
            return Integer(0, self._seats - 1, **options)
        if isinstance(kind, Number):
            return Integer(kind.low, kind.high, **options)
        if isinstance(kind, records.Word | records.Text):
            return self._text(kind, **options)
        return Boolean(**options)

    def _text(self, kind: records.Word | records.Text, **options: Any) -> Documented:
        def made(**options: Any) -> Documented:
            return Word(*kind.words, **options) if isinstance(kind, records.Word) else Text(kind.pattern, **options)

        if kind.name:
            self.values[self._prefix + kind.name] = made()
        return made(**options)

    def _many(self, kind: Many, **options: Any) -> Field:
        if isinstance(kind.item, Record):
            inner = self._record(kind.item)
            return (
                many(inner, self._most(kind), **options) if _is_bounded(kind) else fields.List(nested(inner), **options)
            )
        return self._documented(kind, **options)

    def _documented(self, kind: Kind, **options: Any) -> Documented:
        """The field of a list, which says its own JSON Schema."""
        if not isinstance(kind, Many):
            return self._scalar(kind, **options)
        item, most = kind.item, self._most(kind)
        if isinstance(item, records.Word | records.Text):
            return self._texts(item, kind, **options)
        if isinstance(item, records.Flag):
            return BooleanList(most, **options)
        if isinstance(item, Many):
            return ListOf(self._documented(item), most, **options)
        if kind.distinct and isinstance(item, SeatNumber):
            return Seats(kind.least, most, **options)
        low, high = (item.low, item.high) if isinstance(item, Number) else (0, self._seats - 1)
        return IntegerList(low, high, most=most, exactly=kind.least or None, **options)

    def _texts(self, item: records.Word | records.Text, kind: Many, **options: Any) -> Documented:
        """The field of a list of texts. The first list of texts with a name has a name too."""
        self._text(item)
        most = self._most(kind)
        made: Documented = (
            Cards(item.words, most, gaps=kind.gaps, **options)
            if isinstance(item, records.Word)
            else OpenCards(item.pattern, most, distinct=kind.distinct, **options)
        )
        if item.name and not kind.gaps and not kind.distinct:
            plural = f"{item.name}es" if item.name.endswith("sh") else f"{item.name}s"
            self.values.setdefault(self._prefix + plural, made)
        return made

    def _most(self, kind: Many) -> int:
        return self._seats if kind.most is None else kind.most

    def _record(self, kind: Record) -> Shape:
        return self.shape(kind.type.__name__, kind.members)

    def _once(self, name: str, members: tuple[Member, ...], viewed: bool) -> Shape:
        """The shape of that name, made once. Raises ``TypeError`` where a game gives one name to two records."""
        if name not in self._made:
            each = self._viewed if viewed else self._field
            self._made[name] = members, shape(self._prefix + name, {member.name: each(member) for member in members})
        known, made = self._made[name]
        if known != members:
            raise TypeError(f"{self._prefix}: two records are called {name}")
        return made

    def _named(self, name: str, members: Fields) -> Shape:
        if name not in self._made:
            self._made[name] = None, shape(self._prefix + name, members)
        return self._made[name][1]


def _is_bounded(kind: Many) -> bool:
    return kind.most is not None or kind.by_seat


def _json(value: Any) -> Any:
    """Lists in the place of tuples, as JSON Schema gives a default."""
    return [_json(item) for item in value] if isinstance(value, tuple) else value


def prefix_of(slug: str) -> str:
    """Return what the names of a game's components begin with: ``OldMaid`` of ``old-maid``."""
    return "".join(part.capitalize() for part in slug.split("-"))


def kind_name(kind: str) -> str:
    """Return the type of a move or an event in camel case, as the names of its schemas contain it."""
    return "".join(part.capitalize() for part in kind.split("_"))


def game_shapes(game: Game[Any]) -> GameShapes:
    """Make all shapes of one game."""
    prefix, declared, codec = prefix_of(game.slug), game.records, game.records.codec
    builder = Builder(prefix, game.max_seats)
    if not isinstance(codec.outcome.kind, Record):
        raise TypeError(f"{game.slug}: an outcome is a record")
    ended = builder.shape("Outcome", codec.outcome.kind.members)
    chosen = shape(f"{prefix}Options", builder.members(codec.options.members))
    table = builder.shape("Table", codec.table)
    viewed = builder.shape("TableView", codec.table, viewed=True)
    rounds = next((member for member in codec.table if member.name == "rounds"), None)
    facts = [member for member in record(declared.line).members if member.name not in OF_EVERY_LINE]
    given = shape(f"{prefix}OptionsGiven", builder.given(codec.options))
    return GameShapes(
        prefix=prefix,
        game=game,
        options_given=given,
        options=chosen,
        outcome=ended,
        state=envelope(f"{prefix}State", game, chosen, ended, table),
        view=envelope(f"{prefix}View", game, chosen, ended, viewed),
        move=_union(builder, prefix, "Move", declared.moves, game.max_seats),
        event=_union(builder, prefix, "Event", declared.events, None),
        rounds=IntegerList(most=0, required=True) if rounds is None else builder.members([rounds])["rounds"],
        line_facts=builder.members(facts),
        data=game.tables,
        known=None if game.questions is None else _known(builder, prefix, game, given),
        asked=None if game.questions is None else _asked(builder, prefix, game),
        values={**builder.values, f"{prefix}Seat": Integer(0, game.max_seats - 1)},
    )


MOST_KNOWN = 400
"""How many cards a question may name in one place: more than any deck has."""


def _known(builder: Builder, prefix: str, game: Game[Any], options: Shape) -> Shape:
    """What a question knows: the table, the facts of the game, and where cards lie. Nothing of it is required."""
    cards = Many(_card_of(game), False, 0, MOST_KNOWN, False, False)
    members = {
        "seats": Integer(game.min_seats, game.max_seats),
        "options": nested(options, required=False),
        **builder.members(record(game.questions.facts).members),
        "hand": builder.field(cards, "hand", required=False),
        "others": Integer(0, MOST_KNOWN),
        "elsewhere": builder.field(cards, "elsewhere", required=False),
    }
    return shape(f"{prefix}Known", members)


def _card_of(game: Game[Any]) -> Kind:
    """The kind of the cards that questions are about: those of the first move that plays one."""
    asked = (member for move in _moves_asked(game) for member in record(move).members)
    return next(member.kind for member in asked if member.name == "card")


def _moves_asked(game: Game[Any]) -> list[type[Any]]:
    return [move for move in game.records.moves if tag(move) in game.questions.moves]


def _asked(builder: Builder, prefix: str, game: Game[Any]) -> Shape:
    """The union of the moves that may be asked about. None of them names a seat: it is the one on turn."""
    variants: dict[str, Shape] = {}
    for one in _moves_asked(game):
        own = [member for member in record(one).members if member.name not in ("type", "seat")]
        members = {"type": Word(tag(one), required=True), **builder.members(own)}
        variants[tag(one)] = shape(f"{prefix}{kind_name(tag(one))}Asked", members)
    return tagged(f"{prefix}MoveAsked", "type", variants)


def _union(builder: Builder, prefix: str, sort: str, declared: Iterable[type[Any]], seats: int | None) -> Shape:
    """The union of a game's moves, each of which names its seat (of so many), or of its events."""
    variants: dict[str, Shape] = {}
    for one in declared:
        common = {} if seats is None else {"seat": Integer(0, seats - 1, required=True)}
        name = prefix + kind_name(tag(one)) + ("" if seats is None else sort)
        variants[tag(one)] = builder.variant(name, one, common)
    return tagged(prefix + sort, "type", variants)


def all_shapes(games: Mapping[str, Game[Any]]) -> dict[str, GameShapes]:
    """Make the shapes of every game, by slug."""
    return {slug: game_shapes(game) for slug, game in games.items()}
