"""The published contract, made from the shapes: ``openapi.yaml`` and ``schemas/``.

Both are committed and compared byte for byte with what this module makes.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import orjson
import yaml
from apispec import APISpec

from gyoji import __version__
from gyoji.api import match_answers, replay_answers, shapes, webhooks
from gyoji.api.calls import answers, illegal_move, requests, sealed_position
from gyoji.api.components import REF, component, specification, standalone
from gyoji.api.log_events import log_shapes
from gyoji.api.log_lines import RECEIPT, replay_shapes
from gyoji.api.match_requests import match_requests
from gyoji.api.media import EVENT_STREAM, JSON, JSON_LINES, PROBLEM_JSON
from gyoji.api.operation import Operation
from gyoji.api.operations import ROWS
from gyoji.api.parameters import HEADERS, Parameter
from gyoji.api.records import all_shapes
from gyoji.api.shapes import PROBLEM, SPECIAL_PROBLEMS, GameShapes, Shape, any_of, is_shape, one_of
from gyoji.api.tournament_answers import tournament_answers
from gyoji.api.tournament_requests import tournament_requests
from gyoji.games.catalogue import BY_SLUG, EXAMPLE, is_own
from gyoji.log.canonical import canonical
from gyoji.messages.language import messages
from gyoji.messages.rulebooks import rulebook
from gyoji.published_files import contract_file

SHAPES: Mapping[str, GameShapes] = all_shapes(BY_SLUG)

DESCRIPTION = """\
A referee for tabletop card games. Send a state and a move: the answer is the validated next state with what happened,
the moves that may follow and the scores, or a refusal that cites the rule. The stateless calls keep nothing.

Errors are problem details (RFC 9457). `title` and `detail` follow `Accept-Language` (`en`, `ja`); the answer says its
language in `Content-Language`. Every answer carries `X-Request-ID`.
"""

LICENSE = {"name": "Apache-2.0", "identifier": "Apache-2.0"}


SECURITY: Mapping[str, list[dict[str, list[str]]]] = {
    "anybody": [],
    "some": [{"bearer": []}, {}],
    "known": [{"bearer": []}],
}
"""By who may: nobody needs a key or token, whoever may not watch as anybody does, everybody does."""

BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "An API key of an operator, a referee or an auditor, or a token of a seat or of spectators",
}

NAMED_AFTER = (*SPECIAL_PROBLEMS, "ruling-refused", "claim-refused", "tournament-refused")
"""Problems whose details have a shape of their own, which is named after the code."""

REFUSAL_HEADERS: Mapping[int, str] = {401: "WWW-Authenticate", 429: "Retry-After", 503: "Retry-After"}
"""The header that comes with a refusal."""

MEDIA_DESCRIPTIONS: Mapping[str, str] = {
    JSON_LINES: "JSON Lines, each a canonical document: schemas/replay/ has their shapes",
    EVENT_STREAM: "Server-sent events: the id is the seq, the data an event of the feed; after `reset` they begin with "
    "the first one",
}
"""What a body is that has no shape here."""


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
        "components": {"schemas": components, "securitySchemes": {"bearer": BEARER}},
    }


def contract_document() -> Any:
    """Return the OpenAPI description of this service. It is made anew where games of other packages are installed."""
    if all(map(is_own, BY_SLUG.values())):
        return yaml.load(contract_file().read_bytes(), Loader=yaml.CSafeLoader)
    return openapi()


@cache
def operations() -> tuple[Operation, ...]:
    """Every published operation, in the order of the contract; the stateless calls once for each game."""
    published = [row for row in ROWS if row.published]
    first = next(at for at, row in enumerate(published) if row.of_game)
    calls = [row.of(of.prefix, slug) for slug, of in SHAPES.items() for row in published if row.of_game]
    others = [row for row in published if not row.of_game]
    return (*others[:first], *calls, *others[first:])


@cache
def bodies() -> Mapping[str, Mapping[str, Shape]]:
    """Return the shapes of the bodies of requests, by subject and by the last part of their URL."""
    return {
        "matches": match_requests(SHAPES),
        "tournaments": tournament_requests(SHAPES),
        "webhooks": {"webhooks": webhooks.NEW_WEBHOOK},
        **{slug: requests(game) for slug, game in SHAPES.items()},
    }


@cache
def _named() -> Mapping[str, Shape]:
    """The shapes that operations name."""
    constants = [each for of in (shapes, match_answers, replay_answers, webhooks) for each in vars(of).values()]
    matches, of_games = bodies()["matches"], [bodies()[slug] for slug in SHAPES]
    found = [
        *filter(is_shape, constants),
        *(body for of in bodies().values() for body in of.values()),
        one_of("MatchRequest", [matches["matches"], matches["grouped"]]),
        any_of("MoveRequest", [of["moves"] for of in of_games]),
        any_of("RulingRequest", [of["rulings"] for of in of_games]),
        *match_answers.match_answers(SHAPES),
        *tournament_answers(SHAPES),
        *(answer for game in SHAPES.values() for answer in _answers_of(game)),
    ]
    return {shape.__name__: shape for shape in found}


def _answers_of(game: GameShapes) -> Iterator[Shape]:
    yield from answers(game).values()
    yield sealed_position(game, log_shapes(game).event)
    yield illegal_move(game)


def statuses(operation: Operation) -> Mapping[int, Mapping[str, tuple[Shape, ...]]]:
    """Return, by status, the codes of the operation's problems, each with the shapes of its details."""
    found: dict[int, dict[str, tuple[Shape, ...]]] = {}
    for code in operation.codes:
        found.setdefault(messages()["problem"][code]["status"], {})[code] = _problem_shapes(code, operation)
    return dict(sorted(found.items()))


def _problem_shapes(code: str, operation: Operation) -> tuple[Shape, ...]:
    """The shapes of the details of that problem; an illegal move is the game's own."""
    if code not in NAMED_AFTER:
        return (PROBLEM,)
    name = code.title().replace("-", "")
    if code == "illegal-move":
        games = [SHAPES[operation.tag]] if operation.tag in SHAPES else SHAPES.values()
        return tuple(_named()[game.prefix + name] for game in games)
    return (_named()[name],)


def _tags() -> list[dict[str, str]]:
    common = [
        {"name": "catalogue", "description": "Games and their rules"},
        {"name": "operations", "description": "Running the service"},
    ]
    stored = [
        {"name": "matches", "description": "Stored matches"},
        {"name": "groups", "description": "Groups of matches that share their deals"},
        {"name": "tournaments", "description": "Tournaments: entrants, rounds, standings"},
        {"name": "webhooks", "description": "Telling others what happens, and what they were told"},
        {"name": "replays", "description": "Replay files, audits and the keys that sign"},
        {
            "name": "log",
            "description": "The log over all matches: that each is the one that was begun, and none is gone",
        },
    ]
    return [*common, *({"name": slug, "description": rulebook(slug).title["en"]} for slug in SHAPES), *stored]


def _operation(spec: APISpec, operation: Operation) -> dict[str, Any]:
    found: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "tags": [operation.tag],
        "security": SECURITY[operation.callers],
        "responses": _responses(spec, operation),
    }
    parameters = [_parameter(parameter) for parameter in (*operation.places, *operation.parameters)]
    if parameters:
        found["parameters"] = parameters
    content = _body(spec, operation)
    if content:
        found["requestBody"] = {"required": True, "content": content}
    return found


def _body(spec: APISpec, operation: Operation) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if operation.takes_replay:
        content[JSON_LINES] = {"schema": _untyped(JSON_LINES)}
    if operation.request is not None:
        content[JSON] = {"schema": _either(spec, operation.request, operation.sealed)}
        if operation.example is not None:
            content[JSON]["example"] = InOneLine(operation.example(BY_SLUG.get(operation.tag, EXAMPLE)))
    return content


def _either(spec: APISpec, plain: str, sealed: str | None) -> dict[str, Any]:
    """A shape, or that which stands in its place where the position is sealed; no value has both."""
    if sealed is None:
        return dict(component(spec, _named()[plain]))
    return {"oneOf": [component(spec, _named()[name]) for name in (plain, sealed)]}


def _parameter(parameter: Parameter) -> dict[str, Any]:
    return {
        "in": parameter.place,
        "name": parameter.name,
        "required": parameter.place == "path",
        "description": parameter.about,
        "schema": dict(parameter.schema),
        **({} if parameter.example is None else {"example": parameter.example}),
    }


def _responses(spec: APISpec, operation: Operation) -> dict[str, Any]:
    good = {str(status): _good(spec, operation, status) for status in operation.good}
    refused = {str(status): _refused(spec, status, shaped) for status, shaped in statuses(operation).items()}
    return {**good, **refused}


def _good(spec: APISpec, operation: Operation, status: int) -> dict[str, Any]:
    found: dict[str, Any] = {"description": operation.summary}
    if operation.headers:
        found["headers"] = {name: _header(name) for name in operation.headers}
    if status == 204:
        return found
    found["content"] = {media: {"schema": _untyped(media)} for media in operation.media}
    if operation.answer:
        schema = _either(spec, operation.answer, operation.sealed_answer)
        found["content"][operation.media[0]]["schema"] = schema
    if operation.links:
        found["links"] = {name: _link(name, origins) for name, origins in operation.links.items()}
    return found


def _header(name: str) -> dict[str, Any]:
    header = HEADERS[name]
    return {"description": header.about, "schema": dict(header.schema)}


def _untyped(media: str) -> dict[str, Any]:
    if media == JSON:
        return {"type": "object"}
    return {"type": "string", **({"description": MEDIA_DESCRIPTIONS[media]} if media in MEDIA_DESCRIPTIONS else {})}


def _link(name: str, origins: Mapping[str, str]) -> dict[str, Any]:
    """Where an answer leads: on to the match that it names, or with the state that it holds."""
    if not {"match", "group", "tournament", "webhook"}.isdisjoint(origins):
        return {"operationId": name, "parameters": dict(origins)}
    request: dict[str, Any] = dict(origins)
    if name.startswith("view"):
        request["seat"] = 0
    return {"operationId": name, "requestBody": request}


def _refused(spec: APISpec, status: int, shaped: Mapping[str, tuple[Shape, ...]]) -> dict[str, Any]:
    """Problem details of one status; illegal moves of different games may look alike, all else is told by ``code``."""
    references = [
        component(spec, shape) for shape in dict.fromkeys(shape for each in shaped.values() for shape in each)
    ]
    alike = any(len(each) > 1 for each in shaped.values())
    schema: dict[str, Any] = references[0] if len(references) == 1 else {"anyOf" if alike else "oneOf": references}
    found: dict[str, Any] = {"description": f"Problem details: {', '.join(shaped)}"}
    if status in REFUSAL_HEADERS:
        found["headers"] = {REFUSAL_HEADERS[status]: _header(REFUSAL_HEADERS[status])}
    return {**found, "content": {PROBLEM_JSON: {"schema": schema}}}


def rule_data(slug: str, components: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data that identifies a version of a game's rules. It holds option schemas, defaults, components,
    tables and rule ids, no texts."""
    book, of = rulebook(slug), SHAPES[slug]
    return {
        "game": slug,
        "version": of.game.version,
        "options": _without_texts(standalone(of.options_given.__name__, components)),
        "components": [
            {key: entry[key] for key in ("codes", "count", "counts") if key in entry} for entry in book.components
        ],
        "data": of.data,
        "rules": [entry["rule"] for entry in book.rules],
    }


def _without_texts(node: Any) -> Any:
    """A schema without its descriptions: words may improve, the rules stay the same."""
    if isinstance(node, dict):
        return {key: _without_texts(value) for key, value in node.items() if key != "description"}
    return [_without_texts(item) for item in node] if isinstance(node, list) else node


def _printed(document: Any) -> bytes:
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _schemas_of(slug: str) -> dict[str, Shape]:
    of = SHAPES[slug]
    own = {
        "state": of.state,
        "view": of.view,
        "move": of.move,
        "event": of.event,
        "options": of.options,
        "new-options": of.options_given,
    }
    return {**own, **{f"{call}-request": body for call, body in bodies()[slug].items()}}


def files() -> Iterator[tuple[str, bytes]]:
    """Make every generated file: its path from the root of the checkout, and its bytes."""
    document = openapi()
    yield "openapi.yaml", yaml.dump(document, sort_keys=False, allow_unicode=True, width=120, Dumper=_Plain).encode()
    components = document["components"]["schemas"]
    yield "schemas/problem.json", _printed(standalone("Problem", components))
    yield "schemas/impossible-state.json", _printed(standalone("ImpossibleState", components))
    yield "schemas/invalid-request.json", _printed(standalone("InvalidRequest", components))
    yield from _replay_files()
    for name, schema in _stored_requests(components):
        yield f"schemas/{name}.json", _printed(schema)
    for slug in SHAPES:
        yield from _game_files(slug, f"schemas/{slug}", components)


def _game_files(slug: str, folder: str, components: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Every generated file of one game."""
    for name, shape in _schemas_of(slug).items():
        yield f"{folder}/{name}.json", _printed(standalone(shape.__name__, components))
    yield f"{folder}/rules.json", canonical(rule_data(slug, components))


def own_files(slug: str) -> Iterator[tuple[str, bytes]]:
    """Make the generated files of a game of another package: their paths from its folder, and their bytes."""
    return _game_files(slug, "schemas", openapi()["components"]["schemas"])


@cache
def request_schemas() -> Mapping[str, Any]:
    """Return the JSON Schemas of the requests that may be about any installed game, by name."""
    return dict(_stored_requests(openapi()["components"]["schemas"]))


def _stored_requests(components: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for about, of in bodies().items():
        if about not in SHAPES:
            yield from ((f"{about}/{call}-request", standalone(body.__name__, components)) for call, body in of.items())


def _replay_files() -> Iterator[tuple[str, bytes]]:
    """The lines of a replay file, what events of each type hold, and what is signed or said of a replay."""
    spec = specification()
    lines = {
        **replay_shapes(SHAPES),
        "receipt": RECEIPT,
        "verdict": replay_answers.VERDICT,
        "keys": replay_answers.KEYS,
    }
    names = {name: component(spec, shape)["$ref"].removeprefix(REF) for name, shape in lines.items()}
    for name, component_name in names.items():
        yield f"schemas/replay/{name}.json", _printed(standalone(component_name, spec.components.schemas))


class InOneLine(dict[str, Any]):
    """A mapping that YAML writes on as few lines as possible."""


class _Plain(yaml.CSafeDumper):
    """YAML without anchors: a shape that occurs twice is written twice. Text of several lines keeps its lines."""

    def ignore_aliases(self, _data: Any) -> bool:
        return True

    def represent_text(self, text: str) -> yaml.ScalarNode:
        """A string, as a literal block where it has several lines."""
        return self.represent_scalar("tag:yaml.org,2002:str", text, "|" if "\n" in text else None)

    def represent_in_one_line(self, mapping: InOneLine) -> yaml.MappingNode:
        """A mapping in flow style, and whatever it holds."""
        return self.represent_mapping("tag:yaml.org,2002:map", mapping, flow_style=True)


_Plain.add_representer(str, _Plain.represent_text)
_Plain.add_representer(InOneLine, _Plain.represent_in_one_line)
