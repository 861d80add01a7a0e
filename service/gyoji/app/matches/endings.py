"""Cancels matches, and discloses secrets that were withheld."""

import orjson

from gyoji.app.authorization import MatchRequest
from gyoji.app.disclosures import settle
from gyoji.app.match_states import entry_of
from gyoji.app.matches.appends import Appended, Written, append_or_find, appended_answer
from gyoji.app.problems import HttpProblem
from gyoji.log.entries import Entry
from gyoji.match import recorder
from gyoji.match.seeding import is_withheld
from gyoji.match.state import MatchState


def void_match(request: MatchRequest) -> Appended:
    """Answer ``voidMatch``: the match ends without a result; for a match cancelled before, give the same answer."""
    services = request.services
    before = _cancelled_before(request)
    if before is not None:
        return before

    def step(match: MatchState) -> Written:
        if match.over:
            raise HttpProblem("match-finished")
        return recorder.cancel(match, services.at_after(match), services.salt)

    return append_or_find(request, step, void_answer, _cancelled_before)


def _cancelled_before(request: MatchRequest) -> Appended | None:
    entry = void_entry(request)
    if entry is None or orjson.loads(entry.body)["data"]["reason"] != "cancelled":
        return None
    return void_answer(request, entry)


def void_entry(request: MatchRequest) -> Entry | None:
    """Return the entry that made a match void, if the match is void: the last one, or the last before the
    disclosure."""
    head = request.row.head
    if head.status != "voided":
        return None
    return entry_of(request.services.store, request.row.match, head.seq - head.closed)


def void_answer(request: MatchRequest, entry: Entry) -> Appended:
    """Write the answer about the entry that made a match void."""
    at = orjson.loads(entry.body)["at"]
    return appended_answer(request, entry, "voided", entry.seq + (not is_withheld(request.row.withheld_until, at)))


def disclose_match(request: MatchRequest) -> Appended:
    """Answer ``discloseMatch``: the secret, disclosed now if that is due, or disclosed before."""
    services = request.services
    if not request.row.head.closed:
        settle(services, request.row)
        request = request.read_again()
    head = request.row.head
    if not head.closed:
        raise HttpProblem("not-disclosed")
    return appended_answer(request, entry_of(services.store, request.row.match, head.seq), head.status, head.seq)
