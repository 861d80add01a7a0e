"""The operations of tournaments."""

from typing import Any

from gyoji.api.media import CSV, JSON, JSON_LINES
from gyoji.api.operation import Operation, about
from gyoji.api.parameters import CURSOR_PARAMETER, IDEMPOTENCY_HEADER, IF_MATCH, JOINING_KEY_HEADER, limit, query, word
from gyoji.api.rights import EVERYBODY, Rights, Scope, for_operators

TO_READ = Rights(alone=EVERYBODY, owned="readable")
TO_MANAGE = for_operators(Scope.TOURNAMENTS, "managed")

AS_SEEN = IF_MATCH._replace(
    about="The ETag of the tournament as the caller saw it, or several, or *", called="IfMatchOfTournament"
)

TOURNAMENT = {"tournament": "$response.body#/tournament"}


def _change(name: str, route: str, summary: str, answer: str = "Tournament", **more: Any) -> Operation:
    """An operation that changes a tournament, whose caller runs it."""
    problems = ("tournament-refused", *more.pop("problems", ()))
    answered = {"answer": answer, "headers": ("ETag",), **more}
    return Operation(
        name, route, summary, TO_MANAGE, problems=problems, parameters=(AS_SEEN, IDEMPOTENCY_HEADER), **answered
    )


TOURNAMENTS = about(
    "tournaments",
    Operation(
        "createTournament",
        "POST /v1/tournaments",
        "Create a tournament: how it is played, fixed from here on",
        for_operators(Scope.TOURNAMENTS),
        request="NewTournament",
        answer="Tournament",
        good=(201,),
        parameters=(IDEMPOTENCY_HEADER,),
        headers=("Location", "ETag"),
        links={"readTournament": TOURNAMENT, "readStandings": TOURNAMENT, "exportTournament": TOURNAMENT},
    ),
    Operation(
        "listTournaments",
        "GET /v1/tournaments",
        "Public tournaments and the caller's own, newest first",
        TO_READ,
        answer="Tournaments",
        parameters=(CURSOR_PARAMETER, limit("tournaments")),
        headers=("Link",),
    ),
    Operation(
        "readTournament",
        "GET /v1/tournaments/{tournament}",
        "A tournament: its rules, its entrants and its rounds",
        TO_READ,
        answer="Tournament",
        headers=("ETag",),
    ),
    _change(
        "addEntrants",
        "POST /v1/tournaments/{tournament}/entrants",
        "Enter players or teams: all of them, or none",
        request="NewEntrants",
        good=(201,),
    ),
    _change(
        "withdrawEntrant",
        "POST /v1/tournaments/{tournament}/entrants/{entrant}/withdrawal",
        "An entrant plays no further round",
    ),
    Operation(
        "readEntrantTokens",
        "GET /v1/tournaments/{tournament}/entrants",
        "The tokens of the entrants: one for the whole event, which leads to the entrant's table",
        TO_MANAGE,
        answer="EntrantTokens",
    ),
    Operation(
        "findPlace",
        "POST /v1/tournaments/{tournament}/places",
        "Where the holder of an entrant's token sits now, with the tokens of the seats",
        Rights(alone=EVERYBODY),
        request="PlaceRequest",
        answer="Place",
        problems=("unauthenticated",),
    ),
    Operation(
        "readRegistration",
        "GET /v1/tournaments/{tournament}/registration",
        "Whether anybody may enter who has the joining link, and its token",
        TO_MANAGE,
        answer="Registration",
    ),
    _change(
        "setRegistration",
        "POST /v1/tournaments/{tournament}/registration",
        "Open or close registration, or replace the joining link",
        "Registration",
        request="SetRegistration",
    ),
    Operation(
        "readInvitation",
        "POST /v1/tournaments/{tournament}/invitations",
        "What the holder of the joining token would enter",
        Rights(alone=EVERYBODY),
        request="InvitationRequest",
        answer="Invitation",
        problems=("unauthenticated",),
    ),
    Operation(
        "join",
        "POST /v1/tournaments/{tournament}/registrations",
        "Whoever holds the joining token enters, and gets a token for the whole event",
        Rights(alone=EVERYBODY),
        request="NewRegistration",
        answer="Registered",
        good=(201,),
        problems=("unauthenticated", "tournament-refused"),
        parameters=(JOINING_KEY_HEADER,),
    ),
    Operation(
        "checkIn",
        "POST /v1/tournaments/{tournament}/check-ins",
        "The holder of an entrant's token is here, or leaves: only who is here is paired",
        Rights(alone=EVERYBODY),
        request="CheckIn",
        answer="Place",
        problems=("unauthenticated", "tournament-refused"),
    ),
    _change(
        "setPresence",
        "POST /v1/tournaments/{tournament}/entrants/{entrant}/presence",
        "An entrant is here, or is not, as whoever runs the tournament sees it",
        request="Presence",
    ),
    _change(
        "readmitEntrant",
        "POST /v1/tournaments/{tournament}/entrants/{entrant}/re-entry",
        "An entrant who has withdrawn plays the rounds to come",
    ),
    _change(
        "pairRound",
        "POST /v1/tournaments/{tournament}/rounds",
        "Pair the next round and create all its matches, or (dry_run) only see how it would be paired",
        request="NewRound",
        answer="Round",
        good=(200, 201),
        problems=("precondition-required",),
        headers=("Location", "ETag"),
    ),
    Operation(
        "readRound",
        "GET /v1/tournaments/{tournament}/rounds/{number}",
        "A round: who sits where, the matches and what came of them",
        TO_READ,
        answer="Round",
        parameters=(
            query(
                "tokens",
                "1: the tokens of the seats too, for whoever runs the tournament",
                word(["0", "1"], default="0"),
            ),
        ),
        headers=("ETag",),
    ),
    _change(
        "startRound",
        "POST /v1/tournaments/{tournament}/rounds/{number}/start",
        "Start the clocks of a round: all its matches that are paused go on",
        answer="Round",
    ),
    _change(
        "pauseRound",
        "POST /v1/tournaments/{tournament}/rounds/{number}/pause",
        "Pause all matches of a round that are played",
        answer="Round",
    ),
    _change(
        "closeRound",
        "POST /v1/tournaments/{tournament}/rounds/{number}/close",
        "The results of a round stand, and everything about its matches is disclosed",
        answer="Round",
    ),
    _change(
        "takeBackRound",
        "POST /v1/tournaments/{tournament}/rounds/{number}/take-back",
        "Take back the latest round, which nobody has begun: its matches are void, and its number is paired anew",
        problems=("precondition-required",),
    ),
    _change(
        "replaceMatch",
        "POST /v1/tournaments/{tournament}/rounds/{number}/tables/{table}/match",
        "Another match at a table whose match is void",
        answer="Round",
        good=(201,),
    ),
    _change(
        "settleNoShow",
        "POST /v1/tournaments/{tournament}/rounds/{number}/tables/{table}/no-show",
        "An entrant is not there: the others at the table play on, with a seat less or with a stand-in",
        request="NoShow",
        answer="Round",
        problems=("bots-not-allowed",),
    ),
    _change(
        "correctStandings",
        "POST /v1/tournaments/{tournament}/corrections",
        "Give or take points beside all matches",
        request="Correction",
        good=(201,),
    ),
    _change(
        "announce",
        "POST /v1/tournaments/{tournament}/announcements",
        "Announce something to everybody, in place of what was; null: nothing any more",
        request="Announcement",
        good=(201,),
    ),
    Operation(
        "readStandings",
        "GET /v1/tournaments/{tournament}/standings",
        "The standings, every figure with the lines that add up to it; or as a table",
        TO_READ,
        answer="Standings",
        media=(JSON, CSV),
    ),
    Operation(
        "exportTournament",
        "GET /v1/tournaments/{tournament}/log",
        "The log of a tournament as a file: every event, chained by hash, and the signed head",
        TO_READ,
        media=(JSON_LINES,),
    ),
    _change(
        "closeTournament",
        "POST /v1/tournaments/{tournament}/close",
        "The standings are final, and what the lots were drawn from is told",
    ),
)
