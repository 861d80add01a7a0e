"""Finds the place of an entrant: the table of the round that is played now, by the token that holds for the event."""

from typing import Any, NamedTuple

from gyoji.access.callers import Anonymous
from gyoji.access.entrant_tokens import EntrantClaim, issue_entrant_token, read_entrant_token
from gyoji.app.authorization import record_tokens
from gyoji.app.problems import unauthenticated
from gyoji.app.requests import RequestContext, parse_document
from gyoji.app.services import Services
from gyoji.app.tournament_state import Results, results_of
from gyoji.app.tournaments.authorization import TournamentRequest
from gyoji.app.tournaments.documents import announced, presence, seat_token
from gyoji.games.game import Seat
from gyoji.store.interface import Match
from gyoji.store.tournaments import StoredTournament
from gyoji.tournaments.match_points import is_running
from gyoji.tournaments.tournament import Entrant, EntrantId, PlaceStatus, Round, Table, Tournament, names_at


class Place(NamedTuple):
    """Where an entrant sits, or why nowhere."""

    status: PlaceStatus
    round: Round | None = None
    table: Table | None = None


def entrant_tokens_document(request: TournamentRequest) -> dict[str, Any]:
    """Write ``readEntrantTokens``: the token of every entrant, for whoever runs the tournament. As they lead to the
    tokens of seats, the log says so of every match that these open."""
    services, tournament = request.services, request.tournament
    for paired in tournament.rounds:
        for table in () if paired.closed else paired.tables:
            row = _match(services, table)
            if row is not None:
                record_tokens(request.context, request.caller, row)
    return {
        "tournament": request.held.tournament,
        "entrants": [
            {"entrant": each.id, "name": each.name, "token": entrant_token(services, request.held, each)}
            for each in tournament.entrants
        ],
    }


def entrant_token(services: Services, held: StoredTournament, entrant: Entrant) -> str:
    """Make the token of an entrant, the same whenever it is made."""
    claim = EntrantClaim(held.tournament, int(entrant.id.removeprefix("e")))
    return issue_entrant_token(services.store.token_key(), claim)


def place_document(context: RequestContext, name: str, body: bytes) -> dict[str, Any]:
    """Write ``findPlace``: where the holder of an entrant's token sits, with the tokens of the seats in force. Raises
    401 for a token that is none of this tournament."""
    return write_place(holder_of(context, name, parse_document(context, "tournaments", "places", body)["token"]))


class EntrantRequest(NamedTuple):
    """A request of an entrant, who holds a token of the tournament."""

    request: TournamentRequest
    entrant: EntrantId


def holder_of(context: RequestContext, name: str, token: str) -> EntrantRequest:
    """Return the request of the entrant who holds that token. Raises 401 for a token that is none of this
    tournament."""
    services = context.services
    claim = read_entrant_token(services.store.token_key(), token)
    held = None if claim is None or claim.tournament != name else services.store.tournaments.tournament(name)
    if held is None or claim is None:
        raise unauthenticated("unknown")
    request = TournamentRequest(context, Anonymous(), held, as_entrant=True)
    entrant = request.tournament.entrant(f"e{claim.number}")
    if entrant is None:
        raise unauthenticated("unknown")
    return EntrantRequest(request, entrant.id)


def write_place(holder: EntrantRequest) -> dict[str, Any]:
    """Write where an entrant sits now."""
    services, held, tournament = holder.request.services, holder.request.held, holder.request.tournament
    entrant = next(each for each in tournament.entrants if each.id == holder.entrant)
    place = find_place(tournament, entrant, results_of(services, held))
    found, table = place.round, place.table
    return {
        "tournament": held.tournament,
        "title": tournament.title,
        "game": tournament.rules.game,
        "entrant": entrant.id,
        "name": entrant.name,
        "status": place.status,
        **announced(tournament),
        **presence(tournament, entrant),
        "round": None if found is None else found.number,
        "table": None if table is None else table.number,
        "match": None if table is None else table.match,
        "seats": [] if found is None or table is None else _seats(services, tournament, found, table, entrant.id),
    }


def find_place(tournament: Tournament, entrant: Entrant, results: Results) -> Place:
    """Return the place of an entrant: the earliest match of open rounds that still runs, else the latest round's."""
    places = [_in_round(found, entrant.id, results) for found in tournament.rounds]
    running = next((each for each in places if each is not None and each.status == "playing"), None)
    if running is not None:
        return running
    if tournament.closed:
        return Place("closed")
    if entrant.withdrawn is not None:
        return Place("withdrawn")
    return (places[-1] if places else None) or Place("waiting")


def _in_round(found: Round, entrant: EntrantId, results: Results) -> Place | None:
    """The entrant's place in a round; ``None`` where the round was paired before they had entered, or after they had
    withdrawn."""
    if entrant in found.byes:
        return Place("bye", found)
    if entrant in found.absent:
        return Place("absent", found)
    if any(entrant in table.removed for table in found.tables):
        return Place("removed", found)
    table = next((table for table in found.tables if entrant in table.seats), None)
    if table is None:
        return None
    if entrant in table.forfeited and not found.closed:
        return Place("forfeited", found, table)
    runs = not found.closed and is_running(results.get(table.match or ""))
    return Place("playing" if runs else "over", found, table)


def _seats(
    services: Services, tournament: Tournament, found: Round, table: Table, entrant: EntrantId
) -> list[dict[str, Any]]:
    """The entrant's seats at the table; those of a team are all. Without a token where it was revoked, or where
    somebody else has taken the seat over: the tokens in force are theirs. A referee may have seated the entrant there
    again, by the name."""
    row, names = _match(services, table), names_at(tournament, found.number, table)
    seated = {} if row is None else services.match_states.latest(row).course.names

    def sits_there(seat: Seat) -> bool:
        return entrant not in table.forfeited and seated.get(seat, names[seat]) == names[seat]

    return [
        {
            "seat": seat,
            "name": names[seat],
            **(seat_token(services, row, seat) if sits_there(seat) else {}),
        }
        for seat, sits in enumerate(table.seats)
        if sits == entrant
    ]


def _match(services: Services, table: Table) -> Match | None:
    return None if table.match is None else services.store.match(table.match)
