"""Who may know of a tournament, written from the design: everybody of a public one, few of a private one."""

import pytest

from gyoji.access.callers import Anonymous, Caller, Director, KeyHolder, SeatHolder, Spectator
from gyoji.access.keys import KeyRole, grantable_scopes
from gyoji.access.rights import TournamentFacts, may_read_tournament
from gyoji.api.rights import Scope

CUP = "6f2f54cf-6a3c-4b9a-8f0b-1d3e5a7c9b10"
ELSEWHERE = "0b7f3f5e-2a55-4d8e-9c11-7f0e4b6d2a31"
PRIVATE = TournamentFacts(CUP, "club", "private")


def keyed(role: KeyRole, account: str = "club", *scopes: Scope, tournament: str = "") -> KeyHolder:
    """A key with these scopes, and bound to that tournament."""
    bound = frozenset({tournament} if tournament else ())
    return KeyHolder("0123456789abcdef", role, account, grantable_scopes(role, scopes), frozenset({CUP}), bound)


KNOWING = (
    keyed("operator", "club", Scope.TOURNAMENTS),
    keyed("operator", "club", Scope.READ),
    keyed("operator", "club", *Scope),
    keyed("referee", "nobody", tournament=CUP),
    keyed("auditor", "nobody", tournament=CUP),
)
OTHERS = (
    Anonymous(),
    SeatHolder(CUP, 0),
    Spectator(CUP),
    Director(CUP),
    keyed("operator", "club"),
    keyed("operator", "club", Scope.CREATE, Scope.GROUPS, Scope.UNSEAL),
    keyed("operator", "league", *Scope),
    keyed("operator", "league", *Scope, tournament=CUP),
    keyed("referee", "club", *Scope),
    keyed("referee", "club", tournament=ELSEWHERE),
    keyed("auditor", "club", tournament=ELSEWHERE),
)


@pytest.mark.parametrize("caller", KNOWING)
def test_a_private_tournament_is_known_to_those_who_run_or_referee_it(caller: Caller) -> None:
    assert may_read_tournament(caller, PRIVATE)


@pytest.mark.parametrize("caller", OTHERS)
def test_nobody_else_may_know_of_it(caller: Caller) -> None:
    assert not may_read_tournament(caller, PRIVATE)


@pytest.mark.parametrize("caller", [*KNOWING, *OTHERS])
def test_a_public_one_is_everybodys(caller: Caller) -> None:
    assert may_read_tournament(caller, PRIVATE._replace(visibility="public"))
