"""Appends to the log of a tournament: decides, and stores unless the tournament has moved on; then decides again."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from gyoji.app.problems import HttpProblem, RefusedRequest
from gyoji.app.requests import Precondition, RequestContext
from gyoji.app.services import Services
from gyoji.app.tournaments.authorization import TournamentRequest
from gyoji.log.entries import Entry
from gyoji.match.state import MatchState
from gyoji.messages.tournaments import tournament_refused
from gyoji.store.interface import Conflict, IdempotencyRecord, NewMatch
from gyoji.store.records import Group, GroupClosed
from gyoji.store.tournaments import MatchAppend, StoredTournament
from gyoji.tournaments.decisions import Event, RefusedDecision
from gyoji.tournaments.log import read_event, record_event

T = TypeVar("T")

MOST_ATTEMPTS = 100


class TournamentChange(NamedTuple):
    """A decision about a tournament: the events for its log, and what is stored with them."""

    events: Sequence[Event] = ()
    last: bool = False
    """Whether nothing follows them."""
    groups: Sequence[Group] = ()
    matches: Sequence[NewMatch] = ()
    ruled: Sequence[MatchAppend] = ()
    """What the logs of matches that are there already grow by."""
    closing: Sequence[str] = ()
    """The groups that take no more matches."""
    void: Sequence[str] = ()
    """The matches that have to be void still."""
    states: Sequence[MatchState] = ()
    """The states of the matches that are new, or whose logs grow."""

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of the new matches."""
        return tuple([new.match.match for new in self.matches])


def refuse(request: TournamentRequest, code: str, facts: Mapping[str, Any] | None = None) -> RefusedRequest:
    """Make the exception that answers 409: the tournament does not accept what was requested."""
    language = request.context.language
    return RefusedRequest(tournament_refused(code, facts or {}, request.path, language), language)


def accept_decision(request: TournamentRequest, decided: T | RefusedDecision) -> T:
    """Return what was decided. Raises the answer 409 for a refusal."""
    if isinstance(decided, RefusedDecision):
        raise refuse(request, decided.code, decided.facts)
    return decided


def precondition_or_key(context: RequestContext, key: IdempotencyRecord | None, *, demanded: bool) -> Precondition:
    """Read the precondition of a request about a tournament. Raises 428 where the request has neither one nor an
    idempotency key; ``*`` is no precondition."""
    seen = context.precondition(demanded=demanded and key is None)
    if demanded and key is None and seen.seqs is None:
        raise HttpProblem("precondition-required")
    return seen


def require_seq(seen: Precondition, held: StoredTournament) -> None:
    """Raise 412 if the tournament has moved on since the caller read it (``If-Match``)."""
    if seen.seqs is not None and held.seq not in seen.seqs:
        raise HttpProblem("stale-position", seq=held.seq)


def append(
    request: TournamentRequest,
    seen: Precondition,
    key: IdempotencyRecord | None,
    decide: Callable[[TournamentRequest], TournamentChange],
    attempts: int = MOST_ATTEMPTS,
) -> tuple[TournamentRequest, TournamentChange]:
    """Store the events that ``decide`` makes for the state of the tournament. Return the request with the tournament
    after them, and what was decided.

    ``KeyTaken`` where the same request was stored meanwhile; 412 where somebody else was first and the caller wants to
    be told; 503, with the cause ``busy``, where somebody else was first in so many attempts.
    """
    for _attempt in range(attempts):
        require_seq(seen, request.held)
        try:
            decided = decide(request)
            after = request._replace(held=_stored(request, decided, key))
        except Conflict:
            request = request.read_again()
            continue
        except GroupClosed:
            raise refuse(request, "group-closed") from None
        _finish_append(request.services, decided)
        return after, decided
    raise HttpProblem("unavailable", retry_after=1, cause="busy")


def _finish_append(services: Services, decided: TournamentChange) -> None:
    """Remember the states of the matches that are new or whose logs have grown, and count their events."""
    for state in decided.states:
        services.match_states.remember(state)
    written = [*[new.entries for new in decided.matches], *[each.entries for each in decided.ruled]]
    services.count_events(sum(map(len, written)))


def _stored(request: TournamentRequest, decided: TournamentChange, key: IdempotencyRecord | None) -> StoredTournament:
    services, held = request.services, request.held
    return services.store.tournaments.append(
        held,
        chain_events(services, held.tournament, (held.seq, held.hash), decided.events, request),
        key,
        last=decided.last,
        groups=decided.groups,
        matches=decided.matches,
        ruled=decided.ruled,
        closing=decided.closing,
        void=decided.void,
    )


def chain_events(
    services: Services, tournament: str, after: tuple[int, bytes], events: Sequence[Event], request: TournamentRequest
) -> list[Entry]:
    """Chain the events to the log after that entry. Their time is never before the entry's own, which another server
    may have written by a clock that is ahead of this one's."""
    entries: list[Entry] = []
    if not events:
        return entries
    seq, last = after
    at = max(
        services.at(),
        *[read_event(entry)["at"] for entry in services.store.tournaments.entries(tournament, seq - 1, seq)],
    )
    for event in events:
        entry = record_event(tournament, seq + 1, last, at, request.actor, event)
        entries.append(entry)
        seq, last = entry.seq, entry.hash
    return entries
