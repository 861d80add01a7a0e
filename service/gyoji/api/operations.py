"""The operations of the HTTP API as data: what ``openapi.yaml`` says of each, and what the web routes must match."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from gyoji.api.calls import answers, illegal_move, requests, sealed_position
from gyoji.api.log_events import logged
from gyoji.api.media import CALLS, HTML, JSON, SEALED
from gyoji.api.parameters import CODE, RULE, Parameter
from gyoji.api.parameters import GAME as OF_GAME
from gyoji.api.shapes import (
    CAPSULE_REFUSED,
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
from gyoji.messages.language import messages

ANSWERING = ("not-acceptable", "internal-error")
"""The problems that every call may end in."""

SENDING = (
    "malformed-json",
    "malformed-header",
    "length-required",
    "too-large",
    "unsupported-media-type",
    "invalid-request",
)
"""What may be wrong with a body."""

SHAPED: Mapping[str, tuple[Shape, ...]] = {
    "capsule-refused": (CAPSULE_REFUSED,),
    "impossible-state": (IMPOSSIBLE_STATE,),
    "invalid-request": (INVALID_REQUEST,),
}
"""Problems that have a shape of their own, in any operation."""


@dataclass(frozen=True)
class Operation:
    """One method on one address."""

    name: str
    method: Literal["get", "post", "delete"]
    path: str
    summary: str
    tag: str
    answer: Shape | None = None
    """The body of a good answer; ``None`` for one that is no JSON shape of ours."""
    media: tuple[str, ...] = (JSON,)
    """What it can be had as; the shape is that of the first."""
    good: tuple[int, ...] = (200,)
    """The statuses of good answers; a 204 has no body."""
    request: Shape | None = None
    """The body as JSON."""
    sealed: Shape | None = None
    """The body where it asks for a capsule, or brings one."""
    sealed_answer: Shape | None = None
    """The body of a good answer to that, where it is another one."""
    takes_replay: bool = False
    """Whether the body is, or may be, a replay file."""
    problems: tuple[str, ...] = ()
    """Codes beside those that follow from a body being sent."""
    shaped: Mapping[str, tuple[Shape, ...]] = field(default_factory=dict)
    """Code -> shapes, where ``SHAPED`` does not say."""
    parameters: tuple[Parameter, ...] = ()
    headers: tuple[str, ...] = ()
    """Headers of a good answer."""
    callers: Literal["anybody", "some", "known"] = "anybody"
    """Who may: anybody, whoever the match is open to, or a known caller only."""
    links: Mapping[str, Mapping[str, str]] | None = None
    """Operation name -> request member or parameter -> where in this answer it comes from."""


COMMON: tuple[Operation, ...] = (
    Operation("listGames", "get", "/v1/games", "The games this service referees", "catalogue", GAMES),
    Operation(
        "describeGame",
        "get",
        "/v1/games/{game}",
        "One game: options, phases, moves, cards and rulings",
        "catalogue",
        GAME,
        problems=("not-found",),
        parameters=(OF_GAME,),
    ),
    Operation(
        "listRules",
        "get",
        "/v1/games/{game}/rules",
        "The rulebook of one game, rule by rule",
        "catalogue",
        RULES,
        problems=("not-found",),
        parameters=(OF_GAME,),
    ),
    Operation(
        "readRule",
        "get",
        "/v1/games/{game}/rules/{rule}",
        "One rule or ruling by its id",
        "catalogue",
        RULE_ANSWER,
        problems=("not-found",),
        parameters=(OF_GAME, RULE),
    ),
    Operation("readHealth", "get", "/healthz", "Whether the process answers", "operations", HEALTH),
    Operation(
        "readReadiness",
        "get",
        "/readyz",
        "Whether the service can do its work",
        "operations",
        HEALTH,
        problems=("unavailable",),
    ),
    Operation("readContract", "get", "/openapi.json", "This description of the API", "operations"),
    Operation("readIndex", "get", "/", "What this is, and where to go", "operations", media=(HTML,)),
    Operation("listProblemTypes", "get", "/problems", "Every problem type", "operations", media=(HTML,)),
    Operation("readDocumentation", "get", "/docs", "This description as a page", "operations", media=(HTML,)),
    Operation(
        "readProblemType",
        "get",
        "/problems/{code}",
        "What a problem type means",
        "operations",
        media=(HTML,),
        problems=("not-found",),
        parameters=(CODE,),
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


BY_CAPSULE = ("capsule-refused", "stale-position", "unavailable")
"""What may be wrong with a capsule, or with what is remembered of it."""

TO_SEAL = ("unauthenticated", "token-expired", "forbidden", "already-stored", "unavailable")
"""What may stand against remembering a match."""


def stateless(shapes: GameShapes) -> tuple[Operation, ...]:
    """The stateless calls of one game."""
    bodies, answered = requests(shapes), answers(shapes)
    position = sealed_position(shapes, logged(shapes).event)
    conflicts: dict[str, tuple[str, ...]] = {
        **dict.fromkeys(CALLS, ("impossible-state", *BY_CAPSULE)),
        "states": TO_SEAL,
    }
    conflicts["adjudications"] += ("illegal-move",)
    return tuple(
        Operation(
            VERBS[call].format(shapes.prefix),
            "post",
            f"/v1/games/{shapes.game.slug}/{call}",
            summary,
            shapes.game.slug,
            answered[call],
            request=bodies[call],
            sealed=bodies[SEALED[call]],
            sealed_answer=position if call in ("states", "adjudications") else None,
            problems=conflicts[call],
            shaped={"illegal-move": (illegal_move(shapes),)},
            callers="some" if call == "states" else "anybody",
            links=_state_links(shapes.prefix) if call in ("states", "adjudications") else None,
        )
        for call, summary in CALLS.items()
    )


def codes(operation: Operation) -> tuple[str, ...]:
    """The codes of the problems that the operation may answer with, in the order of the problem pages."""
    sends = operation.request is not None or operation.takes_replay
    found = {*ANSWERING, *operation.problems, *(SENDING if sends else ())}
    return tuple(code for code in messages()["problem"] if code in found)


def statuses(operation: Operation) -> dict[int, dict[str, tuple[Shape, ...]]]:
    """The same by status, each with the shapes that its problem details may have."""
    found: dict[int, dict[str, tuple[Shape, ...]]] = {}
    for code in codes(operation):
        shapes = operation.shaped.get(code) or SHAPED.get(code, (PROBLEM,))
        found.setdefault(messages()["problem"][code]["status"], {})[code] = shapes
    return dict(sorted(found.items()))
