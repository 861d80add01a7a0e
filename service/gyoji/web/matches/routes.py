"""The operations of stored matches, and of their groups, over HTTP."""

from collections.abc import Iterator

from flask import Response

from gyoji.api.media import EVENT_STREAM, JSON, JSON_LINES
from gyoji.app.authorization import authorize
from gyoji.app.matches import (
    claims,
    contributions,
    creation,
    endings,
    feeds,
    groups,
    moves,
    replays,
    rulings,
    seats,
)
from gyoji.app.matches.appends import Appended
from gyoji.app.matches.authorization import MatchRequest, authorize_match
from gyoji.app.matches.documents import list_matches as list_matches_page
from gyoji.app.matches.documents import match_document, position
from gyoji.app.requests import RequestContext, parse_seq
from gyoji.app.thread_budget import follower, take_thread
from gyoji.messages.problems import Answer
from gyoji.web.requests import must_accept, prefers
from gyoji.web.responses import attachment, bodiless, closing, entity_tag, own_headers, own_json, own_response
from gyoji.web.routes import Route

CHUNK = 64
"""Lines of a replay file that are sent in one piece."""


def create_match(context: RequestContext) -> Response:
    """POST /v1/matches."""
    must_accept(JSON)
    caller = authorize(context, "createMatch")
    return _created(context, creation.create_match(context, caller, context.body.read_json()))


def _created(context: RequestContext, answer: Answer) -> Response:
    """201 with the URL of the match, and the entity tag of its first view."""
    location = ("Location", answer.body["links"]["self"])
    return own_response(answer, context.language, [location, entity_tag(answer.body["seq"])])


def list_matches(context: RequestContext) -> Response:
    """GET /v1/matches."""
    must_accept(JSON)
    body, following = list_matches_page(context, authorize(context, "listMatches"))
    return own_json(context, body, [] if following is None else [("Link", f'<{following}>; rel="next"')])


def read_match(context: RequestContext, match: str) -> Response:
    """GET /v1/matches/{match}."""
    must_accept(JSON)
    body = match_document(authorize_match(context, "readMatch", match))
    return own_json(context, body, [entity_tag(body["seq"])])


def play_move(context: RequestContext, match: str) -> Response:
    """POST /v1/matches/{match}/moves."""
    must_accept(JSON)
    played = moves.play(context, match)
    return own_response(played.answer, context.language, [] if played.seq is None else [entity_tag(played.seq)])


def read_feed(context: RequestContext, match: str) -> Response:
    """GET /v1/matches/{match}/events: a page, raw lines, or a stream."""
    request = authorize_match(context, "readFeed", match)
    if prefers(EVENT_STREAM):
        return _stream(request)
    raw = context.whole_number("raw", 0, 1)
    must_accept(JSON_LINES if raw else JSON)
    if feeds.wait_for_news(request):
        request = authorize_match(context, "readFeed", match)
    entries, more = feeds.page(request)
    if raw:
        return _lines(context, feeds.raw_lines(request.reader, entries))
    return own_json(context, feeds.page_document(request.reader, entries, more))


def _lines(context: RequestContext, body: bytes) -> Response:
    return Response(body, 200, own_headers(context.language), content_type=JSON_LINES)


def _stream(request: MatchRequest) -> Response:
    """A stream of events; 204 tells the client of a finished match that nothing is left to come for."""
    headers = own_headers(request.context.language)
    stream = feeds.open_stream(request)
    if stream is None:
        return bodiless(headers)
    headers.append(("X-Accel-Buffering", "no"))
    return closing(Response(stream.messages, 200, headers, content_type=EVENT_STREAM), stream.close)


def read_position(context: RequestContext, match: str, seq: str) -> Response:
    """GET /v1/matches/{match}/positions/{seq}."""
    must_accept(JSON)
    return own_json(context, position(authorize_match(context, "readPosition", match), parse_seq(seq)))


def renew_seat_token(context: RequestContext, match: str, seat: str) -> Response:
    """POST /v1/matches/{match}/seats/{seat}/token."""
    must_accept(JSON)
    return own_json(context, seats.renew_token(authorize_match(context, "renewSeatToken", match), seat))


def revoke_seat_tokens(context: RequestContext, match: str, seat: str) -> Response:
    """DELETE /v1/matches/{match}/seats/{seat}/token."""
    must_accept(JSON)
    seats.revoke_tokens(authorize_match(context, "revokeSeatTokens", match), seat)
    return bodiless(own_headers(context.language))


def fork_match(context: RequestContext, match: str) -> Response:
    """POST /v1/matches/{match}/fork."""
    must_accept(JSON)
    request = authorize_match(context, "forkMatch", match)
    return _created(context, creation.fork_match(request, context.body.read_json()))


def give_entropy(context: RequestContext, match: str) -> Response:
    """POST /v1/matches/{match}/entropy."""
    must_accept(JSON)
    request = authorize_match(context, "giveEntropy", match)
    return appended_response(context, contributions.give_entropy(request, context.body.read_json()))


def close_seeding(context: RequestContext, match: str) -> Response:
    """POST /v1/matches/{match}/entropy/close."""
    must_accept(JSON)
    return appended_response(context, contributions.close_seeding(authorize_match(context, "closeSeeding", match)))


def void_match(context: RequestContext, match: str) -> Response:
    """POST /v1/matches/{match}/void."""
    must_accept(JSON)
    return appended_response(context, endings.void_match(authorize_match(context, "voidMatch", match)))


def disclose_match(context: RequestContext, match: str) -> Response:
    """POST /v1/matches/{match}/disclosure."""
    must_accept(JSON)
    return appended_response(context, endings.disclose_match(authorize_match(context, "discloseMatch", match)))


def appended_response(context: RequestContext, appended: Appended) -> Response:
    """What was appended to the log, and the entity tag of the position that it led to."""
    return own_json(context, appended.body, [entity_tag(appended.seq)])


def export_replay(context: RequestContext, match: str) -> Response:
    """GET /v1/matches/{match}/replay."""
    must_accept(JSON_LINES)
    request = authorize_match(context, "exportReplay", match)
    line = replays.line_of(context)
    lines = replays.replay_lines(request) if line == "played" else replays.lines_in_force(request)
    services = context.services
    give_back = take_thread(context, follower(context, request.caller, match), services.downloads, services.streams)
    headers = [*own_headers(context.language), attachment(f"{match}{'' if line == 'played' else '-ruled'}.jsonl")]
    return closing(Response(_pieces(lines), 200, headers, content_type=JSON_LINES), give_back)


def _pieces(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines, several at a time."""
    piece: list[bytes] = []
    for line in lines:
        piece.append(line)
        if len(piece) == CHUNK:
            yield b"".join(piece)
            piece.clear()
    yield b"".join(piece)


def store_replay(context: RequestContext) -> Response:
    """POST /v1/replays."""
    must_accept(JSON)
    imported = replays.import_replay(context, authorize(context, "storeReplay"))
    return own_response(imported.answer, context.language, [("Location", imported.location)])


def audit_replay(context: RequestContext) -> Response:
    """POST /v1/audits: of the file that is sent, or of a stored match."""
    must_accept(JSON)
    return own_response(replays.audit_replay(context), context.language)


def read_signing_keys(context: RequestContext) -> Response:
    """GET /v1/keys."""
    must_accept(JSON)
    return own_json(context, replays.signing_keys(context.services))


def make_ruling(context: RequestContext, match: str) -> Response:
    """POST /v1/matches/{match}/rulings."""
    must_accept(JSON)
    made = rulings.make_ruling(authorize_match(context, "makeRuling", match), context.body.read_json())
    return own_json(context, made.body, [] if made.seq is None else [entity_tag(made.seq)])


def claim_expiry(context: RequestContext, match: str) -> Response:
    """POST /v1/matches/{match}/claims."""
    must_accept(JSON)
    made = claims.claim_expiry(authorize_match(context, "claimExpiry", match))
    return own_json(context, made.body, [entity_tag(made.seq)])


def create_group(context: RequestContext) -> Response:
    """POST /v1/groups."""
    must_accept(JSON)
    caller = authorize(context, "createGroup")
    answer = groups.create_group(context, caller, context.body.read_json())
    return own_response(answer, context.language, [("Location", answer.body["links"]["self"])])


def read_group(context: RequestContext, group: str) -> Response:
    """GET /v1/groups/{group}."""
    must_accept(JSON)
    found = groups.find_group(context.services, authorize(context, "readGroup"), group)
    return own_json(context, groups.group_document(context.services, found))


def close_group(context: RequestContext, group: str) -> Response:
    """POST /v1/groups/{group}/close."""
    must_accept(JSON)
    found = groups.find_group(context.services, authorize(context, "closeGroup"), group)
    return own_json(context, groups.close_group(context.services, found))


ROUTES = (
    Route("createMatch", "POST", "/v1/matches", create_match),
    Route("listMatches", "GET", "/v1/matches", list_matches),
    Route("readMatch", "GET", "/v1/matches/<match>", read_match),
    Route("playMove", "POST", "/v1/matches/<match>/moves", play_move),
    Route("readFeed", "GET", "/v1/matches/<match>/events", read_feed),
    Route("readPosition", "GET", "/v1/matches/<match>/positions/<seq>", read_position),
    Route("giveEntropy", "POST", "/v1/matches/<match>/entropy", give_entropy),
    Route("closeSeeding", "POST", "/v1/matches/<match>/entropy/close", close_seeding),
    Route("voidMatch", "POST", "/v1/matches/<match>/void", void_match),
    Route("discloseMatch", "POST", "/v1/matches/<match>/disclosure", disclose_match),
    Route("renewSeatToken", "POST", "/v1/matches/<match>/seats/<seat>/token", renew_seat_token),
    Route("revokeSeatTokens", "DELETE", "/v1/matches/<match>/seats/<seat>/token", revoke_seat_tokens),
    Route("forkMatch", "POST", "/v1/matches/<match>/fork", fork_match),
    Route("exportReplay", "GET", "/v1/matches/<match>/replay", export_replay),
    Route("storeReplay", "POST", "/v1/replays", store_replay),
    Route("auditReplay", "POST", "/v1/audits", audit_replay),
    Route("readSigningKeys", "GET", "/v1/keys", read_signing_keys),
    Route("makeRuling", "POST", "/v1/matches/<match>/rulings", make_ruling),
    Route("claimExpiry", "POST", "/v1/matches/<match>/claims", claim_expiry),
    Route("createGroup", "POST", "/v1/groups", create_group),
    Route("readGroup", "GET", "/v1/groups/<group>", read_group),
    Route("closeGroup", "POST", "/v1/groups/<group>/close", close_group),
)
