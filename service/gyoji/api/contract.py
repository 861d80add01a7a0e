"""The published contract, made from the shapes: ``openapi.yaml`` and ``schemas/``.

Both are committed and compared byte for byte with what this module makes.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

import orjson
import yaml

from gyoji import __version__
from gyoji.api import match_answers, referee_calls, replay_answers, shapes, webhook_messages, webhooks
from gyoji.api.any_game import any_move
from gyoji.api.calls import answers, illegal_move, move_request, requests, sealed_position
from gyoji.api.components import REF, component, specification, standalone
from gyoji.api.contract_yaml import InOneLine, write_yaml
from gyoji.api.examples import Example, recorded, stateless
from gyoji.api.log_events import log_shapes
from gyoji.api.log_lines import RECEIPT, replay_shapes
from gyoji.api.match_requests import match_requests
from gyoji.api.media import JSON, JSON_LINES, QUESTIONS
from gyoji.api.operation import Operation
from gyoji.api.operations import ROWS
from gyoji.api.parameters import FIRST_TAGS, LAST_TAGS, MESSAGE_TAGS
from gyoji.api.publication import Node, flattened, references, used
from gyoji.api.questions import question_answer, question_request
from gyoji.api.records import all_shapes
from gyoji.api.responses import Answers, Parameters, described, untyped
from gyoji.api.rulings import ruling_request
from gyoji.api.shapes import GameShapes, Shape, is_shape, one_of, tagged
from gyoji.api.tournament_answers import tournament_answers
from gyoji.api.tournament_requests import tournament_requests
from gyoji.api.values import Naming, published, values_of
from gyoji.api.webhook_messages import shared_parameters, shared_responses
from gyoji.games.catalogue import BY_SLUG, is_own
from gyoji.log.canonical import canonical
from gyoji.messages.rulebooks import rulebook
from gyoji.published_files import contract_file

SHAPES: Mapping[str, GameShapes] = all_shapes(BY_SLUG)

DESCRIPTION = """\
A referee for tabletop card games. Send a state and a move: the answer is the validated next state with what happened,
the moves that may follow and the scores, or a refusal that cites the rule. The stateless calls keep nothing.

Errors are problem details (RFC 9457). `title` and `detail` follow `Accept-Language` (`en`, `ja`); the answer says its
language in `Content-Language`. Every answer carries `X-Request-ID`.

Clients ignore what they do not know: objects in answers may get further members, lists of words further words. Requests
take no member that is not listed here. States, moves and options are both: they are sent back as they were answered,
and get nothing new within a version of the rules.

The guides are at `/docs/guides`: how a match is stored and played, followed and audited, how tournaments and webhooks
work, and what may change in this contract (`/docs/guides/versioning`).
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


class Described(NamedTuple):
    """What the rows of the operations come to."""

    paths: dict[str, dict[str, Node]]
    """Every operation, by path and method."""
    components: dict[str, Node]
    """The components as they are made of the shapes that operations name."""
    messages: dict[str, Node]
    """What webhooks are sent, by type."""
    answers: Answers
    parameters: Parameters
    naming: Naming

    def sent(self) -> list[str]:
        """The components that bodies of requests are described by."""
        bodies = [operation.get("requestBody") for methods in self.paths.values() for operation in methods.values()]
        return [*references(bodies)]


def openapi() -> Node:
    """The OpenAPI 3.1 description of every operation."""
    described = _described()
    whole = published(described.components, described.naming, described.sent(), [of.prefix for of in SHAPES.values()])
    paths, responses = flattened(described.paths, whole), flattened(described.answers.responses, whole)
    headers = described.answers.headers
    shared = [responses, headers, described.parameters.components]
    named = references([paths, described.messages, *shared])
    return {
        "openapi": "3.1.0",
        "info": {"title": "gyoji", "version": __version__, "description": DESCRIPTION, "license": LICENSE},
        "servers": [{"url": "/"}],
        "security": [],
        "tags": _tags(),
        "paths": paths,
        "webhooks": described.messages,
        "components": {
            "schemas": used(whole, named),
            "responses": dict(sorted({**responses, **shared_responses()}.items())),
            "parameters": dict(sorted({**described.parameters.components, **shared_parameters()}.items())),
            "headers": dict(sorted(headers.items())),
            "securitySchemes": {"bearer": BEARER},
        },
    }


def plain_components() -> dict[str, Node]:
    """Return the components as they are made of the shapes: what the JSON Schemas in ``schemas/`` are made of."""
    return _described().components


@cache
def _described() -> Described:
    spec = specification()
    naming = Naming(values_of([*SHAPES.values()]))
    answers = Answers(spec, _named(), {slug: of.prefix for slug, of in SHAPES.items()})
    parameters = Parameters(operations(), naming)
    paths: dict[str, dict[str, Node]] = {}
    for operation in operations():
        paths.setdefault(operation.path, {})[operation.method] = _operation(answers, parameters, operation)
    for body in (body for of in bodies().values() for body in of.values()):
        component(spec, body)  # what schemas/ has of each game stands in the contract once for all of them
    told = {kind: webhook_messages.posted(spec, kind, data) for kind, data in _messages()}
    return Described(paths, spec.components.schemas, told, answers, parameters, naming)


def _messages() -> Iterator[tuple[str, Shape]]:
    return webhook_messages.message_data([*SHAPES], _named()["MatchStreamData"])


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
    calls = [
        row.of(of.prefix, slug) for slug, of in SHAPES.items() for row in published if row.of_game and _has(of, row)
    ]
    others = [row for row in published if not row.of_game]
    return (*others[:first], *calls, *others[first:])


def _has(of: GameShapes, row: Operation) -> bool:
    """Whether the game has a call: a game can be asked questions only if it says what they hang on."""
    return row.name != "ask" or of.known is not None


@cache
def bodies() -> Mapping[str, Mapping[str, Shape]]:
    """Return the shapes of the bodies of requests, by subject and by the last part of their URL."""
    return {
        "matches": match_requests(SHAPES),
        "tournaments": tournament_requests(SHAPES),
        "webhooks": {"webhooks": webhooks.NEW_WEBHOOK},
        **{slug: _requests_of(game) for slug, game in SHAPES.items()},
    }


def _requests_of(game: GameShapes) -> dict[str, Shape]:
    asked = question_request(game)
    return requests(game) if asked is None else {**requests(game), QUESTIONS: asked}


@cache
def _named() -> Mapping[str, Shape]:
    """The shapes that operations name."""
    modules = (shapes, match_answers, referee_calls, replay_answers, webhooks)
    constants = [each for of in modules for each in vars(of).values()]
    matches, moves = bodies()["matches"], any_move(SHAPES.values())
    refused = {slug: illegal_move(game) for slug, game in SHAPES.items()}
    found = [
        *filter(is_shape, constants),
        *(body for of in bodies().values() for body in of.values()),
        one_of("MatchRequest", [matches["matches"], matches["grouped"]]),
        move_request(moves),
        ruling_request(moves),
        *match_answers.match_answers(SHAPES),
        *tournament_answers(SHAPES),
        *(answer for game in SHAPES.values() for answer in _answers_of(game)),
        *refused.values(),
        tagged("IllegalMove", "game", refused),
    ]
    return {shape.__name__: shape for shape in found}


def _answers_of(game: GameShapes) -> Iterator[Shape]:
    yield from answers(game).values()
    answered = question_answer(game)
    if answered is not None:
        yield answered
    yield sealed_position(game, log_shapes(game).event)


def _tags() -> list[dict[str, str]]:
    titles = {slug: rulebook(slug).title["en"] for slug in SHAPES}
    tags = {**FIRST_TAGS, **titles, **LAST_TAGS, **MESSAGE_TAGS}
    return [{"name": name, "description": about} for name, about in tags.items()]


def _operation(answers: Answers, parameters: Parameters, operation: Operation) -> Node:
    found: Node = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": described(operation),
        "tags": [operation.tag],
        "security": SECURITY[operation.callers],
    }
    if operation.deprecated is not None:
        found["deprecated"] = True
    given = [parameters.described(parameter) for parameter in (*operation.places, *operation.parameters)]
    if given:
        found["parameters"] = given
    content = _body(answers, operation)
    if content:
        found["requestBody"] = {"required": True, "content": content}
    return {**found, "responses": answers.of(operation, _example(operation))}


def _body(answers: Answers, operation: Operation) -> Node:
    content: Node = {}
    if operation.takes_replay:
        content[JSON_LINES] = {"schema": untyped(JSON_LINES)}
    if operation.request is not None:
        content[JSON] = {"schema": answers.shape(operation.request, operation.sealed)}
        example = _example(operation)
        if "request" in example:
            content[JSON]["example"] = InOneLine(example["request"])
    return content


def _example(operation: Operation) -> Example:
    """A request that can be sent, and what it is answered."""
    if operation.tag in SHAPES:
        return _stateless(operation.tag)[operation.path.rsplit("/", 1)[1]]
    kept: Example = recorded()["operations"].get(operation.name, {})
    return kept


@cache
def _stateless(slug: str) -> Mapping[str, Example]:
    game = BY_SLUG[slug]
    digest = sha256(canonical(rule_data(slug, _components_of(slug)))).hexdigest()
    return stateless(game, {"game": slug, "version": game.version, "rules_digest": digest})


def _components_of(slug: str) -> Mapping[str, Node]:
    """The component of a game's options, which its rules are identified by, and those in it."""
    spec = specification()
    component(spec, SHAPES[slug].options_given)
    return spec.components.schemas


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
    yield "openapi.yaml", write_yaml(document)
    components = plain_components()
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
    return _game_files(slug, "schemas", plain_components())


@cache
def request_schemas() -> Mapping[str, Any]:
    """Return the JSON Schemas of the requests that may be about any installed game, by name."""
    return dict(_stored_requests(plain_components()))


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
