"""Appends to the log of a match: decides, and stores unless the match has moved on; then decides again."""

from collections.abc import Callable
from typing import Any, NamedTuple

from gyoji.access.callers import SeatHolder
from gyoji.app.authorization import MatchRequest, authorize_row
from gyoji.app.disclosures import settle_afterwards
from gyoji.app.match_states import head_of
from gyoji.app.problems import HttpProblem, RefusedRequest
from gyoji.app.requests import Precondition
from gyoji.app.services import Services
from gyoji.log.entries import Entry
from gyoji.log.redaction import Reader
from gyoji.match.state import MatchState
from gyoji.store.interface import NO_OPTIONS, AppendOptions, Conflict, IdempotencyRecord, Match
from gyoji.trust.receipts import make_receipt

MOST_ATTEMPTS = 1000
"""What does not say which position it is meant for is decided again whenever another was first; that often at most."""

Written = tuple[tuple[Entry, ...], MatchState]
"""Entries, and where the match stands after them."""


class Appended(NamedTuple):
    """The answer about an entry that no move made, and the ``seq`` of the match after everything appended with it."""

    body: dict[str, Any]
    seq: int


def appended_answer(request: MatchRequest, entry: Entry, status: str, seq: int) -> Appended:
    """Answer with an entry and its receipt: the same bytes each time for a caller that may see no more than before."""
    reader: Reader = "public" if request.viewer.seat is None else request.viewer.seat
    proof = make_receipt(request.services.signing, request.row.match, entry, reader)
    return Appended({"seq": entry.seq, "status": status, "receipt": proof}, seq)


def require_seq(seen: Precondition, match: MatchState) -> None:
    """Raise 412 if the match has moved on since the caller read it (``If-Match``).

    A choice that all make at the same time conflicts with nobody's: it may rest on anything since the decision opened.
    """
    if seen.seqs is None or match.seq in seen.seqs:
        return
    together = match.state is not None and match.game.simultaneous(match.state)
    if not (together and any(match.decision <= seq < match.seq for seq in seen.seqs)):
        raise HttpProblem("stale-position", seq=match.seq)


def scope_of(request: MatchRequest) -> str:
    """Return the scope of the idempotency keys of this caller."""
    viewer = request.viewer
    return f"match:{request.row.match}:{viewer.role if viewer.seat is None else viewer.seat}"


def append(
    request: MatchRequest, step: Callable[[MatchState], Written], key: IdempotencyRecord | None = None
) -> Written:
    """Store the entries that ``step`` decides for the state of the match. If the match ends, it and its group may be
    disclosed.

    ``KeyTaken`` where the same request was stored meanwhile.
    """
    return append_with_options(request, step, key, lambda _row, _before, _after: NO_OPTIONS)[0]


def append_or_find(
    request: MatchRequest,
    step: Callable[[MatchState], Written],
    answer: Callable[[MatchRequest, Entry], Appended],
    find: Callable[[MatchRequest], Appended | None],
    key: IdempotencyRecord | None = None,
) -> Appended:
    """Store the entries that ``step`` decides, and answer with the first of them. Where that is refused, ``find`` looks
    for the entry of an earlier request."""
    try:
        entries, _after = append(request, step, key)
    except (HttpProblem, RefusedRequest):
        before = find(request.read_again())
        if before is None:
            raise
        return before
    return answer(request, entries[0])


OptionsOf = Callable[[Match, MatchState, Written], AppendOptions]
"""(the match as it was read, where it stood, what is to be stored) -> what the append demands and changes besides."""


def append_with_options(
    request: MatchRequest, step: Callable[[MatchState], Written], key: IdempotencyRecord | None, options_of: OptionsOf
) -> tuple[Written, AppendOptions]:
    """Store the entries that ``step`` decides, with append options. Raises ``GroupClosed`` where the options demand a
    group that takes matches; what is due where the caller's token of a seat has become void."""
    services, row = request.services, request.row
    for _attempt in range(MOST_ATTEMPTS):
        match = services.match_states.latest(row)
        entries, after = step(match)
        options = _of_caller(request, row, options_of(row, match, (entries, after)))
        try:
            store_written(services, row, match, (entries, after), key, options)
        except Conflict:
            row = _authorized_again(request).row
            continue
        return (entries, after), options
    raise HttpProblem("unavailable", retry_after=1, cause="busy")


def _of_caller(request: MatchRequest, row: Match, options: AppendOptions) -> AppendOptions:
    """Demand for the holder of a seat's token that the seats are those that the token was looked up among: a ruling
    that seats somebody else may come between."""
    if not isinstance(request.caller, SeatHolder) or options.expected_seats is not None:
        return options
    return options._replace(expected_seats=row.seats)


def _authorized_again(request: MatchRequest) -> MatchRequest:
    """Return the request with the match read anew; a seat's token has to hold in it."""
    again = request.read_again()
    return authorize_row(request.context, again.row) if isinstance(request.caller, SeatHolder) else again


def append_once(request: MatchRequest, step: Callable[[MatchState], Written], key: IdempotencyRecord | None) -> Written:
    """Store what ``step`` decides, if the match stands where this process has left it and has the seats of the row.
    Raises ``Conflict`` where it does not, and decides nothing again."""
    services, row = request.services, request.row
    match = services.match_states.latest(row)
    written = step(match)
    store_written(services, row, match, written, key, AppendOptions(expected_seats=row.seats))
    return written


def store_written(
    services: Services,
    row: Match,
    match: MatchState,
    written: Written,
    key: IdempotencyRecord | None,
    options: AppendOptions,
) -> None:
    """Store what was decided on a state of the match, and do what it makes due. Raises ``Conflict`` where the match has
    moved on, or is not as the options demand."""
    entries, after = written
    services.store.append(match.match, match.seq, entries, head_of(after), key, options)
    services.match_states.remember(after)
    services.count_events(len(entries))
    if after.over and not after.closed:
        settle_afterwards(services, row._replace(head=head_of(after)))
