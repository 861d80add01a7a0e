"""Answers the stateless calls with a capsule in place of the state: it is opened, ruled on, and sealed again."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn
from uuid import UUID

import orjson

from gyoji.access.capsules import NONCE, CapsuleClaims, CapsuleRules, OpenedCapsule, position_mark, seal, unseal
from gyoji.api.bodies import PointedError, body_errors
from gyoji.api.media import IN_A_CAPSULE, SEALED
from gyoji.app.adjudication import deal_first_position, explain_scores, illegal_move, rules_identity, setting_errors
from gyoji.app.clock import written_time
from gyoji.app.positions import own_moves
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext
from gyoji.app.services import Services
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Event, Game, Position, Seat
from gyoji.log.redaction import merge, redact
from gyoji.messages.problems import Answer, capsule_refused, invalid_request
from gyoji.published_files import rules_digest
from gyoji.store.capsules import CapsuleHead
from gyoji.store.interface import Conflict

HOUR = 60 * 60


# Positions in capsules


def capsule_content(game: Game[Any], state: Position) -> bytes:
    """Write a position as a capsule holds it: the state envelope as JSON."""
    return orjson.dumps(game.write_state(state))


def read_position(game: Game[Any], held: bytes) -> Any:
    """Read the position that a capsule holds. It was sound when it was sealed, so it is not checked again."""
    return game.read_state(orjson.loads(held))


def capsule_room(game: Game[Any], options: Any) -> int:
    """Return how many bytes every position with these options fits into, whatever is hidden in it."""
    return game.room + 2 * len(orjson.dumps(game.write_options(options)))


def shown_position(game: Game[Any], state: Any, events: Sequence[Event], seat: Seat | None) -> dict[str, Any]:
    """Return what has happened, the position and what may be played, as that seat (``None``: a spectator) may know
    it."""
    return {
        "events": _events_for(game, state, events, seat),
        "view": game.view(state, seat),
        "legal_moves": own_moves(game, state, seat),
        "scores": state.scores,
        "outcome": state.outcome,
    }


def _events_for(game: Game[Any], state: Any, events: Sequence[Event], seat: Seat | None) -> Any:
    """Return the events as the log projects them: what is public, and what of the rest is this seat's to know."""
    data, secrets = redact(game.known(state.options), None, events)
    own = [payload for audience, payload in secrets.items() if audience == "all" or seat in audience]
    return merge(data, own)["events"]


def view_answer(game: Game[Any], state: Position, seat: Seat | None) -> dict[str, Any]:
    """Make the body of ``views``: the position as that seat may know it, and its own moves."""
    return {**rules_identity(game), "view": game.view(state, seat), "legal_moves": own_moves(game, state, seat)}


def legal_moves_answer(game: Game[Any], state: Position, seat: Seat) -> dict[str, Any]:
    """Make the body of ``legal-moves``: what that seat may play."""
    return {**rules_identity(game), "to_act": state.to_act, "legal_moves": own_moves(game, state, seat)}


# Requests


class CapsuleRequest(NamedTuple):
    """A request that asks for a capsule, or brings one."""

    context: RequestContext
    game: Game[Any]
    body: Mapping[str, Any]

    @property
    def services(self) -> Services:
        """The services of this process."""
        return self.context.services

    @property
    def rules(self) -> CapsuleRules:
        """The rules that the capsules of this request are bound to."""
        return CapsuleRules(self.game.slug, self.game.version, rules_digest(self.game.slug))

    @property
    def expires(self) -> int:
        """When a capsule that is sealed now expires."""
        return int(self.services.clock()) + self.services.settings.capsule_hours * HOUR

    def invalid(self, errors: Sequence[PointedError]) -> "_Refused":
        """Make the answer 422 (invalid request) with the headers of the stateless calls."""
        return _Refused(invalid_request(errors, self.context.path, self.context.language))


class _Refused(Exception):
    """The request ends with this answer."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


def answer(request: CapsuleRequest, call: str) -> Answer:
    """Answer one stateless call with a capsule in place of the state."""
    try:
        wrong = body_errors(request.game.slug, SEALED[call], request.body)
        if wrong:
            raise request.invalid(wrong)
        return CALLS[call](request)
    except _Refused as refused:
        return refused.answer


# The first position


def _start(request: CapsuleRequest) -> Answer:
    """Answer ``states``: deal a first position and seal it."""
    seats, seat = request.body["seats"], request.body.get("seat")
    audience = tuple(sorted(set(request.body.get("audience", range(seats)))))
    wrong = [*setting_errors(request.game, request.body), *_audience_errors(seats, audience, seat)]
    if wrong:
        raise request.invalid(wrong)
    first = deal_first_position(request.game, request.body, request.services.random(64).hex())
    match = request.body.get("match") or str(UUID(bytes=request.services.random(16), version=4))
    claims = CapsuleClaims(match, first.state.ply, audience, request.expires, request.body["sealed"] == "head")
    if claims.kept:
        _keep(request, claims, capsule_content(request.game, first.state))
    return _position(request, claims, first.state, first.events, seat)


def _audience_errors(seats: int, audience: Sequence[Seat], seat: Seat | None) -> list[PointedError]:
    wrong = [("/audience", "no-such-seat")] if any(one >= seats for one in audience) else []
    if seat is None or seat in audience:
        return wrong
    return [*wrong, ("/seat", "no-such-seat" if seat >= seats else "not-allowed")]


def _keep(request: CapsuleRequest, claims: CapsuleClaims, content: bytes) -> None:
    head = CapsuleHead(claims.match, claims.ply, position_mark(claims.match, content), claims.expires)
    try:
        request.services.store.capsules.keep(head, int(request.services.clock()))
    except Conflict:
        raise HttpProblem("already-stored") from None


def _position(
    request: CapsuleRequest, claims: CapsuleClaims, state: Any, events: Sequence[Event], seat: Seat | None
) -> Answer:
    body = {
        **rules_identity(request.game),
        "kind": IN_A_CAPSULE,
        "match": claims.match,
        "capsule": _capsule(request, claims, state),
        "audience": claims.audience,
        "expires": written_time(claims.expires),
        **shown_position(request.game, state, events, seat),
    }
    return Answer(200, body)


def _capsule(request: CapsuleRequest, claims: CapsuleClaims, state: Any) -> str:
    content, room = capsule_content(request.game, state), capsule_room(request.game, state.options)
    return seal(request.services.capsule_keys, request.rules, claims, content, request.services.random(NONCE), room)


# What comes with a capsule


def _opened(request: CapsuleRequest, *seats: Seat | None) -> OpenedCapsule:
    """Open the capsule of the request, which has to be for all these seats; anybody may know what spectators may."""
    opened = unseal(
        request.services.capsule_keys, request.rules, request.body["capsule"], int(request.services.clock())
    )
    if not isinstance(opened, OpenedCapsule):
        _refuse(request, opened)
    if not {*seats} - {None} <= {*opened.claims.audience}:
        _refuse(request, "audience")
    return opened


def _refuse(request: CapsuleRequest, reason: str) -> NoReturn:
    raise _Refused(capsule_refused(reason, request.context.path, request.context.language))


def _newest(request: CapsuleRequest, *seats: Seat | None) -> tuple[CapsuleClaims, Any]:
    """Return what the capsule claims, and its position; of a match that the store remembers only the newest."""
    claims, content = _opened(request, *seats)
    if claims.kept and _head(request, claims).mark != position_mark(claims.match, content):
        raise HttpProblem("stale-position")
    return claims, read_position(request.game, content)


def _head(request: CapsuleRequest, claims: CapsuleClaims) -> CapsuleHead:
    head = request.services.store.capsules.head(claims.match)
    if head is None:
        raise HttpProblem("stale-position")
    return head


def _adjudicate(request: CapsuleRequest) -> Answer:
    """Answer ``adjudications``: rule on one move; a refusal is for the seat whose move it was."""
    move = request.body["move"]
    seat = request.body.get("seat", move["seat"])
    claims, content = _opened(request, seat, move["seat"])
    state = read_position(request.game, content)
    ruling = request.game.adjudicate(state, move, deal_v1(state.seed))
    if not isinstance(ruling, Accepted):
        _newest(request)
        return illegal_move(
            request.game, state, ruling.infraction, move, {}, request.context.path, request.context.language
        )
    after = claims._replace(ply=ruling.state.ply, expires=request.expires)
    if claims.kept:
        after = _advanced(request, after, content, capsule_content(request.game, ruling.state))
    return _position(request, after, ruling.state, ruling.events, seat)


def _advanced(request: CapsuleRequest, after: CapsuleClaims, before: bytes, content: bytes) -> CapsuleClaims:
    """Move the match on from ``before``. Where this very move has done so already, the answer was lost, and is given
    again."""
    head = CapsuleHead(after.match, after.ply, position_mark(after.match, content), after.expires)
    if request.services.store.capsules.advance(head, position_mark(after.match, before)):
        return after
    found = _head(request, after)
    if found.mark != head.mark:
        raise HttpProblem("stale-position")
    return after._replace(expires=found.expires)


def _view(request: CapsuleRequest) -> Answer:
    """Answer ``views``; with ``audience`` also a capsule for some of the seats only, which expires when this one
    does."""
    seat = request.body["seat"]
    audience = tuple(sorted(set(request.body.get("audience", ()))))
    claims, state = _newest(request, seat, *audience)
    body = view_answer(request.game, state, seat)
    if "audience" in request.body:
        body["capsule"] = _capsule(request, claims._replace(audience=audience), state)
    return Answer(200, body)


def _legal_moves(request: CapsuleRequest) -> Answer:
    """Answer ``legal-moves``."""
    seat = request.body["seat"]
    return Answer(200, legal_moves_answer(request.game, _newest(request, seat)[1], seat))


def _scores(request: CapsuleRequest) -> Answer:
    """Answer ``scores``: what everybody at the table knows."""
    return Answer(200, explain_scores(request.game, _newest(request)[1], request.context.language))


CALLS: Mapping[str, Callable[[CapsuleRequest], Answer]] = {
    "states": _start,
    "adjudications": _adjudicate,
    "legal-moves": _legal_moves,
    "scores": _scores,
    "views": _view,
}
