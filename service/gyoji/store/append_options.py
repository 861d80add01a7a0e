"""Appends that change more than a log: whatever stands beside it changes in the same transaction, or nothing does."""

from collections.abc import Sequence
from typing import NamedTuple

from gyoji.store.database import statements
from gyoji.store.database.sql import Row, Step
from gyoji.store.records import Conflict, Head, KeyTaken, Request, Seating
from gyoji.store.rows import request_row, seats_text
from gyoji.store.trace import TRACE
from gyoji.store.transactions import joining


class Beside(NamedTuple):
    """What an append changes, or demands, beside the log."""

    seats: tuple[tuple[Seating, ...], tuple[Seating, ...]] | None = None
    """The seats as they were read, and as they stand from now on: the tokens of one who was replaced are void."""
    group: str | None = None
    """The group that has to take matches still: one of its matches, which was over, runs again. Nobody can close it,
    and tell what its matches share, between this and the end of the transaction."""
    tournament: tuple[str, int] | None = None
    """The tournament, and where it stood when this was decided: no round is closed and no match replaced between."""


def appending(
    match: str,
    expected: int,
    rows: Sequence[Row],
    head: Head,
    request: Request | None,
    leaves: Sequence[Row],
    beside: Beside,
) -> list[Step]:
    """The steps of ``Store.append_with``."""
    steps = (
        [] if request is None else [Step(statements.REMEMBER, (request_row(request, match, expected + 1),), KeyTaken)]
    )
    if beside.tournament is not None:  # first, as whoever writes to a tournament takes its row before any other
        name, seq = beside.tournament
        steps.append(Step(statements.TOURNAMENT_STANDS, ((name, seq),), Conflict, must_change=True))
    if beside.group is not None:
        steps += joining(beside.group, None)
    steps.append(Step(statements.ADVANCE, ((*head, match, expected),), Conflict, must_change=True))
    if beside.seats is not None:
        before, after = beside.seats
        put = (seats_text(after), match, seats_text(before))
        steps.append(Step(statements.RESEAT, (put,), Conflict, must_change=True))
    return [
        *steps,
        Step(statements.ENTER, rows, Conflict),
        Step(statements.TELL, ((expected + 1, head.seq, TRACE.get(), match),), Conflict),
        Step(statements.PEND, leaves, Conflict),
    ]
