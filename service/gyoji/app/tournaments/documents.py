"""Writes tournaments and their rounds as documents."""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.access.callers import Caller
from gyoji.access.rights import tournament_filter
from gyoji.api.parameters import LISTED, MOST_LISTED
from gyoji.app.authorization import record_tokens
from gyoji.app.clock import control_document
from gyoji.app.matches.seats import issue_token
from gyoji.app.requests import RequestContext, write_cursor
from gyoji.app.services import Services
from gyoji.app.tournament_state import results_of
from gyoji.app.tournaments.authorization import TournamentRequest
from gyoji.app.tournaments.rounds import InRound
from gyoji.published_files import rules_digest
from gyoji.store.interface import Match
from gyoji.store.tournaments import StoredTournament, TournamentList
from gyoji.tournaments.log import export_log
from gyoji.tournaments.match_points import MatchResult
from gyoji.tournaments.rules import write_points
from gyoji.tournaments.tournament import Entrant, Round, Table, Tournament, names_at


def summary(services: Services, held: StoredTournament) -> dict[str, Any]:
    """Write a tournament as an item of a list."""
    tournament = services.tournament_cache.tournament(held)
    return {
        **_named(held, tournament),
        "entrants": len(tournament.entrants),
        "rounds": tournament.rules.rounds,
        "paired": len(tournament.rounds),
        "links": links(held.tournament),
    }


def _named(held: StoredTournament, tournament: Tournament) -> dict[str, Any]:
    return {
        "tournament": held.tournament,
        "name": tournament.title,
        "game": tournament.rules.game,
        "version": tournament.rules.version,
        "rules_digest": rules_digest(tournament.rules.game),
        "status": "closed" if held.closed else "open",
        "seq": held.seq,
        "created": held.created,
        "visibility": held.visibility,
    }


def links(name: str) -> dict[str, str]:
    """Write where the parts of a tournament are."""
    url = f"/v1/tournaments/{name}"
    parts = ("entrants", "rounds", "corrections", "standings", "log", "close")
    return {"self": url, **{part: f"{url}/{part}" for part in parts}}


def tournament_document(request: TournamentRequest) -> dict[str, Any]:
    """Write ``readTournament``: its rules, who takes part, and what has happened."""
    tournament = request.tournament
    return {
        **_named(request.held, tournament),
        **_rules(tournament),
        **_registration(tournament),
        "seed_commitment": tournament.commitment,
        "seed": tournament.seed,
        "entrants": [_entrant(tournament, each) for each in tournament.entrants],
        "paired": [_paired(found) for found in tournament.rounds],
        "corrections": [
            {"entrant": each.entrant, "points": str(each.points), "reason": each.reason}
            for each in tournament.corrections
        ],
        **announced(tournament),
        "links": links(request.held.tournament),
    }


def announced(tournament: Tournament) -> dict[str, str]:
    """Write what is announced; nothing where nothing is."""
    return {} if tournament.announcement is None else {"announcement": tournament.announcement}


def _registration(tournament: Tournament) -> dict[str, str]:
    """Write whether anybody may enter who has the joining link, if there ever was one."""
    registration = tournament.registration
    if not registration.link:
        return {}
    return {"registration": "open" if registration.open and not tournament.closed else "closed"}


def _entrant(tournament: Tournament, entrant: Entrant) -> dict[str, Any]:
    return {
        "entrant": entrant.id,
        "name": entrant.name,
        "members": entrant.members,
        "withdrawn": entrant.withdrawn,
        **presence(tournament, entrant),
    }


def presence(tournament: Tournament, entrant: Entrant) -> dict[str, bool]:
    """Write whether an entrant is here, in a tournament in which they check in."""
    return {"present": entrant.present} if tournament.rules.check_in else {}


def _rules(tournament: Tournament) -> dict[str, Any]:
    rules = tournament.rules
    return {
        "teams": rules.teams,
        "seats": rules.seats,
        "rounds": rules.rounds,
        "pairing": rules.pairing,
        "options": rules.options,
        "disclosure": rules.disclosure,
        "clock": None if rules.clock is None else control_document(rules.clock),
        "duplicate": rules.duplicate,
        "points": write_points(rules.points),
        "bye": rules.bye,
        "tie_breaks": rules.tie_breaks,
        **({"check_in": True} if rules.check_in else {}),
    }


def _paired(found: Round) -> dict[str, Any]:
    return {
        "round": found.number,
        "pairing": found.pairing,
        "tables": len(found.tables),
        "byes": len(found.byes),
        **({"absent": len(found.absent)} if found.absent else {}),
        "closed": found.closed,
    }


def round_document(found: InRound, *, tokens: bool) -> dict[str, Any]:
    """Write ``readRound``: who sits where, the matches and their results; ``tokens``: those of the seats as well."""
    request, each = found.request, found.round
    results = results_of(request.services, request.held)
    return {
        "tournament": request.held.tournament,
        "seq": request.held.seq,
        "round": each.number,
        "pairing": each.pairing,
        "seed": each.seed,
        "closed": each.closed,
        "tables": [_table(found, table, results, tokens=tokens) for table in each.tables],
        "byes": each.byes,
        **({"absent": each.absent} if each.absent else {}),
    }


def _table(found: InRound, table: Table, results: Mapping[str, MatchResult], *, tokens: bool) -> dict[str, Any]:
    request, result = found.request, None if table.match is None else results.get(table.match)
    row = request.services.store.match(table.match) if tokens and table.match is not None else None
    names = names_at(request.tournament, found.round.number, table)
    if row is not None and row.match not in found.made and not all(seating.revoked for seating in row.seats[:-1]):
        record_tokens(request.context, request.caller, row)
    return {
        "table": table.number,
        "match": table.match,
        "status": None if result is None else result.status,
        "seats": [
            {"seat": seat, "entrant": entrant, "name": names[seat], **seat_token(request.services, row, seat)}
            for seat, entrant in enumerate(table.seats)
        ],
        "result": None if result is None or result.by is None else _result(result),
        **_no_shows(request.tournament, table),
    }


def _no_shows(tournament: Tournament, table: Table) -> dict[str, Any]:
    """Write who was not there, where anybody was not, and what came of it."""
    missing = [(entrant, "removed") for entrant in table.removed] + [(each, "forfeited") for each in table.forfeited]
    names = {entrant.id: entrant.name for entrant in tournament.entrants}
    found = [{"entrant": entrant, "name": names[entrant], "outcome": outcome} for entrant, outcome in missing]
    return {"no_shows": found} if found else {}


def _result(result: MatchResult) -> dict[str, Any]:
    return {
        "by": result.by,
        "scores": result.scores,
        "winners": result.winners,
        "forfeited": result.forfeited,
    }


def seat_token(services: Services, row: Match | None, seat: int) -> dict[str, str]:
    """Write the token of a seat as it is in force, if there is one; nobody needs that of a bot's."""
    if row is None or row.seats[seat].revoked or row.seats[seat].bot is not None:
        return {}
    return {"token": issue_token(services, row.match, seat, row.seats[seat])}


def list_tournaments(context: RequestContext, caller: Caller) -> tuple[dict[str, Any], str | None]:
    """Answer ``listTournaments``: a page of public tournaments and the caller's own, newest first, and the URL of the
    next."""
    services = context.services
    limit = context.whole_number("limit", LISTED, MOST_LISTED, least=1) or LISTED
    own = tournament_filter(caller)
    found = services.store.tournaments.listed(TournamentList(own.owner, own.within, context.cursor(), limit + 1))
    page = found[:limit]
    following = write_cursor(page[-1].created, page[-1].tournament) if len(found) > limit else None
    body = {"tournaments": [summary(services, held) for held in page], "next": following}
    return body, None if following is None else f"/v1/tournaments?limit={limit}&cursor={following}"


def log_lines(request: TournamentRequest) -> Iterator[bytes]:
    """Write ``exportTournament``: every event, and the signed head."""
    services, held = request.services, request.held
    entries = services.store.tournaments.entries(held.tournament, -1, held.seq)
    return export_log(held.tournament, entries, services.signing)
