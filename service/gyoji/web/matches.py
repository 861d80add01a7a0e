"""Handles the operations of stored matches and of their groups."""

from collections.abc import Iterator
from zlib import compressobj

from flask import Response

from gyoji.api.media import EVENT_STREAM, JSON, JSON_LINES
from gyoji.app.authorization import MatchRequest, authorize, authorize_match
from gyoji.app.matches import (
    claims,
    contributions,
    creation,
    endings,
    feeds,
    groups,
    joint_stream,
    moves,
    referee_calls,
    replays,
    rulings,
    seats,
)
from gyoji.app.matches.appends import Appended
from gyoji.app.matches.documents import list_matches as list_matches_page
from gyoji.app.matches.documents import match_document, position
from gyoji.app.places import hang_up_check, take_place
from gyoji.app.requests import RequestContext, parse_seq
from gyoji.app.suspension import Suspended, pieces
from gyoji.messages.problems import Answer
from gyoji.web.requests import accepts_gzip, must_accept, prefers
from gyoji.web.responses import (
    LASTING_HEADERS,
    PACKED,
    attachment,
    caller_headers,
    caller_json,
    caller_response,
    close_afterwards,
    content_tag,
    empty_response,
    entity_tag,
    is_known,
    lasting_json,
    lasting_response,
    unchanged_response,
)
from gyoji.web.routes import Routes

routes = Routes()

CHUNK = 64
"""Lines of a replay file that are sent in one piece."""

GZIP = 31
"""The number by which zlib is asked for its widest window and gzip's frame."""


@routes.handles("createMatch")
def create_match(context: RequestContext) -> Response:
    """Handle ``createMatch``: a new match, with its URL and the tokens of its seats."""
    caller = authorize(context)
    return _created(context, creation.create_match(context, caller, context.body.read_json()))


def _created(context: RequestContext, answer: Answer) -> Response:
    """201 with the URL of the match, and the entity tag of its first view."""
    location = ("Location", answer.body["links"]["self"])
    return caller_response(answer, context.language, [location, entity_tag(answer.body["seq"])])


@routes.handles("listMatches")
def list_matches(context: RequestContext) -> Response:
    """Handle ``listMatches``: a page of the caller's matches, newest first."""
    body, following = list_matches_page(context, authorize(context))
    return caller_json(context, body, [] if following is None else [("Link", f'<{following}>; rel="next"')])


@routes.handles("readMatch")
def read_match(context: RequestContext, match: str) -> Response:
    """Handle ``readMatch``: a match as its viewer may know it."""
    body = match_document(authorize_match(context, match))
    return caller_json(context, body, [entity_tag(body["seq"])])


@routes.handles("playMove")
def play_move(context: RequestContext, match: str) -> Response:
    """Handle ``playMove``: the answer to a move, or why it is refused."""
    played = moves.play(context, match)
    return caller_response(played.answer, context.language, [] if played.seq is None else [entity_tag(played.seq)])


@routes.handles("readFeed")
def read_feed(context: RequestContext, match: str) -> Response:
    """Handle ``readFeed``: the events of a match, as a page, raw lines, or a stream."""
    request = authorize_match(context, match)
    if prefers(EVENT_STREAM):
        return _stream(request)
    raw, _of_streams = context.whole_number("raw", 0, 1), feeds.wants_calls(context)
    must_accept(JSON_LINES if raw else JSON)
    waiting = feeds.wait_for_news(request)
    if waiting is not None:
        if _is_awaited_later(context, waiting):
            return Response()
        request = authorize_match(context, match)
    entries, more = feeds.page(request)
    if raw:
        return _lines(context, feeds.raw_lines(request.reader, entries))
    return caller_json(context, feeds.page_document(request, entries, more))


@routes.handles("followMatch")
def follow_match(context: RequestContext, match: str) -> Response:
    """Handle ``followMatch``: the events of a match, as a stream."""
    return _stream(authorize_match(context, match))


@routes.handles("followMatches")
def follow_matches(context: RequestContext) -> Response:
    """Handle ``followMatches``: the events of all matches of the caller, as one stream."""
    return _streamed(context, joint_stream.open_joint_stream(context, authorize(context)))


def _is_awaited_later(context: RequestContext, waiting: Suspended) -> bool:
    """Tell whether the server waits, and asks for the answer at the end; where it cannot it has been waited here."""
    if context.suspend is not None:
        context.suspend(waiting)
        context.record.is_suspended = True
        return True
    for _nothing in pieces(waiting, hang_up_check(context)):
        pass
    return False


def _lines(context: RequestContext, body: bytes) -> Response:
    return Response(body, 200, caller_headers(context.language), content_type=JSON_LINES)


def _stream(request: MatchRequest) -> Response:
    """Make the response of a stream of events; 204 tells the client of a finished match that nothing is left to come
    for."""
    stream = feeds.open_stream(request)
    if stream is None:
        return empty_response(caller_headers(request.context.language))
    return _streamed(request.context, stream)


def _streamed(context: RequestContext, stream: Suspended) -> Response:
    headers = [*caller_headers(context.language), ("X-Accel-Buffering", "no")]
    if context.suspend is not None and context.record.method != "HEAD":
        context.suspend(stream)
        return Response(iter(()), 200, headers, content_type=EVENT_STREAM)
    body = pieces(stream, hang_up_check(context))
    return close_afterwards(Response(body, 200, headers, content_type=EVENT_STREAM), stream.close)


@routes.handles("readPosition")
def read_position(context: RequestContext, match: str, seq: str) -> Response:
    """Handle ``readPosition``: the position after an event."""
    request = authorize_match(context, match)
    document = position(request, parse_seq(seq))
    if not request.is_settled:
        return caller_json(context, document)
    return lasting_response(lasting_json(document), JSON, LASTING_HEADERS[context.language])


@routes.handles("renewSeatToken")
def renew_seat_token(context: RequestContext, match: str, seat: str) -> Response:
    """Handle ``renewSeatToken``: a new token for a seat, in place of the old ones."""
    return caller_json(context, seats.renew_token(authorize_match(context, match), seat))


@routes.handles("revokeSeatTokens")
def revoke_seat_tokens(context: RequestContext, match: str, seat: str) -> Response:
    """Handle ``revokeSeatTokens``: the tokens of a seat become void."""
    seats.revoke_tokens(authorize_match(context, match), seat)
    return empty_response(caller_headers(context.language))


@routes.handles("forkMatch")
def fork_match(context: RequestContext, match: str) -> Response:
    """Handle ``forkMatch``: a new match from a position of another one."""
    request = authorize_match(context, match)
    return _created(context, creation.fork_match(request, context.body.read_json()))


@routes.handles("giveEntropy")
def give_entropy(context: RequestContext, match: str) -> Response:
    """Handle ``giveEntropy``: a contribution to the deals."""
    request = authorize_match(context, match)
    return appended_response(context, contributions.give_entropy(request, context.body.read_json()))


@routes.handles("closeSeeding")
def close_seeding(context: RequestContext, match: str) -> Response:
    """Handle ``closeSeeding``: the match no longer waits for seats whose time is over."""
    return appended_response(context, contributions.close_seeding(authorize_match(context, match)))


@routes.handles("voidMatch")
def void_match(context: RequestContext, match: str) -> Response:
    """Handle ``voidMatch``: the match is cancelled."""
    return appended_response(context, endings.void_match(authorize_match(context, match)))


@routes.handles("discloseMatch")
def disclose_match(context: RequestContext, match: str) -> Response:
    """Handle ``discloseMatch``: the secret that was withheld is disclosed."""
    return appended_response(context, endings.disclose_match(authorize_match(context, match)))


def appended_response(context: RequestContext, appended: Appended) -> Response:
    """Write the response about an appended entry, with the entity tag of the position that it led to."""
    return caller_json(context, appended.body, [entity_tag(appended.seq)])


@routes.handles("exportReplay")
def export_replay(context: RequestContext, match: str) -> Response:
    """Handle ``exportReplay``: the replay file of a match, sent in pieces."""
    request = authorize_match(context, match)
    line = replays.line_of(context)
    headers, is_packed = caller_headers(context.language), request.is_settled and accepts_gzip()
    if request.is_settled:
        tag = content_tag(replays.content_mark(request, line), is_packed=is_packed)
        headers = [*LASTING_HEADERS[context.language], tag]
        if is_known(headers):
            return unchanged_response(headers)
    lines = replays.replay_lines(request) if line == "played" else replays.effective_history_lines(request)
    give_back = take_place(context, request.caller, match, context.services.downloads)
    headers += [attachment(f"{match}{'' if line == 'played' else '-ruled'}.jsonl"), *([PACKED] if is_packed else [])]
    pieces_sent = _packed(_pieces(lines)) if is_packed else _pieces(lines)
    return close_afterwards(Response(pieces_sent, 200, headers, content_type=JSON_LINES), give_back)


def _pieces(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines, several at a time."""
    piece: list[bytes] = []
    for line in lines:
        piece.append(line)
        if len(piece) == CHUNK:
            yield b"".join(piece)
            piece.clear()
    yield b"".join(piece)


def _packed(pieces_sent: Iterator[bytes]) -> Iterator[bytes]:
    """Pack a file by gzip while it is written."""
    packer = compressobj(wbits=GZIP)
    for piece in pieces_sent:
        packed = packer.compress(piece)
        if packed:
            yield packed
    yield packer.flush()


@routes.handles("storeReplay")
def store_replay(context: RequestContext) -> Response:
    """Handle ``storeReplay``: the replay file that is sent is audited and stored."""
    imported = replays.import_replay(context, authorize(context))
    return caller_response(imported.answer, context.language, [("Location", imported.location)])


@routes.handles("auditReplay")
def audit_replay(context: RequestContext) -> Response:
    """Handle ``auditReplay``: the verdict on the file that is sent, or on a stored match."""
    return caller_response(replays.audit_replay(context), context.language)


@routes.handles("readSigningKeys")
def read_signing_keys(context: RequestContext) -> Response:
    """Handle ``readSigningKeys``: the public keys that receipts and heads are signed with."""
    return caller_json(context, replays.signing_keys(context.services))


@routes.handles("makeRuling")
def make_ruling(context: RequestContext, match: str) -> Response:
    """Handle ``makeRuling``: the answer to a ruling, or why it is refused."""
    made = rulings.make_ruling(authorize_match(context, match), context.body.read_json())
    return caller_json(context, made.body, [] if made.seq is None else [entity_tag(made.seq)])


@routes.handles("claimExpiry")
def claim_expiry(context: RequestContext, match: str) -> Response:
    """Handle ``claimExpiry``: a claim that the time of a seat is up."""
    made = claims.claim_expiry(authorize_match(context, match))
    return caller_json(context, made.body, [entity_tag(made.seq)])


@routes.handles("callReferee")
def call_referee(context: RequestContext, match: str) -> Response:
    """Handle ``callReferee``: a seat calls the referee to its table."""
    request = authorize_match(context, match)
    return caller_json(context, referee_calls.call_referee(request, context.body.read_json()))


@routes.handles("readCalls")
def read_calls(context: RequestContext, match: str) -> Response:
    """Handle ``readCalls``: who calls the referee at a table."""
    return caller_json(context, referee_calls.read_calls(authorize_match(context, match)))


@routes.handles("closeCall")
def close_call(context: RequestContext, match: str, seat: str) -> Response:
    """Handle ``closeCall``: a call is taken back, or attended to."""
    return caller_json(context, referee_calls.close_call(authorize_match(context, match), seat))


@routes.handles("createGroup")
def create_group(context: RequestContext) -> Response:
    """Handle ``createGroup``: a new group of matches, with its URL."""
    caller = authorize(context)
    answer = groups.create_group(context, caller, context.body.read_json())
    return caller_response(answer, context.language, [("Location", answer.body["links"]["self"])])


@routes.handles("readGroup")
def read_group(context: RequestContext, group: str) -> Response:
    """Handle ``readGroup``: a group and its matches."""
    found = groups.find_group(context.services, authorize(context), group)
    return caller_json(context, groups.group_document(context.services, found))


@routes.handles("closeGroup")
def close_group(context: RequestContext, group: str) -> Response:
    """Handle ``closeGroup``: the group takes no more matches."""
    found = groups.find_group(context.services, authorize(context), group)
    return caller_json(context, groups.close_group(context.services, found))
