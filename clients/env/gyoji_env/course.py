"""A game as a sequence of moves and chance: every card that a shuffle brings is an outcome of its own.

The rules take chance as a function. Here it is one that stops them where a shuffle is due whose outcome is not known
yet; the outcome is drawn card by card, and the rules, which are pure, are asked again.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha512
from typing import Any, NamedTuple

import orjson

from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Card, Chance, Event, IllegalMove, Move, Seat, highest
from gyoji.log.redaction import merge, redact
from gyoji_env.table import Table


class Limits(NamedTuple):
    """What makes a game smaller than it is."""

    max_plies: int
    """Moves after which it is over; what the position is worth then takes the place of the scores."""
    deals: int = 0
    """How many deals there are, each as likely as any other; 0: all that can be."""


class Point(NamedTuple):
    """A point in the course of a game: a position, or a shuffle under way behind it."""

    state: Any = None
    """The position; ``None`` before the first deal."""
    move: Move | None = None
    """The move that has been made in it, where shuffles follow from it that are not made yet."""
    piles: tuple[tuple[Card, ...], ...] = ()
    """What shuffles of this move, or of the first deal, have brought, top first."""
    left: tuple[Card, ...] = ()
    """Of the shuffle under way what has not been drawn yet, in canonical order."""
    drawn: tuple[Card, ...] = ()
    """What has been drawn of it, top first."""
    codes: tuple[Card, ...] = ()
    """Every code of the pile that is shuffled, once."""
    deal: int | None = None
    """Which deal it is, where there are only so many."""
    told: tuple[tuple[str, ...], ...] = ()
    """By seat all that it has been told since the beginning, in order: moves, and what happened at the table."""


class Refused(ValueError):
    """A move was refused that was said to be legal."""


class _ShuffleDue(Exception):
    """A shuffle is due whose outcome is not known."""

    def __init__(self, pile: Sequence[Card]) -> None:
        super().__init__()
        self.pile = tuple(pile)


class Course:
    """A point in the course of a game at a table, with what follows from it. It never changes, so a copy is itself."""

    def __init__(self, table: Table, limits: Limits, point: Point) -> None:
        self.table, self.limits, self.point = table, limits, point

    def __deepcopy__(self, _memo: Any) -> "Course":
        return self

    @property
    def is_chance(self) -> bool:
        """Whether chance is to decide next."""
        return bool(self.point.left) or self.point.state is None

    @property
    def is_over(self) -> bool:
        """Whether the game is over, or is left here."""
        state = self.point.state
        return not self.is_chance and (state.outcome is not None or state.ply >= self.limits.max_plies)

    @property
    def seat(self) -> Seat:
        """The seat that is to act; of several that choose at the same time the first that has not chosen."""
        seat: Seat = self.point.state.to_act[0]
        return seat

    @cached_property
    def actions(self) -> list[int]:
        """The actions that the seat may take, in ascending order."""
        legal = [move for move in self.table.game.legal_moves(self.point.state) if move["seat"] == self.seat]
        return sorted(self.table.numbering.actions(legal))

    @cached_property
    def outcomes(self) -> list[tuple[int, float]]:
        """What chance may bring, each with its probability: which deal it is, or the next card of a shuffle, as its
        place among all codes of the pile."""
        if not self.point.left:
            return [(deal, 1 / self.limits.deals) for deal in range(self.limits.deals)]
        left = self.point.left
        return [(at, left.count(code) / len(left)) for at, code in enumerate(self.point.codes) if code in left]

    def after_chance(self, outcome: int) -> "Course":
        """Return the course after chance has brought an outcome."""
        point = self.point
        if not point.left:
            return self.continued(point._replace(deal=outcome))
        card = point.codes[outcome]
        at = point.left.index(card)
        left, drawn = point.left[:at] + point.left[at + 1 :], (*point.drawn, card)
        if len(set(left)) > 1:
            return Course(self.table, self.limits, point._replace(left=left, drawn=drawn))
        return self.continued(point._replace(piles=(*point.piles, (*drawn, *left)), left=(), drawn=(), codes=()))

    def after_action(self, action: int) -> "Course":
        """Return the course after the seat has acted."""
        return self.continued(self.point._replace(move=self.table.numbering.moves[self.seat][action]))

    def returns(self) -> tuple[float, ...]:
        """Return what each seat has in the end; nothing before it."""
        if not self.is_over:
            return (0.0,) * self.table.seats
        state = self.point.state
        if state.outcome is not None:
            return self.table.reward.value(state.scores, state.outcome["winners"])
        worth = self.table.game.worth(state)
        return self.table.reward.value(worth, highest(worth))  # type: ignore[arg-type] # of any numbers

    def continued(self, point: Point) -> "Course":
        """Return the course behind a point whose move, or first deal, is to be ruled on: a position, or a shuffle."""
        table = self.table
        try:
            ruling = _ruling(table, point)
        except _ShuffleDue as due:
            return Course(table, self.limits, point._replace(left=due.pile, codes=tuple(dict.fromkeys(due.pile))))
        if not isinstance(ruling, Accepted):
            raise Refused(ruling.infraction.reason)
        told = self._told(point, ruling.events)
        return Course(table, self.limits, Point(ruling.state, deal=point.deal, told=told))

    def _told(self, point: Point, events: Sequence[Event]) -> tuple[tuple[str, ...], ...]:
        """Return what each seat has been told, with a move and what followed: of what is hidden its own part."""
        known = self.table.game.known(self.table.options)
        before = point.told or ((),) * self.table.seats
        data, private = redact(known, point.move, events)
        return tuple(
            [
                (*earlier, _text(merge(data, [payload for seats, payload in private.items() if seat in seats])))
                for seat, earlier in enumerate(before)
            ]
        )


def beginning(table: Table, limits: Limits) -> Course:
    """Return the beginning of all games at a table: before the deal."""
    course = Course(table, limits, Point())
    return course if limits.deals else course.continued(course.point)


def _ruling(table: Table, point: Point) -> Accepted[Any] | IllegalMove:
    """Ask the rules for the first deal, or for the ruling on the move that has been made."""
    if point.move is None:
        return table.game.start(table.seats, table.options, table.first, None, _chance(point))
    return table.game.adjudicate(point.state, point.move, _chance(point))


def _chance(point: Point) -> Chance:
    """Return the chance that brings what has been drawn, and stops the rules where that is not enough."""
    if point.deal is not None:
        return deal_v1(sha512(f"gyoji-env deal {point.deal}".encode()).hexdigest())
    waiting = iter(point.piles)

    def chance(_label: str, _k: int, pile: Sequence[Card]) -> tuple[Card, ...]:
        drawn = next(waiting, None)
        if drawn is None:
            raise _ShuffleDue(pile)
        return drawn

    return chance


def _text(data: Mapping[str, Any]) -> str:
    return orjson.dumps(data).decode()
