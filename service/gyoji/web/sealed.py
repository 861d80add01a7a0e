"""The stateless calls with a capsule in place of the state: opened, ruled on, and sealed again."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn
from uuid import UUID

from gyoji.access.capsules import NONCE, Claims, Opened, Rules, mark, seal, unseal
from gyoji.api.media import SEALED
from gyoji.api.validation import PointedError, errors
from gyoji.app import sealed_positions
from gyoji.app.adjudication import explained, illegal_move, named, setting_errors, started
from gyoji.app.application import Desk
from gyoji.app.clock import written_time
from gyoji.app.problems import HttpProblem
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Event, Game, Seat
from gyoji.messages.language import Language
from gyoji.messages.problems import Answer, capsule_refused, invalid_request
from gyoji.published_files import rules_digest
from gyoji.store.interface import CapsuleHead, Conflict

HOUR = 60 * 60


class Sealed(NamedTuple):
    """A request that asks for a capsule, or brings one."""

    desk: Desk
    game: Game[Any]
    body: Mapping[str, Any]
    instance: str
    language: Language

    @property
    def rules(self) -> Rules:
        """The rules that its capsules are bound to."""
        return Rules(self.game.slug, self.game.version, rules_digest(self.game.slug))

    @property
    def expires(self) -> int:
        """When a capsule that is sealed now expires."""
        return int(self.desk.clock()) + self.desk.settings.capsule_hours * HOUR


class _Refused(Exception):
    """The request ends here."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


def sealed_answer(asked: Sealed, call: str) -> Answer:
    """The answer to one stateless call."""
    wrong = errors(asked.game.slug, SEALED[call], asked.body)
    if wrong:
        return invalid_request(wrong, asked.instance, asked.language)
    try:
        return CALLS[call](asked)
    except _Refused as refused:
        return refused.answer


# The first position


def _start(asked: Sealed) -> Answer:
    """``states``."""
    seats, seat = asked.body["seats"], asked.body.get("seat")
    audience = tuple(sorted(set(asked.body.get("audience", range(seats)))))
    wrong = [*setting_errors(asked.game, asked.body), *_audience_errors(seats, audience, seat)]
    if wrong:
        return invalid_request(wrong, asked.instance, asked.language)
    first = started(asked.game, asked.body, asked.desk.random(64).hex())
    match = asked.body.get("match") or str(UUID(bytes=asked.desk.random(16), version=4))
    claims = Claims(match, first.state.ply, audience, asked.expires, asked.body["sealed"] == "head")
    if claims.kept:
        _keep(asked, claims, sealed_positions.content(asked.game, first.state))
    return _position(asked, claims, first.state, first.events, seat)


def _audience_errors(seats: int, audience: Sequence[Seat], seat: Seat | None) -> list[PointedError]:
    wrong = [("/audience", "no-such-seat")] if any(one >= seats for one in audience) else []
    if seat is None or seat in audience:
        return wrong
    return [*wrong, ("/seat", "no-such-seat" if seat >= seats else "not-allowed")]


def _keep(asked: Sealed, claims: Claims, content: bytes) -> None:
    head = CapsuleHead(claims.match, claims.ply, mark(claims.match, content), claims.expires)
    try:
        asked.desk.store.keep_capsule(head, int(asked.desk.clock()))
    except Conflict:
        raise HttpProblem("already-stored") from None


def _position(asked: Sealed, claims: Claims, state: Any, events: Sequence[Event], seat: Seat | None) -> Answer:
    body = {
        **named(asked.game),
        "match": claims.match,
        "capsule": _capsule(asked, claims, state),
        "audience": claims.audience,
        "expires": written_time(claims.expires),
        **sealed_positions.shown(asked.game, state, events, seat),
    }
    return Answer(200, body)


def _capsule(asked: Sealed, claims: Claims, state: Any) -> str:
    content, room = sealed_positions.content(asked.game, state), sealed_positions.room(asked.game, state.options)
    return seal(asked.desk.capsule_keys, asked.rules, claims, content, asked.desk.random(NONCE), room)


# What comes with a capsule


def _opened(asked: Sealed, *seats: Seat | None) -> Opened:
    """The capsule of the request, which has to be for all these seats; anybody may know what spectators may."""
    opened = unseal(asked.desk.capsule_keys, asked.rules, asked.body["capsule"], int(asked.desk.clock()))
    if not isinstance(opened, Opened):
        _refuse(asked, opened)
    if not {*seats} - {None} <= {*opened.claims.audience}:
        _refuse(asked, "audience")
    return opened


def _refuse(asked: Sealed, reason: str) -> NoReturn:
    raise _Refused(capsule_refused(reason, asked.instance, asked.language))


def _newest(asked: Sealed, *seats: Seat | None) -> tuple[Claims, Any]:
    """What the capsule says, and its position: where the match is remembered, only of the newest."""
    claims, content = _opened(asked, *seats)
    if claims.kept and _head(asked, claims).mark != mark(claims.match, content):
        raise HttpProblem("stale-position")
    return claims, sealed_positions.position(asked.game, content)


def _head(asked: Sealed, claims: Claims) -> CapsuleHead:
    head = asked.desk.store.capsule_head(claims.match)
    if head is None:
        raise HttpProblem("stale-position")
    return head


def _adjudicate(asked: Sealed) -> Answer:
    """``adjudications``: one move; a refusal is told to the seat whose move it was."""
    move = asked.body["move"]
    seat = asked.body.get("seat", move["seat"])
    claims, content = _opened(asked, seat, move["seat"])
    state = sealed_positions.position(asked.game, content)
    ruling = asked.game.adjudicate(state, move, deal_v1(state.seed))
    if not isinstance(ruling, Accepted):
        _newest(asked)
        return illegal_move(asked.game, state, ruling.breach, move, {}, asked.instance, asked.language)
    after = claims._replace(ply=ruling.state.ply, expires=asked.expires)
    if claims.kept:
        after = _advanced(asked, after, content, sealed_positions.content(asked.game, ruling.state))
    return _position(asked, after, ruling.state, ruling.events, seat)


def _advanced(asked: Sealed, after: Claims, before: bytes, content: bytes) -> Claims:
    """The match moves on from ``before``. Where this very move has brought it already, the answer was lost, and is
    given again."""
    head = CapsuleHead(after.match, after.ply, mark(after.match, content), after.expires)
    if asked.desk.store.advance_capsule(head, mark(after.match, before)):
        return after
    found = _head(asked, after)
    if found.mark != head.mark:
        raise HttpProblem("stale-position")
    return after._replace(expires=found.expires)


def _view(asked: Sealed) -> Answer:
    """``views``; with ``audience`` also a capsule for some of the seats only, which expires when this one does."""
    seat = asked.body["seat"]
    audience = tuple(sorted(set(asked.body.get("audience", ()))))
    claims, state = _newest(asked, seat, *audience)
    body = sealed_positions.seen(asked.game, state, seat)
    if "audience" in asked.body:
        body["capsule"] = _capsule(asked, claims._replace(audience=audience), state)
    return Answer(200, body)


def _legal_moves(asked: Sealed) -> Answer:
    """``legal-moves``."""
    seat = asked.body["seat"]
    return Answer(200, sealed_positions.playable(asked.game, _newest(asked, seat)[1], seat))


def _scores(asked: Sealed) -> Answer:
    """``scores``: what everybody at the table knows."""
    return Answer(200, explained(asked.game, _newest(asked)[1], asked.language))


CALLS: Mapping[str, Callable[[Sealed], Answer]] = {
    "states": _start,
    "adjudications": _adjudicate,
    "legal-moves": _legal_moves,
    "scores": _scores,
    "views": _view,
}
