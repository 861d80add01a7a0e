"""Writes the state of a tournament's matches for the page of referees and directors, with the rights of the caller."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gyoji.access.rights import Granted, decide
from gyoji.app.authorization import facts_of
from gyoji.app.matches.referee_calls import Calls, calls_in_force
from gyoji.app.positions import clock_document
from gyoji.app.services import Services
from gyoji.app.tournaments.authorization import TournamentRequest
from gyoji.app.tournaments.documents import round_document
from gyoji.app.tournaments.holds import is_at_deal, waits_for_referee
from gyoji.app.tournaments.rounds import InRound
from gyoji.games.catalogue import BY_VERSION
from gyoji.match.clocks import expired_seats
from gyoji.match.state import MatchState
from gyoji.players.players import players_of
from gyoji.store.interface import Match
from gyoji.store.referee_calls import NO_CALLS, CallsOfMatch
from gyoji.tournaments.match_points import DEALT
from gyoji.tournaments.tournament import Round, Table

RUNNING = ("seeding", "playing", "paused")

UNKNOWN: Mapping[str, Any] = {
    "seq": None,
    "rules": False,
    "claims": False,
    "flag": None,
    "begun": False,
    "clock": None,
    "to_act": [],
    "rulings": 0,
    "calls": [],
}
"""What is told of a match that the caller may not read."""


def tables_document(request: TournamentRequest) -> dict[str, Any]:
    """Write the tables of all open rounds; where none is, of the last one. ``manages``: the caller runs the tournament;
    ``rules`` and ``claims`` of a table: the caller may rule in its match, and claim that time is over. ``bots``: those
    that may play on for somebody who is not there."""
    now = request.services.at()
    rounds = _open(request)
    calls = _calls(request.services, rounds)
    tables = [table for found in rounds for table in _tables(request, found, calls, now)]
    return {
        "tournament": request.held.tournament,
        "seq": request.held.seq,
        "now": now,
        "manages": request.manages,
        "rules": any(table["rules"] for table in tables),
        "bots": _bots(request),
        "tables": tables,
    }


def _bots(request: TournamentRequest) -> list[str]:
    """The bots that may play on for somebody who is not there: those that the operator allows and that know the
    game."""
    rules = request.tournament.rules
    able = players_of(BY_VERSION[rules.game, rules.version])
    return [bot for bot in request.services.settings.players if bot in able]


def _open(request: TournamentRequest) -> tuple[Round, ...]:
    rounds = request.tournament.rounds
    return tuple([found for found in rounds if not found.closed]) or rounds[-1:]


def _calls(services: Services, rounds: Sequence[Round]) -> Mapping[str, CallsOfMatch]:
    """Who calls the referee, of each match of some rounds, by one query."""
    matches = [table.match for found in rounds for table in found.tables if table.match is not None]
    return services.store.referee_calls.among(matches)


def _tables(
    request: TournamentRequest, found: Round, calls: Mapping[str, CallsOfMatch], now: str
) -> Iterator[dict[str, Any]]:
    shown = round_document(InRound(request, found), tokens=False)["tables"]
    for table, document in zip(found.tables, shown, strict=True):
        standing = _standing(request, table, calls.get(table.match or "", NO_CALLS), now)
        yield {"round": found.number, "closed": found.closed, **document, **standing}


def _standing(request: TournamentRequest, table: Table, calls: CallsOfMatch, now: str) -> Mapping[str, Any]:
    """How the match of a table stands, to whoever may read it."""
    services = request.services
    row = None if table.match is None else services.store.match(table.match)
    if row is None or not _may("readMatch", request, row):
        return UNKNOWN
    latest = services.match_states.latest(row)
    running, rules = row.head.status in RUNNING, _may("makeRuling", request, row)
    return {
        "seq": row.head.seq,
        "rules": rules,
        "claims": _may("claimExpiry", request, row),
        "flag": _flag(services, row, latest, now),
        "begun": row.head.status != "voided" and row.head.seq > DEALT and not is_at_deal(services, row),
        "clock": clock_document(latest, now) if running else None,
        "to_act": latest.state.to_act if running and latest.state is not None else [],
        "rulings": latest.course.rulings,
        "calls": _open_calls(calls_in_force(row, calls.calls)) if rules and running else [],
    }


def _open_calls(found: Calls) -> list[dict[str, Any]]:
    """The open calls at a table, as whoever may rule there is told them."""
    return [{"seat": call.seat, "at": call.at, "text": call.text} for call in found if call.attended is None]


def _may(operation: str, request: TournamentRequest, row: Match) -> bool:
    """Whether the caller may do that in the match."""
    return isinstance(decide(operation, request.caller, facts_of(request.services, row)), Granted)


def _flag(services: Services, row: Match, latest: MatchState, now: str) -> str | None:
    """Why somebody has to look: time is over and nobody has claimed it; it was claimed, and a referee is to rule; the
    match has been paused, or has not been started since it was dealt; it is void, and may be replaced."""
    if row.head.status == "playing":
        return "expired" if latest.clock is not None and expired_seats(latest.clock, now) else None
    if row.head.status == "paused":
        return "referee" if waits_for_referee(services, row) else "held" if is_at_deal(services, row) else "paused"
    return "voided" if row.head.status == "voided" else None
