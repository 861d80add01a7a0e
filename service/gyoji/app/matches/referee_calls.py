"""Seats call the referee to their table, and whoever may rule there attends to it. The log of the match says nothing of
it, and its clock runs on."""

from collections.abc import Callable
from typing import Any

from gyoji.access.callers import SeatHolder
from gyoji.access.rights import Viewer
from gyoji.app.authorization import MatchRequest, authorize_match
from gyoji.app.disclosures import OVER
from gyoji.app.matches.appends import MOST_ATTEMPTS
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import parse_document
from gyoji.store.interface import Conflict, Match
from gyoji.store.referee_calls import RefereeCall

Calls = tuple[RefereeCall, ...]


def calls_in_force(row: Match, calls: Calls) -> Calls:
    """Return the calls of those who sit at the table still: none of a seat that was given to somebody else, or whose
    token was renewed, since."""
    return tuple([call for call in calls if call.epoch == row.seats[call.seat].epoch])


def calls_document(viewer: Viewer, match: str, calls: Calls) -> dict[str, Any]:
    """Write who calls the referee at a table, as one at it or above it may know: that somebody calls is seen by all at
    the table, as where they sit around one. What a seat says is for the referee alone, since it may tell its hand."""
    reads_all = viewer.role in ("operator", "referee")
    return {
        "match": match,
        "calls": [
            {
                "seat": call.seat,
                "at": call.at,
                "text": call.text if reads_all or viewer.seat == call.seat else None,
                "attended": call.attended,
            }
            for call in calls
        ],
    }


def read_calls(request: MatchRequest) -> dict[str, Any]:
    """Write ``readCalls``."""
    return _document(request, request.services.store.referee_calls.of(request.row.match).calls)


def call_referee(request: MatchRequest, body: bytes) -> dict[str, Any]:
    """Answer ``callReferee``: the seat calls. Where it calls already it says something else, and has called as long."""
    sent = parse_document(request.context, "matches", "calls", body)
    seat, now = request.viewer.seat, request.services.at()
    if seat is None:
        raise HttpProblem("forbidden")

    def called(row: Match, calls: Calls) -> Calls:
        before = next((call for call in calls if call.seat == seat and call.attended is None), None)
        at, epoch = now if before is None else before.at, row.seats[seat].epoch
        return _with(calls, RefereeCall(seat, at, sent.get("text"), epoch=epoch))

    after = _changed(request, called)
    if after is None:
        raise HttpProblem("match-finished")
    return _document(request, after)


def close_call(request: MatchRequest, name: str) -> dict[str, Any]:
    """Answer ``closeCall``: the seat takes its call back, or a referee attends to it. What is not there is closed."""
    if name not in [str(seat) for seat in range(len(request.row.seats) - 1)]:
        raise HttpProblem("not-found")
    seat, now = int(name), request.services.at()
    is_own = isinstance(request.caller, SeatHolder)
    if is_own and request.viewer.seat != seat:
        raise HttpProblem("forbidden")

    def closed(_row: Match, calls: Calls) -> Calls:
        before = next((call for call in calls if call.seat == seat), None)
        if before is None:
            return calls
        return _without(calls, seat) if is_own else _with(calls, before._replace(attended=before.attended or now))

    return _document(request, _changed(request, closed) or ())


def _without(calls: Calls, seat: int) -> Calls:
    return tuple([call for call in calls if call.seat != seat])


def _with(calls: Calls, one: RefereeCall) -> Calls:
    return tuple(sorted([*_without(calls, one.seat), one], key=lambda call: (call.at, call.seat)))


def _changed(request: MatchRequest, change: Callable[[Match, Calls], Calls]) -> Calls | None:
    """Change the calls of the match; whoever else does so at the same time is first, and this one after. ``None`` where
    the match is over: nobody calls there."""
    kept = request.services.store.referee_calls
    for _attempt in range(MOST_ATTEMPTS):
        row, before = request.row, kept.of(request.row.match)
        known = calls_in_force(row, before.calls)
        after = change(row, known)
        if after == known:
            return known
        try:
            kept.replace(row.match, row.seats, before, after)
        except Conflict:
            request = authorize_match(request.context, row.match)  # the token may be void by now
            if request.row.head.status in OVER:
                return None
            continue
        return after
    raise HttpProblem("unavailable", retry_after=1, cause="busy")


def _document(request: MatchRequest, calls: Calls) -> dict[str, Any]:
    return calls_document(request.viewer, request.row.match, calls_in_force(request.row, calls))
