"""A move in a stored match: read, decide, write."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import orjson
from flask import request

from gyoji.access.callers import Keyed
from gyoji.access.keys import Scope
from gyoji.access.rights import may_move
from gyoji.api.json_gate import Malformed, parsed
from gyoji.api.validation import received
from gyoji.app.adjudication import illegal_move
from gyoji.app.application import entry_of
from gyoji.app.positions import own_moves, view_of
from gyoji.app.problems import HttpProblem
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Refused
from gyoji.log.entries import Entry
from gyoji.log.readers import Reader, project_event
from gyoji.match.recorder import moved
from gyoji.match.state import MatchState
from gyoji.messages.language import Language, message
from gyoji.messages.problems import Answer, invalid_request, malformed, problem
from gyoji.store.interface import Conflict, KeyTaken, Remembered, Request
from gyoji.trust.receipts import receipt
from gyoji.web.accounting import RECORD
from gyoji.web.matches.asking import Asked, Refusal, actor_of, asked, asked_about, desk
from gyoji.web.matches.preconditions import Precondition, idempotency, if_match, must_hold, once
from gyoji.web.matches.writing import Written, scope_of, stored, stored_as_believed
from gyoji.web.negotiation import sent_json

ON_THE_TABLE = ("game-finished", "not-your-turn", "wrong-phase", "card-not-in-row", "errand-not-on-display")
"""Reasons of a refusal that anybody can see who sees the table."""


class Sent(NamedTuple):
    """A move as it was sent, by one who may play for its seat."""

    asked: Asked
    body: Any
    """The document, or what is wrong with it."""
    dry: bool
    """Whether it is only to be tried."""
    key: Request | None
    language: Language

    @property
    def instance(self) -> str:
        """The address that it was sent to."""
        return f"/v1/matches/{self.asked.row.match}/moves"


def moved_in(match: str, language: Language) -> tuple[Asked, Answer]:
    """The answer to the move that this request brings, and the match that it was made in.

    Where the match is believed to be known, the move is decided without reading it; whatever comes of that but a move
    that is stored, is no answer: then the match is read, and all is decided again.
    """
    here, body = desk(), None
    row = here.beliefs.of(match)
    if row is not None:
        with suppress(Conflict, KeyTaken, HttpProblem, Refusal):
            request_of = asked_about("playMove", row)
            body = sent_json()
            return request_of, _as_believed(_sent(request_of, body, language))
        request.environ[RECORD].unsealed = ()  # nothing was shown
    request_of = asked("playMove", match)
    here.beliefs.found(request_of.row, here.standings.has(request_of.row))
    return request_of, played(request_of, sent_json() if body is None else body, language)


def played(asked: Asked, body: bytes, language: Language) -> Answer:
    """The answer to a move: accepted and stored, or refused and nothing has changed.

    Checked in this order: that the seat is the caller's, the idempotency key, the shape, ``If-Match``, the referee.
    """
    sent = _sent(asked, body, language)
    return once(asked.desk, sent.key, lambda: _decided(sent), lambda known: _answered_before(asked, known))


def _sent(asked: Asked, body: bytes, language: Language) -> Sent:
    sent = sent_body(body)
    _must_be_own(asked, sent)
    dry = isinstance(sent, dict) and sent.get("dry_run") is True
    key = None if dry else idempotency(asked.desk, asked.caller, scope_of(asked), b"", body)
    return Sent(asked, sent, dry, key, language)


def _decided(sent: Sent) -> Answer:
    seen = _seen(sent)
    return _tried(sent, seen) if sent.dry else _stored(sent, seen, stored)


def _as_believed(sent: Sent) -> Answer:
    """The answer to a move that is stored. A move that is only tried would rest on belief alone."""
    if sent.dry:
        raise Conflict
    return _stored(sent, _seen(sent), stored_as_believed)


def _seen(sent: Sent) -> Precondition:
    """What the caller of a move of the right shape saw."""
    row = sent.asked.row
    must_fit(row.game, "moves", sent.body, sent.instance, sent.language)
    return if_match(row.demands_precondition and not sent.dry)


def sent_body(body: bytes) -> Any:
    """The document, or in its place what is wrong with its bytes: that is told when it is the turn of the shape."""
    try:
        return parsed(body)
    except Malformed as found:
        return found


def must_fit(game: str, call: str, sent: Any, instance: str, language: Language) -> Any:
    """The body as it is taken; 400 for what is no JSON that this service reads, 422 for what has not the published
    shape."""
    try:
        if isinstance(sent, Malformed):
            raise sent
        body, wrong = received(game, call, sent)
    except Malformed as found:
        raise Refusal(malformed(found.why, instance, language), language) from None
    if wrong:
        raise Refusal(invalid_request(wrong, instance, language), language)
    return body


def _must_be_own(asked: Asked, sent: Any) -> None:
    """403 for a move of another seat, before anything of the move is looked at."""
    move = sent.get("move") if isinstance(sent, dict) else None
    seat = move.get("seat") if isinstance(move, dict) else None
    if type(seat) is int and not may_move(asked.caller, seat):
        raise HttpProblem("forbidden")


def reader_of_mover(asked: Asked) -> Reader:
    """What a move is answered with: a seat's own view, also of the move that opens everything, so that a repeated
    request is answered with the same bytes; to an operator what all may see, unless the key unseals."""
    if asked.viewer.seat is not None:
        return asked.viewer.seat
    return "full" if _unseals(asked) else "public"


def _unseals(asked: Asked) -> bool:
    return isinstance(asked.caller, Keyed) and Scope.UNSEAL in asked.caller.scopes


def _answered_before(asked: Asked, known: Remembered) -> Answer:
    """The answer that the same request had, made again."""
    entry = entry_of(asked.desk.store, known.match, known.seq)
    return accepted(asked, entry, asked.desk.standings.at(asked.row, known.seq))


def _tried(sent: Sent, seen: Precondition) -> Answer:
    """``dry_run``: whether the move is legal now, and nothing of what it would lead to.

    An operator may play for a seat but not find out by trying what the seat holds, unless its key unseals.
    """
    asked = sent.asked
    if asked.viewer.seat is None and not _unseals(asked):
        raise HttpProblem("forbidden")
    standing = asked.desk.standings.latest(asked.row)
    must_hold(seen, standing)
    _ruled(sent, standing)
    return Answer(200, {"legal": True})


Storing = Callable[[Asked, Callable[[MatchState], Written], Request | None], Written]
"""``stored``, or its like."""


def _stored(sent: Sent, seen: Precondition, storing: Storing) -> Answer:
    asked, move = sent.asked, sent.body["move"]
    here, actor = asked.desk, actor_of(asked.caller, move["seat"])

    def step(standing: MatchState) -> Written:
        must_hold(seen, standing)
        ruling = _ruled(sent, standing)
        return moved(standing, move, actor, ruling, here.at_after(standing), here.salt)

    entries, after = storing(asked, step, sent.key)
    return accepted(asked, entries[0], after)


def _ruled(sent: Sent, standing: MatchState) -> Accepted[Any]:
    """The referee's ruling, if the move stands."""
    asked, move, instance, language = sent.asked, sent.body["move"], sent.instance, sent.language
    if standing.over:
        raise HttpProblem("match-finished")
    if standing.status != "playing":
        raise HttpProblem("match-not-running")
    ruling = standing.game.adjudicate(standing.state, move, deal_v1(standing.state.seed))
    if isinstance(ruling, Refused):
        refused = illegal_move(standing.game, standing.state, ruling.breach, move, {}, instance, language)
        raise Refusal(_for_operators(asked, refused, instance, language), language)
    return ruling


def _for_operators(asked: Asked, refused: Answer, instance: str, language: Language) -> Answer:
    """To one who plays for a seat without seeing its cards a refusal says neither what the seat may play nor by which
    rule, nor whether it holds the card: all of these tell what is in its hand."""
    if asked.viewer.seat is not None or _unseals(asked):
        return refused
    plain = problem("illegal-move", instance, language, {"because": unexplained(language)})
    reason = refused.body["reason"]
    told = {
        "detail": plain.body["detail"],
        "reason": reason if reason in ON_THE_TABLE else "rule-violation",
        "rule": None,
        "rule_text": None,
        "because": unexplained(language),
        "legal_moves": [],
    }
    return Answer(refused.status, {**refused.body, **told})


def unexplained(language: Language) -> str:
    """The sentence for whoever may not see the seat's cards."""
    return message("because", "unseen", language)


def accepted(asked: Asked, entry: Entry, standing: MatchState) -> Answer:
    """The answer to a move that was stored as ``entry``; ``standing`` is the position that it led to."""
    reader = reader_of_mover(asked)
    state, event = standing.state, orjson.loads(entry.body)
    body = {
        "seq": entry.seq,
        "events": project_event(reader, entry, event)["data"]["events"],
        "view": view_of(standing.game, state, reader),
        "legal_moves": own_moves(standing.game, state, asked.viewer.seat),
        "scores": state.scores,
        "outcome": state.outcome,
        "receipt": receipt(asked.desk.signing, standing.match, entry, reader, document=event),
    }
    return Answer(200, body)
