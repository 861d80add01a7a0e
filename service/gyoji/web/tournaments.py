"""Handles the operations of tournaments."""

from flask import Response

from gyoji.api.media import CSV, JSON, JSON_LINES
from gyoji.app.authorization import authorize
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext, parse_seq
from gyoji.app.tournaments import documents, management, no_shows, places, presence, registration, rounds
from gyoji.app.tournaments.authorization import TournamentRequest, authorize_tournament
from gyoji.app.tournaments.documents import round_document, tournament_document
from gyoji.app.tournaments.holds import Hold, change_round
from gyoji.app.tournaments.rounds import InRound, in_round
from gyoji.app.tournaments.standings import standings_csv, standings_json
from gyoji.messages.problems import Answer
from gyoji.web.requests import must_accept, prefers
from gyoji.web.responses import (
    CompleteResponse,
    HeaderPairs,
    attachment,
    caller_headers,
    caller_json,
    caller_response,
    entity_tag,
)
from gyoji.web.routes import Routes

routes = Routes()


@routes.handles("createTournament")
def create_tournament(context: RequestContext) -> Response:
    """Handle ``createTournament``: a new tournament, with its URL."""
    caller = authorize(context)
    request = management.create_tournament(context, caller, context.body.read_json())
    return _tournament(request, 201, [("Location", request.path)])


def _tournament(request: TournamentRequest, status: int = 200, headers: HeaderPairs = ()) -> Response:
    """Return the tournament, and its entity tag: what ``If-Match`` takes."""
    answer = Answer(status, tournament_document(request))
    return caller_response(answer, request.context.language, [*headers, entity_tag(request.held.seq)])


@routes.handles("listTournaments")
def list_tournaments(context: RequestContext) -> Response:
    """Handle ``listTournaments``: a page of public tournaments and the caller's own, newest first."""
    body, following = documents.list_tournaments(context, authorize(context))
    return caller_json(context, body, [] if following is None else [("Link", f'<{following}>; rel="next"')])


@routes.handles("readTournament")
def read_tournament(context: RequestContext, tournament: str) -> Response:
    """Handle ``readTournament``: a tournament with its entrants and rounds."""
    return _tournament(authorize_tournament(context, tournament))


@routes.handles("addEntrants")
def add_entrants(context: RequestContext, tournament: str) -> Response:
    """Handle ``addEntrants``: entrants are added."""
    request = authorize_tournament(context, tournament)
    return _tournament(management.add_entrants(request, context.body.read_json()), 201)


@routes.handles("withdrawEntrant")
def withdraw_entrant(context: RequestContext, tournament: str, entrant: str) -> Response:
    """Handle ``withdrawEntrant``: an entrant plays no further round."""
    request = authorize_tournament(context, tournament)
    return _tournament(management.withdraw_entrant(request, entrant))


@routes.handles("readEntrantTokens")
def read_entrant_tokens(context: RequestContext, tournament: str) -> Response:
    """Handle ``readEntrantTokens``: the token of every entrant, for whoever runs the tournament."""
    return caller_json(context, places.entrant_tokens_document(authorize_tournament(context, tournament)))


@routes.handles("findPlace")
def find_place(context: RequestContext, tournament: str) -> Response:
    """Handle ``findPlace``: where the holder of an entrant's token sits."""
    authorize(context)
    return caller_json(context, places.place_document(context, tournament, context.body.read_json()))


@routes.handles("readRegistration")
def read_registration(context: RequestContext, tournament: str) -> Response:
    """Handle ``readRegistration``: whether registration is open, and the joining token."""
    return caller_json(context, registration.registration_document(authorize_tournament(context, tournament)))


@routes.handles("setRegistration")
def set_registration(context: RequestContext, tournament: str) -> Response:
    """Handle ``setRegistration``: registration opens or closes."""
    request = registration.set_registration(authorize_tournament(context, tournament), context.body.read_json())
    answer = Answer(200, registration.registration_document(request))
    return caller_response(answer, context.language, [entity_tag(request.held.seq)])


@routes.handles("readInvitation")
def read_invitation(context: RequestContext, tournament: str) -> Response:
    """Handle ``readInvitation``: what the holder of the joining token would enter."""
    authorize(context)
    return caller_json(context, registration.invitation_document(context, tournament, context.body.read_json()))


@routes.handles("join")
def join(context: RequestContext, tournament: str) -> Response:
    """Handle ``join``: somebody enters by the joining link."""
    authorize(context)
    joined = registration.join(context, tournament, context.body.read_json())
    return caller_response(Answer(201, joined), context.language)


@routes.handles("checkIn")
def check_in(context: RequestContext, tournament: str) -> Response:
    """Handle ``checkIn``: an entrant is here, or leaves."""
    authorize(context)
    return caller_json(context, presence.check_in(context, tournament, context.body.read_json()))


@routes.handles("setPresence")
def set_presence(context: RequestContext, tournament: str, entrant: str) -> Response:
    """Handle ``setPresence``: the director says whether an entrant is here."""
    request = authorize_tournament(context, tournament)
    return _tournament(presence.set_presence(request, entrant, context.body.read_json()))


@routes.handles("readmitEntrant")
def readmit_entrant(context: RequestContext, tournament: str, entrant: str) -> Response:
    """Handle ``readmitEntrant``: an entrant who has withdrawn plays again."""
    request = authorize_tournament(context, tournament)
    return _tournament(management.readmit_entrant(request, entrant))


@routes.handles("pairRound")
def pair_round(context: RequestContext, tournament: str) -> Response:
    """Handle ``pairRound``: the next round is paired, or only tried."""
    request = authorize_tournament(context, tournament)
    found = rounds.pair_round(request, context.body.read_json())
    if found.round.tables and found.round.tables[0].match is None:
        return _round(found)
    return _round(found, 201, [("Location", f"{request.path}/rounds/{found.round.number}")])


def _round(found: InRound, status: int = 200, headers: HeaderPairs = (), *, tokens: bool = True) -> Response:
    """Write the round for whoever runs the tournament with the tokens of its seats."""
    request = found.request
    answer = Answer(status, round_document(found, tokens=tokens))
    return caller_response(answer, request.context.language, [*headers, entity_tag(request.held.seq)])


@routes.handles("readRound")
def read_round(context: RequestContext, tournament: str, number: str) -> Response:
    """Handle ``readRound``: a round; with the tokens of its seats for whoever runs the tournament."""
    request = authorize_tournament(context, tournament)
    tokens = context.whole_number("tokens", 0, 1) == 1
    if tokens and not request.manages:
        raise HttpProblem("forbidden")
    return _round(in_round(request, parse_seq(number)), tokens=tokens)


@routes.handles("startRound")
def start_round(context: RequestContext, tournament: str, number: str) -> Response:
    """Handle ``startRound``: the clocks of a round start."""
    return _hold(context, tournament, number, "start")


@routes.handles("pauseRound")
def pause_round(context: RequestContext, tournament: str, number: str) -> Response:
    """Handle ``pauseRound``: all matches of a round pause."""
    return _hold(context, tournament, number, "pause")


def _hold(context: RequestContext, tournament: str, number: str, hold: Hold) -> Response:
    request = change_round(authorize_tournament(context, tournament), parse_seq(number), hold)
    return _round(in_round(request, parse_seq(number)), tokens=False)


@routes.handles("closeRound")
def close_round(context: RequestContext, tournament: str, number: str) -> Response:
    """Handle ``closeRound``: the results of a round are final."""
    request = authorize_tournament(context, tournament)
    return _round(rounds.close_round(request, parse_seq(number)), tokens=False)


@routes.handles("takeBackRound")
def take_back_round(context: RequestContext, tournament: str, number: str) -> Response:
    """Handle ``takeBackRound``: the latest round is taken back."""
    request = authorize_tournament(context, tournament)
    return _tournament(rounds.take_back_round(request, parse_seq(number)))


@routes.handles("replaceMatch")
def replace_match(context: RequestContext, tournament: str, number: str, table: str) -> Response:
    """Handle ``replaceMatch``: a table gets another match."""
    request = authorize_tournament(context, tournament)
    return _round(rounds.replace_match(request, parse_seq(number), parse_seq(table)), 201)


@routes.handles("settleNoShow")
def settle_no_show(context: RequestContext, tournament: str, number: str, table: str) -> Response:
    """Handle ``settleNoShow``: an entrant is not there, and the others play on."""
    request = authorize_tournament(context, tournament)
    return _round(no_shows.settle_no_show(request, parse_seq(number), parse_seq(table), context.body.read_json()))


@routes.handles("correctStandings")
def correct_standings(context: RequestContext, tournament: str) -> Response:
    """Handle ``correctStandings``: points are given or taken."""
    request = authorize_tournament(context, tournament)
    return _tournament(management.correct_standings(request, context.body.read_json()), 201)


@routes.handles("announce")
def announce(context: RequestContext, tournament: str) -> Response:
    """Handle ``announce``: the director announces something, or nothing any more."""
    request = authorize_tournament(context, tournament)
    return _tournament(management.announce(request, context.body.read_json()), 201)


@routes.handles("closeTournament")
def close_tournament(context: RequestContext, tournament: str) -> Response:
    """Handle ``closeTournament``: the standings are final."""
    return _tournament(management.close_tournament(authorize_tournament(context, tournament)))


@routes.handles("readStandings")
def read_standings(context: RequestContext, tournament: str) -> Response:
    """Handle ``readStandings``: the standings as JSON, or as a table for spreadsheets."""
    as_table = prefers(CSV)
    if not as_table:
        must_accept(JSON)
    request = authorize_tournament(context, tournament)
    if as_table:
        return csv_response(request)
    return CompleteResponse(standings_json(request), JSON, headers=caller_headers(context.language))


def csv_response(request: TournamentRequest) -> Response:
    """Make the response of the standings as a table for spreadsheets, to be saved as a file."""
    headers = [*caller_headers(request.context.language), attachment(f"{request.held.tournament}.csv")]
    return CompleteResponse(standings_csv(request), f"{CSV}; charset=utf-8", headers=headers)


@routes.handles("exportTournament")
def export_tournament(context: RequestContext, tournament: str) -> Response:
    """Handle ``exportTournament``: the log of a tournament, every event, and the signed head."""
    request = authorize_tournament(context, tournament)
    headers = [*caller_headers(context.language), attachment(f"{request.held.tournament}.jsonl")]
    return CompleteResponse(b"".join(documents.log_lines(request)), JSON_LINES, headers=headers)
