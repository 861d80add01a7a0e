"""Writes what happened in a match, and its positions, as lines at a terminal."""

import re
from collections.abc import Iterable, Iterator, Sequence

from gyoji.cli.terminal import Colours, padded, width
from gyoji.messages.language import Language
from gyoji.messages.matches import EventSentence
from gyoji.messages.positions import Names, PositionLayout, SeatLayout, final_scores, round_heading, seat_name
from gyoji.names import isolate_direction, printable

SEAT = re.compile(r"([Ss]eat |席)(\d+)(?!\d|, \d)")
"""One seat by its number, as it is said in either language; of several that are listed none."""
TAKEN_BACK = "×"
"""The sign at what does not count any more."""


class Account:
    """Writes the events of one match as lines. Its seats are called by their names too, and a heading precedes every
    round."""

    def __init__(self, colours: Colours, language: Language, names: Names) -> None:
        self._colours = colours
        self._language: Language = language
        self._names = [*names]

    def seated(self, *changed: tuple[int, str | None]) -> None:
        """Name somebody else at each of these seats from here on; ``None``: nobody knows who."""
        for seat, name in changed:
            self._names[seat] = name

    def event(self, seq: int, sentences: list[EventSentence], *, is_taken_back: bool = False) -> Iterator[str]:
        """Write a log event as lines: the first begins with its ``seq``; each bears a cross if a referee took the event
        back."""
        number = f"{seq:>5}{TAKEN_BACK if is_taken_back else ' '}"
        for sentence in sentences:
            if sentence.deals is not None:
                yield from self.round(sentence.deals)
            yield f"{self._colours.dim(number)} {self._line(sentence)}"
            number = f"{'':>5}{TAKEN_BACK if is_taken_back else ' '}"

    def round(self, number: int) -> Iterator[str]:
        """Write the heading of a round."""
        yield ""
        yield self._colours.heading(f"-- {round_heading(number, self._language)} --")

    def _line(self, sentence: EventSentence) -> str:
        text = self._colours.cards(self._named(printable(sentence.text)))
        rule = None if sentence.rule is None else self._colours.dim(printable(f"[{sentence.rule}]"))
        if sentence.detail:
            return f"  {text}" if rule is None else f"  {rule} {text}"
        return text if rule is None else f"{text} {rule}"

    def _named(self, text: str) -> str:
        """Add the names of its seats to a text, as far as they are known."""
        return SEAT.sub(lambda found: f"{found[0]}{self._name(int(found[2]))}", text)

    def _name(self, seat: int) -> str:
        name = self._names[seat] if seat < len(self._names) else None
        return "" if name is None else f" {printable(isolate_direction(name))}"

    def scores(self, scores: Sequence[int], winners: Sequence[int]) -> Iterator[str]:
        """Write the scores at the end, one line a seat; ``*`` marks whoever has won."""
        seats = [printable(seat_name(seat, self._names, self._language)) for seat in range(len(scores))]
        widest = max(map(width, seats), default=0)
        yield ""
        yield self._colours.heading(final_scores(self._language))
        for seat, (name, score) in enumerate(zip(seats, scores, strict=True)):
            line = f"{'*' if seat in winners else ' '} {padded(name, widest)}  {score:>5}"
            yield self._colours.marked(line) if seat in winners else line
        yield ""


def position_lines(layout: PositionLayout, title: str, colours: Colours) -> Iterator[str]:
    """Write a position as a table: the seats with score and hand, then what lies on the table. ``>`` marks whoever is
    to act, ``*`` whoever has won."""
    yield colours.heading(printable(" · ".join([title, *layout.heading])))
    yield colours.marked(printable(layout.state))
    yield ""
    yield from _seats(layout, colours)
    yield ""
    yield colours.heading(layout.labels["table"])
    yield from _labelled(layout.table, "  ", colours)


def _seats(layout: PositionLayout, colours: Colours) -> Iterator[str]:
    score, hand = layout.labels["score"], layout.labels["hand"]
    widest = max(width(printable(place.seat)) for place in layout.places)
    figures = max(5, width(score))
    yield colours.dim(f"  {' ' * widest}  {' ' * (figures - width(score))}{score}  {hand}")
    for place in layout.places:
        yield f"{_seat(place, widest, colours)}  {place.score:>{figures}}  {colours.cards(printable(place.hand))}"
        yield from _labelled(place.more, " " * (widest + figures + 6), colours)


def _seat(place: SeatLayout, widest: int, colours: Colours) -> str:
    mark = ">" if place.is_to_act else "*" if place.has_won else " "
    line = f"{mark} {padded(printable(place.seat), widest)}"
    return line if mark == " " else colours.marked(line)


def _labelled(parts: Iterable[tuple[str, str]], indent: str, colours: Colours) -> Iterator[str]:
    found = [*parts]
    widest = max((width(label) for label, _text in found), default=0)
    for label, text in found:
        yield f"{indent}{colours.dim(padded(label, widest))}  {colours.cards(printable(text))}"
