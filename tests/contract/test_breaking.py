"""Changes that would break a client are refused, harmless ones are not."""

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from answers import contract
from gyoji.api.breaking_changes import breaking_changes

RELEASED: dict[str, Any] = yaml.load((Path(__file__).parent / "released.yaml").read_bytes(), Loader=yaml.CSafeLoader)
ADJUDICATE = "/v1/games/catte/adjudications"

Change = Callable[[dict[str, Any]], object]


def _shape(document: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = document["components"]["schemas"][name]
    return found


def _members(document: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = _shape(document, name)["properties"]
    return found


def _post(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["paths"][ADJUDICATE]["post"]
    return found


def _rename_media(content: dict[str, Any]) -> None:
    content["application/vnd.gyoji+json"] = content.pop("application/json")


BREAKING: dict[str, tuple[Change, str]] = {
    "an operation removed": (lambda it: it["paths"].pop("/v1/games"), "GET /v1/games: removed"),
    "a method moved": (
        lambda it: it["paths"][ADJUDICATE].update(put=it["paths"][ADJUDICATE].pop("post")),
        f"POST {ADJUDICATE}: removed",
    ),
    "an answer removed": (lambda it: _post(it)["responses"].pop("409"), "answer 409 removed"),
    "a request media type changed": (
        lambda it: _rename_media(_post(it)["requestBody"]["content"]),
        "request: media type application/json removed",
    ),
    "an answer's media type changed": (
        lambda it: _rename_media(_post(it)["responses"]["200"]["content"]),
        "200: media type application/json removed",
    ),
    "a request body where there was none": (
        lambda it: it["paths"]["/healthz"]["get"].update(requestBody={"required": True, "content": {}}),
        "the request body was added",
    ),
    "a request body gone": (lambda it: _post(it).pop("requestBody"), "the request body was removed"),
    "a request member newly required": (
        lambda it: _shape(it, "CatteNewGame")["required"].append("seed"),
        "member seed is newly required",
    ),
    "a request member added as required": (
        lambda it: (
            _members(it, "CatteNewGame").update(table={"type": "string"}),
            _shape(it, "CatteNewGame")["required"].append("table"),
        ),
        "member table is newly required",
    ),
    "a request member removed": (lambda it: _members(it, "CatteNewGame").pop("seed"), "member seed removed"),
    "a word of a request removed": (
        lambda it: _members(it, "CatteOptionsGiven")["bust_bonus"]["enum"].remove("forfeit"),
        "words removed: ['forfeit']",
    ),
    "words where any string was": (
        lambda it: _members(it, "CattePlayMove")["card"].update(enum=["B1"]),
        "words removed: []",
    ),
    "a move removed": (
        lambda it: (
            _shape(it, "TowaiMove")["discriminator"]["mapping"].pop("pass"),
            _shape(it, "TowaiMove")["oneOf"].pop(1),
        ),
        "variant pass removed",
    ),
    "a type changed": (
        lambda it: _members(it, "CatteNewGame").update(seats={"type": "string"}),
        "type ['integer'] removed",
    ),
    "a bound tightened from above": (
        lambda it: _members(it, "TowaiNewGame")["seats"].update(maximum=5),
        "maximum lowered",
    ),
    "a bound tightened from below": (
        lambda it: _members(it, "TowaiNewGame")["seats"].update(minimum=3),
        "minimum raised",
    ),
    "a list that may hold less": (
        lambda it: _members(it, "CatteAdjudicationRequest")["moves"].update(maxItems=100),
        "maxItems lowered",
    ),
    "items that have to be distinct": (
        lambda it: _members(it, "CatteTable")["aside"].update(uniqueItems=True),
        "items have to be distinct now",
    ),
    "a pattern changed": (
        lambda it: _members(it, "CatteNewGame")["seed"].update(pattern="^[0-9a-f]{64}$"),
        "pattern changed",
    ),
    "null refused": (lambda it: _members(it, "CatteState")["seed"].update(type="string"), "may no longer be null"),
    "a null of a shape refused": (
        lambda it: _members(it, "CatteState")["outcome"]["oneOf"].pop(),
        "null removed",
    ),
    "a default changed": (lambda it: _members(it, "TowaiOptionsGiven")["finishes_to_win"].update(default=1), "default"),
    "members that may not stand together": (
        lambda it: _shape(it, "CatteAdjudicationRequest").update(oneOf=[{"required": ["moves"]}]),
        "which members may stand together",
    ),
    "a parameter newly required": (
        lambda it: it["paths"]["/v1/games"]["get"].update(
            parameters=[{"in": "query", "name": "page", "required": True, "schema": {"type": "integer"}}]
        ),
        "parameter query page is newly required",
    ),
    "a parameter removed": (
        lambda it: it["paths"]["/problems/{code}"]["get"].pop("parameters"),
        "parameter path code removed",
    ),
    "a word of a parameter removed": (
        lambda it: it["paths"]["/v1/games/{game}"]["get"]["parameters"][0]["schema"]["enum"].remove("catte"),
        "words removed: ['catte']",
    ),
    "an answer's member removed": (lambda it: _members(it, "CatteScores").pop("lines"), "member lines removed"),
    "an answer's member no longer required": (
        lambda it: _shape(it, "CatteScores")["required"].remove("lines"),
        "member lines is no longer always there",
    ),
    "an answer that may newly be null": (
        lambda it: _members(it, "CatteScores")["scores"].update(type=["array", "null"]),
        "may newly be null",
    ),
    "a shape that may newly be null": (
        lambda it: _members(it, "CattePosition").update(
            state={"oneOf": [{"$ref": "#/components/schemas/CatteState"}, {"type": "null"}]}
        ),
        "may newly be null",
    ),
    "an answer's pattern changed": (
        lambda it: _members(it, "CatteScores")["rules_digest"].update(pattern="^[0-9a-f]{128}$"),
        "pattern changed",
    ),
    "an event removed": (
        lambda it: _shape(it, "CatteEvent")["discriminator"]["mapping"].pop("trick_won"),
        "variant trick_won removed",
    ),
    "a shape renamed": (
        lambda it: (
            it["components"]["schemas"].update(Result=_shape(it, "CatteOutcome")),
            _members(it, "CatteScores").update(
                outcome={"oneOf": [{"$ref": "#/components/schemas/Result"}, {"type": "null"}]}
            ),
        ),
        "shape CatteOutcome removed",
    ),
    "a key where none was needed": (
        lambda it: it["paths"]["/v1/games"]["get"].update(security=[{"bearer": []}]),
        "a key or a token is newly required",
    ),
    "a key where anybody could watch": (
        lambda it: it["paths"]["/v1/matches/{match}"]["get"].update(security=[{"bearer": []}]),
        "a key or a token is newly required",
    ),
    "the moves of a game refused": (
        lambda it: _shape(it, "MoveRequest")["anyOf"].pop(),
        "shape FamiliarsTroubleMoveRequest removed",
    ),
    "fewer notes": (
        lambda it: _members(it, "CatteNewMatch")["metadata"].update(maxProperties=16),
        "maxProperties lowered",
    ),
    "members refused that were let pass": (
        lambda it: _shape(it, "CatteNewGame").update(additionalProperties=False),
        "other members are refused now",
    ),
}

HARMLESS: dict[str, Change] = {
    "an operation added": lambda it: it["paths"].update({"/v2/games": it["paths"]["/v1/games"]}),
    "a method added": lambda it: it["paths"]["/v1/games"].update(post=it["paths"]["/v1/games"]["get"]),
    "an answer added": lambda it: _post(it)["responses"].update({"429": _post(it)["responses"]["400"]}),
    "an optional request member": lambda it: _members(it, "CatteNewGame").update(note={"type": "string"}),
    "a request member no longer required": lambda it: _shape(it, "CatteViewRequest")["required"].remove("seat"),
    "a word more in requests": lambda it: _members(it, "CatteOptionsGiven")["bust_bonus"]["enum"].append("half"),
    "a word more in answers": lambda it: _members(it, "Finding")["code"]["enum"].append("wrong-weather"),
    "a wider bound": lambda it: _members(it, "CatteNewGame")["version"].update(maximum=2),
    "a member more in answers": lambda it: (
        _members(it, "CatteScores").update(leader={"type": "integer"}),
        _shape(it, "CatteScores")["required"].append("leader"),
    ),
    "an event more": lambda it: _shape(it, "CatteEvent")["discriminator"]["mapping"].update(
        cup_broken="#/components/schemas/CatteCardPlayed"
    ),
    "null taken where it was refused": lambda it: _members(it, "CatteNewGame")["seed"].update(type=["string", "null"]),
    "an optional parameter": lambda it: it["paths"]["/v1/games"]["get"].update(
        parameters=[{"in": "query", "name": "page", "schema": {"type": "integer"}}]
    ),
    "a key no longer needed": lambda it: it["paths"]["/v1/matches"]["get"].update(security=[]),
    "the moves of one more game": lambda it: _shape(it, "MoveRequest")["anyOf"].append(
        {"$ref": "#/components/schemas/Fork"}
    ),
    "other words for people": lambda it: it["info"].update(description="In other words"),
    "a link more": lambda it: _post(it)["responses"]["200"]["links"].update(again={"operationId": "startCatte"}),
}


def test_the_code_breaks_no_client_of_the_last_release() -> None:
    assert breaking_changes(RELEASED, contract()) == []


@pytest.mark.parametrize("name", BREAKING)
def test_breaking(name: str) -> None:
    released, change, said = deepcopy(contract()), *BREAKING[name]
    if name == "members refused that were let pass":
        _shape(released, "CatteNewGame").pop("additionalProperties")
    proposed = deepcopy(released)
    change(proposed)
    found = breaking_changes(released, proposed)
    assert any(said in line for line in found), found


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless(name: str) -> None:
    proposed = deepcopy(contract())
    HARMLESS[name](proposed)
    assert proposed != contract()
    assert breaking_changes(contract(), proposed) == []


def test_every_change_is_said_once_and_with_its_place() -> None:
    proposed = deepcopy(contract())
    _members(proposed, "CatteState").pop("ply")
    assert breaking_changes(contract(), proposed) == [
        "POST /v1/games/catte/states 200 CattePosition/state CatteState: member ply removed",
        f"POST {ADJUDICATE} request CatteAdjudicationRequest/state CatteState: member ply removed",
    ]
