"""Lays values out as numbers, by what a game declares them to be.

* A number is itself; yes is 1, no is 0.
* A code or a seat has a place for each that there is, and 1 in one of them. Seats are counted from the viewer's own,
  clockwise.
* A pile has a place for each code, which says how many there are; one that a view may hide also one for how many cards
  it has.
* A list with an item for each seat has the items from the viewer's own seat on; any other its items in their order, in
  as many places as it may have; an object its members.
* What may be null and is not a code or a seat has one more place first: 1, if it is there.

What writes them is put together as source and compiled once, as the codec of states is (``gyoji.games.codec``): as
functions that call each other it took 1.5 times as long (18 µs against 12 for Catte), and an observation is most of
what a step costs.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import NamedTuple

from gyoji.games.records import Flag, Keyed, Kind, Many, Member, Number, Record, SeatNumber, Text, Word
from gyoji_env.codes import Codes

LONGEST = 200
"""The most items, that are no cards, for which a list has places."""

Lines = list[str]
"""Lines of Python that write a value into ``row``, a row of zeros, as the seat ``viewer`` sees it."""


class Layout(NamedTuple):
    """How values of a kind are laid out."""

    labels: tuple[str, ...]
    """What each place says."""
    low: tuple[float, ...]
    high: tuple[float, ...]
    source: Callable[[str, str], Lines]
    """(at, value) -> what writes the value of that expression from that place on."""

    @property
    def size(self) -> int:
        """How many places there are."""
        return len(self.labels)


class Source(NamedTuple):
    """What layouts depend on beside the kind of value."""

    seats: int
    codes: Codes
    member: str
    """How a member of an object is got: ``{value}.{name}`` in positions, ``{value}['{name}']`` in views."""
    names: dict[str, object]
    """The tables that the lines name; layouts add theirs."""
    numbers: "count[int]"
    """Numbers for names."""

    def name(self, table: object) -> str:
        """Give a table a name that lines can use."""
        name = f"table_{next(self.numbers)}"
        self.names[name] = table
        return name


def source_of(seats: int, codes: Codes, member: str) -> Source:
    """Return what layouts depend on, with no tables yet."""
    return Source(seats, codes, member, {}, count())


def compiled(parameters: str, lines: Lines, source: Source) -> Callable[..., "array[float]"]:
    """Return the function of these parameters that gives a row with what the lines write into a copy of ``blank``.

    Of what a game declares they hold names of fields, which Python has admitted as such.
    """
    names = {**source.names}
    text = "\n".join([f"def made({parameters}):", *_indented(["row = blank[:]", *lines, "return row"])])
    exec(text, names)  # noqa: S102 - of nothing that anybody sent
    made: Callable[..., array[float]] = names["made"]  # type: ignore[assignment]
    return made


def _indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]


def layout_of_member(member: Member, source: Source) -> Layout:
    """Lay out a member of a table or of an object in it. ``TypeError`` where it cannot be, with its name."""
    try:
        return _nullable(layout_of(member.kind, source, member.hideable), member.kind, member.nullable)
    except TypeError as wrong:
        raise TypeError(f"{member.name}: {wrong}") from None


def layout_of(kind: Kind, source: Source, hideable: bool = False) -> Layout:
    """Lay out values of a kind; ``hideable``: of a list a view may show only how long it is."""
    if isinstance(kind, Number):
        return _single(float(kind.low), float(kind.high))
    if isinstance(kind, Flag):
        return _single(0.0, 1.0)
    if isinstance(kind, Word | Text):
        return _code(source.codes.of(kind), source)
    if isinstance(kind, SeatNumber):
        return _seat(source.seats)
    if isinstance(kind, Record):
        return _object(kind, source)
    if isinstance(kind, Keyed):
        return _keyed(kind, source, hideable)
    if isinstance(kind, Many):
        return _many(kind, source, hideable)
    raise TypeError(f"{type(kind).__name__} cannot be laid out")


def layout_of_seats(source: Source) -> Layout:
    """Lay out a set of seats: 1 for each that is in it."""
    one, item = _seat(source.seats), f"item_{next(source.numbers)}"
    return one._replace(source=lambda at, value: [f"for {item} in {value}:", *_indented(one.source(at, item))])


def joined(layouts: Iterable[tuple[str, Layout]], source: Callable[[str, str], Lines]) -> Layout:
    """Return one layout of several, each under its name, with what writes them."""
    found = [*layouts]
    labels = [".".join(filter(None, (name, label))) for name, layout in found for label in layout.labels]
    low = [bound for _name, layout in found for bound in layout.low]
    high = [bound for _name, layout in found for bound in layout.high]
    return Layout(tuple(labels), tuple(low), tuple(high), source)


def starts_of(layouts: Iterable[Layout]) -> list[int]:
    """Return at which place each of some layouts begins, if they lie one behind the other; last, where they end."""
    starts = [0]
    for layout in layouts:
        starts.append(starts[-1] + layout.size)
    return starts


def with_last(pile: Layout, codes: Sequence[str], source: Source) -> Layout:
    """Add to the layout of a pile of such cards which of them lies last."""
    last = _code(codes, source)

    def lines(at: str, value: str) -> Lines:
        of_last = last.source(f"{at} + {pile.size}", f"{value}[-1]")
        return [f"if {value}:", *_indented([*pile.source(at, value), *of_last])]

    return joined([("", pile), ("last", last)], lines)


def seat_labels(seats: int) -> list[str]:
    """Return what seats are called from a viewer on: ``own``, then those to its left."""
    return ["own", *[f"left{number}" for number in range(1, seats)]]


# Single values


def _single(low: float, high: float) -> Layout:
    return Layout(("",), (min(low, 0.0),), (max(high, 1.0),), lambda at, value: [f"row[{at}] = {value}"])


def _code(codes: Sequence[str], source: Source) -> Layout:
    places = source.name({code: place for place, code in enumerate(codes)})
    zeros, ones = (0.0,) * len(codes), (1.0,) * len(codes)
    return Layout(tuple(codes), zeros, ones, lambda at, value: [f"row[{at} + {places}[{value}]] = 1.0"])


def _seat(seats: int) -> Layout:
    zeros, ones = (0.0,) * seats, (1.0,) * seats
    labels = tuple(seat_labels(seats))
    return Layout(labels, zeros, ones, lambda at, value: [f"row[{at} + ({value} - viewer) % {seats}] = 1.0"])


def _nullable(layout: Layout, kind: Kind, nullable: bool) -> Layout:
    if not nullable:
        return layout
    inner = layout.source
    if isinstance(kind, Word | Text | SeatNumber):
        return layout._replace(source=lambda at, value: [f"if {value} is not None:", *_indented(inner(at, value))])

    def lines(at: str, value: str) -> Lines:
        return [f"if {value} is not None:", *_indented([f"row[{at}] = 1.0", *inner(f"{at} + 1", value)])]

    return joined([("is there", _single(0.0, 1.0)), ("", layout)], lines)


# Objects


def _object(kind: Record, source: Source) -> Layout:
    members = [(member.name, layout_of_member(member, source)) for member in kind.members]
    starts = starts_of([layout for _name, layout in members])

    def lines(at: str, value: str) -> Lines:
        return [
            line
            for start, (name, layout) in zip(starts, members, strict=False)
            for line in layout.source(f"{at} + {start}", source.member.format(value=value, name=name))
        ]

    return joined(members, lines)


def _keyed(kind: Keyed, source: Source, hideable: bool) -> Layout:
    """Lay out an object whose members are of one kind; what may be hidden is written as in a view."""
    item = layout_of(kind.item, source, hideable)
    is_plain = hideable or "[" in source.member

    def lines(at: str, value: str) -> Lines:
        return [
            line
            for place, name in enumerate(kind.names)
            for line in item.source(f"{at} + {place * item.size}", f"{value}[{(name if is_plain else place)!r}]")
        ]

    return joined([(name, item) for name in kind.names], lines)


# Lists


def _many(kind: Many, source: Source, hideable: bool) -> Layout:
    if isinstance(kind.item, Word | Text) and not kind.by_seat:
        return _pile(source.codes.of(kind.item), kind.most or LONGEST, hideable, source)
    item = _nullable(layout_of(kind.item, source, hideable), kind.item, kind.gaps)
    if kind.by_seat and not _names_a_seat(kind.item):
        return _by_seat(item, source)
    most = source.seats if kind.by_seat else kind.most
    if most is None or most > LONGEST:
        raise TypeError(f"a list may have more than {LONGEST} items")
    return _listed(item, most, source)


def _names_a_seat(kind: Kind) -> bool:
    """Tell whether a value says itself which seat it is of, so that its place in a list is not that of the seat."""
    if isinstance(kind, Record):
        return any(isinstance(member.kind, SeatNumber) for member in kind.members)
    return isinstance(kind, SeatNumber)


def _pile(codes: Sequence[str], most: int, hideable: bool, source: Source) -> Layout:
    places, size = source.name({code: place for place, code in enumerate(codes)}), len(codes)

    def lines(at: str, value: str) -> Lines:
        cards = [f"for card in {value}:", f"    row[{at} + {places}[card]] += 1.0"]
        if not hideable:
            return cards
        shown = [*cards, f"row[{at} + {size}] = len({value})"]
        hidden = f"row[{at} + {size}] = {value}['count']"
        return [f"if type({value}) is dict:", f"    {hidden}", "else:", *_indented(shown)]

    labels = (*codes, "count") if hideable else tuple(codes)
    return Layout(labels, (0.0,) * len(labels), (float(most),) * len(labels), lines)


def _by_seat(item: Layout, source: Source) -> Layout:
    seats, number = source.seats, next(source.numbers)
    order = [[(owner - viewer) % seats * item.size for owner in range(seats)] for viewer in range(seats)]
    starts = source.name(order)

    def lines(at: str, value: str) -> Lines:
        start, held = f"start_{number}", f"item_{number}"
        inner = item.source(f"{at} + {start}", held)
        return [f"for {start}, {held} in zip({starts}[viewer], {value}):", *_indented(inner)]

    return joined([(name, item) for name in seat_labels(seats)], lines)


def _listed(item: Layout, most: int, source: Source) -> Layout:
    number = next(source.numbers)

    def lines(at: str, value: str) -> Lines:
        place, held = f"place_{number}", f"item_{number}"
        inner = [*item.source(place, held), f"{place} += {item.size}"]
        return [f"{place} = {at}", f"for {held} in {value}:", *_indented(inner)]

    return joined([(str(place), item) for place in range(most)], lines)
