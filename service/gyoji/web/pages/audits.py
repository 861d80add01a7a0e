"""``/audit``: the page that audits a replay file with two verifiers, and shows where it breaks."""

from collections.abc import Callable, Mapping
from contextlib import closing
from typing import IO, Any

from flask import Response

from gyoji.app.authorization import authorize
from gyoji.app.matches.replays import SENT, audit_sent, file_lines
from gyoji.app.places import lend_to_audit
from gyoji.app.requests import MAX_REPLAY, RequestContext
from gyoji.audit.playback import Playback, play_back
from gyoji.audit.verdicts import CHECKS
from gyoji.games.catalogue import GAMES
from gyoji.games.game import Game
from gyoji.log.lines import watch
from gyoji.log.parser import MOST_SEATS, is_whole
from gyoji.log.redaction import Reader
from gyoji.messages.rulebooks import rulebook
from gyoji.messages.verdicts import rules_for, sentences, verdict_document
from gyoji.web.pages.frame_documents import after_of, frame_documents, limit_of, perspective_of, seats_of
from gyoji.web.pages.templates import render_page, requested_page_language, words_of_viewer
from gyoji.web.responses import caller_json
from gyoji.web.routes import Routes

routes = Routes()


@routes.handles("readAuditPage")
def audit_page(_context: RequestContext) -> Response:
    """Handle the page on which a replay file is dropped."""
    words = words_of_viewer("audit", requested_page_language().spoken)
    return render_page("audit.html", "audit", checks=CHECKS, most=MAX_REPLAY, said=sentences()["word"], words=words)


@routes.handles("readFramesOfFile")
def file_frames(context: RequestContext) -> Response:
    """Handle the frames that the viewer steps through of the replay file that is sent. Nothing is stored."""
    return caller_json(context, file_document(context))


@routes.handles("readVerdictOnFile")
def file_verdict(context: RequestContext) -> Response:
    """Handle the verdict on the replay file that is sent, as ``auditReplay`` gives it; its sentences count seats from
    1, as all pages do."""
    authorize(context)
    return caller_json(context, verdict_document(audit_sent(context), context.language, first_seat=1))


def file_document(context: RequestContext) -> dict[str, Any]:
    """Return the frames of the replay file of a request, if its caller may have the file audited."""
    authorize(context)
    after, limit = after_of(context), limit_of(context)
    with closing(context.body.open_replay()) as file, lend_to_audit(context, context.services.audits) as look:
        return _document(context, file, after, limit, look)


def _document(
    context: RequestContext, file: IO[bytes], after: int, limit: int, look: Callable[[], None]
) -> dict[str, Any]:
    spoken = context.language
    found = play_back(lambda: watch(file_lines(file), look), rules_for, after, limit, SENT)
    if found is None or not found.created:
        raise context.malformed("not-a-replay")
    created: Mapping[str, Any] = found.created["data"]
    game = _game(created) or _game(found.header)
    if game is None:
        raise context.malformed("unknown-game")
    seats = created["seats"] if is_whole(created.get("seats"), 1, MOST_SEATS) else 0
    reader, seated = _reader(context, found, seats), seats_of(seats, created.get("names"))
    return {
        "match": found.header["match"],
        "game": game.slug,
        "version": game.version,
        "title": rulebook(game.slug).title[spoken],
        "status": found.status,
        "closed": "seed_disclosed" in found.kinds,
        "cooperative": game.cooperative,
        "seats": seated,
        "viewer": _viewer(found.audience),
        "as": reader if isinstance(reader, int) else None,
        "created": found.created["at"],
        "options": created.get("options"),
        "seq": found.seq,
        "next": found.steps[-1].entry.seq if found.steps and found.steps[-1].entry.seq < found.seq else None,
        "broken": None if found.broken is None else {"seq": found.broken},
        "frames": frame_documents(found.steps, perspective_of(game, reader), game.slug, spoken, seated),
    }


def _game(told: Mapping[str, Any]) -> Game[Any] | None:
    """The game that the first event tells of, by which the file is played again; or the one that the header names."""
    named = (told.get("game"), told.get("version"))
    return next((game for game in GAMES if (game.slug, game.version) == named), None)


def _reader(context: RequestContext, found: Playback, seats: int) -> Reader:
    """Whoever reads all that the file tells; with ``?as=`` a seat, if the file holds what that seat may know."""
    seat = context.whole_number("as", None, seats - 1)
    if seat is None:
        return "full"
    if found.audience not in ("full", seat):
        raise context.invalid_query("as")
    return seat


def _viewer(audience: Reader) -> dict[str, Any]:
    """For whom the file was written."""
    if isinstance(audience, int):
        return {"role": "seat", "seat": audience}
    return {"role": "auditor" if audience == "full" else "spectator", "seat": None}
