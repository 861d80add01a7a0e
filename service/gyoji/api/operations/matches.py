"""The operations of stored matches, of their groups, and of replays."""

from gyoji.api.media import EVENT_STREAM, JSON, JSON_LINES
from gyoji.api.operation import Operation, about, lasting
from gyoji.api.parameters import (
    CURSOR_PARAMETER,
    IDEMPOTENCY_HEADER,
    IF_MATCH,
    LAST_EVENT_HEADER,
    LAST_POSITION_HEADER,
    LAST_SEQ_HEADER,
    LINES,
    LONGEST_WAIT,
    MATCH,
    MOST_EVENTS,
    MOST_SEATS,
    MOST_SEQ,
    NAME,
    STATUSES,
    limit,
    query,
    text,
    whole,
    word,
)
from gyoji.api.rights import EVERYBODY, OPEN, READERS, READING, Rights, Scope, for_operators, in_match
from gyoji.games.catalogue import BY_SLUG

MATCH_MADE = {"match": "$response.body#/match"}
GROUP_MADE = {"group": "$response.body#/group"}

CALLS = query(
    "calls",
    "1: a stream tells a seat, and whoever may rule, who calls the referee too",
    word(["0", "1"], default="0"),
)
CALLERS = in_match(seat=None, operator=Scope.RULE, referee=None)
"""Who may know who calls the referee."""

AFTER = query("after", "Only events after this one; without it from the first on", whole(0, MOST_SEQ))

MATCHES = about(
    "matches",
    Operation(
        "createMatch",
        "POST /v1/matches",
        "Create a match: a token for each seat, and hands dealt unless its deals wait for others",
        for_operators(Scope.CREATE),
        request="MatchRequest",
        answer="CreatedMatch",
        good=(201,),
        problems=("bots-not-allowed",),
        parameters=(IDEMPOTENCY_HEADER,),
        headers=("Location", "ETag"),
        links={"readMatch": MATCH_MADE, "readFeed": MATCH_MADE, "exportReplay": MATCH_MADE},
    ),
    Operation(
        "listMatches",
        "GET /v1/matches",
        "The caller's matches, newest first",
        Rights(alone={"operator": Scope.READ, "referee": None, "auditor": None, "seat": None}),
        answer="Matches",
        parameters=(
            query("game", "Only matches of this game", word([*BY_SLUG])),
            query("status", "Only matches that stand so", word(STATUSES)),
            query("tag", "Only matches with this tag", text(NAME)),
            query("tournament", "Only matches of this tournament", text(MATCH)),
            CURSOR_PARAMETER,
            limit("matches"),
        ),
        headers=("Link",),
    ),
    Operation(
        "readMatch",
        "GET /v1/matches/{match}",
        "A match as the viewer may know it",
        READING,
        answer="Match",
        headers=("ETag",),
    ),
    Operation(
        "playMove",
        "POST /v1/matches/{match}/moves",
        "Make a move, or ask whether it would be accepted",
        in_match(seat=None, operator=Scope.PLAY),
        request="MoveRequest",
        answer="MoveAnswer",
        problems=("illegal-move", "match-finished", "match-not-running", "precondition-required"),
        parameters=(IF_MATCH, IDEMPOTENCY_HEADER),
        headers=("ETag",),
    ),
    Operation(
        "makeRuling",
        "POST /v1/matches/{match}/rulings",
        "Rule in a match, or ask what a ruling would lead to",
        in_match(operator=Scope.RULE, referee=None),
        request="RulingRequest",
        answer="RulingAnswer",
        problems=("ruling-refused", "precondition-required"),
        parameters=(
            IF_MATCH._replace(
                about="The ETag of the position that is ruled on; demanded but for a dry run, and * is not enough"
            ),
            IDEMPOTENCY_HEADER,
        ),
        headers=("ETag",),
    ),
    Operation(
        "claimExpiry",
        "POST /v1/matches/{match}/claims",
        "Claim that the time of a seat is up: the service judges by its own clock",
        in_match(seat=None, director=None, operator=Scope.PLAY, referee=None),
        answer="ClaimAnswer",
        problems=("claim-refused",),
        parameters=(IDEMPOTENCY_HEADER,),
        headers=("ETag",),
    ),
    Operation(
        "callReferee",
        "POST /v1/matches/{match}/calls",
        "Call the referee to the table; the clock runs on",
        in_match(seat=None),
        request="RefereeCallRequest",
        answer="RefereeCalls",
        problems=("match-finished",),
    ),
    Operation(
        "readCalls",
        "GET /v1/matches/{match}/calls",
        "Who calls the referee at the table",
        CALLERS,
        answer="RefereeCalls",
    ),
    Operation(
        "closeCall",
        "POST /v1/matches/{match}/calls/{seat}/close",
        "Take a call back, or attend to it",
        CALLERS,
        answer="RefereeCalls",
    ),
    Operation(
        "giveEntropy",
        "POST /v1/matches/{match}/entropy",
        "Contribute to the deals: commit to entropy, or reveal it; the last one deals",
        in_match(seat=None, director=None, operator=Scope.ENTROPY),
        request="EntropyRequest",
        answer="Appended",
        problems=("entropy-refused", "match-finished"),
        parameters=(IDEMPOTENCY_HEADER,),
        headers=("ETag",),
    ),
    Operation(
        "closeSeeding",
        "POST /v1/matches/{match}/entropy/close",
        "Wait no longer for seats whose time is over: the match is dealt without, or void",
        in_match(seat=None, operator=Scope.ENTROPY),
        answer="Appended",
        problems=("entropy-refused", "match-finished"),
        headers=("ETag",),
    ),
    Operation(
        "voidMatch",
        "POST /v1/matches/{match}/void",
        "Cancel a match; its log says so",
        in_match(operator=Scope.VOID),
        answer="Appended",
        problems=("match-finished",),
        headers=("ETag",),
    ),
    Operation(
        "discloseMatch",
        "POST /v1/matches/{match}/disclosure",
        "Tell the secret that was withheld, once nothing stands against it",
        in_match(seat=None, operator=Scope.GROUPS, referee=None, auditor=None),
        answer="Appended",
        problems=("not-disclosed",),
        headers=("ETag",),
    ),
    Operation(
        "readFeed",
        "GET /v1/matches/{match}/events",
        "What has happened, as the viewer may know it: by pages, or as a stream (204: nothing is left to come)",
        READING,
        answer="Feed",
        media=(JSON, EVENT_STREAM, JSON_LINES),
        good=(200, 204),
        problems=("rate-limited", "too-many-at-once"),
        parameters=(
            AFTER,
            query("wait", "Seconds to wait for news where there are none", whole(0, LONGEST_WAIT, default=0)),
            query("limit", "How many events at most", whole(1, MOST_EVENTS, default=MOST_EVENTS)),
            query(
                "raw",
                "1: the canonical lines of the log, with the openings that the viewer may have",
                word(["0", "1"], default="0"),
            ),
            CALLS,
            LAST_EVENT_HEADER,
        ),
    ),
    Operation(
        "followMatch",
        "GET /v1/matches/{match}/stream",
        "What happens, event by event as it happens, as the viewer may know it (204: nothing is left to come)",
        READING,
        answer="MatchStreamData",
        media=(EVENT_STREAM,),
        good=(200, 204),
        problems=("rate-limited", "too-many-at-once"),
        parameters=(AFTER, CALLS, LAST_SEQ_HEADER),
    ),
    Operation(
        "followMatches",
        "GET /v1/stream",
        "What happens in all matches of the caller's list, as it happens, each as the caller may know it",
        Rights(alone=READERS),
        answer="JointStreamData",
        media=(EVENT_STREAM,),
        problems=("rate-limited", "too-many-at-once"),
        parameters=(LAST_POSITION_HEADER,),
    ),
    lasting(
        Operation(
            "readPosition",
            "GET /v1/matches/{match}/positions/{seq}",
            "The position after an event, as the viewer may know it",
            READING,
            answer="StoredPosition",
            problems=("not-disclosed",),
            parameters=(
                query(
                    "as", "For those who run or audit the match: what this seat could know", whole(0, MOST_SEATS - 1)
                ),
            ),
        )
    ),
    Operation(
        "renewSeatToken",
        "POST /v1/matches/{match}/seats/{seat}/token",
        "A new token for a seat or for spectators, in place of the old ones",
        in_match(operator=Scope.TOKENS),
        answer="SeatToken",
    ),
    Operation(
        "revokeSeatTokens",
        "DELETE /v1/matches/{match}/seats/{seat}/token",
        "Make the tokens of a seat or of spectators void",
        in_match(operator=Scope.TOKENS),
        good=(204,),
    ),
    Operation(
        "forkMatch",
        "POST /v1/matches/{match}/fork",
        "A new match from a position of one that is disclosed",
        in_match(operator=Scope.FORK)._replace(once_disclosed=True),
        request="Fork",
        answer="CreatedMatch",
        good=(201,),
        problems=("not-disclosed",),
        parameters=(IDEMPOTENCY_HEADER,),
        headers=("Location", "ETag"),
        links={"readMatch": MATCH_MADE},
    ),
)

GROUPS = about(
    "groups",
    Operation(
        "createGroup",
        "POST /v1/groups",
        "Create a group of matches that share their deals",
        for_operators(Scope.GROUPS),
        request="NewGroup",
        answer="Group",
        good=(201,),
        parameters=(IDEMPOTENCY_HEADER,),
        headers=("Location",),
        links={"readGroup": GROUP_MADE, "closeGroup": GROUP_MADE},
    ),
    Operation(
        "readGroup",
        "GET /v1/groups/{group}",
        "A group: its matches, and what its disclosure waits for",
        for_operators(Scope.GROUPS, "managed"),
        answer="Group",
    ),
    Operation(
        "closeGroup",
        "POST /v1/groups/{group}/close",
        "Take no more matches; disclose all of them once all are over",
        for_operators(Scope.GROUPS, "managed"),
        answer="Group",
    ),
)

REPLAYS = about(
    "replays",
    lasting(
        Operation(
            "exportReplay",
            "GET /v1/matches/{match}/replay",
            "The replay file: full for whoever may see everything, else redacted; or the line that rulings have left",
            READING,
            media=(JSON_LINES,),
            problems=("rate-limited", "too-many-at-once"),
            parameters=(
                query(
                    "line",
                    "played: the whole log; ruled: the events that no ruling has taken back, as the feed tells them",
                    word(LINES, default="played"),
                ),
            ),
        )
    ),
    Operation(
        "storeReplay",
        "POST /v1/replays",
        "Audit a full replay file of a finished match and store it",
        for_operators(Scope.STORE),
        answer="Verdict",
        takes_replay=True,
        good=(200, 201),
        problems=("too-many-at-once", "too-much-work", "replay-refused", "already-stored"),
        headers=("Location",),
    ),
    Operation(
        "auditReplay",
        "POST /v1/audits",
        "Audit a replay file, or a stored match",
        Rights(alone=EVERYBODY, match=READERS),
        request="AuditRequest",
        answer="Verdict",
        takes_replay=True,
        problems=("not-found", "too-many-at-once", "too-much-work"),
    ),
    Operation(
        "readSigningKeys",
        "GET /v1/keys",
        "The public keys that receipts and heads are signed with",
        OPEN,
        answer="SigningKeys",
        problems=("unavailable",),
    ),
)
