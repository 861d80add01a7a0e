"""Makes the answers and the parameters of operations as the contract describes them, and the components that operations
share: a refusal for each set of problems, parameters, headers."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from http import HTTPStatus
from importlib.resources import files

from apispec import APISpec

from gyoji.api.components import component
from gyoji.api.contract_yaml import InOneLine
from gyoji.api.examples import Example, recorded
from gyoji.api.media import EVENT_STREAM, IN_A_CAPSULE, IN_THE_OPEN, JSON, JSON_LINES, OCTETS, PROBLEM_JSON
from gyoji.api.operation import Operation
from gyoji.api.parameters import HEADERS, Parameter
from gyoji.api.publication import Node, typed
from gyoji.api.shapes import PROBLEM, SPECIAL_PROBLEMS, Shape, Tagged
from gyoji.api.values import Naming
from gyoji.games.catalogue import BY_SLUG, EXAMPLE
from gyoji.messages.language import messages
from gyoji.messages.rulebooks import rulebook

NAMED_AFTER = (*SPECIAL_PROBLEMS, "ruling-refused", "claim-refused", "tournament-refused")
"""Problems whose details have a shape of their own, which is named after the code."""

TOGETHER: Mapping[tuple[str, ...], str] = {
    ("malformed-json", "malformed-header"): "Malformed",
    ("unauthenticated", "token-expired"): "Unauthenticated",
}
"""The names of refusals with one of several problems that most operations have."""

REFUSAL_HEADERS: Mapping[int, str] = {401: "WWW-Authenticate", 412: "ETag", 429: "Retry-After", 503: "Retry-After"}
"""The header that comes with a refusal."""

MEDIA_DESCRIPTIONS: Mapping[str, str] = {
    JSON_LINES: "JSON Lines, each a canonical document: schemas/replay/ has their shapes",
    EVENT_STREAM: "Server-sent events: the id is the seq, the data an event of the feed; after `reset` they begin with "
    "the first one",
}
"""What a body is that has no shape here."""

STREAMED: Mapping[str, str] = {
    "MatchStreamData": """\
Server-sent events, UTF-8, until the match is over, the credential is void or the service stops; then the body ends.
A message has three lines: `id` (the seq of the event: what `Last-Event-ID` takes), `event` (its type) and `data` (the
event as one line of JSON). First comes `event: reset` with an empty `id`, where the log has not come to the event after
which the stream was to go on: forget what you know of the match, all events follow. With `calls=1`
there are messages `event: calls` too, without an `id`: to whoever may know who calls the referee, at the beginning if
somebody does, and at every change. Lines that begin with a colon say that the stream is there, every 10 seconds where
there is no news, and mean nothing.""",
    "JointStreamData": """\
Server-sent events, UTF-8, until the credential is void or the service stops; then the body ends. First comes a message
of an `id` alone, or one that says `event: reset` where the id of `Last-Event-ID` is not known: read the matches anew.
Any other message says `event` (the type of an event), `data` (the event as one line of JSON, as the feed of its match
has it) and, where it is the last of the events that were stored together, `id`: what `Last-Event-ID` takes to go on
behind it; once a minute without events an `id` may come alone. Of each match they come in the order of `seq`, and each
at least once: leave out what you have. Lines that begin with a colon say that the stream is there, every 10 seconds
where there is no news, and mean nothing.""",
}
"""What a stream is made of, by the shape of what is in its ``data``."""


@cache
def _descriptions() -> Mapping[str, str]:
    return tomllib.loads(files("gyoji.api").joinpath("descriptions.toml").read_text("utf-8"))


def described(operation: Operation) -> str:
    """Return what an operation does, who may call it, and what it answers."""
    if operation.tag in BY_SLUG:
        return _descriptions()[operation.row].format(game=rulebook(operation.tag).title["en"])
    return _descriptions()[operation.name]


def camel(code: str) -> str:
    """Return a code, or the name of a header, as the name of a component: ``NotFound`` of ``not-found``."""
    return "".join(part[:1].upper() + part[1:] for part in code.split("-"))


def statuses(codes: Iterable[str]) -> Mapping[int, list[str]]:
    """Return the codes of problems by the status that they are answered with."""
    found: dict[int, list[str]] = {}
    for code in codes:
        found.setdefault(messages()["problem"][code]["status"], []).append(code)
    return dict(sorted(found.items()))


class Answers:
    """Describes answers. It collects what they share: ``responses`` and ``headers``, by name."""

    def __init__(self, spec: APISpec, named: Mapping[str, Shape], prefixes: Mapping[str, str]) -> None:
        """``named``: the shapes that operations name. ``prefixes``: what the names of a game's shapes begin with, by
        slug."""
        self._spec = spec
        self._named = named
        self._prefixes = prefixes
        self.responses: dict[str, Node] = {}
        self.headers: dict[str, Node] = {}

    def of(self, operation: Operation, example: Example) -> Node:
        """Return every answer of an operation, by status."""
        good = {str(status): self._good(operation, status, example) for status in operation.good}
        prefix = self._prefixes.get(operation.tag, "")
        refused = {
            str(status): self._refused(status, codes, prefix) for status, codes in statuses(operation.codes).items()
        }
        return {**good, **refused}

    def shape(self, plain: str, sealed: str | None) -> Node:
        """Return a shape, or that which stands in its place where the position is sealed; no value has both."""
        if sealed is None:
            return dict(component(self._spec, self._named[plain]))
        return {"oneOf": [component(self._spec, self._named[name]) for name in (plain, sealed)]}

    def _good(self, operation: Operation, status: int, example: Example) -> Node:
        phrase, is_empty = HTTPStatus(status).phrase, status in (204, 304)
        found: Node = {"description": phrase if is_empty else STREAMED.get(operation.answer or "", phrase)}
        if operation.headers:
            found["headers"] = {HEADERS[name].name: self._header(name) for name in operation.headers}
        if is_empty:
            return found
        found["content"] = {media: {"schema": untyped(media)} for media in operation.media}
        if operation.answer:
            found["content"][operation.media[0]]["schema"] = self._answered(operation.answer, operation.sealed_answer)
        if "answer" in example and example.get("status", status) == status:
            answer = example["answer"]
            shown = InOneLine(answer) if isinstance(answer, dict) else answer
            found["content"][operation.media[0]]["example"] = shown
        if operation.links:
            found["links"] = {
                name: {"operationId": name, "parameters": dict(origins)} for name, origins in operation.links.items()
            }
        return found

    def _answered(self, plain: str, sealed: str | None) -> Node:
        """The shape of an answer; of one that may be sealed its ``kind`` says whether it is."""
        if sealed is None:
            return self.shape(plain, None)
        named = {IN_THE_OPEN: plain, IN_A_CAPSULE: sealed}
        return told_apart(
            "kind", {kind: component(self._spec, self._named[name])["$ref"] for kind, name in named.items()}
        )

    def _header(self, name: str) -> Node:
        header = HEADERS[name]
        self.headers[camel(name)] = {"description": header.about, "schema": dict(header.schema)}
        return {"$ref": f"#/components/headers/{camel(name)}"}

    def _refused(self, status: int, codes: list[str], prefix: str) -> Node:
        """The refusal with one of these problems, as a component; of an illegal move that of the game."""
        names = {code: prefix + camel(code) if code == "illegal-move" else camel(code) for code in codes}
        name = TOGETHER.get(tuple(codes), "Or".join(names.values()))
        if name not in self.responses:
            found: Node = {"description": "; ".join(messages()["problem"][code]["title"]["en"] for code in codes)}
            if status in REFUSAL_HEADERS:
                found["headers"] = {REFUSAL_HEADERS[status]: self._header(REFUSAL_HEADERS[status])}
            example = InOneLine(self._example(codes, prefix))
            self.responses[name] = {
                **found,
                "content": {PROBLEM_JSON: {"schema": self._problem(names), "example": example}},
            }
        return {"$ref": f"#/components/responses/{name}"}

    def _example(self, codes: list[str], prefix: str) -> Node:
        """One of these problems, as it is answered. That a move is illegal has been recorded of one game only."""
        code = codes[0]
        if prefix not in ("", self._prefixes[EXAMPLE.slug]):
            code = next(other for other in codes if other != "illegal-move")
        found: Node = recorded()["problems"].get(code, {})
        return found

    def _problem(self, names: Mapping[str, str]) -> Node:
        """The details of one of these problems, told apart by ``code``."""
        shapes = {code: self._named[name] if code in NAMED_AFTER else PROBLEM for code, name in names.items()}
        references = {code: component(self._spec, shape)["$ref"] for code, shape in shapes.items()}
        found = told_apart("code", references)
        if "oneOf" in found and not set(SPECIAL_PROBLEMS).issuperset(code for code in names if code in NAMED_AFTER):
            found = {"anyOf": found["oneOf"]}  # the plain problem lists these codes as well: what is first fits
        if any(issubclass(shape, Tagged) for shape in shapes.values()):
            found.pop("discriminator", None)  # generators take none that leads to a union
        return found


class Parameters:
    """Describes parameters. It collects those that several operations have: ``components``, by name."""

    def __init__(self, operations: Iterable[Operation], naming: Naming) -> None:
        self.components: dict[str, Node] = {}
        self._naming = naming
        self._uses = Counter(
            repr(parameter) for operation in operations for parameter in (*operation.places, *operation.parameters)
        )

    def described(self, parameter: Parameter) -> Node:
        """Return a parameter as an operation lists it: by reference where others have it too."""
        found: Node = {
            "in": parameter.place,
            "name": parameter.name,
            "required": parameter.place == "path",
            "description": parameter.about,
            "schema": self._naming.named(typed(dict(parameter.schema)), "", parameter.name),
            **({} if parameter.example is None else {"example": parameter.example}),
        }
        if self._uses[repr(parameter)] == 1:
            return found
        name = parameter.called or camel(parameter.name)
        if self.components.setdefault(name, found) != found:
            raise TypeError(f"two parameters are called {name}")
        return {"$ref": f"#/components/parameters/{name}"}


def told_apart(tag: str, references: Mapping[str, str]) -> Node:
    """Return the union of shapes that are told apart by a tag, given references to them; the one shape if it is one."""
    distinct = list(dict.fromkeys(references.values()))
    if len(distinct) == 1:
        return {"$ref": distinct[0]}
    discriminator = {"propertyName": tag, "mapping": dict(references)}
    return {"oneOf": [{"$ref": reference} for reference in distinct], "discriminator": discriminator}


def untyped(media: str) -> Node:
    """Return the schema of a body of that media type that has no shape."""
    if media == JSON:
        return {"type": "object"}
    form: Node = {"format": "binary"} if media in (JSON_LINES, OCTETS) else {}
    about = {"description": MEDIA_DESCRIPTIONS[media]} if media in MEDIA_DESCRIPTIONS else {}
    return {"type": "string", **form, **about}
