"""The addresses of stored matches. Every endpoint has the name of its operation, by which its rights are found."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import orjson
from flask import Flask, Response, request

from gyoji.api.media import EVENT_STREAM, JSON, JSON_LINES
from gyoji.match.recorder import is_withheld
from gyoji.messages.problems import Answer
from gyoji.web.accounting import RECORD
from gyoji.web.matches.asking import Asked, Refusal, asked, asked_alone, desk, seq_of, watching
from gyoji.web.matches.creating import forked, new_match
from gyoji.web.matches.ending import disclosed, voided
from gyoji.web.matches.feeds import RUNNING, awaited, page, page_document, raw_lines, resumed, stream
from gyoji.web.matches.group_routes import GROUP_ROUTES
from gyoji.web.matches.lending import follower, held, hung_up
from gyoji.web.matches.playing import moved_in
from gyoji.web.matches.reading import (
    line_asked,
    lines_in_force,
    match_document,
    match_list,
    position,
    replay_lines,
    signing_keys,
    whole,
)
from gyoji.web.matches.ruling_routes import RULING_ROUTES
from gyoji.web.matches.seating import renewed, revoked
from gyoji.web.matches.seeding import closed, given
from gyoji.web.matches.writing import Appended
from gyoji.web.negotiation import accepts, language, must_accept, sent_json
from gyoji.web.responses import Pairs, bodiless, own_headers, own_response

CHUNK = 64
"""Lines of a replay file that are sent in one piece."""


def create_match() -> Response:
    """POST /v1/matches."""
    must_accept(JSON)
    here, caller = asked_alone("createMatch")
    return _created(new_match(here, caller, sent_json(), language()))


def _created(answer: Answer) -> Response:
    """201 with the address of the match, and the tag of its first view."""
    body = answer.body
    return own_response(answer, language(), [("Location", body["links"]["self"]), _tag(body["seq"])])


def _tag(seq: int) -> tuple[str, str]:
    """The entity tag is the match's own counter: it tells nothing of hidden cards."""
    return "ETag", f'"{seq}"'


def list_matches() -> Response:
    """GET /v1/matches."""
    must_accept(JSON)
    here, caller = asked_alone("listMatches")
    body, following = match_list(here, caller)
    return _own(body, [] if following is None else [("Link", f'<{following}>; rel="next"')])


def _own(body: Any, more: Pairs = ()) -> Response:
    return own_response(Answer(200, body), language(), more)


def read_match(match: str) -> Response:
    """GET /v1/matches/{match}."""
    must_accept(JSON)
    body = match_document(asked("readMatch", match))
    return _own(body, [_tag(body["seq"])])


def play_move(match: str) -> Response:
    """POST /v1/matches/{match}/moves."""
    must_accept(JSON)
    request_of, answer = moved_in(match, language())
    return own_response(answer, language(), [_tag(_after(request_of, answer.body))] if "seq" in answer.body else [])


def _after(asked: Asked, moved: Mapping[str, Any]) -> int:
    """Where the match stands after a move: the one that ends it is followed by the result and, unless that is withheld,
    by the secret."""
    seq: int = moved["seq"]
    if moved["outcome"] is None:
        return seq
    at = orjson.loads(moved["receipt"]["event"])["at"]
    return seq + 1 + (not is_withheld(asked.row.withheld_until, at))


def read_feed(match: str) -> Response:
    """GET /v1/matches/{match}/events: a page, raw lines, or a stream."""
    if EVENT_STREAM in request.environ.get("HTTP_ACCEPT", "") and accepts(EVENT_STREAM):
        return _stream(asked("readFeed", match))
    request_of = asked("readFeed", match)
    raw = whole("raw", 0, 1)
    must_accept(JSON_LINES if raw else JSON)
    if awaited(request_of, hung_up()):
        request_of = asked("readFeed", match)
    entries, more = page(request_of)
    if raw:
        return _lines(raw_lines(request_of.reader, entries))
    return _own(page_document(request_of.reader, entries, more))


def _lines(body: bytes) -> Response:
    return Response(body, 200, own_headers(language()), content_type=JSON_LINES)


def _stream(request_of: Asked) -> Response:
    """A stream of events; 204 tells the client of a finished match that nothing is left to come for."""
    here, row = request_of.desk, request_of.row
    begin = resumed(row.head)
    if row.head.status not in RUNNING and begin.after >= row.head.seq:
        return bodiless(own_headers(language()))
    done = held(follower(request_of), here.streams)
    body = stream(here, row.match, watching(here, row.match), begin, hung_up(), done)
    headers = [*own_headers(language()), ("X-Accel-Buffering", "no")]
    return _closing(Response(body, 200, headers, content_type=EVENT_STREAM), done)


def _closing(response: Response, done: Callable[[], None]) -> Response:
    """A response that lets go of its thread also when not a byte of it was asked for."""
    response.call_on_close(done)
    return response


def read_position(match: str, seq: str) -> Response:
    """GET /v1/matches/{match}/positions/{seq}."""
    must_accept(JSON)
    return _own(position(asked("readPosition", match), seq_of(seq)))


def renew_seat_token(match: str, seat: str) -> Response:
    """POST /v1/matches/{match}/seats/{seat}/token."""
    must_accept(JSON)
    return _own(renewed(asked("renewSeatToken", match), seat))


def revoke_seat_tokens(match: str, seat: str) -> Response:
    """DELETE /v1/matches/{match}/seats/{seat}/token."""
    must_accept(JSON)
    revoked(asked("revokeSeatTokens", match), seat)
    return bodiless(own_headers(language()))


def fork_match(match: str) -> Response:
    """POST /v1/matches/{match}/fork."""
    must_accept(JSON)
    request_of = asked("forkMatch", match)
    return _created(forked(request_of, sent_json(), language()))


def give_entropy(match: str) -> Response:
    """POST /v1/matches/{match}/entropy."""
    must_accept(JSON)
    request_of = asked("giveEntropy", match)
    return _appended(given(request_of, sent_json(), language()))


def close_seeding(match: str) -> Response:
    """POST /v1/matches/{match}/entropy/close."""
    must_accept(JSON)
    return _appended(closed(asked("closeSeeding", match), language()))


def void_match(match: str) -> Response:
    """POST /v1/matches/{match}/void."""
    must_accept(JSON)
    return _appended(voided(asked("voidMatch", match)))


def disclose_match(match: str) -> Response:
    """POST /v1/matches/{match}/disclosure."""
    must_accept(JSON)
    return _appended(disclosed(asked("discloseMatch", match)))


def _appended(told: Appended) -> Response:
    """What was written down, and the tag of the position that it led to."""
    return _own(told.body, [_tag(told.seq)])


def export_replay(match: str) -> Response:
    """GET /v1/matches/{match}/replay."""
    must_accept(JSON_LINES)
    request_of = asked("exportReplay", match)
    line = line_asked()
    lines = replay_lines(request_of) if line == "played" else lines_in_force(request_of)
    here = request_of.desk
    done = held(follower(request_of), here.downloads, here.streams)
    name = f'attachment; filename="{request_of.row.match}{"" if line == "played" else "-ruled"}.jsonl"'
    headers = [*own_headers(language()), ("Content-Disposition", name)]
    return _closing(Response(_pieces(lines), 200, headers, content_type=JSON_LINES), done)


def _pieces(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines, several at a time."""
    piece: list[bytes] = []
    for line in lines:
        piece.append(line)
        if len(piece) == CHUNK:
            yield b"".join(piece)
            piece.clear()
    yield b"".join(piece)


def store_replay() -> Response:
    """POST /v1/replays."""
    must_accept(JSON)
    from gyoji.web.matches.auditing import stored  # noqa: PLC0415 - the audit is imported by whoever needs it first

    here, caller = asked_alone("storeReplay")
    answer, location = stored(here, caller, language())
    return own_response(answer, language(), [("Location", location)])


def audit_replay() -> Response:
    """POST /v1/audits: of the file that is sent, or of a stored match."""
    from gyoji.web.matches.auditing import audited  # noqa: PLC0415 - the same

    must_accept(JSON)
    return own_response(audited(language()), language())


def read_signing_keys() -> Response:
    """GET /v1/keys."""
    must_accept(JSON)
    return _own(signing_keys(desk()))


ROUTES: tuple[tuple[str, str, str, Callable[..., Response]], ...] = (
    ("createMatch", "POST", "/v1/matches", create_match),
    ("listMatches", "GET", "/v1/matches", list_matches),
    ("readMatch", "GET", "/v1/matches/<match>", read_match),
    ("playMove", "POST", "/v1/matches/<match>/moves", play_move),
    ("readFeed", "GET", "/v1/matches/<match>/events", read_feed),
    ("readPosition", "GET", "/v1/matches/<match>/positions/<seq>", read_position),
    ("giveEntropy", "POST", "/v1/matches/<match>/entropy", give_entropy),
    ("closeSeeding", "POST", "/v1/matches/<match>/entropy/close", close_seeding),
    ("voidMatch", "POST", "/v1/matches/<match>/void", void_match),
    ("discloseMatch", "POST", "/v1/matches/<match>/disclosure", disclose_match),
    ("renewSeatToken", "POST", "/v1/matches/<match>/seats/<seat>/token", renew_seat_token),
    ("revokeSeatTokens", "DELETE", "/v1/matches/<match>/seats/<seat>/token", revoke_seat_tokens),
    ("forkMatch", "POST", "/v1/matches/<match>/fork", fork_match),
    ("exportReplay", "GET", "/v1/matches/<match>/replay", export_replay),
    ("storeReplay", "POST", "/v1/replays", store_replay),
    ("auditReplay", "POST", "/v1/audits", audit_replay),
    ("readSigningKeys", "GET", "/v1/keys", read_signing_keys),
)


def add_matches(app: Flask) -> None:
    """The addresses on the application; refusals with more to say than a plain problem."""
    for name, method, address, handler in (*ROUTES, *RULING_ROUTES, *GROUP_ROUTES):
        app.add_url_rule(address, name, handler, methods=[method])
    app.register_error_handler(Refusal, _refused)


def _refused(refusal: Refusal) -> Response:
    request.environ[RECORD].problem = refusal.answer.body
    return own_response(refusal.answer, refusal.language)
