"""Identifies the caller of an operation on a match, and decides whether it may call it and what it may know."""

from collections.abc import Callable
from typing import NamedTuple

from gyoji.access.callers import Caller, HeaderFault, InvalidCredential, SeatHolder, identify_caller, read_bearer
from gyoji.access.rights import Granted, Viewer, decide
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
        must_be_granted(decide(operation, identify(context), None))
        raise HttpProblem("not-found")
    return authorize_row(context, row)


def authorize_row(context: RequestContext, row: Match) -> MatchRequest:
    """The request about a match of which there is a row, if its caller may make it."""
    caller = identify(context, row)
    granted = must_be_granted(decide(context.operation.name, caller, facts_of(context.services, row)))
    if granted.viewer.unsealed:
        record_unsealing(context, caller, row.match)
    return MatchRequest(context, caller, row, granted.viewer)


def reader_from_now_on(request: MatchRequest) -> Callable[[], Reader | None]:
    """Return a function that tells what the caller may read of the match at the time of the call. ``None`` once its
    credential is void."""
    services, match = request.services, request.row.match
    credential = read_bearer(request.context.authorization)

    def reader() -> Reader | None:
        row = services.store.match(match)
        caller = (
            InvalidCredential.UNKNOWN
            if isinstance(credential, HeaderFault)
            else identify_caller(credential, services.lookups(row))
        )
        if row is None or isinstance(caller, InvalidCredential):
            return None
        decided = decide(request.context.operation.name, caller, facts_of(services, row))
        return reader_of(decided.viewer) if isinstance(decided, Granted) else None

    return reader


def actor_of(caller: Caller, seat: int) -> dict[str, object]:
    """Return the actor that the log records for a move of a caller for a seat."""
    return {"role": "seat" if isinstance(caller, SeatHolder) else "operator", "seat": seat}
