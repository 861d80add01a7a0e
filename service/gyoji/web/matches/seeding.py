"""Contributions to the deals of a match that waits for others than the service: taken, or refused and why."""

from collections.abc import Mapping
from typing import Any

import orjson

from gyoji.access.callers import Seated
from gyoji.app.application import entry_of
from gyoji.app.problems import HttpProblem
from gyoji.log.entries import Entry
from gyoji.match.recorder import contributed, unanswered
from gyoji.match.seeding import Reason, Seeding, committed, revealed, shared
from gyoji.match.state import MatchState
from gyoji.messages.language import Language
from gyoji.messages.problems import entropy_refused, invalid_request
from gyoji.store.interface import Remembered, Request
from gyoji.web.matches.asking import Asked, Refusal
from gyoji.web.matches.creating import sent_document
from gyoji.web.matches.ending import void_answer, void_entry
from gyoji.web.matches.preconditions import idempotency, once
from gyoji.web.matches.writing import Appended, Written, appended, read_again, scope_of, stored

HEX_OF_SEAT = 64
"""A seat contributes 32 bytes."""

POLICY_OF = {"director": "director", "operator": "external"}
"""By role: where it contributes one value."""


def given(asked: Asked, body: bytes, language: Language) -> Appended:
    """``giveEntropy``: the contribution, stored; of one that was stored before, the same answer."""
    here, instance = asked.desk, f"/v1/matches/{asked.row.match}/entropy"
    key = idempotency(here, asked.caller, scope_of(asked), b"giveEntropy\n", body)

    def told(known: Remembered) -> Appended:
        return _answer(asked, entry_of(here.store, known.match, known.seq))

    return once(here, key, lambda: _given(asked, body, key, instance, language), told)


def _given(asked: Asked, body: bytes, key: Request | None, instance: str, language: Language) -> Appended:
    here, sent = asked.desk, sent_document(body, "entropy", instance, language)
    if isinstance(asked.caller, Seated) and len(sent.get("entropy", " " * HEX_OF_SEAT)) != HEX_OF_SEAT:
        raise Refusal(invalid_request([("/entropy", "not-allowed")], instance, language), language)
    kind, actor = ("entropy_committed" if "commit" in sent else "entropy_revealed"), _actor(asked)

    def step(standing: MatchState) -> Written:
        if standing.over:
            raise HttpProblem("match-finished")
        after = _after(asked, standing.seeding, sent)
        if isinstance(after, str):
            raise _refusal(after, instance, language)
        return contributed(standing, after, kind, actor, sent, here.at_after(standing), here.salt)

    try:
        entries, _after_all = stored(asked, step, key)
    except (HttpProblem, Refusal):
        before = _given_before(read_again(asked), kind, actor, sent)
        if before is None:
            raise
        return before
    return _answer(asked, entries[0])


def _actor(asked: Asked) -> dict[str, object]:
    """Who contributes, as the log says it."""
    if isinstance(asked.caller, Seated):
        return {"role": "seat", "seat": asked.caller.seat}
    return {"role": asked.viewer.role}


def _after(asked: Asked, seeding: Seeding, sent: Mapping[str, str]) -> Seeding | Reason:
    """What has been contributed after this too, or why it is not taken."""
    if isinstance(asked.caller, Seated):
        seat = asked.caller.seat
        if "commit" in sent:
            return committed(seeding, seat, sent["commit"])
        return revealed(seeding, seat, sent["entropy"])
    if "commit" in sent or POLICY_OF.get(asked.viewer.role) != seeding.policy.name:
        return "wrong-policy"
    return shared(seeding, sent["entropy"])


def _refusal(reason: str, instance: str, language: Language) -> Refusal:
    return Refusal(entropy_refused(reason, instance, language), language)


def _given_before(asked: Asked, kind: str, actor: Mapping[str, Any], sent: Mapping[str, str]) -> Appended | None:
    """The answer to the same contribution, if the log has it: before the deal, so among the first events."""
    most = 2 * (len(asked.row.seats) - 1)
    for entry in asked.desk.store.entries(asked.row.match, 0, most):
        event = orjson.loads(entry.body)
        if (event["type"], event["actor"], event["data"]) == (kind, actor, sent):
            return _answer(asked, entry)
    return None


def _answer(asked: Asked, entry: Entry) -> Appended:
    """The answer to a contribution: the one that completes them all is followed by the deal."""
    complete = asked.desk.standings.at(asked.row, entry.seq).seeding.is_complete
    return appended(asked, entry, "playing" if complete else "seeding", entry.seq + complete)


def closed(asked: Asked, language: Language) -> Appended:
    """``closeSeeding``: the time of the seats is over, so the match is dealt without the rest, or is void."""
    here, instance = asked.desk, f"/v1/matches/{asked.row.match}/entropy/close"

    def step(standing: MatchState) -> Written:
        reason = _still_open(standing, here.at())
        if reason is not None:
            raise _refusal(reason, instance, language)
        return unanswered(standing, here.at_after(standing), here.salt)

    try:
        entries, _after_all = stored(asked, step)
    except (HttpProblem, Refusal):
        before = _closed_before(read_again(asked))
        if before is None:
            raise
        return before
    return _closing(asked, entries[0])


def _still_open(standing: MatchState, at: str) -> str | None:
    """Why it cannot be closed, if it cannot."""
    if standing.over:
        raise HttpProblem("match-finished")
    until = standing.seeding.until
    if until is None:
        return "wrong-policy"
    if standing.state is not None:
        return "complete"
    return "too-early" if at < until else None


def _closed_before(asked: Asked) -> Appended | None:
    """The answer to whoever closed the seeding before."""
    void = void_entry(asked)
    if void is not None:
        return _closing(asked, void) if orjson.loads(void.body)["data"]["reason"] == "entropy-missing" else None
    for entry in asked.desk.store.entries(asked.row.match, 0, 2 * len(asked.row.seats)):
        event = orjson.loads(entry.body)
        if event["type"] == "dealt" and "missing" in event["data"]:
            return _closing(asked, entry)
    return None


def _closing(asked: Asked, entry: Entry) -> Appended:
    if orjson.loads(entry.body)["type"] == "match_voided":
        return void_answer(asked, entry)
    return appended(asked, entry, "playing", entry.seq)
