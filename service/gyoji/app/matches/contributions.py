"""Takes contributions to the deals of a match that waits for others than the service, or refuses them."""

from collections.abc import Mapping
from typing import Any

import orjson

from gyoji.access.callers import SeatHolder
from gyoji.app.authorization import MatchRequest
from gyoji.app.idempotency import do_once, read_key
from gyoji.app.match_states import entry_of
from gyoji.app.matches.appends import Appended, Written, append_or_find, appended_answer, scope_of
from gyoji.app.matches.endings import void_answer, void_entry
from gyoji.app.problems import HttpProblem, RefusedRequest
from gyoji.app.requests import parse_document
from gyoji.log.entries import Entry
from gyoji.match import recorder
from gyoji.match.seeding import Reason, why_not_overdue
from gyoji.match.state import MatchState
from gyoji.messages.problems import entropy_refused
from gyoji.store.interface import IdempotencyRecord, Remembered

HEX_OF_SEAT = 64
"""A seat contributes 32 bytes."""

POLICY_OF_ROLE = {"director": "director", "operator": "external"}
"""By role: where it contributes one value."""


def give_entropy(request: MatchRequest, body: bytes) -> Appended:
    """Answer ``giveEntropy``: store the contribution; to one that was stored before give the same answer."""
    services = request.services
    key = read_key(request.context, request.caller, scope_of(request), b"giveEntropy\n", body)

    def answer_again(known: Remembered) -> Appended:
        return _answer(request, entry_of(services.store, known.match, known.seq))

    return do_once(services, key, lambda: _give(request, body, key), answer_again)


def _give(request: MatchRequest, body: bytes, key: IdempotencyRecord | None) -> Appended:
    sent = parse_document(request.context, "matches", "entropy", body)
    if isinstance(request.caller, SeatHolder) and len(sent.get("entropy", " " * HEX_OF_SEAT)) != HEX_OF_SEAT:
        raise request.context.invalid([("/entropy", "not-allowed")])
    kind, actor = ("entropy_committed" if "commit" in sent else "entropy_revealed"), _actor(request)

    def step(match: MatchState) -> Written:
        if match.over:
            raise HttpProblem("match-finished")
        found = _contribute(request, match, sent)
        if isinstance(found, str):
            raise _refusal(request, found)
        return found

    return append_or_find(request, step, _answer, lambda again: _given_before(again, kind, actor, sent), key)


def _actor(request: MatchRequest) -> dict[str, object]:
    """Return who contributes, as the log names it."""
    if isinstance(request.caller, SeatHolder):
        return {"role": "seat", "seat": request.caller.seat}
    return {"role": request.viewer.role}


def _contribute(request: MatchRequest, match: MatchState, sent: Mapping[str, str]) -> Written | Reason:
    """Decide the contribution, or return why it is not taken."""
    services, caller = request.services, request.caller
    seat = caller.seat if isinstance(caller, SeatHolder) else None
    if seat is None and ("commit" in sent or POLICY_OF_ROLE.get(request.viewer.role) != match.seeding.policy.name):
        return "wrong-policy"
    return recorder.contribute(match, seat, sent, services.at_after(match), services.salt)


def _refusal(request: MatchRequest, reason: str) -> RefusedRequest:
    path, language = request.context.path, request.context.language
    return RefusedRequest(entropy_refused(reason, path, language), language)


def _given_before(
    request: MatchRequest, kind: str, actor: Mapping[str, Any], sent: Mapping[str, str]
) -> Appended | None:
    """Answer the same contribution again, if the log has it: before the deal, so among the first events."""
    most = 2 * (len(request.row.seats) - 1)
    for entry in request.services.store.entries(request.row.match, 0, most):
        event = orjson.loads(entry.body)
        if (event["type"], event["actor"], event["data"]) == (kind, actor, sent):
            return _answer(request, entry)
    return None


def _answer(request: MatchRequest, entry: Entry) -> Appended:
    """Answer a contribution: the one that completes them all is followed by the deal."""
    complete = request.services.match_states.at(request.row, entry.seq).seeding.is_complete
    return appended_answer(request, entry, "playing" if complete else "seeding", entry.seq + complete)


def close_seeding(request: MatchRequest) -> Appended:
    """Answer ``closeSeeding``: once the time of the seats is over, the match is dealt without the rest, or is void."""
    services = request.services

    def step(match: MatchState) -> Written:
        reason = _still_open(match, services.at())
        if reason is not None:
            raise _refusal(request, reason)
        return recorder.close_seeding(match, services.at_after(match), services.salt)

    return append_or_find(request, step, _closing, _closed_before)


def _still_open(match: MatchState, at: str) -> str | None:
    """Return why the seeding cannot be closed, if it cannot."""
    if match.over:
        raise HttpProblem("match-finished")
    return why_not_overdue(match.seeding, at)


def _closed_before(request: MatchRequest) -> Appended | None:
    """Answer again whoever closed the seeding before."""
    void = void_entry(request)
    if void is not None:
        return _closing(request, void) if orjson.loads(void.body)["data"]["reason"] == "entropy-missing" else None
    for entry in request.services.store.entries(request.row.match, 0, 2 * len(request.row.seats)):
        event = orjson.loads(entry.body)
        if event["type"] == "dealt" and "missing" in event["data"]:
            return _closing(request, entry)
    return None


def _closing(request: MatchRequest, entry: Entry) -> Appended:
    if orjson.loads(entry.body)["type"] == "match_voided":
        return void_answer(request, entry)
    return appended_answer(request, entry, "playing", entry.seq)
