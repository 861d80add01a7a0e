"""The operations of the HTTP API as data: what ``openapi.yaml`` says of each, and what the web routes must match."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from gyoji.wire.calls import answers, illegal_move, requests
from gyoji.wire.media import CALLS, HTML, JSON
from gyoji.wire.shapes import (
    GAME,
    GAMES,
    HEALTH,
    IMPOSSIBLE_STATE,
    INVALID_REQUEST,
    PROBLEM,
    RULE_ANSWER,
    RULES,
    GameShapes,
    Shape,
)


@dataclass(frozen=True)
class Operation:
    """One method on one address."""

    name: str
    method: Literal["get", "post"]
    path: str
    summary: str
    tag: str
    answer: Shape | None = None
    """The body of the answer 200; ``None`` for one that is no JSON shape of ours."""
    media: str = JSON
    request: Shape | None = None
    refusals: tuple[Shape, ...] = ()
    """What a 409 may hold, told apart by ``code``."""
    parameters: Mapping[str, str] | None = None
    """Path parameters and what they are."""
    links: Mapping[str, Mapping[str, str]] | None = None
    """Operation name -> request member -> where in this answer it comes from."""


COMMON: tuple[Operation, ...] = (
    Operation("listGames", "get", "/v1/games", "The games this service referees", "catalogue", GAMES),
    Operation(
        "describeGame",
        "get",
        "/v1/games/{game}",
        "One game: options, phases, moves, cards and rulings",
        "catalogue",
        GAME,
        parameters={"game": "The slug of a game"},
    ),
    Operation(
        "listRules",
        "get",
        "/v1/games/{game}/rules",
        "The rulebook of one game, rule by rule",
        "catalogue",
        RULES,
        parameters={"game": "The slug of a game"},
    ),
    Operation(
        "readRule",
        "get",
        "/v1/games/{game}/rules/{rule}",
        "One rule or ruling by its id",
        "catalogue",
        RULE_ANSWER,
        parameters={"game": "The slug of a game", "rule": "The id of a rule, such as CAT-3.1"},
    ),
    Operation("readHealth", "get", "/healthz", "Whether the process answers", "operations", HEALTH),
    Operation("readReadiness", "get", "/readyz", "Whether the service can do its work", "operations", HEALTH),
    Operation("readContract", "get", "/openapi.json", "This description of the API", "operations"),
    Operation("readIndex", "get", "/", "What this is, and where to go", "operations", media=HTML),
    Operation("listProblemTypes", "get", "/problems", "Every problem type", "operations", media=HTML),
    Operation("readDocumentation", "get", "/docs", "This description as a page", "operations", media=HTML),
    Operation(
        "readProblemType",
        "get",
        "/problems/{code}",
        "What a problem type means",
        "operations",
        media=HTML,
        parameters={"code": "The code of a problem"},
    ),
)


def _state_links(prefix: str) -> dict[str, dict[str, str]]:
    state = {"state": "$response.body#/state"}
    return {
        f"adjudicate{prefix}": {**state, "move": "$response.body#/legal_moves/0"},
        f"list{prefix}LegalMoves": state,
        f"score{prefix}": state,
        f"view{prefix}": state,
    }


VERBS: Mapping[str, str] = {
    "states": "start{}",
    "adjudications": "adjudicate{}",
    "legal-moves": "list{}LegalMoves",
    "scores": "score{}",
    "views": "view{}",
}


def stateless(shapes: GameShapes) -> tuple[Operation, ...]:
    """The stateless calls of one game."""
    bodies, answered = requests(shapes), answers(shapes)
    refusals: dict[str, tuple[Shape, ...]] = {
        "states": (),
        "adjudications": (illegal_move(shapes), IMPOSSIBLE_STATE),
    }
    return tuple(
        Operation(
            VERBS[call].format(shapes.prefix),
            "post",
            f"/v1/games/{shapes.game.slug}/{call}",
            summary,
            shapes.game.slug,
            answered[call],
            request=bodies[call],
            refusals=refusals.get(call, (IMPOSSIBLE_STATE,)),
            links=_state_links(shapes.prefix) if call in ("states", "adjudications") else None,
        )
        for call, summary in CALLS.items()
    )


def statuses(operation: Operation) -> dict[int, tuple[Shape, ...]]:
    """The problem details that the operation may answer with, by status."""
    plain = (PROBLEM,)
    found: dict[int, tuple[Shape, ...]] = {406: plain, 500: plain}
    if operation.parameters:
        found[404] = plain
    if operation.name == "readReadiness":
        found[503] = plain
    if operation.request is not None:
        found.update({400: plain, 411: plain, 413: plain, 415: plain, 422: (INVALID_REQUEST,)})
    if operation.refusals:
        found[409] = operation.refusals
    return found
