"""The operations of the catalogue, and the stateless calls of each game."""

from gyoji.api.operation import Operation, about, lasting
from gyoji.api.rights import OPEN

CATALOGUE = about(
    "catalogue",
    lasting(Operation("listGames", "GET /v1/games", "The games this service referees", OPEN, answer="Games")),
    lasting(
        Operation(
            "describeGame",
            "GET /v1/games/{game}",
            "One game: options, phases, moves, cards and rulings",
            OPEN,
            answer="GameDescription",
        )
    ),
    lasting(
        Operation(
            "listRules", "GET /v1/games/{game}/rules", "The rulebook of one game, rule by rule", OPEN, answer="Rules"
        )
    ),
    lasting(
        Operation(
            "readRule", "GET /v1/games/{game}/rules/{rule}", "One rule or ruling by its id", OPEN, answer="RuleAnswer"
        )
    ),
    lasting(
        Operation("readSchema", "GET /schemas/{schema}", "A JSON Schema of this API, or the rule data of a game", OPEN)
    ),
)

TO_SEAL = ("unauthenticated", "token-expired", "forbidden", "already-stored", "unavailable")
"""What may stand against remembering a match."""

FROM_STATE = ("impossible-state", "capsule-refused", "stale-position", "unavailable")
"""What may be wrong with a state, with a capsule, or with what is remembered of it."""

STATELESS = (
    Operation(
        "start",
        "POST /v1/games/{game}/states",
        "A first position: hands dealt, ready for the first move",
        OPEN,
        of_game="start{}",
        request="{}NewGame",
        sealed="{}SealedNewGame",
        answer="{}Position",
        sealed_answer="{}SealedPosition",
        problems=TO_SEAL,
    ),
    Operation(
        "adjudicate",
        "POST /v1/games/{game}/adjudications",
        "A state and a move, or moves in order: the ruling and the next state",
        OPEN,
        of_game="adjudicate{}",
        request="{}AdjudicationRequest",
        sealed="{}SealedAdjudicationRequest",
        answer="{}Adjudication",
        sealed_answer="{}SealedPosition",
        problems=(*FROM_STATE, "illegal-move"),
    ),
    Operation(
        "listLegalMoves",
        "POST /v1/games/{game}/legal-moves",
        "Every move that would be accepted",
        OPEN,
        of_game="list{}LegalMoves",
        request="{}LegalMovesRequest",
        sealed="{}SealedLegalMovesRequest",
        answer="{}LegalMoves",
        problems=FROM_STATE,
    ),
    Operation(
        "score",
        "POST /v1/games/{game}/scores",
        "The scores and how each figure came about",
        OPEN,
        of_game="score{}",
        request="{}ScoresRequest",
        sealed="{}SealedScoresRequest",
        answer="{}Scores",
        problems=FROM_STATE,
    ),
    Operation(
        "view",
        "POST /v1/games/{game}/views",
        "The state as one seat, or a spectator, may know it",
        OPEN,
        of_game="view{}",
        request="{}ViewRequest",
        sealed="{}SealedViewRequest",
        answer="{}SeatView",
        problems=FROM_STATE,
    ),
    Operation(
        "ask",
        "POST /v1/games/{game}/questions",
        "A ruling on a position that is known in part, or the one fact that it hangs on",
        OPEN,
        of_game="ask{}",
        request="{}QuestionRequest",
        answer="{}QuestionAnswer",
        problems=("impossible-state",),
    ),
)
"""Each game has all of them, but that not every one can be asked; one row says who may, whichever the game."""
