"""Identifies the caller of an operation and decides, by the table of operations, whether it may call it.

Of an operation on a match it also decides what the caller may know of the match.
"""

import re
from typing import NamedTuple

from gyoji.access.callers import (
    Caller,
    HeaderFault,
    InvalidCredential,
    KeyHolder,
    SeatHolder,
    identify_caller,
    read_bearer,
)
from gyoji.access.rights import Denied, Granted, MatchFacts, Viewer, decide, is_disclosed
from gyoji.api.parameters import MATCH
from gyoji.app.problems import HttpProblem, denied, unauthenticated
from gyoji.app.requests import RequestContext
from gyoji.app.services import Services
from gyoji.log.redaction import Reader
from gyoji.store.interface import Match

UUID = re.compile(MATCH)
"""The ids of matches, groups, tournaments and webhooks."""


def authorize(context: RequestContext) -> Caller:
    """Return the caller of an operation that is about no match yet. Raises 401 or 403 for whoever may not call it."""
    caller = identify(context)
    must_be_granted(decide(context.operation.name, caller, None))
    return caller


def must_be_granted(decided: Granted | Denied) -> Granted:
    """Return the right that was granted; the problem of a denial ends the request."""
    if isinstance(decided, Denied):
        raise denied(decided.code)
    return decided


def identify(context: RequestContext, row: Match | None = None) -> Caller:
    """Return who holds the credential of the request; 401 for one that nobody holds. ``row`` is the match of the
    request, where it has been read: the holder of a token for it is looked up there."""
    credential = read_bearer(context.authorization)
    if isinstance(credential, HeaderFault):
        raise unauthenticated("malformed")
    caller = identify_caller(credential, context.services.lookups(row))
    if isinstance(caller, InvalidCredential):
        raise unauthenticated("unknown") if caller is InvalidCredential.UNKNOWN else HttpProblem(caller.value)
    return caller


def account_of(caller: Caller) -> str:
    """Return the account that new matches, groups, tournaments and webhooks of this caller belong to."""
    if not isinstance(caller, KeyHolder):
        raise HttpProblem("forbidden")
    return caller.account


def facts_of(services: Services, row: Match) -> MatchFacts:
    """Return the facts that rights in the match depend on. In a tournament a match whose deals others share is nobody's
    to watch until it is closed: those others would watch it too."""
    facts = _stored_facts(row)
    is_public = row.visibility == "public"
    return facts._replace(visibility="private") if is_public and _shows_other_tables(services, row) else facts


def _stored_facts(row: Match) -> MatchFacts:
    return MatchFacts(row.match, row.owner, row.visibility, row.disclosure, row.head.closed, row.tournament)


def _shows_other_tables(services: Services, row: Match) -> bool:
    """Tell whether a match of a tournament shows cards that are in play at other tables too, or may be once more."""
    in_play = row.tournament is not None and not row.head.closed
    return in_play and row.group is not None and services.store.has_several_matches(row.group)


def record_unsealing(context: RequestContext, caller: Caller, match: str) -> None:
    """Have the log say that the key of this request can see what is hidden in the match."""
    if isinstance(caller, KeyHolder):
        context.record.add_unsealed(caller.id, match)


def record_tokens(context: RequestContext, caller: Caller, row: Match) -> None:
    """Log that a key is given a token of a seat, unless all that the token opens is disclosed. Not for whoever makes
    the match. Tokens of spectators and directors are treated alike."""
    if not is_disclosed(_stored_facts(row), "seat"):
        record_unsealing(context, caller, row.match)


class MatchRequest(NamedTuple):
    """A request about a match that its caller may make, with the match as it was read."""

    context: RequestContext
    caller: Caller
    row: Match
    viewer: Viewer

    @property
    def services(self) -> Services:
        """The services of this process."""
        return self.context.services

    @property
    def reader(self) -> Reader:
        """The reader of the log (a seat, the public, or one who sees all) that the caller of this request is."""
        return reader_of(self.viewer)

    @property
    def is_settled(self) -> bool:
        """Whether the match cannot change any more, and hides nothing from anybody who may read it."""
        return is_disclosed(facts_of(self.services, self.row), "spectator")

    def read_again(self) -> "MatchRequest":
        """Return the request with the match read anew from the store."""
        row = self.services.store.match(self.row.match)
        if row is None:
            raise HttpProblem("not-found")
        return self._replace(row=row)


def reader_of(viewer: Viewer) -> Reader:
    """Return the reader of a log that a viewer is: ``full``, a seat, or ``public``."""
    if viewer.sees == "all":
        return "full"
    return viewer.seat if viewer.sees == "seat" and viewer.seat is not None else "public"


def authorize_match(context: RequestContext, match: str) -> MatchRequest:
    """Return the request about a match if its caller may make it. Raises the problem that the rights of the operation
    lead to."""
    operation = context.operation.name
    row = context.services.store.match(match) if UUID.fullmatch(match) else None
    if row is None:
        must_be_granted(decide(operation, identify(context), None))
        raise HttpProblem("not-found")
    return authorize_row(context, row)


def authorize_row(context: RequestContext, row: Match) -> MatchRequest:
    """Return the request about a match of which there is a row, if its caller may make it."""
    caller = identify(context, row)
    granted = must_be_granted(decide(context.operation.name, caller, facts_of(context.services, row)))
    if granted.viewer.unsealed:
        record_unsealing(context, caller, row.match)
    return MatchRequest(context, caller, row, granted.viewer)


def caller_of_credential(services: Services, authorization: str | None, row: Match | None = None) -> Caller | None:
    """Return who holds the credential of that ``Authorization`` header now; ``None`` where it is void. ``row`` is a
    match that was just read."""
    credential = read_bearer(authorization)
    if isinstance(credential, HeaderFault):
        return None
    caller = identify_caller(credential, services.lookups(row))
    return None if isinstance(caller, InvalidCredential) else caller


def viewer_in(services: Services, operation: str, caller: Caller, row: Match) -> Viewer | None:
    """Return the viewer that a caller is now of a match, whose row was just read; ``None`` where the operation is not
    granted."""
    decided = decide(operation, caller, facts_of(services, row))
    return decided.viewer if isinstance(decided, Granted) else None


def reader_of_credential(services: Services, operation: str, authorization: str | None, row: Match) -> Reader | None:
    """Return what the sender of that ``Authorization`` header may read now of a match, whose row was just read;
    ``None`` where the credential is void, or the operation no longer granted."""
    caller = caller_of_credential(services, authorization, row)
    viewer = None if caller is None else viewer_in(services, operation, caller, row)
    return None if viewer is None else reader_of(viewer)


def actor_of(caller: Caller, seat: int) -> dict[str, object]:
    """Return the actor that the log records for a move of a caller for a seat."""
    return {"role": "seat" if isinstance(caller, SeatHolder) else "operator", "seat": seat}
