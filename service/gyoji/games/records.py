"""Declares what the states, moves and events of a game hold: ordinary types, annotated with the values they may have.

    Card = Annotated[str, Among(CODES)]


    class Play(TypedDict):
        type: Literal["play"]
        seat: Seat
        card: Card

States and what lies in them are named tuples, moves and events are typed dicts, since they are plain data. From these
come the JSON Schemas and validators (``api``), the codec of a state (``codec``), and who may know what of an event
(``declared``). ``record`` reads a class as all of them see it.
"""

from collections.abc import Callable, Iterable, Mapping
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    Required,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

MAX_INTEGER = 2**53 - 1
"""The greatest whole number of the contract (RFC 7493, section 2.2); the least is its negative."""

MOST_SEATS = 6
"""The most seats that any game may have."""

# What stands in an annotation. Each mark is itself and equals no other: ``typing`` keeps annotations by their marks.


class Within:
    """Annotation of ``int``: a whole number from ``low`` to ``high``."""

    def __init__(self, low: int = 0, high: int = MAX_INTEGER) -> None:
        self.low, self.high = low, high


class Among:
    """Annotation of ``str``: one of a closed set of codes, in this order. The contract calls such a code a card, unless
    it is ``Called`` something else."""

    def __init__(self, codes: Iterable[str]) -> None:
        self.codes = tuple(dict.fromkeys(codes))


class Like:
    """Annotation of ``str``: a text that matches the pattern as a whole."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern


class Called:
    """Annotation of ``str``, or of literals: what such a text is called in the contract, behind the name of the game.
    It needs a name where it may be null, or lies in lists."""

    def __init__(self, name: str) -> None:
        self.name = name


class Most:
    """Annotation of a tuple: how many items it may have, whatever the game demands."""

    def __init__(self, items: int) -> None:
        self.items = items


class Exactly:
    """Annotation of a tuple: how many items it has."""

    def __init__(self, items: int) -> None:
        self.items = items


class Least:
    """Annotation of a tuple: how many items it has at the least."""

    def __init__(self, items: int) -> None:
        self.items = items


class Keys:
    """Annotation of a tuple that is an object in plain data, whose members have these names in the order of the
    items."""

    def __init__(self, *names: str) -> None:
        self.names = names


class Shaped:
    """Annotation of any type: its shape is declared elsewhere, and found by this name when shapes are made."""

    def __init__(self, name: str) -> None:
        self.name = name


class Mark:
    """An annotation that has no value."""


SEAT = Mark()
"""Of ``int``: the number of a seat, from 0."""
BY_SEAT = Mark()
"""Of a tuple: it has an item for each seat, or as many at most."""
DISTINCT = Mark()
"""Of a tuple: no item occurs twice."""
HIDEABLE = Mark()
"""Of a member of the table: a view may show less of it. A list is then a count, an item that may be null is null."""
UNCOVERED = Mark()
"""Of a member of an event: it lay hidden, and with the event comes to lie open for all."""

Knower = Literal["all", "nobody", "own", "both", "each"]
"""Who knows a member of an event or a move when it happens: everybody; nobody; the seat it happens to (``seat``); giver
and receiver (``from`` and ``to``); or, of a list with an item for each seat, each seat its own."""


class KnownTo:
    """Annotation of a member of an event or a move: who knows it, where the option ``under`` is on (``None``: always).
    A member without this annotation is open to all."""

    def __init__(self, knower: Knower, under: str | None = None) -> None:
        self.knower, self.under = knower, under


Fields = Mapping[str, Knower]
"""Every member of an event or a move that may be told at all, and who knows it."""


class Known(NamedTuple):
    """Who may know what of a game's events and moves, by type. What is not listed is known to nobody."""

    events: Mapping[str, Fields]
    moves: Mapping[str, Fields]


NOBODY = KnownTo("nobody")
OWN = KnownTo("own")
BOTH = KnownTo("both")
EACH = KnownTo("each")

# What a record is read as


class Flag(NamedTuple):
    """The kind of true and false."""


class Number(NamedTuple):
    """The kind of whole numbers within bounds."""

    low: int
    high: int


class SeatNumber(NamedTuple):
    """The kind of seat numbers."""


class Word(NamedTuple):
    """The kind of texts out of a closed set."""

    words: tuple[str, ...]
    name: str | None = None
    """What such a text is called, where it has a name."""


class Text(NamedTuple):
    """The kind of texts that match a pattern as a whole."""

    pattern: str
    name: str | None = None
    """What such a text is called, where it has a name."""


class Many(NamedTuple):
    """The kind of lists."""

    item: "Kind"
    gaps: bool
    """Whether an item may be null."""
    least: int
    most: int | None
    """``None``: nothing is said of it."""
    by_seat: bool
    """Whether it has an item for each seat."""
    distinct: bool


class Keyed(NamedTuple):
    """The kind of objects whose members are all of one kind; a tuple in the state."""

    names: tuple[str, ...]
    item: "Kind"


class Record(NamedTuple):
    """The kind of objects whose members a class declares."""

    type: type[Any]
    """The class: of named tuples or of typed dicts."""
    members: tuple["Member", ...]


class Foreign(NamedTuple):
    """The kind of values whose shape is declared elsewhere, by the name under which it is found when shapes are
    made."""

    name: str


Kind = Flag | Number | SeatNumber | Word | Text | Many | Keyed | Record | Foreign


class Member(NamedTuple):
    """One member of a record."""

    name: str
    kind: Kind
    nullable: bool
    required: bool
    known: KnownTo | None
    """Who knows it; ``None``: all."""
    hideable: bool
    uncovered: bool


def record(declared: Any, names: Iterable[str] | None = None) -> Record:
    """Read the record that a class declares, or its members of these names. A generic class may be given with its
    arguments: ``TrickCard[Card]``.

    Raises ``TypeError`` for an annotation that says too little, or that no record can hold.
    """
    origin = get_origin(declared) or declared
    given = dict(zip(getattr(origin, "__parameters__", ()), get_args(declared), strict=True))
    hints = get_type_hints(origin, include_extras=True)
    wanted = [(name, hints[name]) for name in (hints if names is None else names)]
    return Record(origin, tuple([_member(name, given.get(hint, hint), origin) for name, hint in wanted]))


def tag(declared: type[Any]) -> str:
    """Return the ``type`` of the moves or events that a typed dict declares."""
    (word,) = get_args(get_type_hints(declared)["type"])
    return str(word)


def _member(name: str, hint: Any, owner: type[Any]) -> Member:
    required = True
    if get_origin(hint) in (NotRequired, Required):
        required, hint = get_origin(hint) is Required, get_args(hint)[0]
    hint, marks = _unwrapped(hint)
    inner, nullable = _without_null(hint)
    known = next((mark for mark in marks if isinstance(mark, KnownTo)), None)
    try:
        kind = _kind(inner, marks)
    except TypeError as error:
        raise TypeError(f"{owner.__qualname__}.{name}: {error}") from None
    return Member(name, kind, nullable, required, known, HIDEABLE in marks, UNCOVERED in marks)


def _unwrapped(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type and what is said of it; of marks of the same sort the first is the outermost."""
    if get_origin(hint) is Annotated:
        inner, *marks = get_args(hint)
        return inner, tuple(reversed(marks))
    return hint, ()


def _without_null(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) not in (Union, UnionType):
        return hint, False
    rest = [arg for arg in get_args(hint) if arg is not NoneType]
    if len(rest) > 1:
        raise TypeError(f"{hint} may be of several types")
    return rest[0], True


T = TypeVar("T")


def _first(marks: tuple[Any, ...], sort: type[T]) -> T | None:
    return next((mark for mark in marks if isinstance(mark, sort)), None)


def _kind(hint: Any, marks: tuple[Any, ...]) -> Kind:
    hint, inner = _unwrapped(hint)
    marks = (*marks, *inner)
    shaped = _first(marks, Shaped)
    if shaped is not None:
        return Foreign(shaped.name)
    origin = get_origin(hint)
    if origin is Literal:
        return _literal(get_args(hint), _called(marks))
    if origin is tuple:
        return _many(get_args(hint), marks)
    if is_record(origin or hint):
        return record(hint)
    if hint in SCALARS:
        return SCALARS[hint](marks)
    raise TypeError(f"a record cannot hold {hint}")


def is_record(hint: Any) -> bool:
    """Tell whether a type is a class of named tuples or of typed dicts."""
    return is_typeddict(hint) or (isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"))


def _literal(values: tuple[Any, ...], name: str | None) -> Kind:
    if all(isinstance(value, str) for value in values):
        return Word(values, name)
    if sorted(values) == [*range(min(values), max(values) + 1)]:
        return Number(min(values), max(values))
    raise TypeError(f"{values} are no texts and no run of numbers")


def _whole(marks: tuple[Any, ...]) -> Kind:
    if SEAT in marks:
        return SeatNumber()
    within = _first(marks, Within)
    if within is None:
        raise TypeError("which whole numbers? (Within, SEAT)")
    return Number(within.low, within.high)


def _text(marks: tuple[Any, ...]) -> Kind:
    among, like = _first(marks, Among), _first(marks, Like)
    if among is not None:
        return Word(among.codes, _called(marks) or "Card")
    if like is None:
        raise TypeError("which texts? (Among, Like)")
    return Text(like.pattern, _called(marks))


def _called(marks: tuple[Any, ...]) -> str | None:
    called = _first(marks, Called)
    return called.name if called else None


SCALARS: Mapping[Any, Callable[[tuple[Any, ...]], Kind]] = {bool: lambda _marks: Flag(), int: _whole, str: _text}


def _many(args: tuple[Any, ...], marks: tuple[Any, ...]) -> Kind:
    if len(args) != 2 or args[1] is not Ellipsis:
        raise TypeError("a tuple has items of one type: tuple[X, ...]")
    hint, own = _unwrapped(args[0])
    inner, gaps = _without_null(hint)
    item = _kind(inner, own)
    keys = _first(marks, Keys)
    if keys is not None:
        return Keyed(keys.names, item)
    exactly, least, most = _first(marks, Exactly), _first(marks, Least), _first(marks, Most)
    by_seat = BY_SEAT in marks
    if not (exactly or most or by_seat or isinstance(item, Record)):
        raise TypeError("how many items? (Most, Exactly, BY_SEAT)")
    longest = exactly.items if exactly else most.items if most else None
    shortest = exactly.items if exactly else least.items if least else 0
    return Many(item, gaps, shortest, longest, by_seat, DISTINCT in marks)
