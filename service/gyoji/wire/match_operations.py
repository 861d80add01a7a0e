"""The operations of stored matches, replays and keys, and the metrics."""

from collections.abc import Mapping

from gyoji.wire import parameters as given
from gyoji.wire.answers import KEYS, REPLAY_REFUSED, TOKEN, VERDICT, match_answers
from gyoji.wire.calls import illegal_move, requests
from gyoji.wire.matches import match_requests
from gyoji.wire.media import EVENT_STREAM, JSON, JSON_LINES, TEXT
from gyoji.wire.operations import Operation
from gyoji.wire.shapes import GameShapes, any_of

ACCESS = ("malformed-header", "unauthenticated", "forbidden", "rate-limited", "unavailable")
"""What any call may meet that needs to know its caller, and the store."""

READING = (*ACCESS, "not-found")
ONCE = ("idempotency-in-progress", "idempotency-key-reused")
"""What a call may meet that can be repeated under an idempotency key."""


def match_operations(games: Mapping[str, GameShapes]) -> tuple[Operation, ...]:
    """Every operation about stored matches of these games."""
    bodies, answered = match_requests(games), match_answers(games)
    move = any_of("MoveRequest", [requests(shapes)["moves"] for shapes in games.values()])
    refused = tuple(illegal_move(shapes) for shapes in games.values())
    match = {"match": "$response.body#/match"}
    return (
        Operation(
            "createMatch",
            "post",
            "/v1/matches",
            "Create a match: hands dealt, a token for each seat",
            "matches",
            answered.created,
            good=(201,),
            request=bodies["matches"],
            problems=(*ACCESS, *ONCE),
            parameters=(given.KEYED_ONCE,),
            headers=("Location", "ETag"),
            callers="known",
            links={"readMatch": match, "readFeed": match, "exportReplay": match},
        ),
        Operation(
            "listMatches",
            "get",
            "/v1/matches",
            "The caller's matches, newest first",
            "matches",
            answered.listed,
            problems=(*ACCESS, "invalid-request"),
            parameters=(
                given.GAME_ASKED,
                given.STATUS_ASKED,
                given.TAG_ASKED,
                given.CURSOR_ASKED,
                given.LISTED_ASKED,
            ),
            headers=("Link",),
            callers="known",
        ),
        Operation(
            "readMatch",
            "get",
            "/v1/matches/{match}",
            "A match as the viewer may know it",
            "matches",
            answered.match,
            problems=READING,
            parameters=(given.IN_MATCH,),
            headers=("ETag",),
            callers="some",
        ),
        Operation(
            "playMove",
            "post",
            "/v1/matches/{match}/moves",
            "Make a move, or ask whether it would be accepted",
            "matches",
            answered.moved,
            request=move,
            problems=(
                *READING,
                *ONCE,
                "illegal-move",
                "match-finished",
                "match-not-running",
                "stale-position",
                "precondition-required",
            ),
            shaped={"illegal-move": refused},
            parameters=(given.IN_MATCH, given.IF_MATCH, given.KEYED_ONCE),
            headers=("ETag",),
            callers="known",
        ),
        Operation(
            "readFeed",
            "get",
            "/v1/matches/{match}/events",
            "What has happened, as the viewer may know it: by pages, or as a stream (204: nothing is left to come)",
            "matches",
            answered.feed,
            media=(JSON, EVENT_STREAM, JSON_LINES),
            good=(200, 204),
            problems=(*READING, "invalid-request"),
            parameters=(
                given.IN_MATCH,
                given.AFTER,
                given.WAIT,
                given.EVENTS_ASKED,
                given.RAW,
                given.LAST_EVENT,
            ),
            callers="some",
        ),
        Operation(
            "readPosition",
            "get",
            "/v1/matches/{match}/positions/{seq}",
            "The position after an event, as the viewer may know it",
            "matches",
            answered.position,
            problems=(*READING, "invalid-request", "not-disclosed"),
            parameters=(given.IN_MATCH, given.AT_SEQ, given.LOOKING_AS),
            callers="some",
        ),
        Operation(
            "renewSeatToken",
            "post",
            "/v1/matches/{match}/seats/{seat}/token",
            "A new token for a seat or for spectators, in place of the old ones",
            "matches",
            TOKEN,
            problems=READING,
            parameters=(given.IN_MATCH, given.OF_SEAT),
            callers="known",
        ),
        Operation(
            "revokeSeatTokens",
            "delete",
            "/v1/matches/{match}/seats/{seat}/token",
            "Make the tokens of a seat or of spectators void",
            "matches",
            good=(204,),
            problems=READING,
            parameters=(given.IN_MATCH, given.OF_SEAT),
            callers="known",
        ),
        Operation(
            "forkMatch",
            "post",
            "/v1/matches/{match}/fork",
            "A new match from a position of one that is disclosed",
            "matches",
            answered.created,
            good=(201,),
            request=bodies["fork"],
            problems=(*READING, *ONCE, "not-disclosed"),
            parameters=(given.IN_MATCH, given.KEYED_ONCE),
            headers=("Location", "ETag"),
            callers="known",
            links={"readMatch": match},
        ),
        Operation(
            "exportReplay",
            "get",
            "/v1/matches/{match}/replay",
            "The replay file: full for whoever may see everything, else redacted",
            "replays",
            media=(JSON_LINES,),
            problems=READING,
            parameters=(given.IN_MATCH,),
            callers="some",
        ),
        Operation(
            "storeReplay",
            "post",
            "/v1/replays",
            "Audit a full replay file of a finished match and store it",
            "replays",
            VERDICT,
            good=(200, 201),
            takes_replay=True,
            problems=(*ACCESS, "replay-refused", "already-stored"),
            shaped={"replay-refused": (REPLAY_REFUSED,)},
            headers=("Location",),
            callers="known",
        ),
        Operation(
            "auditReplay",
            "post",
            "/v1/audits",
            "Audit a replay file, or a stored match",
            "replays",
            VERDICT,
            request=bodies["audits"],
            takes_replay=True,
            problems=READING,
            callers="some",
        ),
        Operation(
            "readSigningKeys",
            "get",
            "/v1/keys",
            "The public keys that receipts and heads are signed with",
            "replays",
            KEYS,
            problems=("unavailable",),
        ),
        Operation(
            "readMetrics",
            "get",
            "/metrics",
            "Counters and timings for Prometheus",
            "operations",
            media=(TEXT,),
            problems=("unavailable",),
        ),
    )
