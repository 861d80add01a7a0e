"""The published contract, made from the shapes: ``openapi.yaml`` and ``schemas/``.

Both are committed and compared byte for byte with what this module makes.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha512
from typing import Any

import orjson
import yaml
from apispec import APISpec

from gyoji import __version__
from gyoji.games.catalogue import BY_SLUG, GAMES
from gyoji.games.chance import deal_v1
from gyoji.wire import catte, familiars_trouble, tomorrow_never_meows, towai
from gyoji.wire.calls import requests
from gyoji.wire.components import component, specification, standalone
from gyoji.wire.media import JSON, PROBLEM_JSON
from gyoji.wire.operations import COMMON, Operation, stateless, statuses
from gyoji.wire.rulebooks import rulebook
from gyoji.wire.shapes import GameShapes, Shape

SHAPES: Mapping[str, GameShapes] = {
    module.SHAPES.game.slug: module.SHAPES for module in (tomorrow_never_meows, catte, towai, familiars_trouble)
}

DESCRIPTION = """\
A referee for tabletop card games. Send a state and a move: the answer is the validated next state with what happened,
the moves that may follow and the scores, or a refusal that cites the rule. The stateless calls keep nothing.

Errors are problem details (RFC 9457). `title` and `detail` follow `Accept-Language` (`en`, `ja`); the answer says its
language in `Content-Language`. Every answer carries `X-Request-ID`.
"""

EXAMPLE_SEED = sha512(b"gyoji").hexdigest()

LICENSE = {"name": "Apache-2.0", "identifier": "Apache-2.0"}


def openapi() -> dict[str, Any]:
    """The OpenAPI 3.1 description of every operation."""
    spec = specification()
    paths: dict[str, Any] = {}
    for operation in operations():
        paths.setdefault(operation.path, {})[operation.method] = _operation(spec, operation)
    components = dict(sorted(spec.components.schemas.items()))
    return {
        "openapi": "3.1.0",
        "info": {"title": "gyoji", "version": __version__, "description": DESCRIPTION, "license": LICENSE},
        "servers": [{"url": "/"}],
        "security": [],
        "tags": _tags(),
        "paths": paths,
        "components": {"schemas": components},
    }


def operations() -> tuple[Operation, ...]:
    """Every operation, in the order of the contract."""
    return (*COMMON, *(operation for shapes in SHAPES.values() for operation in stateless(shapes)))


def _tags() -> list[dict[str, str]]:
    common = [
        {"name": "catalogue", "description": "Games and their rules"},
        {"name": "operations", "description": "Running the service"},
    ]
    return [*common, *({"name": slug, "description": rulebook(slug).title["en"]} for slug in SHAPES)]


def _operation(spec: APISpec, operation: Operation) -> dict[str, Any]:
    found: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "tags": [operation.tag],
        "security": [],
        "responses": _responses(spec, operation),
    }
    if operation.parameters:
        found["parameters"] = [_parameter(name, about) for name, about in operation.parameters.items()]
    if operation.request is not None:
        content = {JSON: {"schema": component(spec, operation.request), "example": _example(operation)}}
        found["requestBody"] = {"required": True, "content": content}
    return found


def _example(operation: Operation) -> "_InOneLine":
    """A body that can be sent as it is: the first position of a game, and its first legal move."""
    game, call = BY_SLUG[operation.tag], operation.path.rsplit("/", 1)[1]
    if call == "states":
        return _InOneLine(seats=game.max_seats)
    chance = deal_v1(EXAMPLE_SEED)
    state = game.start(game.min_seats, game.read_options({}), 0, EXAMPLE_SEED, chance).state
    more: dict[str, dict[str, Any]] = {"adjudications": {"move": game.legal_moves(state)[0]}, "views": {"seat": 0}}
    return _InOneLine(orjson.loads(orjson.dumps({"state": game.write_state(state), **more.get(call, {})})))


def _parameter(name: str, about: str) -> dict[str, Any]:
    shape: dict[str, Any] = {"type": "string"}
    if name == "game":
        shape["enum"] = list(SHAPES)
    return {"in": "path", "name": name, "required": True, "description": about, "schema": shape}


def _responses(spec: APISpec, operation: Operation) -> dict[str, Any]:
    answer = component(spec, operation.answer) if operation.answer else _untyped(operation)
    good: dict[str, Any] = {"description": operation.summary, "content": {operation.media: {"schema": answer}}}
    if operation.links:
        good["links"] = {name: _link(name, body) for name, body in operation.links.items()}
    refused = {str(status): _problem(spec, shapes) for status, shapes in sorted(statuses(operation).items())}
    return {"200": good, **refused}


def _untyped(operation: Operation) -> dict[str, Any]:
    return {"type": "string"} if operation.media == "text/html" else {"type": "object"}


def _link(name: str, body: Mapping[str, str]) -> dict[str, Any]:
    request: dict[str, Any] = dict(body)
    if name.startswith("view"):
        request["seat"] = 0
    return {"operationId": name, "requestBody": request}


def _problem(spec: APISpec, shapes: tuple[Shape, ...]) -> dict[str, Any]:
    references = [component(spec, shape) for shape in shapes]
    schema: dict[str, Any] = references[0] if len(references) == 1 else {"oneOf": references}
    return {"description": "Problem details", "content": {PROBLEM_JSON: {"schema": schema}}}


def rule_data(slug: str, components: Mapping[str, Any]) -> dict[str, Any]:
    """What pins the rules of a game: option schemas and defaults, components, tables and rule ids; no texts."""
    book, shapes = rulebook(slug), SHAPES[slug]
    return {
        "game": slug,
        "version": shapes.game.version,
        "options": _without_texts(standalone(shapes.options_given.__name__, components)),
        "components": [
            {key: entry[key] for key in ("codes", "count", "counts") if key in entry} for entry in book.components
        ],
        "data": shapes.data,
        "rules": [entry["rule"] for entry in book.rules],
    }


def _without_texts(node: Any) -> Any:
    """A schema without its descriptions: words may improve, the rules stay the same."""
    if isinstance(node, dict):
        return {key: _without_texts(value) for key, value in node.items() if key != "description"}
    return [_without_texts(item) for item in node] if isinstance(node, list) else node


def canonical(document: Any) -> bytes:
    """RFC 8785 for strings, integers, booleans, null, lists and objects with ASCII names: sorted, without spaces."""
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS)


def _printed(document: Any) -> bytes:
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _schemas_of(shapes: GameShapes) -> dict[str, Shape]:
    bodies = {f"{call}-request": shape for call, shape in requests(shapes).items()}
    own = {
        "state": shapes.state,
        "view": shapes.view,
        "move": shapes.move,
        "event": shapes.event,
        "options": shapes.options,
        "new-options": shapes.options_given,
    }
    return {**own, **bodies}


def files() -> Iterator[tuple[str, bytes]]:
    """Every generated file: its path from the root of the checkout, and its bytes."""
    document = openapi()
    yield "openapi.yaml", yaml.dump(document, sort_keys=False, allow_unicode=True, width=120, Dumper=_Plain).encode()
    components = document["components"]["schemas"]
    yield "schemas/problem.json", _printed(standalone("Problem", components))
    yield "schemas/impossible-state.json", _printed(standalone("ImpossibleState", components))
    yield "schemas/invalid-request.json", _printed(standalone("InvalidRequest", components))
    for game in GAMES:
        shapes = SHAPES[game.slug]
        for name, shape in _schemas_of(shapes).items():
            yield f"schemas/{game.slug}/{name}.json", _printed(standalone(shape.__name__, components))
        yield f"schemas/{game.slug}/rules.json", canonical(rule_data(game.slug, components))


class _InOneLine(dict[str, Any]):
    """A mapping that YAML keeps on as few lines as it can."""


class _Plain(yaml.SafeDumper):
    """YAML without anchors: a shape that occurs twice is written twice. Text of several lines keeps its lines."""

    def ignore_aliases(self, _data: Any) -> bool:
        return True

    def represent_text(self, text: str) -> yaml.ScalarNode:
        """A string, as a literal block where it has several lines."""
        return self.represent_scalar("tag:yaml.org,2002:str", text, "|" if "\n" in text else None)

    def represent_in_one_line(self, mapping: _InOneLine) -> yaml.MappingNode:
        """A mapping in flow style, and whatever it holds."""
        return self.represent_mapping("tag:yaml.org,2002:map", mapping, flow_style=True)


_Plain.add_representer(str, _Plain.represent_text)
_Plain.add_representer(_InOneLine, _Plain.represent_in_one_line)
