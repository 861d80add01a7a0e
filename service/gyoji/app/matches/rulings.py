"""Decides the rulings of referees over HTTP, and stores them or only tries them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson

from gyoji.access.callers import Caller, KeyHolder
from gyoji.access.keys import OPERATOR
from gyoji.api.parameters import MOST_UNDONE
from gyoji.app.authorization import MatchRequest, record_tokens
from gyoji.app.idempotency import do_once, read_key
from gyoji.app.match_states import entry_of
from gyoji.app.matches.appends import Written, append_with_options, scope_of
from gyoji.app.matches.moves import VISIBLE_REASONS, parse_or_fault, withheld_explanation
from gyoji.app.matches.seats import seats_after_substitution, token_document, written_second
from gyoji.app.problems import HttpProblem, RefusedRequest
from gyoji.app.requests import Precondition, must_fit
from gyoji.app.tournament_state import tournament_of, why_closed
from gyoji.games.game import Infraction
from gyoji.log.entries import Actor, Entry
from gyoji.log.redaction import project_event
from gyoji.match import recorder
from gyoji.match.effective_history import undone_events
from gyoji.match.events.kind import Refusal
from gyoji.match.rulings.kind import Ruling
from gyoji.match.seeding import is_withheld
from gyoji.match.state import MatchState, result_of
from gyoji.messages.language import Language
from gyoji.messages.problems import ruling_refused
from gyoji.messages.rulebooks import rulebook
from gyoji.store.interface import AppendOptions, IdempotencyRecord, Match, Remembered
from gyoji.store.records import GroupClosed
from gyoji.store.tournaments import StoredTournament
from gyoji.trust.receipts import make_receipt

CONFIGURED_KEY = "0" * 16
"""How the log names the key that is a setting of the service."""

MOVE_REFUSALS = ("illegal-move", "not-irregular", "not-acceptable", "impossible-position")
"""Why a move is not made, or cannot stand: which of these it is tells what is in a hand."""

EVENT_AFTER = {
    **dict.fromkeys(("play", "accept", "forfeit", "result"), "match_finished"),
    "void": "match_voided",
    "pause": "match_paused",
    "resume": "match_resumed",
}
"""What the service writes down itself after a ruling of that kind, if anything."""


class RulingAnswer(NamedTuple):
    """The answer to a ruling, and the ``seq`` of the match after it; ``None`` where nothing was stored."""

    body: dict[str, Any]
    seq: int | None


def make_ruling(request: MatchRequest, body: bytes) -> RulingAnswer:
    """Answer ``makeRuling``: stored with all that follows from it, or tried, or refused and nothing has changed.

    Checked in this order: the idempotency key, the shape, ``If-Match``, the referee's own rules.
    """
    sent = parse_or_fault(body)
    dry = isinstance(sent, dict) and sent.get("dry_run") is True
    scope = f"{scope_of(request)}:{key_of(request.caller)}"
    key = None if dry else read_key(request.context, None, scope, b"makeRuling\n", body)

    def decide() -> RulingAnswer:
        body = _fitting(request, sent)
        seen = request.context.precondition(demanded=not dry)
        if seen.seqs is None and not dry:
            raise HttpProblem("precondition-required")
        case = _Case(request, _ruling(body, request), seen)
        return _try(case) if dry else _store(case, key)

    return do_once(request.services, key, decide, lambda known: _ruled_before(request, known))


def key_of(caller: Caller) -> str:
    """Return the id of the caller's key, as the log has it."""
    if not isinstance(caller, KeyHolder):
        raise HttpProblem("forbidden")
    return CONFIGURED_KEY if caller.id == OPERATOR else caller.id


def _fitting(request: MatchRequest, sent: Any) -> Any:
    """Return the body, if it has the published shape, and is right in what that cannot check: which rules the game has,
    and which seats the table."""
    row = request.row
    body = must_fit(request.context, row.game, "rulings", sent)
    wrong = []
    if sent.get("rule") is not None and rulebook(row.game).rule(sent["rule"]) is None:
        wrong.append(("/rule", "no-such-rule"))
    audience = sent.get("audience", "all")
    if audience != "all" and any(seat >= len(row.seats) - 1 for seat in audience):
        wrong.append(("/audience", "no-such-seat"))
    if wrong:
        raise request.context.invalid(wrong)
    return body


def _ruling(sent: Mapping[str, Any], request: MatchRequest) -> Ruling:
    """Read the ruling that was sent."""
    by: Actor = {"role": request.viewer.role, "key": key_of(request.caller)}
    said, audience = dict(sent["ruling"]), sent.get("audience", "all")
    kind, add = said.pop("kind"), said.pop("add", 0)
    members: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in said.items()}
    readers = audience if audience == "all" else tuple(audience)
    return Ruling(kind, by, sent["reason"], readers, sent.get("rule"), add_ms=add * 1000, **members)


class _Case(NamedTuple):
    """A ruling that is asked for."""

    request: MatchRequest
    ruling: Ruling
    seen: Precondition

    @property
    def sees_all(self) -> bool:
        """Tell whether the referee may know what is hidden."""
        return self.request.viewer.sees == "all"


def _try(case: _Case) -> RulingAnswer:
    """Answer ``dry_run``: what the ruling would lead to. Whether a move could stand betrays a hand, so only one who
    sees the hands may try it."""
    if case.ruling.move is not None and not case.sees_all:
        raise HttpProblem("forbidden")
    request = case.request
    match = request.services.match_states.latest(request.row)
    entries, after = _judged(case, match, tournament_of(request.services, request.row))
    body = _body(request, match, entries[0], after)
    return RulingAnswer({name: said for name, said in body.items() if name not in ("seq", "receipt")}, None)


def _store(case: _Case, key: IdempotencyRecord | None) -> RulingAnswer:
    request = case.request
    latest: list[StoredTournament | None] = []

    def step(match: MatchState) -> Written:
        latest[:] = [tournament_of(request.services, request.row)]
        return _judged(case, match, latest[0])

    def options_of(row: Match, before: MatchState, after: Written) -> AppendOptions:
        return _append_options(case.ruling, row, before, after, latest[0])

    try:
        (entries, after), options = append_with_options(request, step, key, options_of)
    except GroupClosed:
        raise _refusal(case, "group-closed", None) from None
    body = _body(
        request, request.services.match_states.at(request.read_again().row, entries[0].seq - 1), entries[0], after
    )
    if options.new_seats is not None and case.ruling.seat is not None:
        record_tokens(request.context, request.caller, request.row)
        seating = options.new_seats[case.ruling.seat]
        body |= token_document(request.services, request.row.match, case.ruling.seat, seating)
    return RulingAnswer(body, after.seq)


def _append_options(
    ruling: Ruling, row: Match, before: MatchState, after: Written, held: StoredTournament | None
) -> AppendOptions:
    """Return what a ruling changes or demands besides the log: a substitute's tokens; a group that nobody discloses, if
    one of its matches runs again; a tournament in which nobody closes the round meanwhile, or replaces the match."""
    needs_group = before.over and not after[1].over
    options = AppendOptions(
        group=row.group if needs_group else None,
        tournament=None if held is None else (held.tournament, held.seq),
    )
    if ruling.kind == "substitute" and ruling.seat is not None:
        seats = seats_after_substitution(row.seats, ruling.seat, written_second(after[0][0]))
        options = options._replace(expected_seats=row.seats, new_seats=seats)
    return options


def _judged(case: _Case, match: MatchState, held: StoredTournament | None) -> Written:
    """Decide the entries of a ruling, if the match stands where the referee saw it and nothing is against it."""
    request, services, ruling = case.request, case.request.services, case.ruling
    if case.seen.seqs is not None and match.seq not in case.seen.seqs:
        raise HttpProblem("stale-position", seq=match.seq)
    closed = None if held is None else why_closed(services, held, request.row)
    if closed is not None:
        raise _refusal(case, closed, None)
    target = None
    if ruling.to is not None and ruling.to <= match.seq:
        target = services.match_states.at(request.row, ruling.to)
    found = recorder.rule(match, ruling, services.at_after(match), services.salt, target)
    if isinstance(found, Refusal):
        raise _refusal(case, found.code, found.infraction)
    return found


def _refusal(case: _Case, reason: str, infraction: Infraction | None) -> RefusedRequest:
    """Make the refusal of a ruling, as far as the referee may know why: to one who does not see the hands nothing tells
    a move that is legal from one that cannot stand."""
    context = case.request.context
    said = None if infraction is None else _explained_infraction(case, infraction)
    if reason in MOVE_REFUSALS and case.ruling.move is not None and not case.sees_all:
        reason = "not-acceptable" if case.ruling.kind == "accept" else reason
        said = _hidden_infraction(infraction, context.language)
    return RefusedRequest(ruling_refused(reason, said, context.path, context.language), context.language)


def _explained_infraction(case: _Case, infraction: Infraction) -> dict[str, Any]:
    because = rulebook(case.request.row.game).because(infraction, case.request.context.language)
    return {"reason": infraction.reason, "rule": infraction.rule, "because": because}


def _hidden_infraction(infraction: Infraction | None, language: Language) -> dict[str, Any]:
    reason = infraction.reason if infraction is not None and infraction.reason in VISIBLE_REASONS else "rule-violation"
    return {"reason": reason, "rule": None, "because": withheld_explanation(language)}


def _body(request: MatchRequest, before: MatchState, entry: Entry, after: MatchState) -> dict[str, Any]:
    """Write the answer to a ruling that is, or would be, the ``entry``, and leads to the state ``after``. The same each
    time it is asked for, if the caller sees no more than then."""
    event = orjson.loads(entry.body)
    result = result_of(after)
    to = event["data"]["ruling"].get("to")
    target = None if to is None else request.services.match_states.at(request.row, to)
    return {
        "seq": entry.seq,
        "status": after.status,
        "ruling": project_event(request.reader, entry, event)["data"]["ruling"],
        "crossed": [] if target is None else _undone(request, target, before.seq),
        "fresh_entropy": target is not None and target.state.shuffles != before.state.shuffles,
        "result": None if result is None else result._asdict(),
        "receipt": make_receipt(request.services.signing, request.row.match, entry, request.reader, document=event),
    }


def _undone(request: MatchRequest, target: MatchState, last: int) -> list[dict[str, Any]]:
    entries = list(request.services.store.entries(request.row.match, target.seq, last))
    return [undone._asdict() for undone in undone_events(target, entries)[:MOST_UNDONE]]


def _ruled_before(request: MatchRequest, known: Remembered) -> RulingAnswer:
    """Make the answer again that the same request had; with the token of a substitute if it is still in force."""
    services, row = request.services, request.row
    entry, last = entry_of(services.store, row.match, known.seq), _last_of(request, known.seq)
    after = services.match_states.at(row, last)
    body = _body(request, services.match_states.at(row, entry.seq - 1), entry, after)
    ruling = orjson.loads(entry.body)["data"]["ruling"]
    if ruling["kind"] == "substitute":
        seating = row.seats[ruling["seat"]]
        if not seating.revoked and seating.since == _taken_over(request, ruling["seat"], entry):
            record_tokens(request.context, request.caller, row)
            body |= token_document(services, row.match, ruling["seat"], seating)
    return RulingAnswer(body, last)


def _taken_over(request: MatchRequest, seat: int, last: Entry) -> int:
    """Return the second (Unix) from which the tokens of the substitute of that ruling are in force, if nobody renewed
    the seat's before: where several substitutes came within a second, each counts one more. Never later than it was, so
    that tokens which somebody has renewed since are not taken for these."""
    since = 0
    for entry in request.services.store.entries(request.row.match, -1, last.seq):
        event = orjson.loads(entry.body)
        ruling = event["data"]["ruling"] if event["type"] == "ruling_made" else {}
        if ruling.get("kind") == "substitute" and ruling["seat"] == seat:
            since = max(written_second(entry), since + 1)
    return since


def _last_of(request: MatchRequest, seq: int) -> int:
    """Return the ``seq`` of the last event that was written together with that ruling."""
    row = request.row
    first, *more = [orjson.loads(entry.body) for entry in request.services.store.entries(row.match, seq - 1, seq + 1)]
    followed = EVENT_AFTER.get(first["data"]["ruling"]["kind"])
    if not more or more[0]["type"] != followed:
        return seq
    ended = followed in ("match_finished", "match_voided")
    return seq + 1 + (ended and not is_withheld(row.withheld_until, first["at"]))
