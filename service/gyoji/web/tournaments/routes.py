"""The operations of tournaments over HTTP."""

from flask import Response

from gyoji.api.media import CSV, JSON, JSON_LINES
from gyoji.app.authorization import authorize
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext, parse_seq
from gyoji.app.tournaments import documents, management, rounds
from gyoji.app.tournaments.authorization import TournamentRequest, authorize_management, authorize_tournament
from gyoji.app.tournaments.documents import round_document, tournament_document
from gyoji.app.tournaments.rounds import InRound, in_round
from gyoji.app.tournaments.standings import standings_csv, standings_json
from gyoji.messages.problems import Answer
from gyoji.web.requests import must_accept, prefers
from gyoji.web.responses import Pairs, Whole, attachment, entity_tag, own_headers, own_json, own_response
from gyoji.web.routes import Route


def create_tournament(context: RequestContext) -> Response:
    """POST /v1/tournaments."""
    must_accept(JSON)
    caller = authorize(context, "createTournament")
    request = management.create_tournament(context, caller, context.body.read_json())
    return _tournament(request, 201, [("Location", request.path)])


def _tournament(request: TournamentRequest, status: int = 200, headers: Pairs = ()) -> Response:
    """The tournament, and its entity tag: what ``If-Match`` takes."""
    answer = Answer(status, tournament_document(request))
    return own_response(answer, request.context.language, [*headers, entity_tag(request.held.seq)])


def list_tournaments(context: RequestContext) -> Response:
    """GET /v1/tournaments: public ones, and the caller's own, newest first."""
    must_accept(JSON)
    body, following = documents.list_tournaments(context, authorize(context, "listTournaments"))
    return own_json(context, body, [] if following is None else [("Link", f'<{following}>; rel="next"')])


def read_tournament(context: RequestContext, tournament: str) -> Response:
    """GET /v1/tournaments/{tournament}."""
    must_accept(JSON)
    return _tournament(authorize_tournament(context, "readTournament", tournament))


def add_entrants(context: RequestContext, tournament: str) -> Response:
    """POST /v1/tournaments/{tournament}/entrants."""
    must_accept(JSON)
    request = authorize_management(context, "addEntrants", tournament)
    return _tournament(management.add_entrants(request, context.body.read_json()), 201)


def withdraw_entrant(context: RequestContext, tournament: str, entrant: str) -> Response:
    """POST /v1/tournaments/{tournament}/entrants/{entrant}/withdrawal."""
    must_accept(JSON)
    request = authorize_management(context, "withdrawEntrant", tournament)
    return _tournament(management.withdraw_entrant(request, entrant))


def pair_round(context: RequestContext, tournament: str) -> Response:
    """POST /v1/tournaments/{tournament}/rounds."""
    must_accept(JSON)
    request = authorize_management(context, "pairRound", tournament)
    found = rounds.pair_round(request, context.body.read_json())
    if found.round.tables and found.round.tables[0].match is None:
        return _round(found)
    return _round(found, 201, [("Location", f"{request.path}/rounds/{found.round.number}")])


def _round(found: InRound, status: int = 200, headers: Pairs = (), *, tokens: bool = True) -> Response:
    """The round, to whoever runs the tournament with the tokens of its seats."""
    request = found.request
    answer = Answer(status, round_document(found, tokens=tokens))
    return own_response(answer, request.context.language, [*headers, entity_tag(request.held.seq)])


def read_round(context: RequestContext, tournament: str, number: str) -> Response:
    """GET /v1/tournaments/{tournament}/rounds/{round}."""
    must_accept(JSON)
    request = authorize_tournament(context, "readRound", tournament)
    tokens = context.whole_number("tokens", 0, 1) == 1
    if tokens and not request.manages:
        raise HttpProblem("forbidden")
    return _round(in_round(request, parse_seq(number)), tokens=tokens)


def close_round(context: RequestContext, tournament: str, number: str) -> Response:
    """POST /v1/tournaments/{tournament}/rounds/{round}/close."""
    must_accept(JSON)
    request = authorize_management(context, "closeRound", tournament)
    return _round(rounds.close_round(request, parse_seq(number)), tokens=False)


def take_back_round(context: RequestContext, tournament: str, number: str) -> Response:
    """POST /v1/tournaments/{tournament}/rounds/{round}/take-back."""
    must_accept(JSON)
    request = authorize_management(context, "takeBackRound", tournament)
    return _tournament(rounds.take_back_round(request, parse_seq(number)))


def replace_match(context: RequestContext, tournament: str, number: str, table: str) -> Response:
    """POST /v1/tournaments/{tournament}/rounds/{round}/tables/{table}/match."""
    must_accept(JSON)
    request = authorize_management(context, "replaceMatch", tournament)
    return _round(rounds.replace_match(request, parse_seq(number), parse_seq(table)), 201)


def correct_standings(context: RequestContext, tournament: str) -> Response:
    """POST /v1/tournaments/{tournament}/corrections."""
    must_accept(JSON)
    request = authorize_management(context, "correctStandings", tournament)
    return _tournament(management.correct_standings(request, context.body.read_json()), 201)


def close_tournament(context: RequestContext, tournament: str) -> Response:
    """POST /v1/tournaments/{tournament}/close."""
    must_accept(JSON)
    return _tournament(management.close_tournament(authorize_management(context, "closeTournament", tournament)))


def read_standings(context: RequestContext, tournament: str) -> Response:
    """GET /v1/tournaments/{tournament}/standings: JSON, or a table for spreadsheets."""
    as_table = prefers(CSV)
    if not as_table:
        must_accept(JSON)
    request = authorize_tournament(context, "readStandings", tournament)
    if as_table:
        return csv_response(request)
    return Whole(standings_json(request), JSON, headers=own_headers(context.language))


def csv_response(request: TournamentRequest) -> Response:
    """The standings as a table for spreadsheets, to be saved as a file."""
    headers = [*own_headers(request.context.language), attachment(f"{request.held.tournament}.csv")]
    return Whole(standings_csv(request), f"{CSV}; charset=utf-8", headers=headers)


def export_tournament(context: RequestContext, tournament: str) -> Response:
    """GET /v1/tournaments/{tournament}/log: every event, and the signed head."""
    must_accept(JSON_LINES)
    request = authorize_tournament(context, "exportTournament", tournament)
    headers = [*own_headers(context.language), attachment(f"{request.held.tournament}.jsonl")]
    return Whole(b"".join(documents.log_lines(request)), JSON_LINES, headers=headers)


ROUTES = (
    Route("createTournament", "POST", "/v1/tournaments", create_tournament),
    Route("listTournaments", "GET", "/v1/tournaments", list_tournaments),
    Route("readTournament", "GET", "/v1/tournaments/<tournament>", read_tournament),
    Route("addEntrants", "POST", "/v1/tournaments/<tournament>/entrants", add_entrants),
    Route("withdrawEntrant", "POST", "/v1/tournaments/<tournament>/entrants/<entrant>/withdrawal", withdraw_entrant),
    Route("pairRound", "POST", "/v1/tournaments/<tournament>/rounds", pair_round),
    Route("readRound", "GET", "/v1/tournaments/<tournament>/rounds/<number>", read_round),
    Route("closeRound", "POST", "/v1/tournaments/<tournament>/rounds/<number>/close", close_round),
    Route("takeBackRound", "POST", "/v1/tournaments/<tournament>/rounds/<number>/take-back", take_back_round),
    Route("replaceMatch", "POST", "/v1/tournaments/<tournament>/rounds/<number>/tables/<table>/match", replace_match),
    Route("correctStandings", "POST", "/v1/tournaments/<tournament>/corrections", correct_standings),
    Route("readStandings", "GET", "/v1/tournaments/<tournament>/standings", read_standings),
    Route("exportTournament", "GET", "/v1/tournaments/<tournament>/log", export_tournament),
    Route("closeTournament", "POST", "/v1/tournaments/<tournament>/close", close_tournament),
)
