"""Rulings over HTTP: what a referee decides, judged and stored, or only tried."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson

from gyoji.access.callers import Caller, Keyed
from gyoji.access.keys import OPERATOR
from gyoji.api.parameters import MOST_CROSSED
from gyoji.app.application import entry_of
from gyoji.app.problems import HttpProblem
from gyoji.app.tournament_state import tournament_of, why_closed
from gyoji.games.game import Breach
from gyoji.log.entries import Actor, Entry
from gyoji.log.readers import project_event
from gyoji.match.recorder import is_withheld
from gyoji.match.referee import ruled as judged
from gyoji.match.rulings import Refusal as Refused
from gyoji.match.rulings import Ruling
from gyoji.match.state import MatchState, result_of
from gyoji.match.take_backs import undone_events
from gyoji.messages.language import Language
from gyoji.messages.problems import invalid_request, ruling_refused
from gyoji.messages.rulebooks import rulebook
from gyoji.store.append_options import Beside
from gyoji.store.groups import GroupClosed
from gyoji.store.interface import Match, Remembered, Request
from gyoji.store.tournaments import Held
from gyoji.trust.receipts import receipt
from gyoji.web.matches.asking import Asked, Refusal, write_down_tokens
from gyoji.web.matches.playing import ON_THE_TABLE, must_fit, sent_body, unexplained
from gyoji.web.matches.preconditions import Precondition, idempotency, if_match, once
from gyoji.web.matches.seating import replaced, seconds_of, token_of
from gyoji.web.matches.writing import Written, read_again, scope_of, stored_with

CONFIGURED = "0" * 16
"""How the log names the key that is a setting of the service."""

OF_A_MOVE = ("illegal-move", "not-irregular", "not-acceptable", "impossible-position")
"""Why a move is not made, or cannot stand: which of these it is tells what is in a hand."""

FOLLOWED = {
    **dict.fromkeys(("play", "accept", "forfeit", "result"), "match_finished"),
    "void": "match_voided",
    "pause": "match_paused",
    "resume": "match_resumed",
}
"""What the service writes down itself after a ruling of that kind, if anything."""


class Made(NamedTuple):
    """The answer to a ruling, and where the match stands after it; ``None`` where nothing was stored."""

    body: dict[str, Any]
    seq: int | None


def ruled(asked: Asked, body: bytes, language: Language) -> Made:
    """``makeRuling``: stored with all that follows from it, or tried, or refused and nothing has changed.

    Checked in this order: the idempotency key, the shape, ``If-Match``, the referee's own rules.
    """
    instance = f"/v1/matches/{asked.row.match}/rulings"
    sent = sent_body(body)
    dry = isinstance(sent, dict) and sent.get("dry_run") is True
    scope = f"{scope_of(asked)}:{_key_of(asked.caller)}"
    key = None if dry else idempotency(asked.desk, None, scope, b"makeRuling\n", body)

    def decided() -> Made:
        body = _fitting(asked.row, sent, instance, language)
        seen = if_match(demanded=not dry)
        if seen.seqs is None and not dry:
            raise HttpProblem("precondition-required")
        case = _Case(asked, _ruling(body, asked), seen, instance, language)
        return _tried(case) if dry else _stored(case, key)

    return once(asked.desk, key, decided, lambda known: _ruled_before(asked, known))


def _key_of(caller: Caller) -> str:
    """The id of the caller's key, as the log has it."""
    if not isinstance(caller, Keyed):
        raise HttpProblem("forbidden")
    return CONFIGURED if caller.id == OPERATOR else caller.id


def _fitting(row: Match, sent: Any, instance: str, language: Language) -> Any:
    """The body, if it has the published shape, and is right in what that cannot say: which rules the game has, and
    which seats the table."""
    body = must_fit(row.game, "rulings", sent, instance, language)
    wrong = []
    if sent.get("rule") is not None and rulebook(row.game).rule(sent["rule"]) is None:
        wrong.append(("/rule", "no-such-rule"))
    audience = sent.get("audience", "all")
    if audience != "all" and any(seat >= len(row.seats) - 1 for seat in audience):
        wrong.append(("/audience", "no-such-seat"))
    if wrong:
        raise Refusal(invalid_request(wrong, instance, language), language)
    return body


def _ruling(sent: Mapping[str, Any], asked: Asked) -> Ruling:
    """The ruling that was sent."""
    by: Actor = {"role": asked.viewer.role, "key": _key_of(asked.caller)}
    said, audience = dict(sent["ruling"]), sent.get("audience", "all")
    kind, add = said.pop("kind"), said.pop("add", 0)
    members: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in said.items()}
    heard = audience if audience == "all" else tuple(audience)
    return Ruling(kind, by, sent["reason"], heard, sent.get("rule"), add_ms=add * 1000, **members)


class _Case(NamedTuple):
    """A ruling that is asked for."""

    asked: Asked
    ruling: Ruling
    seen: Precondition
    instance: str
    language: Language

    @property
    def sees_all(self) -> bool:
        """Whether the referee may know what is hidden."""
        return self.asked.viewer.sees == "all"


def _tried(case: _Case) -> Made:
    """``dry_run``: what the ruling would lead to. Whether a move could stand tells what is in a hand, so only one who
    sees the hands may try it."""
    if case.ruling.move is not None and not case.sees_all:
        raise HttpProblem("forbidden")
    asked = case.asked
    standing = asked.desk.standings.latest(asked.row)
    entries, after = _judged(case, standing, tournament_of(asked.desk, asked.row))
    body = _body(asked, standing, entries[0], after)
    return Made({name: said for name, said in body.items() if name not in ("seq", "receipt")}, None)


def _stored(case: _Case, key: Request | None) -> Made:
    asked = case.asked
    latest: list[Held | None] = []

    def step(standing: MatchState) -> Written:
        latest[:] = [tournament_of(asked.desk, asked.row)]
        return _judged(case, standing, latest[0])

    def around(row: Match, before: MatchState, after: Written) -> Beside:
        return _beside(case.ruling, row, before, after, latest[0])

    try:
        (entries, after), beside = stored_with(asked, step, key, around)
    except GroupClosed:
        raise _refusal(case, "group-closed", None) from None
    body = _body(asked, asked.desk.standings.at(read_again(asked).row, entries[0].seq - 1), entries[0], after)
    if beside.seats is not None and case.ruling.seat is not None:
        write_down_tokens(asked.caller, asked.row)
        body |= token_of(asked.desk, asked.row.match, case.ruling.seat, beside.seats[1][case.ruling.seat])
    return Made(body, after.seq)


def _beside(ruling: Ruling, row: Match, before: MatchState, after: Written, held: Held | None) -> Beside:
    """What a ruling changes or demands beside the log: a substitute's tokens; a group that nobody discloses, if one of
    its matches runs again; a tournament in which nobody closes the round meanwhile, or replaces the match."""
    needs_group = before.over and not after[1].over
    seats = None
    if ruling.kind == "substitute" and ruling.seat is not None:
        seats = row.seats, replaced(row.seats, ruling.seat, seconds_of(after[0][0]))
    return Beside(seats, row.group if needs_group else None, None if held is None else (held.tournament, held.seq))


def _judged(case: _Case, standing: MatchState, held: Held | None) -> Written:
    """The ruling as it is written down, if the match stands where the referee saw it and nothing is against it."""
    asked, here, ruling = case.asked, case.asked.desk, case.ruling
    if case.seen.seqs is not None and standing.seq not in case.seen.seqs:
        raise HttpProblem("stale-position")
    closed = None if held is None else why_closed(here, held, asked.row)
    if closed is not None:
        raise _refusal(case, closed, None)
    target = None
    if ruling.to is not None and ruling.to <= standing.seq:
        target = here.standings.at(asked.row, ruling.to)
    found = judged(standing, ruling, here.at_after(standing), here.salt, target)
    if isinstance(found, Refused):
        raise _refusal(case, found.code, found.breach)
    return found


def _refusal(case: _Case, reason: str, breach: Breach | None) -> Refusal:
    """Why the ruling is not taken, as far as the referee may know: to one who does not see the hands nothing tells a
    move that is legal from one that cannot stand, nor why."""
    said = None if breach is None else _told(case, breach)
    if reason in OF_A_MOVE and case.ruling.move is not None and not case.sees_all:
        reason = "not-acceptable" if case.ruling.kind == "accept" else reason
        said = _untold(breach, case.language)
    return Refusal(ruling_refused(reason, said, case.instance, case.language), case.language)


def _told(case: _Case, breach: Breach) -> dict[str, Any]:
    because = rulebook(case.asked.row.game).because(breach, case.language)
    return {"reason": breach.reason, "rule": breach.rule, "because": because}


def _untold(breach: Breach | None, language: Language) -> dict[str, Any]:
    reason = breach.reason if breach is not None and breach.reason in ON_THE_TABLE else "rule-violation"
    return {"reason": reason, "rule": None, "because": unexplained(language)}


def _body(asked: Asked, before: MatchState, entry: Entry, after: MatchState) -> dict[str, Any]:
    """The answer to a ruling that is, or would be, the ``entry``, after which the match stands so. The same each time
    it is asked for, if the caller sees no more than then."""
    event = orjson.loads(entry.body)
    result = result_of(after)
    to = event["data"]["ruling"].get("to")
    target = None if to is None else asked.desk.standings.at(asked.row, to)
    return {
        "seq": entry.seq,
        "status": after.status,
        "ruling": project_event(asked.reader, entry, event)["data"]["ruling"],
        "crossed": [] if target is None else _crossed(asked, target, before.seq),
        "fresh_entropy": target is not None and target.state.shuffles != before.state.shuffles,
        "result": None if result is None else result._asdict(),
        "receipt": receipt(asked.desk.signing, asked.row.match, entry, asked.reader, document=event),
    }


def _crossed(asked: Asked, target: MatchState, last: int) -> list[dict[str, Any]]:
    entries = list(asked.desk.store.entries(asked.row.match, target.seq, last))
    return [crossing._asdict() for crossing in undone_events(target, entries)[:MOST_CROSSED]]


def _ruled_before(asked: Asked, known: Remembered) -> Made:
    """The answer that the same request had, made again; the token of a substitute if it is still in force."""
    here, row = asked.desk, asked.row
    entry, last = entry_of(here.store, row.match, known.seq), _last_of(asked, known.seq)
    after = here.standings.at(row, last)
    body = _body(asked, here.standings.at(row, entry.seq - 1), entry, after)
    ruling = orjson.loads(entry.body)["data"]["ruling"]
    if ruling["kind"] == "substitute":
        seating = row.seats[ruling["seat"]]
        if not seating.revoked and seating.since == _taken_over(asked, ruling["seat"], entry):
            write_down_tokens(asked.caller, row)
            body |= token_of(here, row.match, ruling["seat"], seating)
    return Made(body, last)


def _taken_over(asked: Asked, seat: int, last: Entry) -> int:
    """The second (Unix) from which the tokens of the substitute of that ruling are in force, if nobody renewed the
    seat's before: where several substitutes came within a second, each counts one more. Never later than it was, so
    that tokens which somebody has renewed since are not taken for these."""
    since = 0
    for entry in asked.desk.store.entries(asked.row.match, -1, last.seq):
        event = orjson.loads(entry.body)
        ruling = event["data"]["ruling"] if event["type"] == "ruling_made" else {}
        if ruling.get("kind") == "substitute" and ruling["seat"] == seat:
            since = max(seconds_of(entry), since + 1)
    return since


def _last_of(asked: Asked, seq: int) -> int:
    """The last event that was written down together with that ruling."""
    row = asked.row
    first, *more = [orjson.loads(entry.body) for entry in asked.desk.store.entries(row.match, seq - 1, seq + 1)]
    followed = FOLLOWED.get(first["data"]["ruling"]["kind"])
    if not more or more[0]["type"] != followed:
        return seq
    ended = followed in ("match_finished", "match_voided")
    return seq + 1 + (ended and not is_withheld(row.withheld_until, first["at"]))
