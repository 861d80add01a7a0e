"""Who calls, about which match, and what it may know of it."""

from collections.abc import Callable
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
    """A request about a match that its caller may make."""

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
        """The reader of the log that the viewer is."""
        return reader_of(self.viewer)

    def read_again(self) -> "MatchRequest":
        """The same request, of the match as it stands now."""
        row = self.services.store.match(self.row.match)
        if row is None:
            raise HttpProblem("not-found")
        return self._replace(row=row)


def reader_of(viewer: Viewer) -> Reader:
    """Which openings of a log the viewer may have."""
    if viewer.sees == "all":
        return "full"
    return viewer.seat if viewer.sees == "seat" and viewer.seat is not None else "public"


def authorize_match(context: RequestContext, match: str) -> MatchRequest:
    """The request about the match of that id, if its caller may make it; else the problem that the rights of its
    operation lead to."""
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


def reader_from_now_on(request: MatchRequest) -> Callable[[], Reader | None]:
    """A function that tells what the caller may read of the match at the time it is called, outside of the request
    too; ``None`` once its credential is void."""
    services, match = request.services, request.row.match
    credential = bearer(request.context.authorization)

    def reader() -> Reader | None:
        row = services.store.match(match)
        caller = Nobody.UNKNOWN if isinstance(credential, Header) else identified(credential, services.lookups(row))
        if row is None or isinstance(caller, Nobody):
            return None
        decided = decision(request.context.operation.name, caller, facts_of(services, row))
        return reader_of(decided.viewer) if isinstance(decided, Granted) else None

    return reader


def actor_of(caller: Caller, seat: int) -> dict[str, object]:
    """Who made a move for a seat, as the log says it."""
    return {"role": "seat" if isinstance(caller, Seated) else "operator", "seat": seat}
