"""Identifies the caller of an operation on a match, and decides whether it may call it and what it may know."""

from typing import NamedTuple

from gyoji.access.callers import Caller, Header, Nobody, Seated, bearer, identified
from gyoji.access.rights import Granted, Viewer, decision
from gyoji.app.authorization import UUID, facts_of, identify, must_be_granted, record_unsealing
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext
from gyoji.app.services import Services
from gyoji.log.redaction import Reader
from gyoji.store.interface import Match


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
        must_be_granted(decision(operation, identify(context), None))
        raise HttpProblem("not-found")
    return authorize_row(context, row)


def authorize_row(context: RequestContext, row: Match) -> MatchRequest:
    """The request about a match of which there is a row, if its caller may make it."""
    caller = identify(context, row)
    granted = must_be_granted(decision(context.operation.name, caller, facts_of(context.services, row)))
    if granted.viewer.unsealed:
        record_unsealing(context, caller, row.match)
    return MatchRequest(context, caller, row, granted.viewer)


def reader_of_credential(services: Services, operation: str, authorization: str | None, row: Match) -> Reader | None:
    """Return what the sender of that ``Authorization`` header may read now of a match, whose row was just read;
    ``None`` where the credential is void, or the operation no longer granted."""
    credential = bearer(authorization)
    caller = Nobody.UNKNOWN if isinstance(credential, Header) else identified(credential, services.lookups(row))
    if isinstance(caller, Nobody):
        return None
    decided = decision(operation, caller, facts_of(services, row))
    return reader_of(decided.viewer) if isinstance(decided, Granted) else None


def actor_of(caller: Caller, seat: int) -> dict[str, object]:
    """Return the actor that the log records for a move of a caller for a seat."""
    return {"role": "seat" if isinstance(caller, Seated) else "operator", "seat": seat}
