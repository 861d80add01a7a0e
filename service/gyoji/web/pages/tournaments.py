"""``/tournaments``: the public ones; ``/tournaments/{tournament}``: standings and rounds, made here so that they can be
read and printed without a script; ``…/desk``: the desk of referees and directors, which is the same for every
tournament: what it may show, it asks for with the key of whoever looks."""

from typing import Any

from flask import Blueprint, Response

from gyoji.access.callers import Anonymous
from gyoji.access.rights import TournamentFacts, may_read_tournament
from gyoji.api.media import JSON
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext, parse_seq
from gyoji.app.services import Services
from gyoji.app.tournaments.authorization import TournamentRequest, authorize_tournament
from gyoji.app.tournaments.documents import summary, tournament_document
from gyoji.app.tournaments.rounds import in_round
from gyoji.store.interface import Unavailable
from gyoji.store.tournaments import Catalogue, Held
from gyoji.web.pages.look import looked, page, words_of
from gyoji.web.pages.tournament_tables import tables_document
from gyoji.web.pages.tournament_views import entrants_at, explained, figures, number, shown_round, unwatched
from gyoji.web.requests import must_accept, request_context, services
from gyoji.web.responses import own_json
from gyoji.web.tournaments.routes import csv_response

blueprint = Blueprint("tournaments", __name__)

NEWEST = 50
"""How many tournaments are listed."""


@blueprint.get("/tournaments", endpoint="listTournamentPages")
def list_tournaments() -> Response:
    """The newest tournaments that anybody may look at."""
    return page("tournaments.html", "tournament", found=newest(services()))


def newest(services: Services) -> list[dict[str, Any]] | None:
    """Public tournaments, newest first; ``None`` while the store does not answer."""
    try:
        found = services.store.tournaments.listed(Catalogue(None, limit=NEWEST))
        return [summary(services, held) for held in found if _is_for_anybody(held)]
    except Unavailable:
        return None


def _is_for_anybody(held: Held) -> bool:
    """What the rights say, whatever the store has listed."""
    return may_read_tournament(Anonymous(), TournamentFacts(held.tournament, held.owner, held.visibility))


@blueprint.get("/tournaments/<tournament>", endpoint="readTournamentPage")
def view_tournament(tournament: str) -> Response:
    """Standings, explained figure by figure, and the latest round."""
    request = _known("readTournament", tournament)
    if request is None:
        return _not_there(tournament)
    rounds = request.tournament.rounds
    return page(
        "tournament.html",
        "tournament",
        found=tournament_document(request),
        standings=explained(request),
        figures=figures(looked().spoken),
        latest=shown_round(in_round(request, rounds[-1].number)) if rounds else None,
        number=number,
        unwatched=unwatched(request),
    )


@blueprint.get("/tournaments/<tournament>/rounds/<number>", endpoint="readRoundPage")
def view_round(tournament: str, number: str) -> Response:
    """The tables of one round, to hang on a wall."""
    request = _known("readRound", tournament)
    wanted = parse_seq(number)
    if request is None or request.tournament.round(wanted) is None:
        return _not_there(tournament)
    found = shown_round(in_round(request, wanted))
    return page(
        "tournament-round.html",
        "tournament",
        found=tournament_document(request),
        round=found,
        index=entrants_at(found),
    )


@blueprint.get("/tournaments/<tournament>/desk", endpoint="readTournamentDesk")
def view_desk(tournament: str) -> Response:
    """The desk of one tournament."""
    spoken = looked().spoken
    words = {**words_of("common", spoken), **words_of("tournament", spoken), **words_of("desk", spoken)}
    return page("tournament-desk.html", "desk", tournament=tournament, words={**words, "figures": figures(spoken)})


@blueprint.get("/tournaments/<tournament>/standings.csv", endpoint="readStandings")
def read_standings(tournament: str) -> Response:
    """The standings for a spreadsheet: a link cannot say that it wants them so."""
    return csv_response(authorize_tournament(_page_context(), "readStandings", tournament))


@blueprint.get("/tournaments/<tournament>/tables", endpoint="readRound")
def read_tables(tournament: str) -> Response:
    """What the desk shows of the matches: where each stands, its clock, and what a referee has to look at."""
    must_accept(JSON)
    context = request_context()
    return own_json(context, tables_document(authorize_tournament(context, "readRound", tournament)))


def _page_context() -> RequestContext:
    """The values of this request, in the language of the page."""
    return request_context()._replace(language=looked().spoken)


def _known(operation: str, tournament: str) -> TournamentRequest | None:
    """The tournament, if the caller may know of it."""
    try:
        return authorize_tournament(_page_context(), operation, tournament)
    except HttpProblem as problem:
        if problem.code != "not-found":
            raise
        return None


def _not_there(tournament: str) -> Response:
    """What is not there, and what the caller may not know of, looks the same."""
    answer = page("tournament-none.html", "tournament", tournament=tournament)
    answer.status_code = 404
    return answer
