"""Who asks, of which tournament, and whether it may: the first step of every request about tournaments."""

from typing import NamedTuple

from gyoji.access.callers import Caller, Keyed
from gyoji.access.keys import Scope
from gyoji.access.rights import TournamentFacts, may_manage, may_read_tournament
from gyoji.app.application import Desk
from gyoji.app.problems import HttpProblem
from gyoji.log.entries import Actor
from gyoji.store.tournaments import Held
from gyoji.tournaments.tournament import Tournament
from gyoji.web.matches.asking import MATCH_ID, asked_alone


class AskedOf(NamedTuple):
    """A request about a tournament that its caller may make."""

    desk: Desk
    caller: Caller
    held: Held

    @property
    def tournament(self) -> Tournament:
        """The tournament as its log has it."""
        return self.desk.kept.tournament(self.held)

    @property
    def path(self) -> str:
        """Its address."""
        return f"/v1/tournaments/{self.held.tournament}"

    @property
    def manages(self) -> bool:
        """Whether the caller runs it."""
        return manages(self.caller, self.held.owner)

    def read_again(self) -> "AskedOf":
        """The same request, of the tournament as it stands now."""
        return self._replace(held=found(self.desk, self.held.tournament))


def asked_of(operation: str, name: str) -> AskedOf:
    """The request, if its caller may read the tournament; what it may not know of is not found."""
    here, caller = asked_alone(operation)
    held = found(here, name)
    if not may_read_tournament(caller, TournamentFacts(held.tournament, held.owner, held.visibility)):
        raise HttpProblem("not-found")
    return AskedOf(here, caller, held)


def asked_to_manage(operation: str, name: str) -> AskedOf:
    """The request, if its caller runs the tournament."""
    asked = asked_of(operation, name)
    if not asked.manages:
        raise HttpProblem("forbidden")
    return asked


def found(here: Desk, name: str) -> Held:
    """The tournament at that address."""
    held = here.store.tournaments.tournament(name) if MATCH_ID.fullmatch(name) else None
    if held is None:
        raise HttpProblem("not-found")
    return held


def manages(caller: Caller, owner: str) -> bool:
    """Whether a tournament of that account is the caller's to run: an operator of it whose key may run tournaments."""
    return may_manage(caller, owner) and isinstance(caller, Keyed) and Scope.TOURNAMENTS in caller.scopes


def actor_of(caller: Caller) -> Actor:
    """Who did something, as the log says it."""
    return {"role": "operator", "key": caller.id} if isinstance(caller, Keyed) else {"role": "operator"}
