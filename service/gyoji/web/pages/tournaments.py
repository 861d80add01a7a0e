"""``/tournaments``: the public ones; ``/tournaments/{tournament}``: standings and rounds, made here so that they can be
read and printed without a script; ``…/desk``: the desk of referees and directors, which is the same for every
tournament: what it may show, it asks for with the key of whoever looks."""

from typing import Any

from flask import Blueprint, Response

from gyoji.access.callers import Anonymous
from gyoji.access.rights import TournamentFacts, may_read_tournament
from gyoji.api.media import CSV, JSON
from gyoji.app.application import Desk
from gyoji.app.problems import HttpProblem
from gyoji.messages.problems import Answer
from gyoji.store.interface import Unavailable
from gyoji.store.tournaments import Catalogue, Held
from gyoji.web.matches.asking import desk, seq_of
from gyoji.web.negotiation import language, must_accept
from gyoji.web.pages.look import looked, page, words_of
from gyoji.web.pages.tournament_tables import tables_document
from gyoji.web.pages.tournament_views import entrants_at, explained, figures, number, shown_round, unwatched
from gyoji.web.responses import Whole, own_headers, own_response
from gyoji.web.tournaments.asking import AskedOf, asked_of
from gyoji.web.tournaments.rounds import in_round
from gyoji.web.tournaments.showing import summary, tournament_document
from gyoji.web.tournaments.standings import standings_csv

blueprint = Blueprint("tournaments", __name__)

NEWEST = 50
"""How many tournaments are listed."""


@blueprint.get("/tournaments", endpoint="listTournamentPages")
def list_tournaments() -> Response:
    """The newest tournaments that anybody may look at."""
    return page("tournaments.html", "tournament", found=newest(desk()))


def newest(here: Desk) -> list[dict[str, Any]] | None:
    """Public tournaments, newest first; ``None`` while the store does not answer."""
    try:
        found = here.store.tournaments.listed(Catalogue(None, limit=NEWEST))
        return [summary(here, held) for held in found if _is_for_anybody(held)]
    except Unavailable:
        return None


def _is_for_anybody(held: Held) -> bool:
    """What the rights say, whatever the store has listed."""
    return may_read_tournament(Anonymous(), TournamentFacts(held.tournament, held.owner, held.visibility))


@blueprint.get("/tournaments/<tournament>", endpoint="readTournamentPage")
def view_tournament(tournament: str) -> Response:
    """Standings, explained figure by figure, and the latest round."""
    asked = _known("readTournament", tournament)
    if asked is None:
        return _not_there(tournament)
    rounds = asked.tournament.rounds
    return page(
        "tournament.html",
        "tournament",
        found=tournament_document(asked),
        standings=explained(asked, looked().spoken),
        figures=figures(looked().spoken),
        latest=shown_round(in_round(asked, rounds[-1].number)) if rounds else None,
        number=number,
        unwatched=unwatched(asked),
    )


@blueprint.get("/tournaments/<tournament>/rounds/<number>", endpoint="readRoundPage")
def view_round(tournament: str, number: str) -> Response:
    """The tables of one round, to hang on a wall."""
    asked = _known("readRound", tournament)
    wanted = seq_of(number)
    if asked is None or asked.tournament.round(wanted) is None:
        return _not_there(tournament)
    found = shown_round(in_round(asked, wanted))
    return page(
        "tournament-round.html",
        "tournament",
        found=tournament_document(asked),
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
    asked = asked_of("readStandings", tournament)
    spoken = looked().spoken
    name = f'attachment; filename="{asked.held.tournament}.csv"'
    headers = [*own_headers(spoken), ("Content-Disposition", name)]
    return Whole(standings_csv(asked, spoken), f"{CSV}; charset=utf-8", headers=headers)


@blueprint.get("/tournaments/<tournament>/tables", endpoint="readRound")
def read_tables(tournament: str) -> Response:
    """What the desk shows of the matches: where each stands, its clock, and what a referee has to look at."""
    must_accept(JSON)
    spoken = language()
    return own_response(Answer(200, tables_document(asked_of("readRound", tournament))), spoken)


def _known(operation: str, tournament: str) -> AskedOf | None:
    """The tournament, if the caller may know of it."""
    try:
        return asked_of(operation, tournament)
    except HttpProblem as problem:
        if problem.code != "not-found":
            raise
        return None


def _not_there(tournament: str) -> Response:
    """What is not there, and what the caller may not know of, looks the same."""
    answer = page("tournament-none.html", "tournament", tournament=tournament)
    answer.status_code = 404
    return answer
