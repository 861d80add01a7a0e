"""Identifies the caller of an operation on a tournament and decides whether it may call it, before all else."""

from typing import NamedTuple

from gyoji.access.callers import Caller, KeyHolder
from gyoji.access.rights import TournamentFacts, may_manage, may_read_tournament
from gyoji.api.rights import Scope
from gyoji.app.authorization import UUID, authorize
from gyoji.app.idempotency import read_key
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext
from gyoji.app.services import Services
from gyoji.log.entries import Actor
from gyoji.store.interface import IdempotencyRecord
from gyoji.store.tournaments import StoredTournament
from gyoji.tournaments.tournament import Tournament


class TournamentRequest(NamedTuple):
    """A request about a tournament that its caller may make."""

    context: RequestContext
    caller: Caller
    held: StoredTournament
    as_entrant: bool = False
    """Whether an entrant makes it, or somebody who becomes one; not whoever runs the tournament."""

    @property
    def services(self) -> Services:
        """The services of this process."""
        return self.context.services

    @property
    def tournament(self) -> Tournament:
        """The state of the tournament after the events of its log."""
        return self.services.tournament_cache.tournament(self.held)

    @property
    def path(self) -> str:
        """The URL of the tournament."""
        return f"/v1/tournaments/{self.held.tournament}"

    @property
    def actor(self) -> Actor:
        """The actor that the log of the tournament records for the request."""
        return {"role": "entrant"} if self.as_entrant else actor_of(self.caller)

    @property
    def manages(self) -> bool:
        """Whether the caller runs the tournament."""
        return manages(self.caller, self.held.owner)

    def read_again(self) -> "TournamentRequest":
        """Return the request with the tournament read anew from the store."""
        return self._replace(held=find_tournament(self.services, self.held.tournament))

    def read_key(self, operation: str, body: bytes) -> IdempotencyRecord | None:
        """Read the idempotency key of the request; keys of one tournament do not meet those of another."""
        scope = f"tournament:{self.held.tournament}"
        return read_key(self.context, self.caller, scope, f"{operation}\n".encode(), body)


def authorize_tournament(context: RequestContext, name: str) -> TournamentRequest:
    """Return the request, if its caller may read the tournament, and runs it where the operation demands that. Raises
    404 for a tournament that the caller may not know of."""
    caller = authorize(context)
    held = find_tournament(context.services, name)
    if not may_read_tournament(caller, TournamentFacts(held.tournament, held.owner, held.visibility)):
        raise HttpProblem("not-found")
    request = TournamentRequest(context, caller, held)
    if context.operation.rights.owned == "managed" and not request.manages:
        raise HttpProblem("forbidden")
    return request


def find_tournament(services: Services, name: str) -> StoredTournament:
    """The tournament of that id; 404 where there is none."""
    held = services.store.tournaments.tournament(name) if UUID.fullmatch(name) else None
    if held is None:
        raise HttpProblem("not-found")
    return held


def manages(caller: Caller, owner: str) -> bool:
    """Tell whether the caller may run a tournament of an account: an operator of it whose key may run tournaments."""
    return may_manage(caller, owner) and isinstance(caller, KeyHolder) and Scope.TOURNAMENTS in caller.scopes


def actor_of(caller: Caller) -> Actor:
    """Return the actor that the log of a tournament records for a caller."""
    return {"role": "operator", "key": caller.id} if isinstance(caller, KeyHolder) else {"role": "operator"}
