"""The SQL steps of the transactions that create matches and that append to their logs."""

from collections.abc import Sequence

from gyoji.log.entries import Entry
from gyoji.store.database import statements
from gyoji.store.database.port import Append
from gyoji.store.database.sql import Row, Step
from gyoji.store.encryption import Encryption
from gyoji.store.groups import GroupClosed, GroupFull
from gyoji.store.records import AppendOptions, Conflict, Head, KeyTaken, NewMatch, Request
from gyoji.store.rows import match_row, request_row, seats_text
from gyoji.store.trace import TRACE
from gyoji.store.transparency.records import pending_row
from gyoji.trust.transparency.leaves import OVER, closing_leaf, creation_leaf


def creation_steps(new: Sequence[NewMatch], encryption: Encryption) -> list[Step]:
    """Write the steps that create matches, with their tags, entries, pending leaves and news; an import is no news."""
    tags = [
        (tag, each.match.match, each.match.owner, each.match.created)
        for each in new
        for tag in dict.fromkeys(each.match.tags)
    ]
    news = [
        (each.entries[0].seq, each.match.head.seq, TRACE.get(), each.match.match)
        for each in new
        if not each.match.imported
    ]
    events = [row for each in new for row in event_rows(each.match.match, each.entries, encryption)]
    leaves = [row for each in new for row in pending_leaves(each.entries, each.match.head, begins=True)]
    return [
        Step(statements.NEW_MATCH, [match_row(each.match, encryption) for each in new], Conflict),
        Step(statements.ADD_TAG, tags, Conflict),
        Step(statements.ADD_EVENT, events, Conflict),
        Step(statements.ADD_PENDING_LEAF, leaves, Conflict),
        *([Step(statements.ADD_NEWS, news, Conflict)] if news else []),
    ]


def joining_steps(group: str, most: int | None) -> list[Step]:
    """Write the steps that demand of a group that it takes matches and, where given, has fewer than ``most``. Nobody
    else joins it between these steps and the end of the transaction."""
    steps = [Step(statements.JOIN_GROUP, ((group,),), GroupClosed, must_change=True)]
    if most is not None:
        steps.append(Step(statements.HAS_ROOM, ((group, group, most),), GroupFull, must_change=True))
    return steps


def request_steps(request: Request | None, subject: str, seq: int) -> list[Step]:
    """Write the step that stores an idempotency record, if there is a key: the id of what the request made, and the
    ``seq`` of its event."""
    return [] if request is None else [Step(statements.ADD_REQUEST, (request_row(request, subject, seq),), KeyTaken)]


def append_steps(append: Append, options: AppendOptions) -> list[Step]:
    """Write the steps that append to the log of a match, and change or demand what the options say."""
    match, expected, head = append.match, append.expected, append.head
    steps = request_steps(append.request, match, expected + 1)
    if options.tournament is not None:  # first, as whoever writes to a tournament takes its row before any other
        steps.append(Step(statements.HOLD_TOURNAMENT, (options.tournament,), Conflict, must_change=True))
    if options.group is not None:
        steps += joining_steps(options.group, None)
    steps.append(Step(statements.ADVANCE, ((*head, match, expected),), Conflict, must_change=True))
    if options.expected_seats is not None:
        seats = options.expected_seats if options.new_seats is None else options.new_seats
        put = (seats_text(seats), match, seats_text(options.expected_seats))
        steps.append(Step(statements.RESEAT, (put,), Conflict, must_change=True))
    return [
        *steps,
        Step(statements.ADD_EVENT, append.rows, Conflict),
        Step(statements.ADD_NEWS, ((expected + 1, head.seq, TRACE.get(), match),), Conflict),
        Step(statements.ADD_PENDING_LEAF, append.leaves, Conflict),
    ]


def event_rows(match: str, entries: Sequence[Entry], encryption: Encryption) -> list[Row]:
    """Write entries as rows of ``events``."""
    return [(match, entry.seq, entry.body, entry.hash, encryption.encrypt_openings(match, entry)) for entry in entries]


def pending_leaves(entries: Sequence[Entry], head: Head, begins: bool) -> list[Row]:
    """Write the leaves that these entries demand, as rows of ``tree_pending``: that a match begins, and that it is
    over."""
    begun = [creation_leaf(entries[0])] if begins else []
    over = [closing_leaf(entries[-1], head.status)] if head.status in OVER else []
    return [pending_row(leaf) for leaf in (*begun, *over)]
