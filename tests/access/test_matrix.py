"""The table of rights against ``matrix.yaml``: who may do what, cell by cell, and no cell missing."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Literal, NamedTuple, cast

import pytest
import yaml

from gyoji.access.callers import Anonymous, Caller, Director, KeyHolder, SeatHolder, Spectator
from gyoji.access.keys import KeyRole, grantable_scopes
from gyoji.access.rights import (
    Denied,
    Granted,
    ListFilter,
    MatchFacts,
    Viewer,
    decide,
    decide_view_as,
    match_filter,
    may_join,
    may_manage,
    may_move,
)
from gyoji.api.operations import OPERATIONS
from gyoji.api.rights import Scope

MATRIX = yaml.safe_load(Path(__file__).with_name("matrix.yaml").read_text("utf-8"))

MATCH = "6f2f54cf-6a3c-4b9a-8f0b-1d3e5a7c9b10"
TOURNAMENT = "2d9a4b1e-0f63-4c55-9b7a-6c1f8e20d4a7"
ELSEWHERE = "0b7f3f5e-2a55-4d8e-9c11-7f0e4b6d2a31"

VISIBILITIES: tuple[Literal["private", "public"], ...] = ("private", "public")
PHASES: dict[str, tuple[bool, tuple[Literal["public_on_close", "auditors_only"], ...]]] = {
    **dict.fromkeys(("seeding", "playing", "withheld"), (False, ("public_on_close", "auditors_only"))),
    "disclosed": (True, ("public_on_close",)),
    "closed": (True, ("auditors_only",)),
    "voided": (True, ("public_on_close",)),
}
"""Whether the secret has been told, and to whom it is. Before that it does not matter to whom it will be."""

READ_BY_ANYBODY = {"readMatch", "readFeed", "followMatch", "readPosition", "readFrames", "exportReplay"}
"""What takes no credential where the match is public."""

CODES = {"unauthenticated": "401", "forbidden": "403", "not-found": "404", "not-disclosed": "409"}
SCOPES = ("bare", *Scope, "every")
RELATIONS = ("own", "other")
CALLERS = (
    "anonymous",
    *(f"{role} {whose}" for role, whose in product(("seat", "spectator", "director"), RELATIONS)),
    *(f"operator own {scopes}" for scopes in SCOPES),
    *(f"{role} other {scopes}" for role, scopes in product(("operator", "referee"), ("bare", "every"))),
    *(f"referee {whose} {scopes}" for whose, scopes in product(("own", "tournament"), ("bare", "every"))),
    *(f"auditor {whose} bare" for whose in (*RELATIONS, "tournament")),
)
ALONE = (
    *("anonymous", "seat", "spectator", "director"),
    *(f"operator {scopes}" for scopes in SCOPES),
    *("referee bare", "referee every", "auditor bare"),
)


def caller(described: str) -> Caller:
    """The caller that a line of the matrix is about."""
    role, *more = described.split()
    scopes = more.pop() if more and more[-1] not in RELATIONS else "bare"
    if more == ["tournament"]:
        return replace(
            keyed(cast(KeyRole, role), scopes, MATCH), matches=frozenset(), tournaments=frozenset({TOURNAMENT})
        )
    match = ELSEWHERE if more == ["other"] else MATCH
    if role == "anonymous":
        return Anonymous()
    if role == "seat":
        return SeatHolder(match, 2)
    if role == "spectator":
        return Spectator(match)
    if role == "director":
        return Director(match)
    return keyed(cast(KeyRole, role), scopes, match)


def keyed(role: KeyRole, scopes: str, match: str) -> KeyHolder:
    """A key with these scopes that is bound to that match, or of the account that it belongs to."""
    held = {"bare": (), "every": tuple(Scope)}.get(scopes, (scopes,))
    account = {MATCH: "club", ELSEWHERE: "league"}[match]
    bound = frozenset() if role == "operator" else frozenset({match})
    return KeyHolder("0123456789abcdef", role, account, grantable_scopes(role, held), bound)


def facts(visibility: Literal["private", "public"], phase: str) -> Iterator[MatchFacts]:
    """The match of a column."""
    closed, disclosures = PHASES[phase]
    for disclosure in disclosures:
        yield MatchFacts(MATCH, "club", visibility, disclosure, closed, TOURNAMENT)


class Cell(NamedTuple):
    """One cell of the matrix."""

    operation: str
    caller: str
    visibility: Literal["private", "public"]
    phase: str
    holds: str


def cells() -> Iterator[Cell]:
    """Every cell about a match."""
    for group in MATRIX["with_match"]:
        for operation, (described, line) in product(group["operations"], group["cells"].items()):
            for (visibility, phase), holds in zip(product(VISIBILITIES, PHASES), line.split(), strict=True):
                yield Cell(operation, described, visibility, phase, holds)


def asked(operation: str, by: Caller, of: MatchFacts) -> Granted | Denied:
    """The decision; ``as`` is a position asked for as seat 2 could know it."""
    if operation not in ("as", "frames as"):
        return decide(operation, by, of)
    granted = decide("readPosition", by, of)
    return granted if isinstance(granted, Denied) else decide_view_as(2, by, granted)


def shown(decided: Granted | Denied) -> str:
    """A decision as a cell says it."""
    if isinstance(decided, Denied):
        return CODES[decided.code]
    return "unsealed" if decided.viewer.unsealed else decided.viewer.sees


@pytest.mark.parametrize("operation", [name for group in MATRIX["with_match"] for name in group["operations"]])
@pytest.mark.parametrize("described", CALLERS)
def test_every_cell_about_a_match_holds(operation: str, described: str) -> None:
    line = [cell for cell in cells() if (cell.operation, cell.caller) == (operation, described)]
    assert len(line) == 12
    for cell in line:
        for of in facts(cell.visibility, cell.phase):
            assert shown(asked(operation, caller(described), of)) == cell.holds, cell


def alone() -> Iterator[tuple[str, str, str]]:
    """Every cell without a match: operation, caller, what it holds."""
    table = MATRIX["without_match"]
    for described, line in table["cells"].items():
        for column, holds in zip(table["columns"].split(), line.split(), strict=True):
            for operation in table.get(column, [column]):
                yield operation, described, holds


@pytest.mark.parametrize("described", ALONE)
def test_every_cell_without_a_match_holds(described: str) -> None:
    line = [(operation, holds) for operation, by, holds in alone() if by == described]
    for operation, holds in line:
        decided = decide(operation, caller(described), None)
        found = CODES[decided.code] if isinstance(decided, Denied) else "yes"
        assert found == holds, operation
        if isinstance(decided, Granted):
            assert (decided.viewer.sees, decided.viewer.unsealed) == ("public", False)


def test_no_cell_is_missing() -> None:
    with_match = [operation for operation, row in OPERATIONS.items() if row.rights.match is not None]
    without = [operation for operation, row in OPERATIONS.items() if row.rights.alone is not None]
    assert {*with_match, *without} == OPERATIONS.keys()
    about = sorted((cell.operation, cell.caller, cell.visibility, cell.phase) for cell in cells())
    assert about == sorted(product([*with_match, "as", "frames as"], CALLERS, VISIBILITIES, PHASES))
    assert sorted((operation, by) for operation, by, _ in alone()) == sorted(product(without, ALONE))


@pytest.mark.parametrize("operation", [operation for operation, row in OPERATIONS.items() if row.rights.alone is None])
def test_a_match_that_is_not_there_is_like_one_that_nobody_may_know_of(operation: str) -> None:
    """But whoever sends no credential where one is needed is asked for it first."""
    for described in CALLERS:
        is_asked = described == "anonymous" and operation not in READ_BY_ANYBODY
        assert decide(operation, caller(described), None) == Denied("unauthenticated" if is_asked else "not-found")


@pytest.mark.parametrize("described", CALLERS)
def test_what_has_no_row_is_denied(described: str) -> None:
    by = caller(described)
    refused = Denied("unauthenticated" if described == "anonymous" else "forbidden")
    (public,) = facts("public", "disclosed")
    (private,) = facts("private", "disclosed")
    for operation in ("deleteMatch", "", "ReadMatch", "start "):
        assert decide(operation, by, None) == refused
        assert decide(operation, by, public) == refused
        assert isinstance(decide(operation, by, private), Denied)
    for operation in ("createMatch", "listGames", "storeReplay"):  # these are never about a match
        assert decide(operation, by, public) == refused


@pytest.mark.parametrize(("described", "line"), MATRIX["may_move"].items())
def test_which_seat_a_move_may_be_for(described: str, line: str) -> None:
    assert [may_move(caller(described), seat) for seat in (0, 2)] == [word == "yes" for word in line.split()]


def test_who_may_move_is_said_of_every_caller() -> None:
    assert set(MATRIX["may_move"]) == {line.split()[0] for line in CALLERS}


def viewer(operation: str, described: str, visibility: Literal["private", "public"], phase: str) -> Viewer:
    """The viewer as whom that caller is answered."""
    granted = asked(operation, caller(described), next(facts(visibility, phase)))
    assert isinstance(granted, Granted)
    return granted.viewer


@pytest.mark.parametrize(
    ("operation", "described", "visibility", "phase", "expected"),
    [
        ("readMatch", "seat own", "private", "playing", Viewer("seat", 2, "seat", unsealed=False)),
        ("readMatch", "seat own", "private", "disclosed", Viewer("seat", 2, "all", unsealed=False)),
        ("playMove", "seat own", "private", "playing", Viewer("seat", 2, "seat", unsealed=False)),
        # of another match: nobody in particular here, and above all not seat 2
        ("readMatch", "seat other", "public", "playing", Viewer("spectator", None, "public", unsealed=False)),
        ("readMatch", "anonymous", "public", "playing", Viewer("spectator", None, "public", unsealed=False)),
        ("readMatch", "spectator own", "private", "playing", Viewer("spectator", None, "public", unsealed=False)),
        ("readMatch", "operator other every", "public", "closed", Viewer("spectator", None, "public", unsealed=False)),
        ("readFeed", "operator own matches:read", "private", "playing", Viewer("operator", None, "public", False)),
        ("readFeed", "operator own every", "private", "playing", Viewer("operator", None, "all", unsealed=True)),
        ("readFeed", "referee own every", "private", "playing", Viewer("referee", None, "all", unsealed=True)),
        ("readFeed", "auditor own bare", "private", "closed", Viewer("auditor", None, "all", unsealed=False)),
        ("giveEntropy", "director own", "private", "seeding", Viewer("director", None, "public", unsealed=False)),
        ("readMatch", "auditor own bare", "private", "withheld", Viewer("auditor", None, "public", unsealed=False)),
        ("as", "auditor own bare", "private", "closed", Viewer("auditor", 2, "seat", unsealed=False)),
        ("as", "referee own every", "private", "playing", Viewer("referee", 2, "seat", unsealed=True)),
    ],
)
def test_as_whom_a_caller_is_answered(
    operation: str, described: str, visibility: Literal["private", "public"], phase: str, expected: Viewer
) -> None:
    assert viewer(operation, described, visibility, phase) == expected


@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_a_match_without_an_owner_is_no_operators(visibility: Literal["private", "public"]) -> None:
    of = MatchFacts(MATCH, None, visibility, "public_on_close", closed=True)
    expected = "404" if visibility == "private" else "all"
    for account in ("", "None", "operator", "club"):
        by = KeyHolder("0123456789abcdef", "operator", account, frozenset(Scope), frozenset({MATCH}))
        assert shown(decide("readMatch", by, of)) == expected
        assert isinstance(decide("playMove", by, of), Denied)


def test_a_role_is_what_the_key_says_and_not_the_account() -> None:
    """A referee of the owner's account, bound to nothing, is not its operator; scopes of other roles grant nothing."""
    (private,) = facts("private", "disclosed")
    roles: tuple[KeyRole, ...] = ("referee", "auditor")
    for role in roles:
        by = KeyHolder("0123456789abcdef", role, "club", frozenset(Scope), frozenset())
        assert decide("readMatch", by, private) == Denied("not-found")
        bound = KeyHolder("0123456789abcdef", role, "club", frozenset(Scope), frozenset({MATCH}))
        for operation in ("playMove", "renewSeatToken", "revokeSeatTokens", "forkMatch", "giveEntropy", "voidMatch"):
            assert decide(operation, bound, private) == Denied("forbidden")


def test_a_key_for_a_tournament_reaches_no_match_outside_of_it() -> None:
    by = caller("referee tournament every")
    for tournament in (None, ELSEWHERE):
        of = MatchFacts(MATCH, "club", "private", "public_on_close", closed=False, tournament=tournament)
        assert decide("readMatch", by, of) == Denied("not-found")


def test_an_auditor_never_unseals() -> None:
    by = KeyHolder("0123456789abcdef", "auditor", "club", frozenset(Scope), frozenset({MATCH}))
    assert shown(decide("readMatch", by, next(facts("private", "playing")))) == "public"


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        (caller("operator own every"), ListFilter("club", None)),
        (caller("operator other bare"), ListFilter("league", None)),
        (caller("referee own bare"), ListFilter(None, (MATCH,))),
        (caller("auditor other bare"), ListFilter(None, (ELSEWHERE,))),
        (KeyHolder("0123456789abcdef", "auditor", "club", frozenset(), frozenset()), ListFilter(None, ())),
        (caller("referee tournament bare"), ListFilter(None, (), (TOURNAMENT,))),
        (caller("seat own"), ListFilter(None, (MATCH,))),
        (caller("spectator own"), ListFilter(None, (MATCH,))),
        (caller("director own"), ListFilter(None, (MATCH,))),
        (caller("anonymous"), ListFilter(None, ())),
    ],
)
def test_which_matches_a_list_is_of(by: Caller, expected: ListFilter) -> None:
    assert match_filter(by) == expected


def test_who_may_add_matches_to_groups() -> None:
    """To create matches is not enough: whoever joins a group is dealt the hands of its other tables."""
    assert [described for described in CALLERS if may_join(caller(described))] == [
        described
        for described in CALLERS
        if described.startswith("operator") and described.endswith((" groups:manage", " every"))
    ]


def test_a_group_is_managed_by_the_operator_whose_it_is() -> None:
    assert [described for described in CALLERS if may_manage(caller(described), "club")] == [
        described for described in CALLERS if described.startswith("operator own")
    ]
    assert not may_manage(KeyHolder("0123456789abcdef", "referee", "club", frozenset(Scope), frozenset()), "club")
