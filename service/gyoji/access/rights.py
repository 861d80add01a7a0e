"""Decides who may do what, by the rights in the table of operations. What no row of the table allows is denied.

A caller has a **role**: in a match it is the operator whose account owns it, a referee or an auditor who is bound
to it, one of its seats, its director, or else a spectator: by a token for it, or as anybody where the match is public.
Whoever has no role in a match is told that there is no such match. Whoever sends no credential where one is needed
is asked for it, whether or not there is such a match.
"""

from typing import Literal, NamedTuple

from gyoji.access.callers import Anonymous, Caller, Director, KeyHolder, SeatHolder, Spectator
from gyoji.api.operations import OPERATIONS
from gyoji.api.rights import Allowed, Asker, Rights, Role, Scope

Code = Literal["unauthenticated", "forbidden", "not-found", "not-disclosed"]
"""The problems that a denial is answered with: 401, 403, 404, 409."""


class MatchFacts(NamedTuple):
    """The facts about a match that a decision about rights depends on."""

    match: str
    owner: str | None
    """The account whose match it is."""
    visibility: Literal["private", "public"]
    disclosure: Literal["public_on_close", "auditors_only"]
    closed: bool
    """Whether its secret has been told, with which its log ends."""
    tournament: str | None = None
    """The tournament that it is played in, if it is of one."""


class TournamentFacts(NamedTuple):
    """The facts about a tournament that a decision about rights depends on."""

    tournament: str
    owner: str
    """The account whose tournament it is."""
    visibility: Literal["private", "public"]


class Viewer(NamedTuple):
    """A caller as one who looks at a match: its role, its seat, and how much it may see."""

    role: Role
    seat: int | None
    sees: Literal["public", "seat", "all"]
    """``public``: what a spectator may know; ``seat``: what ``seat`` may know; ``all``: the full state and log."""
    unsealed: bool
    """It sees what is not disclosed to it, by ``matches:unseal``: to be logged."""


class Granted(NamedTuple):
    """A caller is allowed an operation, and is answered as this viewer. Where no match is concerned the viewer sees
    what is public."""

    viewer: Viewer


class Denied(NamedTuple):
    """A caller is denied an operation, for the reason that the problem code says."""

    code: Code


class ListFilter(NamedTuple):
    """The matches or tournaments that a list is of: those of an account, or some by id and all of some tournaments."""

    owner: str | None
    among: tuple[str, ...] | None
    within: tuple[str, ...] = ()


NO_RIGHTS = Rights(alone={}, match={})
"""Of an operation that there is not."""

MAY_VIEW_AS: Allowed = {"operator": None, "referee": None, "auditor": None}
"""Who may ask for a position as another seat could know it."""


def decide(operation: str, caller: Caller, facts: MatchFacts | None) -> Granted | Denied:
    """Decide whether a caller may do an operation, and how much it may then see.

    ``facts`` is ``None`` where the operation is about no match, and where there is no match of the id that was given:
    then an operation about a match is not found, unless a credential is needed and there is none. (An audit of a stored
    match that is not there is for the caller of this function to refuse: without facts it is the audit of a file.)
    """
    rights = OPERATIONS[operation].rights if operation in OPERATIONS else NO_RIGHTS
    if isinstance(caller, Anonymous) and not rights.takes_anonymous:
        return Denied("unauthenticated")
    if facts is None:
        return _alone(rights.alone, caller)
    return _with_match(rights, caller, facts)


def decide_view_as(seat: int, caller: Caller, granted: Granted) -> Granted | Denied:
    """Decide whether a caller may read a position as ``seat`` could know it (``?as=``). Everything has to be open to
    it."""
    if not _allows(MAY_VIEW_AS, granted.viewer.role, caller):
        return _refused(caller)
    if granted.viewer.sees != "all":
        return Denied("not-disclosed")
    return Granted(granted.viewer._replace(seat=seat, sees="seat"))


def may_move(caller: Caller, seat: int) -> bool:
    """Tell whether a caller who may play in a match may play for a seat: its own, or any seat if it is the operator."""
    if isinstance(caller, SeatHolder):
        return caller.seat == seat
    return isinstance(caller, KeyHolder) and caller.role == "operator"


def may_manage(caller: Caller, owner: str) -> bool:
    """Tell whether a group of an account belongs to the caller, an operator of that account."""
    return isinstance(caller, KeyHolder) and caller.role == "operator" and caller.account == owner


def may_join(caller: Caller) -> bool:
    """Tell whether the caller may add matches to groups of its account. Whoever adds a match is given hands that other
    tables play with too, so this takes what it takes to make a group, more than to create matches."""
    return isinstance(caller, KeyHolder) and Scope.GROUPS in caller.scopes


def may_read_tournament(caller: Caller, facts: TournamentFacts) -> bool:
    """Tell whether the caller may read a tournament: anybody may read a public one. A private one the operators of its
    account who may read matches or run tournaments, and the holders of keys that are bound to it."""
    own = tournament_filter(caller)
    return facts.visibility == "public" or facts.owner == own.owner or facts.tournament in own.within


def tournament_filter(caller: Caller) -> ListFilter:
    """Return which tournaments the caller's list holds beside the public ones: those of its account, or some by id."""
    if not isinstance(caller, KeyHolder):
        return ListFilter(None, ())
    if caller.role != "operator":
        return ListFilter(None, (), tuple(sorted(caller.tournaments)))
    reads = not caller.scopes.isdisjoint({Scope.READ, Scope.TOURNAMENTS})
    return ListFilter(caller.account if reads else None, ())


def match_filter(caller: Caller) -> ListFilter:
    """Return which matches the caller's list holds, if it may list matches. Public matches of others are not among
    them."""
    match caller:
        case KeyHolder(role="operator"):
            return ListFilter(caller.account, None)
        case KeyHolder():
            return ListFilter(None, tuple(sorted(caller.matches)), tuple(sorted(caller.tournaments)))
        case SeatHolder() | Spectator() | Director():
            return ListFilter(None, (caller.match,))
        case Anonymous():
            return ListFilter(None, ())


def is_disclosed(facts: MatchFacts, role: Role) -> bool:
    """Tell whether everything about a match is open to a role in it. It never is before the server's secret is
    disclosed."""
    if not facts.closed:
        return False
    return facts.disclosure == "public_on_close" or role == "auditor"


def _alone(allowed: Allowed | None, caller: Caller) -> Granted | Denied:
    if allowed is None:
        return Denied("not-found")
    asker = _asker(caller)
    if not _allows(allowed, asker, caller):
        return _refused(caller)
    return Granted(Viewer("spectator" if asker == "anonymous" else asker, None, "public", unsealed=False))


def _with_match(rights: Rights, caller: Caller, facts: MatchFacts) -> Granted | Denied:
    role = _role_in(facts, caller)
    if role is None:
        return Denied("not-found")
    if not _allows(rights.match or {}, role, caller):
        return _refused(caller)
    if rights.once_disclosed and not is_disclosed(facts, role):
        return Denied("not-disclosed")
    return Granted(_viewer(facts, role, caller))


def _asker(caller: Caller) -> Asker:
    match caller:
        case KeyHolder():
            return caller.role
        case SeatHolder():
            return "seat"
        case Spectator():
            return "spectator"
        case Director():
            return "director"
        case Anonymous():
            return "anonymous"


def _role_in(facts: MatchFacts, caller: Caller) -> Role | None:
    """What the caller is to the match; ``None``: it may not know of it."""
    match caller:
        case SeatHolder() if caller.match == facts.match:
            return "seat"
        case Spectator() if caller.match == facts.match:
            return "spectator"
        case Director() if caller.match == facts.match:
            return "director"
        case KeyHolder() if _is_in_charge(facts, caller):
            return caller.role
    return "spectator" if facts.visibility == "public" else None


def _is_in_charge(facts: MatchFacts, holder: KeyHolder) -> bool:
    if holder.role == "operator":
        return holder.account == facts.owner
    return facts.match in holder.matches or facts.tournament in holder.tournaments


def _allows(allowed: Allowed, asker: Asker, caller: Caller) -> bool:
    if asker not in allowed:
        return False
    scope = allowed[asker]
    return scope is None or (isinstance(caller, KeyHolder) and scope in caller.scopes)


def _refused(caller: Caller) -> Denied:
    return Denied("unauthenticated" if isinstance(caller, Anonymous) else "forbidden")


def _viewer(facts: MatchFacts, role: Role, caller: Caller) -> Viewer:
    seat = caller.seat if role == "seat" and isinstance(caller, SeatHolder) else None
    if is_disclosed(facts, role):
        return Viewer(role, seat, "all", unsealed=False)
    if role in ("operator", "referee") and isinstance(caller, KeyHolder) and Scope.UNSEAL in caller.scopes:
        return Viewer(role, None, "all", unsealed=True)
    return Viewer(role, seat, "public" if seat is None else "seat", unsealed=False)
