"""What happened in a match, and how it stands, as lines at a terminal."""

import re
from collections.abc import Iterable, Iterator, Sequence
from unicodedata import category, east_asian_width

from gyoji.cli.ink import Ink
from gyoji.messages.language import Language
from gyoji.messages.matches import Told
from gyoji.messages.positions import Laid, Names, Place, final_scores, round_heading, seat_name
from gyoji.names import isolated, printable

SEAT = re.compile(r"([Ss]eat |席)(\d+)(?!\d|, \d)")
"""One seat by its number, as it is said in either language; of several that are listed none."""


TAKEN_BACK = "×"
"""Stands beside what does not count any more."""


class Account:
    """The account of one match: its seats are called by their names too, and a heading stands before every round."""

    def __init__(self, ink: Ink, language: Language, names: Names) -> None:
        self._ink = ink
        self._language: Language = language
        self._names = [*names]

    def seated(self, *changed: tuple[int, str | None]) -> None:
        """From here on somebody else sits at each of these seats; ``None``: nobody knows who."""
        for seat, name in changed:
            self._names[seat] = name

    def event(self, seq: int, told: list[Told], *, is_taken_back: bool = False) -> Iterator[str]:
        """A log event as lines: the first that tells of it begins with its ``seq``; with a cross after it if a referee
        took it back."""
        number = f"{seq:>5}{TAKEN_BACK if is_taken_back else ' '}"
        for item in told:
            if item.deals is not None:
                yield from self.round(item.deals)
            yield f"{self._ink.dim(number)} {self._line(item)}"
            number = f"{'':>5}{TAKEN_BACK if is_taken_back else ' '}"

    def round(self, number: int) -> Iterator[str]:
        """The heading of a round."""
        yield ""
        yield self._ink.heading(f"-- {round_heading(number, self._language)} --")

    def _line(self, told: Told) -> str:
        ink = self._ink
        text = ink.cards(self._named(printable(told.text)))
        rule = None if told.rule is None else ink.dim(printable(f"[{told.rule}]"))
        if told.detail:
            return f"  {text}" if rule is None else f"  {rule} {text}"
        return text if rule is None else f"{text} {rule}"

    def _named(self, text: str) -> str:
        """The text with the names of its seats, as far as they are told."""
        return SEAT.sub(lambda found: f"{found[0]}{self._name(int(found[2]))}", text)

    def _name(self, seat: int) -> str:
        name = self._names[seat] if seat < len(self._names) else None
        return "" if name is None else f" {printable(isolated(name))}"

    def scores(self, scores: Sequence[int], winners: Sequence[int]) -> Iterator[str]:
        """The scores at the end, one line a seat; ``*`` marks whoever has won."""
        seats = [printable(seat_name(seat, self._names, self._language)) for seat in range(len(scores))]
        widest = max(map(width, seats), default=0)
        yield ""
        yield self._ink.heading(final_scores(self._language))
        for seat, (name, score) in enumerate(zip(seats, scores, strict=True)):
            line = f"{'*' if seat in winners else ' '} {padded(name, widest)}  {score:>5}"
            yield self._ink.marked(line) if seat in winners else line
        yield ""


def width(text: str) -> int:
    """Columns that a text takes: Japanese characters take two; marks, and what joins or isolates, none."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def padded(text: str, columns: int) -> str:
    """The text with spaces up to so many columns."""
    return text + " " * (columns - width(text))


def position_lines(laid: Laid, title: str, ink: Ink) -> Iterator[str]:
    """A position as a table: the seats with score and hand, then what lies on the table. ``>`` marks whoever is to act,
    ``*`` whoever has won."""
    yield ink.heading(printable(" · ".join([title, *laid.heading])))
    yield ink.marked(printable(laid.state))
    yield ""
    yield from _seats(laid, ink)
    yield ""
    yield ink.heading(laid.labels["table"])
    yield from _labelled(laid.table, "  ", ink)


def _seats(laid: Laid, ink: Ink) -> Iterator[str]:
    score, hand = laid.labels["score"], laid.labels["hand"]
    widest = max(width(printable(place.seat)) for place in laid.places)
    figures = max(5, width(score))
    yield ink.dim(f"  {' ' * widest}  {' ' * (figures - width(score))}{score}  {hand}")
    for place in laid.places:
        yield f"{_seat(place, widest, ink)}  {place.score:>{figures}}  {ink.cards(printable(place.hand))}"
        yield from _labelled(place.more, " " * (widest + figures + 6), ink)


def _seat(place: Place, widest: int, ink: Ink) -> str:
    mark = ">" if place.is_to_act else "*" if place.has_won else " "
    line = f"{mark} {padded(printable(place.seat), widest)}"
    return line if mark == " " else ink.marked(line)


def _labelled(parts: Iterable[tuple[str, str]], indent: str, ink: Ink) -> Iterator[str]:
    found = [*parts]
    widest = max((width(label) for label, _text in found), default=0)
    for label, text in found:
        yield f"{indent}{ink.dim(padded(label, widest))}  {ink.cards(printable(text))}"
