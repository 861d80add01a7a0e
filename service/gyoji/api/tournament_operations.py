"""The operations of tournaments, and their parameters."""

from collections.abc import Mapping

from gyoji.api import parameters as given
from gyoji.api.media import CSV, JSON, JSON_LINES
from gyoji.api.operations import Operation
from gyoji.api.parameters import MATCH, Parameter
from gyoji.api.seeding_operations import ACCESS, ONCE, READING
from gyoji.api.shapes import GameShapes
from gyoji.api.tournament_answers import tournament_answers
from gyoji.api.tournament_requests import ENTRANT, MOST_TABLES, tournament_requests
from gyoji.tournaments.tournament import MOST_ROUNDS

OF = Parameter("path", "tournament", "The id of a tournament", {"type": "string", "pattern": f"^{MATCH}$"})
OF_ENTRANT = Parameter("path", "entrant", "The id of an entrant", {"type": "string", "pattern": f"^{ENTRANT}$"})
OF_ROUND = Parameter(
    "path", "number", "The number of a round", {"type": "integer", "minimum": 1, "maximum": MOST_ROUNDS}
)
OF_TABLE = Parameter(
    "path", "table", "The number of a table", {"type": "integer", "minimum": 1, "maximum": MOST_TABLES}
)
TOKENS = Parameter(
    "query",
    "tokens",
    "1: the tokens of the seats too, for whoever runs the tournament",
    {"type": "string", "enum": ["0", "1"], "default": "0"},
)
IF_MATCH = given.IF_MATCH._replace(about="The ETag of the tournament as the caller saw it, or several, or *")
LISTED = given.LISTED_ASKED._replace(about="How many tournaments at most")

RUNNING = (*READING, *ONCE, "stale-position", "tournament-refused")
"""What may stand against whatever changes a tournament."""


def tournament_operations(games: Mapping[str, GameShapes]) -> tuple[Operation, ...]:
    """Every operation about tournaments of these games."""
    bodies, answered = tournament_requests(games), tournament_answers(games)
    refused = {"tournament-refused": (answered.refused,)}
    once = (given.KEYED_ONCE,)
    changing = (OF, IF_MATCH, given.KEYED_ONCE)
    tournament = {"tournament": "$response.body#/tournament"}
    address = "/v1/tournaments/{tournament}"
    return (
        Operation(
            "createTournament",
            "post",
            "/v1/tournaments",
            "Create a tournament: how it is played, fixed from here on",
            "tournaments",
            answered.tournament,
            good=(201,),
            request=bodies["tournaments"],
            problems=(*ACCESS, *ONCE),
            parameters=once,
            headers=("Location", "ETag"),
            callers="known",
            links={"readTournament": tournament, "readStandings": tournament, "exportTournament": tournament},
        ),
        Operation(
            "listTournaments",
            "get",
            "/v1/tournaments",
            "Public tournaments and the caller's own, newest first",
            "tournaments",
            answered.listed,
            problems=(*ACCESS, "invalid-request"),
            parameters=(given.CURSOR_ASKED, LISTED),
            headers=("Link",),
            callers="some",
        ),
        Operation(
            "readTournament",
            "get",
            address,
            "A tournament: its rules, its entrants and its rounds",
            "tournaments",
            answered.tournament,
            problems=READING,
            parameters=(OF,),
            headers=("ETag",),
            callers="some",
        ),
        Operation(
            "addEntrants",
            "post",
            f"{address}/entrants",
            "Enter players or teams: all of them, or none",
            "tournaments",
            answered.tournament,
            good=(201,),
            request=bodies["entrants"],
            problems=RUNNING,
            shaped=refused,
            parameters=changing,
            headers=("ETag",),
            callers="known",
        ),
        Operation(
            "withdrawEntrant",
            "post",
            f"{address}/entrants/{{entrant}}/withdrawal",
            "An entrant plays no further round",
            "tournaments",
            answered.tournament,
            problems=RUNNING,
            shaped=refused,
            parameters=(OF, OF_ENTRANT, *changing[1:]),
            headers=("ETag",),
            callers="known",
        ),
        Operation(
            "pairRound",
            "post",
            f"{address}/rounds",
            "Pair the next round and create all its matches, or (dry_run) only see how it would be paired",
            "tournaments",
            answered.round,
            good=(200, 201),
            request=bodies["rounds"],
            problems=(*RUNNING, "precondition-required"),
            shaped=refused,
            parameters=changing,
            headers=("Location", "ETag"),
            callers="known",
        ),
        Operation(
            "readRound",
            "get",
            f"{address}/rounds/{{number}}",
            "A round: who sits where, the matches and what came of them",
            "tournaments",
            answered.round,
            problems=(*READING, "invalid-request"),
            parameters=(OF, OF_ROUND, TOKENS),
            headers=("ETag",),
            callers="some",
        ),
        Operation(
            "closeRound",
            "post",
            f"{address}/rounds/{{number}}/close",
            "The results of a round stand, and everything about its matches is disclosed",
            "tournaments",
            answered.round,
            problems=RUNNING,
            shaped=refused,
            parameters=(OF, OF_ROUND, *changing[1:]),
            headers=("ETag",),
            callers="known",
        ),
        Operation(
            "takeBackRound",
            "post",
            f"{address}/rounds/{{number}}/take-back",
            "Take back the latest round, which nobody has begun: its matches are void, and its number is paired anew",
            "tournaments",
            answered.tournament,
            problems=(*RUNNING, "precondition-required"),
            shaped=refused,
            parameters=(OF, OF_ROUND, *changing[1:]),
            headers=("ETag",),
            callers="known",
        ),
        Operation(
            "replaceMatch",
            "post",
            f"{address}/rounds/{{number}}/tables/{{table}}/match",
            "Another match at a table whose match is void",
            "tournaments",
            answered.round,
            good=(201,),
            problems=RUNNING,
            shaped=refused,
            parameters=(OF, OF_ROUND, OF_TABLE, *changing[1:]),
            headers=("ETag",),
            callers="known",
        ),
        Operation(
            "correctStandings",
            "post",
            f"{address}/corrections",
            "Give or take points beside all matches",
            "tournaments",
            answered.tournament,
            good=(201,),
            request=bodies["corrections"],
            problems=RUNNING,
            shaped=refused,
            parameters=changing,
            headers=("ETag",),
            callers="known",
        ),
        Operation(
            "readStandings",
            "get",
            f"{address}/standings",
            "The standings, every figure with the lines that add up to it; or as a table",
            "tournaments",
            answered.standings,
            media=(JSON, CSV),
            problems=READING,
            parameters=(OF,),
            callers="some",
        ),
        Operation(
            "exportTournament",
            "get",
            f"{address}/log",
            "The log of a tournament as a file: every event, chained by hash, and the signed head",
            "tournaments",
            media=(JSON_LINES,),
            problems=READING,
            parameters=(OF,),
            callers="some",
        ),
        Operation(
            "closeTournament",
            "post",
            f"{address}/close",
            "The standings are final, and what the lots were drawn from is told",
            "tournaments",
            answered.tournament,
            problems=RUNNING,
            shaped=refused,
            parameters=changing,
            headers=("ETag",),
            callers="known",
        ),
    )
