"""``/tournaments`` lists public tournaments; ``/tournaments/{tournament}`` shows standings and rounds. They are
rendered here so that they can be read and printed without a script. ``…/desk`` is the page of referees and directors,
the same for every tournament: its script requests what it may show with the key of whoever looks."""

from typing import Any

from flask import Response

from gyoji.access.callers import Anonymous
from gyoji.access.rights import TournamentFacts, may_read_tournament
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext, parse_seq
from gyoji.app.services import Services
from gyoji.app.tournaments.authorization import TournamentRequest, authorize_tournament
from gyoji.app.tournaments.documents import summary, tournament_document
from gyoji.app.tournaments.rounds import in_round
from gyoji.store.interface import Unavailable
from gyoji.store.tournaments import StoredTournament, TournamentList
from gyoji.web.pages.templates import render_page, requested_page_language, words_of
from gyoji.web.pages.tournament_tables import tables_document
from gyoji.web.pages.tournament_views import (
    cross_table,
    entrants_by_table,
    explain_standings,
    figure_names,
    format_figure,
    round_with_names,
    table_sizes,
    unwatched_rounds,
)
from gyoji.web.responses import caller_json
from gyoji.web.routes import Routes
from gyoji.web.tournaments import csv_response

routes = Routes()

NEWEST = 50
"""How many tournaments are listed."""


@routes.handles("listTournamentPages")
def list_tournaments(context: RequestContext) -> Response:
    """Handle the page with the newest tournaments that anybody may read."""
    return render_page("tournaments.html", "tournament", found=newest(context.services))


def newest(services: Services) -> list[dict[str, Any]] | None:
    """Return public tournaments, newest first; ``None`` while the store does not answer."""
    try:
        found = services.store.tournaments.listed(TournamentList(None, limit=NEWEST))
        return [summary(services, held) for held in found if _is_for_anybody(held)]
    except Unavailable:
        return None


def _is_for_anybody(held: StoredTournament) -> bool:
    """What the rights say, whatever the store has listed."""
    return may_read_tournament(Anonymous(), TournamentFacts(held.tournament, held.owner, held.visibility))


@routes.handles("readTournamentPage")
def view_tournament(context: RequestContext, tournament: str) -> Response:
    """Handle the page of a tournament: standings, explained figure by figure, and the latest round."""
    request = _known(context, tournament)
    if request is None:
        return _not_there(tournament)
    rounds, standings = request.tournament.rounds, explain_standings(request)
    return render_page(
        "tournament.html",
        "tournament",
        found=tournament_document(request),
        standings=standings,
        cross=cross_table(standings, len(rounds)),
        sizes=table_sizes(request),
        figures=figure_names(requested_page_language().spoken),
        latest=round_with_names(in_round(request, rounds[-1].number)) if rounds else None,
        number=format_figure,
        unwatched=unwatched_rounds(request),
    )


@routes.handles("readRoundPage")
def view_round(context: RequestContext, tournament: str, number: str) -> Response:
    """Handle the page with the tables of one round, to hang on a wall."""
    request = _known(context, tournament)
    wanted = parse_seq(number)
    if request is None or request.tournament.round(wanted) is None:
        return _not_there(tournament)
    found = round_with_names(in_round(request, wanted))
    return render_page(
        "tournament-round.html",
        "tournament",
        found=tournament_document(request),
        round=found,
        index=entrants_by_table(found),
    )


@routes.handles("readTournamentDesk")
def view_desk(_context: RequestContext, tournament: str) -> Response:
    """Handle the page of referees and directors of one tournament."""
    spoken = requested_page_language().spoken
    words = {**words_of("common", spoken), **words_of("tournament", spoken), **words_of("desk", spoken)}
    return render_page(
        "tournament-desk.html", "desk", tournament=tournament, words={**words, "figures": figure_names(spoken)}
    )


@routes.handles("readPlacePage")
def view_place(context: RequestContext, tournament: str) -> Response:
    """Handle the page of an entrant, the same for every entrant: its script asks where whoever holds the token behind
    the ``#`` sits. It leads to the standings where everybody may read them."""
    words, is_public = words_of("place", requested_page_language().spoken), _known(context, tournament) is not None
    return render_page("tournament-place.html", "place", tournament=tournament, words=words, is_public=is_public)


@routes.handles("readJoinPage")
def view_join(_context: RequestContext, tournament: str) -> Response:
    """Handle the page of the joining link, the same for every tournament: its script enters whoever holds the token
    behind the ``#``."""
    words = words_of("join", requested_page_language().spoken)
    return render_page("tournament-join.html", "join", tournament=tournament, words=words)


@routes.handles("readProjector")
def view_projector(_context: RequestContext, tournament: str) -> Response:
    """Handle the page for a projector, whose script requests the latest round."""
    spoken = requested_page_language().spoken
    words = {table: words_of(table, spoken) for table in ("common", "tournament", "projector")}
    said = {key: text for table in words.values() for key, text in table.items()}
    return render_page("projector.html", "projector", tournament=tournament, words=said)


@routes.handles("readStandingsTable", negotiates=True)
def read_standings(context: RequestContext, tournament: str) -> Response:
    """Handle the standings for a spreadsheet, by a URL of their own, as a link cannot send an ``Accept`` header."""
    return csv_response(authorize_tournament(_in_language_of_page(context), tournament))


@routes.handles("readTables")
def read_tables(context: RequestContext, tournament: str) -> Response:
    """Handle the data on matches for the page of referees: status, clock, and what a referee has to look at."""
    return caller_json(context, tables_document(authorize_tournament(context, tournament)))


def _in_language_of_page(context: RequestContext) -> RequestContext:
    """The values of the request, in the language of the page."""
    return context._replace(language=requested_page_language().spoken)


def _known(context: RequestContext, tournament: str) -> TournamentRequest | None:
    """The tournament, if the caller may know of it."""
    try:
        return authorize_tournament(_in_language_of_page(context), tournament)
    except HttpProblem as problem:
        if problem.code != "not-found":
            raise
        return None


def _not_there(tournament: str) -> Response:
    """What is not there, and what the caller may not know of, looks the same."""
    answer = render_page("tournament-none.html", "tournament", tournament=tournament)
    answer.status_code = 404
    return answer
