"""The addresses of tournaments. Every endpoint has the name of its operation, by which its rights are found."""

from collections.abc import Callable, Iterator
from typing import Any

from flask import Flask, Response, request

from gyoji.access.rights import tournaments_of
from gyoji.api.media import CSV, JSON, JSON_LINES
from gyoji.api.parameters import LISTED, MOST_LISTED
from gyoji.app.problems import HttpProblem
from gyoji.messages.problems import Answer
from gyoji.store.tournaments import Catalogue
from gyoji.tournaments.recording import exported
from gyoji.web.matches.asking import asked_alone, seq_of
from gyoji.web.matches.reading import read_cursor, whole, written_cursor
from gyoji.web.negotiation import accepts, language, must_accept, sent_json
from gyoji.web.responses import Pairs, Whole, own_headers, own_response
from gyoji.web.tournaments.asking import AskedOf, asked_of, asked_to_manage
from gyoji.web.tournaments.creating import new_tournament
from gyoji.web.tournaments.rounds import InRound, in_round, new_round, replacement, taken_back
from gyoji.web.tournaments.rounds import closed as closed_round
from gyoji.web.tournaments.running import closed, correction, new_entrants, withdrawal
from gyoji.web.tournaments.showing import round_document, summary, tournament_document
from gyoji.web.tournaments.standings import standings_csv, standings_json


def create_tournament() -> Response:
    """POST /v1/tournaments."""
    must_accept(JSON)
    here, caller = asked_alone("createTournament")
    made = new_tournament(here, caller, sent_json(), language())
    return _told(made, 201, [("Location", made.path)])


def _told(asked: AskedOf, status: int = 200, more: Pairs = ()) -> Response:
    """The tournament, and its tag: what ``If-Match`` takes."""
    return own_response(Answer(status, tournament_document(asked)), language(), [*more, _tag(asked)])


def _tag(asked: AskedOf) -> tuple[str, str]:
    return "ETag", f'"{asked.held.seq}"'


def list_tournaments() -> Response:
    """GET /v1/tournaments: public ones, and the caller's own, newest first."""
    must_accept(JSON)
    here, caller = asked_alone("listTournaments")
    limit = whole("limit", LISTED, MOST_LISTED, least=1) or LISTED
    own = tournaments_of(caller)
    found = here.store.tournaments.listed(Catalogue(own.owner, own.within, read_cursor(), limit + 1))
    page = found[:limit]
    following = written_cursor(page[-1].created, page[-1].tournament) if len(found) > limit else None
    body: dict[str, Any] = {"tournaments": [summary(here, held) for held in page], "next": following}
    link = f'</v1/tournaments?limit={limit}&cursor={following}>; rel="next"'
    return own_response(Answer(200, body), language(), [] if following is None else [("Link", link)])


def read_tournament(tournament: str) -> Response:
    """GET /v1/tournaments/{tournament}."""
    must_accept(JSON)
    return _told(asked_of("readTournament", tournament))


def add_entrants(tournament: str) -> Response:
    """POST /v1/tournaments/{tournament}/entrants."""
    must_accept(JSON)
    asked = asked_to_manage("addEntrants", tournament)
    return _told(new_entrants(asked, sent_json(), language()), 201)


def withdraw_entrant(tournament: str, entrant: str) -> Response:
    """POST /v1/tournaments/{tournament}/entrants/{entrant}/withdrawal."""
    must_accept(JSON)
    return _told(withdrawal(asked_to_manage("withdrawEntrant", tournament), entrant))


def pair_round(tournament: str) -> Response:
    """POST /v1/tournaments/{tournament}/rounds."""
    must_accept(JSON)
    asked = asked_to_manage("pairRound", tournament)
    found = new_round(asked, sent_json(), language())
    if found.round.tables and found.round.tables[0].match is None:
        return _round(found, 200)
    return _round(found, 201, [("Location", f"{asked.path}/rounds/{found.round.number}")])


def _round(found: InRound, status: int = 200, more: Pairs = (), *, tokens: bool = True) -> Response:
    """The round, to whoever runs the tournament with the tokens of its seats."""
    body = round_document(found, tokens=tokens)
    return own_response(Answer(status, body), language(), [*more, _tag(found.asked)])


def read_round(tournament: str, number: str) -> Response:
    """GET /v1/tournaments/{tournament}/rounds/{round}."""
    must_accept(JSON)
    asked = asked_of("readRound", tournament)
    tokens = whole("tokens", 0, 1) == 1
    if tokens and not asked.manages:
        raise HttpProblem("forbidden")
    return _round(in_round(asked, seq_of(number)), tokens=tokens)


def close_round(tournament: str, number: str) -> Response:
    """POST /v1/tournaments/{tournament}/rounds/{round}/close."""
    must_accept(JSON)
    asked = asked_to_manage("closeRound", tournament)
    return _round(closed_round(asked, seq_of(number)), tokens=False)


def take_back_round(tournament: str, number: str) -> Response:
    """POST /v1/tournaments/{tournament}/rounds/{round}/take-back."""
    must_accept(JSON)
    asked = asked_to_manage("takeBackRound", tournament)
    return _told(taken_back(asked, seq_of(number)))


def replace_match(tournament: str, number: str, table: str) -> Response:
    """POST /v1/tournaments/{tournament}/rounds/{round}/tables/{table}/match."""
    must_accept(JSON)
    asked = asked_to_manage("replaceMatch", tournament)
    return _round(replacement(asked, seq_of(number), seq_of(table)), 201)


def correct_standings(tournament: str) -> Response:
    """POST /v1/tournaments/{tournament}/corrections."""
    must_accept(JSON)
    asked = asked_to_manage("correctStandings", tournament)
    return _told(correction(asked, sent_json(), language()), 201)


def close_tournament(tournament: str) -> Response:
    """POST /v1/tournaments/{tournament}/close."""
    must_accept(JSON)
    return _told(closed(asked_to_manage("closeTournament", tournament)))


def read_standings(tournament: str) -> Response:
    """GET /v1/tournaments/{tournament}/standings: JSON, or a table for spreadsheets."""
    if CSV in request.environ.get("HTTP_ACCEPT", "") and accepts(CSV):
        asked = asked_of("readStandings", tournament)
        name = f'attachment; filename="{asked.held.tournament}.csv"'
        headers = [*own_headers(language()), ("Content-Disposition", name)]
        return Whole(standings_csv(asked, language()), f"{CSV}; charset=utf-8", headers=headers)
    must_accept(JSON)
    asked = asked_of("readStandings", tournament)
    return Whole(standings_json(asked, language()), JSON, headers=own_headers(language()))


def export_tournament(tournament: str) -> Response:
    """GET /v1/tournaments/{tournament}/log: every event, and the signed head."""
    must_accept(JSON_LINES)
    asked = asked_of("exportTournament", tournament)
    name = f'attachment; filename="{asked.held.tournament}.jsonl"'
    headers = [*own_headers(language()), ("Content-Disposition", name)]
    return Whole(b"".join(_lines(asked)), JSON_LINES, headers=headers)


def _lines(asked: AskedOf) -> Iterator[bytes]:
    here, held = asked.desk, asked.held
    return exported(held.tournament, here.store.tournaments.entries(held.tournament, -1, held.seq), here.signing)


ROUTES: tuple[tuple[str, str, str, Callable[..., Response]], ...] = (
    ("createTournament", "POST", "/v1/tournaments", create_tournament),
    ("listTournaments", "GET", "/v1/tournaments", list_tournaments),
    ("readTournament", "GET", "/v1/tournaments/<tournament>", read_tournament),
    ("addEntrants", "POST", "/v1/tournaments/<tournament>/entrants", add_entrants),
    ("withdrawEntrant", "POST", "/v1/tournaments/<tournament>/entrants/<entrant>/withdrawal", withdraw_entrant),
    ("pairRound", "POST", "/v1/tournaments/<tournament>/rounds", pair_round),
    ("readRound", "GET", "/v1/tournaments/<tournament>/rounds/<number>", read_round),
    ("closeRound", "POST", "/v1/tournaments/<tournament>/rounds/<number>/close", close_round),
    ("takeBackRound", "POST", "/v1/tournaments/<tournament>/rounds/<number>/take-back", take_back_round),
    ("replaceMatch", "POST", "/v1/tournaments/<tournament>/rounds/<number>/tables/<table>/match", replace_match),
    ("correctStandings", "POST", "/v1/tournaments/<tournament>/corrections", correct_standings),
    ("readStandings", "GET", "/v1/tournaments/<tournament>/standings", read_standings),
    ("exportTournament", "GET", "/v1/tournaments/<tournament>/log", export_tournament),
    ("closeTournament", "POST", "/v1/tournaments/<tournament>/close", close_tournament),
)


def add_tournaments(app: Flask) -> None:
    """The addresses on the application."""
    for name, method, address, handler in ROUTES:
        app.add_url_rule(address, name, handler, methods=[method])
