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
    """The members of a shape; of one with a base its own."""
    found: dict[str, Any] = _own(document, name)["properties"]
    return found


def _own(document: dict[str, Any], name: str) -> dict[str, Any]:
    """A shape; of one with a base what it has beside that."""
    found: dict[str, Any] = _shape(document, name)
    return found["allOf"][1] if "allOf" in found else found


def _post(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["paths"][ADJUDICATE]["post"]
    return found


def _refusals(document: dict[str, Any]) -> dict[str, Any]:
    """How the refusals of an adjudication are told apart."""
    name = "CatteIllegalMoveOrImpossibleStateOrCapsuleRefused"
    found: dict[str, Any] = document["components"]["responses"][name]["content"]["application/problem+json"]["schema"]
    return found


def _nest_refusals(document: dict[str, Any]) -> None:
    """Makes a union of its own of two of the refusals."""
    one, other, third = _refusals(document)["oneOf"]
    document["components"]["schemas"]["Refusal"] = {"oneOf": [one, other]}
    _refusals(document).pop("discriminator")
    _refusals(document)["oneOf"] = [{"$ref": "#/components/schemas/Refusal"}, third]


def _with_base(document: dict[str, Any], name: str, member: str) -> dict[str, Any]:
    """Moves one member of a shape into a base of it, and returns that."""
    whole, shapes = _shape(document, name), document["components"]["schemas"]
    whole["required"].remove(member)
    shapes["OwnBase"] = {
        "type": "object",
        "properties": {member: whole["properties"].pop(member)},
        "required": [member],
    }
    shapes[name] = {"allOf": [{"$ref": "#/components/schemas/OwnBase"}, whole]}
    base: dict[str, Any] = shapes["OwnBase"]
    return base


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
        "type integer removed",
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
        lambda it: _members(it, "CatteMovesAdjudication")["moves"].update(maxItems=100),
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
    "null refused": (lambda it: _members(it, "CatteState")["seed"]["oneOf"].pop(), "seed: may no longer be null"),
    "a null of a shape refused": (
        lambda it: _members(it, "CatteState")["outcome"]["oneOf"].pop(),
        "outcome: may no longer be null",
    ),
    "a default changed": (lambda it: _members(it, "TowaiOptionsGiven")["finishes_to_win"].update(default=1), "default"),
    "one of two forms removed": (
        lambda it: _post(it)["requestBody"]["content"]["application/json"]["schema"]["oneOf"].pop(1),
        "shape CatteMovesAdjudication removed",
    ),
    "a form that takes less than an object with one of two members": (
        lambda it: _members(it, "CatteMoveAdjudication").pop("state"),
        "CatteMoveAdjudication: member state removed",
    ),
    "a constant in the place of words": (
        lambda it: _members(it, "CatteOptionsGiven").update(bust_bonus={"type": "string", "const": "keep"}),
        "words removed: ['forfeit']",
    ),
    "a constant changed": (
        lambda it: _members(it, "CatteState").update(game={"type": "string", "const": "cat"}),
        "words removed: ['catte']",
    ),
    "a shared value changed": (
        lambda it: (
            it["components"]["schemas"].update(Half={"type": "string", "pattern": "^[0-9a-f]{64}$"}),
            _members(it, "CatteNewGame").update(seed={"$ref": "#/components/schemas/Half"}),
        ),
        "seed: pattern changed",
    ),
    "a shared parameter changed": (
        lambda it: it["components"]["parameters"]["Game"].update(schema={"type": "string", "enum": ["catte"]}),
        "words removed: ['tomorrow-never-meows'",
    ),
    "a shared refusal changed": (lambda it: _refusals(it)["discriminator"]["mapping"].pop("illegal-move"), "removed"),
    "a member of a base removed": (
        lambda it: _with_base(it, "CatteLegalMoves", "to_act").update(properties={}, required=[]),
        "member to_act removed",
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
        lambda it: _shape(it, "GameSlug")["enum"].remove("catte"),
        "words removed: ['catte']",
    ),
    "an answer's member removed": (lambda it: _members(it, "CatteScores").pop("lines"), "member lines removed"),
    "an answer's member no longer required": (
        lambda it: _own(it, "CatteScores")["required"].remove("lines"),
        "member lines is no longer always there",
    ),
    "an answer that may newly be null": (
        lambda it: _members(it, "CatteScores")["lines"].update(type=["array", "null"]),
        "may newly be null",
    ),
    "a shape that may newly be null": (
        lambda it: _members(it, "CattePosition").update(
            state={"oneOf": [{"$ref": "#/components/schemas/CatteState"}, {"type": "null"}]}
        ),
        "may newly be null",
    ),
    "an answer's pattern changed": (
        lambda it: _shape(it, "RulesDigest").update(pattern="^[0-9a-f]{128}$"),
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
        lambda it: _shape(it, "AnyMove")["discriminator"]["mapping"].pop("draw_errand"),
        "variant draw_errand removed",
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
        _own(it, "CatteScores")["required"].append("leader"),
    ),
    "an event more": lambda it: _shape(it, "CatteEvent")["discriminator"]["mapping"].update(
        cup_broken="#/components/schemas/CatteCardPlayed"
    ),
    "null taken where it was refused": lambda it: _members(it, "CatteNewGame")["seed"].update(type=["string", "null"]),
    "an optional parameter": lambda it: it["paths"]["/healthz"]["get"].update(
        parameters=[{"in": "query", "name": "page", "schema": {"type": "integer"}}]
    ),
    "a key no longer needed": lambda it: it["paths"]["/v1/matches"]["get"].update(security=[]),
    "the moves of one more game": lambda it: _shape(it, "AnyMove")["discriminator"]["mapping"].update(
        castle="#/components/schemas/Fork"
    ),
    "any text where one of a form was": lambda it: _members(it, "CatteNewGame").update(seed={"type": "string"}),
    "members moved into a base": lambda it: _with_base(it, "CatteLegalMoves", "to_act"),
    "a value without a name": lambda it: _members(it, "CatteNewGame").update(seed=_shape(it, "Seed")),
    "a value with another name": lambda it: (
        it["components"]["schemas"].update(Secret=_shape(it, "Seed")),
        _members(it, "CatteNewGame").update(seed={"$ref": "#/components/schemas/Secret"}),
    ),
    "a parameter and an answer in place": lambda it: (
        it["paths"]["/v1/games/{game}"]["get"]["parameters"].__setitem__(0, it["components"]["parameters"]["Game"]),
        it["paths"]["/v1/games/{game}"]["get"]["responses"].update({"404": it["components"]["responses"]["NotFound"]}),
    ),
    "an enumeration of one word for a constant": lambda it: _members(it, "CatteState").update(
        game={"type": "string", "enum": ["catte"]}
    ),
    "null as a type and as a variant": lambda it: _members(it, "Divergence").update(
        rule={"oneOf": [{"type": "string", "maxLength": 4000}, {"type": "null"}]}
    ),
    "a union within a union": _nest_refusals,
    "other words for people": lambda it: it["info"].update(description="In other words"),
    "a limit gone": lambda it: it["paths"]["/v1/matches/{match}/events"]["get"]["responses"].pop("429"),
    "a link more": lambda it: _post(it)["responses"]["200"].update(links={"again": {"operationId": "startCatte"}}),
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


def test_an_answer_may_become_open_to_further_members() -> None:
    released, proposed = deepcopy(contract()), deepcopy(contract())
    _shape(released, "CatteScores")["additionalProperties"] = False
    assert breaking_changes(released, proposed) == []


def test_every_change_is_said_once_and_with_its_place() -> None:
    proposed = deepcopy(contract())
    _members(proposed, "CatteState").pop("ply")
    assert breaking_changes(contract(), proposed) == [
        "POST /v1/games/catte/states 200 CattePosition/state CatteState: member ply removed",
        f"POST {ADJUDICATE} request CatteMoveAdjudication/state CatteState: member ply removed",
    ]
