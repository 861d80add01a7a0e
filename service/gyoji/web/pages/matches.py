"""``/matches/{match}``: the replay viewer and live table. The page is the same for every match: its script requests
what it may show with the token of whoever looks, so that the page tells nobody whether a match exists."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from flask import Response

from gyoji.access.rights import Granted, decide
from gyoji.app.authorization import MatchRequest, authorize_match, facts_of, reader_of
from gyoji.app.disclosures import OVER
from gyoji.app.match_states import entry_of, game_of
from gyoji.app.matches.documents import view_as
from gyoji.app.matches.referee_calls import calls_document, calls_in_force
from gyoji.app.positions import clock_document, ruled_document, viewer_document
from gyoji.app.requests import RequestContext
from gyoji.log.entries import Entry
from gyoji.log.redaction import project_event
from gyoji.match.state import MatchState
from gyoji.match.viewer_frames import Step, steps
from gyoji.messages.language import Language
from gyoji.messages.rulebooks import rulebook
from gyoji.web.pages.frame_documents import after_of, frame_documents, last_of, limit_of, perspective_of, seats_of
from gyoji.web.pages.templates import Words, render_page, requested_page_language, words_of, words_of_viewer
from gyoji.web.responses import caller_json
from gyoji.web.routes import Routes

routes = Routes()

COMPOSING = re.compile(r"type_\w+|part_\w+|by_seat|type|another|nothing")
"""The words of the console that the controls of a move have."""

NOTATIONS = ("log",)
"""In what else than names events may be told."""


@routes.handles("readMatchPage")
def view_match(_context: RequestContext, match: str) -> Response:
    """Handle the page with the viewer of one match."""
    return render_page("match.html", "match", match=match, words=_words(requested_page_language().spoken))


@cache
def _words(spoken: Language) -> Words:
    """What the scripts of the page say; a ruling puts moves together as the console does. The words of the game, how it
    is drawn, and the words of a referee's desk they ask for when they know that they need them."""
    composing = {key: said for key, said in words_of("console-script", spoken).items() if COMPOSING.fullmatch(key)}
    return {**composing, **words_of_viewer("match", spoken, ())}


@routes.handles("readFrames")
def match_frames(context: RequestContext, match: str) -> Response:
    """Handle the frames of a match, which the viewer steps through. These are the events after ``?after=``, or the
    ``?last=`` so many, with the position after each, for callers who may read positions; ``?as=`` as that seat could
    know them, and ``?notation=log`` with seats and cards as the log writes them."""
    return caller_json(context, _document(authorize_match(context, match)))


def _document(request: MatchRequest) -> dict[str, Any]:
    context, spoken = request.context, request.context.language
    looks_as = view_as(request) if "as" in context.query else None
    row, game = request.row, game_of(request.row)
    after, limit = max(after_of(context), last_of(context, row.head.seq)), limit_of(context)
    first = project_event("public", entry_of(request.services.store, row.match, 0))["data"]
    sight = perspective_of(game, request.reader if looks_as is None else reader_of(looks_as))
    state = request.services.match_states.latest(row)
    seats = _seated(seats_of(len(row.seats) - 1, first["names"]), state)
    called = seats if context.one_of("notation", NOTATIONS) is None else None
    found = frame_documents(_steps(request, state, after, limit), sight, row.game, spoken, called)
    return {
        "match": row.match,
        "game": row.game,
        "version": row.version,
        "title": rulebook(row.game).title[spoken],
        "status": row.head.status,
        "closed": row.head.closed,
        "cooperative": game.cooperative,
        "seats": seats,
        "viewer": viewer_document(request.viewer),
        "as": None if looks_as is None else looks_as.seat,
        "created": row.created,
        "options": first["options"],
        "seq": row.head.seq,
        "next": found[-1]["seq"] if found and found[-1]["seq"] < row.head.seq else None,
        "broken": None,
        "desk": _desk(request, state),
        "frames": found,
    }


def _desk(request: MatchRequest, state: MatchState) -> dict[str, Any]:
    """What only a stored match has: its clocks, what referees have made of it, and what whoever looks may do about
    it."""
    return {
        **ruled_document(state),
        **_calls(request),
        "clock": clock_document(state, request.services.at()),
        "may": {"rule": _may("makeRuling", request), "claim": _may("claimExpiry", request)},
        "unsealed": request.viewer.sees == "all",
    }


def _calls(request: MatchRequest) -> dict[str, Any]:
    """Who calls the referee, for those who may know it, and the time now where somebody does."""
    if not _may("readCalls", request):
        return {}
    if request.row.head.status in OVER:
        return {"calls": []}
    found = request.services.store.referee_calls.of(request.row.match)
    told = calls_document(request.viewer, request.row.match, calls_in_force(request.row, found.calls))["calls"]
    return {"calls": told, **({"now": request.services.at()} if told else {})}


def _may(operation: str, request: MatchRequest) -> bool:
    """Whether whoever looks may do that, too: the page offers nothing else."""
    return isinstance(decide(operation, request.caller, facts_of(request.services, request.row)), Granted)


def _seated(seats: list[dict[str, Any]], state: MatchState) -> list[dict[str, Any]]:
    """The seats with the names of those who have taken them over."""
    return [{**seat, "name": state.course.names.get(seat["seat"], seat["name"])} for seat in seats]


def _steps(request: MatchRequest, state: MatchState, after: int, limit: int) -> Iterable[Step]:
    """The events of the page, from where the match stood before them."""
    services, row = request.services, request.row
    if after >= row.head.seq:
        return ()
    before = None if after < 0 else services.match_states.at(row, after)
    entries: Iterable[Entry] = services.store.entries(row.match, after, min(row.head.seq, after + limit))
    return steps(before, entries, game_of(row), row.secret, state.course.branches)
