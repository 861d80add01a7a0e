"""The steps by which new matches get into a database."""

from collections.abc import Sequence
from typing import NamedTuple

from gyoji.log.entries import Entry
from gyoji.store.database import statements
from gyoji.store.database.sql import Row, Step
from gyoji.store.encryption import Seals
from gyoji.store.groups import GroupClosed, GroupFull
from gyoji.store.records import Conflict, Head, Match
from gyoji.store.rows import match_row
from gyoji.store.trace import TRACE
from gyoji.store.transparency import pending_row
from gyoji.trust.transparency.leaves import OVER, closing, creation


class New(NamedTuple):
    """A new match with its first (or all its) entries."""

    match: Match
    entries: Sequence[Entry]


def creating(made: Sequence[New], seals: Seals) -> list[Step]:
    """New matches, what waits for the tree then, and what there is to tell of them; an import is nothing new."""
    tags = [
        (tag, new.match.match, new.match.owner, new.match.created)
        for new in made
        for tag in dict.fromkeys(new.match.tags)
    ]
    told = [
        (new.entries[0].seq, new.match.head.seq, TRACE.get(), new.match.match) for new in made if not new.match.imported
    ]
    return [
        Step(statements.NEW_MATCH, [match_row(new.match, seals) for new in made], Conflict),
        Step(statements.TAG, tags, Conflict),
        Step(
            statements.ENTER, [row for new in made for row in event_rows(new.match.match, new.entries, seals)], Conflict
        ),
        Step(
            statements.PEND,
            [row for new in made for row in waiting(new.entries, new.match.head, begins=True)],
            Conflict,
        ),
        *([Step(statements.TELL, told, Conflict)] if told else []),
    ]


def joining(group: str, most: int | None) -> list[Step]:
    """What has to hold for another match in the group. Nobody else joins between these steps and the end."""
    steps = [Step(statements.JOIN_GROUP, ((group,),), GroupClosed, must_change=True)]
    if most is not None:
        steps.append(Step(statements.HAS_ROOM, ((group, group, most),), GroupFull, must_change=True))
    return steps


def event_rows(match: str, entries: Sequence[Entry], seals: Seals) -> list[Row]:
    """Rows of ``events``."""
    return [(match, entry.seq, entry.body, entry.hash, seals.seal_openings(match, entry)) for entry in entries]


def waiting(entries: Sequence[Entry], head: Head, begins: bool) -> list[Row]:
    """What has to get into the tree over all matches: that a match begins, and that it is over."""
    begun = [creation(entries[0])] if begins else []
    over = [closing(entries[-1], head.status)] if head.status in OVER else []
    return [pending_row(leaf) for leaf in (*begun, *over)]
