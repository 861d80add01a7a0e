"""Judges claims that the time of a seat is up, by the clock of the service and the times of the log."""

from itertools import takewhile
from typing import Any

import orjson

from gyoji.app.authorization import MatchRequest
from gyoji.app.idempotency import do_once, read_key
from gyoji.app.matches.appends import Appended, Written, append, scope_of
from gyoji.app.problems import RefusedRequest
from gyoji.log.entries import Entry
from gyoji.match import recorder
from gyoji.match.clocks import deadlines
from gyoji.match.events.kind import Refusal
from gyoji.match.seeding import is_withheld
from gyoji.match.state import MatchState
from gyoji.messages.problems import claim_refused
from gyoji.store.interface import Remembered
from gyoji.trust.receipts import make_receipt

EXPIRED = "clock_expired"
EVENTS_AFTER_EXPIRY = ("match_paused", "match_finished")
"""What the service writes down itself when the time of a seat is up."""


def claim_expiry(request: MatchRequest) -> Appended:
    """Answer ``claimExpiry``: do what is agreed for whoever's time is up; or refuse, with the deadlines."""
    services, context = request.services, request.context
    key = read_key(context, request.caller, scope_of(request), b"claimExpiry\n", b"")

    def step(match: MatchState) -> Written:
        at = services.at_after(match)
        found = recorder.claim(match, at, services.salt)
        if isinstance(found, Refusal):
            known = [None] * match.seeding.seats if match.clock is None else deadlines(match.clock)
            raise RefusedRequest(claim_refused(found.code, at, known, context.path, context.language), context.language)
        return found

    def claim() -> Appended:
        entries, after = append(request, step, key)
        return _answer(request, [entry for entry in entries if _type(entry) == EXPIRED], after.status, after.seq)

    return do_once(services, key, claim, lambda known: _claimed_before(request, known))


def _type(entry: Entry) -> str:
    kind: str = orjson.loads(entry.body)["type"]
    return kind


def _answer(request: MatchRequest, expiries: list[Entry], status: str, seq: int) -> Appended:
    """Answer whose time was up, and what was done of the first of them."""
    claims: list[dict[str, Any]] = [orjson.loads(entry.body)["data"] for entry in expiries]
    body = {
        "seq": expiries[0].seq,
        "status": status,
        "expired": sorted({seat for data in claims for seat in data["seats"]}),
        "then": claims[0]["then"],
        "receipt": make_receipt(request.services.signing, request.row.match, expiries[0], request.reader),
    }
    return Appended(body, seq)


def _claimed_before(request: MatchRequest, known: Remembered) -> Appended:
    """Make the answer again that the same request had."""
    services, row = request.services, request.row
    entries = list(services.store.entries(row.match, known.seq - 1, known.seq + len(row.seats)))
    events = [orjson.loads(entry.body) for entry in entries]
    at = events[0]["at"]  # what else expires does so later: a decision that begins now cannot have expired
    expiries = [*takewhile(lambda event: (event["type"], event["at"]) == (EXPIRED, at), events)]
    last, following = expiries[-1]["seq"], events[len(expiries) :][:1]
    if following and following[0]["type"] in EVENTS_AFTER_EXPIRY:
        last += 1 + (following[0]["type"] == "match_finished" and not is_withheld(row.withheld_until, at))
    return _answer(request, entries[: len(expiries)], services.match_states.at(row, last).status, last)
