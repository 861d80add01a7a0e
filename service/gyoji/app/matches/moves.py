"""Makes a move in a stored match: authorizes the caller, lets the referee decide, stores the result."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import orjson

from gyoji.access.callers import KeyHolder
from gyoji.access.rights import may_move
from gyoji.api.bodies import Malformed, parse_json
from gyoji.api.media import TRIED
from gyoji.api.rights import Scope
from gyoji.app.adjudication import illegal_move
from gyoji.app.authorization import MatchRequest, actor_of, authorize_match, authorize_row
from gyoji.app.idempotency import do_once, read_key
from gyoji.app.match_states import entry_of
from gyoji.app.matches.appends import Written, append, append_once, require_seq, scope_of
from gyoji.app.positions import own_moves, view_of
from gyoji.app.problems import HttpProblem, RefusedRequest
from gyoji.app.requests import Precondition, RequestContext, must_fit
from gyoji.games.game import IllegalMove
from gyoji.log.entries import Entry
from gyoji.log.redaction import Reader, project_event
from gyoji.match import recorder
from gyoji.match.seeding import is_withheld
from gyoji.match.state import MatchState
from gyoji.messages.language import Language, message, messages
from gyoji.messages.problems import Answer, problem
from gyoji.store.interface import Conflict, IdempotencyRecord, KeyTaken, Remembered
from gyoji.trust.receipts import make_receipt

VISIBLE_REASONS = ("game-finished", "not-your-turn", "wrong-phase", "card-not-in-row", "errand-not-on-display")
"""Reasons of a refusal that anybody can see who sees the table."""


class SentMove(NamedTuple):
    """A move as it was sent, by a caller who may play for its seat."""

    request: MatchRequest
    body: Any
    """The document, or what is wrong with its bytes."""
    is_dry_run: bool
    """Whether the move is only to be tried."""
    key: IdempotencyRecord | None


class MoveAnswer(NamedTuple):
    """The answer to a move, and the ``seq`` of the match after it; ``None`` where nothing was stored."""

    answer: Answer
    seq: int | None


def play(context: RequestContext, match: str) -> MoveAnswer:
    """Make the move that the request brings.

    Where no other process moves in the match the move is decided on the row that was read last, and stored if the
    match is unchanged. Unless the move is stored so, the match is read and all is decided again.
    """
    services, body = context.services, None
    row = services.match_rows.find(match)
    if row is not None:
        with suppress(Conflict, KeyTaken, HttpProblem, RefusedRequest):
            request = authorize_row(context, row)
            body = context.body.read_json()
            return _played(request, _store_once(_read(request, body)))
        context.record.unsealed = ()  # nothing was shown
    request = authorize_match(context, match)
    services.match_rows.note(request.row, services.match_states.has(request.row))
    return _played(request, _decide_once(request, context.body.read_json() if body is None else body))


def _played(request: MatchRequest, answer: Answer) -> MoveAnswer:
    """Return the answer with the ``seq`` after it: the move that ends a match is followed by the result and, unless
    that is withheld, by the secret."""
    if "seq" not in answer.body:
        return MoveAnswer(answer, None)
    seq: int = answer.body["seq"]
    if answer.body["outcome"] is None:
        return MoveAnswer(answer, seq)
    at = orjson.loads(answer.body["receipt"]["event"])["at"]
    return MoveAnswer(answer, seq + 1 + (not is_withheld(request.row.withheld_until, at)))


def _decide_once(request: MatchRequest, body: bytes) -> Answer:
    """Answer a move: it is accepted and stored, or refused and nothing has changed.

    Checked in this order: that the seat is the caller's, the idempotency key, the shape, ``If-Match``, the referee.
    """
    sent = _read(request, body)
    return do_once(request.services, sent.key, lambda: _decide(sent), lambda known: _answer_again(request, known))


def _read(request: MatchRequest, body: bytes) -> SentMove:
    document = parse_or_fault(body)
    _must_be_own(request, document)
    is_dry_run = isinstance(document, dict) and document.get("dry_run") is True
    key = None if is_dry_run else read_key(request.context, request.caller, scope_of(request), b"", body)
    return SentMove(request, document, is_dry_run, key)


def _decide(sent: SentMove) -> Answer:
    seen = _precondition(sent)
    return _try(sent, seen) if sent.is_dry_run else _store(sent, seen, append)


def _store_once(sent: SentMove) -> Answer:
    """Answer a move that is stored, if the match is unchanged. A move that is only tried is decided on what is read."""
    if sent.is_dry_run:
        raise Conflict
    return _store(sent, _precondition(sent), append_once)


def _precondition(sent: SentMove) -> Precondition:
    """Return what the caller of a move of the right shape saw."""
    context, row = sent.request.context, sent.request.row
    must_fit(context, row.game, "moves", sent.body)
    return context.precondition(demanded=row.demands_precondition and not sent.is_dry_run)


def parse_or_fault(body: bytes) -> Any:
    """Parse the body of a move; return the document, or what is wrong with its bytes. That is answered only when the
    shape is checked."""
    try:
        return parse_json(body)
    except Malformed as found:
        return found


def _must_be_own(request: MatchRequest, document: Any) -> None:
    """Raise 403 for a move of another seat, before anything of the move is looked at."""
    move = document.get("move") if isinstance(document, dict) else None
    seat = move.get("seat") if isinstance(move, dict) else None
    if type(seat) is int and not may_move(request.caller, seat):
        raise HttpProblem("forbidden")


def reader_of_mover(request: MatchRequest) -> Reader:
    """Return the reader that the answer to a move is written for. It is the seat itself, also after the move that opens
    everything, so that a repeated request is answered with the same bytes; for an operator the public, unless the key
    unseals."""
    if request.viewer.seat is not None:
        return request.viewer.seat
    return "full" if _unseals(request) else "public"


def _unseals(request: MatchRequest) -> bool:
    return isinstance(request.caller, KeyHolder) and Scope.UNSEAL in request.caller.scopes


def _answer_again(request: MatchRequest, known: Remembered) -> Answer:
    """Make the answer again that the same request had."""
    entry = entry_of(request.services.store, known.match, known.seq)
    return _accepted(request, entry, request.services.match_states.at(request.row, known.seq))


def _try(sent: SentMove, seen: Precondition) -> Answer:
    """Answer ``dry_run``: whether the move is legal now, and nothing of what it would lead to.

    An operator may play for a seat but not find out by trying what the seat holds, unless its key unseals.
    """
    request = sent.request
    if request.viewer.seat is None and not _unseals(request):
        raise HttpProblem("forbidden")
    match = request.services.match_states.latest(request.row)
    require_seq(seen, match)
    _record_move(sent, match)
    return Answer(200, {"kind": TRIED, "legal": True})


Append = Callable[[MatchRequest, Callable[[MatchState], Written], IdempotencyRecord | None], Written]
"""``append`` or ``append_once``."""


def _store(sent: SentMove, seen: Precondition, append_as: Append) -> Answer:
    request = sent.request

    def step(match: MatchState) -> Written:
        require_seq(seen, match)
        return _record_move(sent, match)

    entries, after = append_as(request, step, sent.key)
    return _accepted(request, entries[0], after)


def _record_move(sent: SentMove, match: MatchState) -> Written:
    """Make the entries of the move, if it is legal; else raise the refusal."""
    request, move, context = sent.request, sent.body["move"], sent.request.context
    services, actor = request.services, actor_of(request.caller, move["seat"])
    if match.over:
        raise HttpProblem("match-finished")
    if match.status != "playing":
        raise HttpProblem("match-not-running", {"why": messages()["not-running"][match.status]})
    found = recorder.play(match, move, actor, services.at_after(match), services.salt)
    if isinstance(found, IllegalMove):
        refused = illegal_move(match.game, match.state, found.infraction, move, {}, context.path, context.language)
        raise RefusedRequest(_for_operators(request, refused), context.language)
    return found


def _for_operators(request: MatchRequest, refused: Answer) -> Answer:
    """Leave out of a refusal what tells a hand. To an operator who plays for a seat without seeing its cards it names
    neither what the seat may play nor the rule, nor whether the seat holds the card."""
    if request.viewer.seat is not None or _unseals(request):
        return refused
    path, language = request.context.path, request.context.language
    plain = problem("illegal-move", path, language, {"because": withheld_explanation(language)})
    reason = refused.body["reason"]
    hidden = {
        "detail": plain.body["detail"],
        "reason": reason if reason in VISIBLE_REASONS else "rule-violation",
        "rule": None,
        "rule_text": None,
        "because": withheld_explanation(language),
        "legal_moves": [],
    }
    return Answer(refused.status, {**refused.body, **hidden})


def withheld_explanation(language: Language) -> str:
    """Return the sentence that stands in place of an explanation for a caller who may not see the seat's cards."""
    return message("because", "unseen", language)


def _accepted(request: MatchRequest, entry: Entry, match: MatchState) -> Answer:
    """Answer a move that was stored as ``entry``; ``match`` is the state that it led to."""
    reader = reader_of_mover(request)
    state, event = match.state, orjson.loads(entry.body)
    body = {
        "kind": match.game.slug,
        "seq": entry.seq,
        "events": project_event(reader, entry, event)["data"]["events"],
        "view": view_of(match.game, state, reader),
        "legal_moves": own_moves(match.game, state, request.viewer.seat),
        "scores": state.scores,
        "outcome": state.outcome,
        "receipt": make_receipt(request.services.signing, match.match, entry, reader, document=event),
    }
    return Answer(200, body)
