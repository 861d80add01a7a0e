"""Names the values that recur in the contract: ids, times, numbers of seats and events, digests, words.

A value is known by its schema, wherever it stands; where several look alike, by the member that holds it too.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, get_args

from gyoji.api.bases import based
from gyoji.api.components import OF_VALUES, description_of
from gyoji.api.fields import CAPSULE, DIGEST, SEED, Documented, Hidden, Integer, IntegerList, ListOf, Seats, Text, Word
from gyoji.api.log_lines import KEY, SIGNATURE
from gyoji.api.match_fields import SeatsGiven
from gyoji.api.match_requests import MOST_TAGS, TIME, disclosure, precondition, tags, visibility
from gyoji.api.parameters import CURSOR, ENTRANT, MATCH, MOST_SEATS, MOST_SEQ, NAME, STATUSES
from gyoji.api.publication import REF, Node, by_form, flattened, opened, typed, used
from gyoji.api.shapes import MOST_MOVES, RULE_ID, GameShapes, scores_field
from gyoji.api.tournament_answers import FIGURE
from gyoji.api.tournament_requests import PAIRINGS, TIE_BREAKS, tie_breaks
from gyoji.api.webhook_words import FAULTS, TYPES
from gyoji.games.game import Reason
from gyoji.games.records import MAX_INTEGER


class Value(NamedTuple):
    """A value that recurs, or that generators need a name for: words in lists or beside null, lists and objects in
    unions."""

    name: str
    schema: Node
    members: tuple[str, ...] = ()
    """The members that hold it; empty: any."""
    owner: str = ""
    """What the names of the components begin with in which it stands."""


def values_of(games: Iterable[GameShapes]) -> Iterator[Value]:
    """List the values with a name, those of all games and those of each."""
    for shapes in games:
        yield from (
            Value(name, typed(field.json_schema()), owner=shapes.prefix) for name, field in shapes.values.items()
        )
        yield from _lists_of(shapes)
    yield _value("GameSlug", Word(*(shapes.game.slug for shapes in games)))
    yield from VALUES


def _lists_of(shapes: GameShapes) -> Iterator[Value]:
    """What recurs in every game: lists of its moves, how many seats it has, its version."""
    game, prefix = shapes.game, shapes.prefix
    moves = {"type": "array", "items": {"$ref": f"{REF}{prefix}Move"}, "maxItems": 10 * MOST_MOVES}
    seats = Integer(game.min_seats, game.max_seats)
    named = SeatsGiven(game.min_seats, game.max_seats).json_schema()["oneOf"][1]
    yield Value(f"{prefix}Moves", moves, owner=prefix)
    yield Value(f"{prefix}SeatCount", seats.json_schema(), ("seats",), prefix)
    yield Value(f"{prefix}NamedSeats", named, owner=prefix)
    yield _value(f"RulesVersion{game.version}", Integer(game.version, game.version), "version")


def _value(name: str, field: Documented, *members: str) -> Value:
    return Value(name, typed(field.json_schema()), members)


NAMED_SEATS = SeatsGiven(2, MOST_SEATS).json_schema()["oneOf"][1]

VALUES: tuple[Value, ...] = (
    _value("MatchId", Text(MATCH), "match", "matches", "log"),
    _value("TournamentId", Text(MATCH), "tournament"),
    _value("GroupId", Text(MATCH), "group"),
    _value("WebhookId", Text(MATCH), "webhook"),
    _value("Id", Text(MATCH)),
    _value("EntrantId", Text(ENTRANT)),
    _value("RuleId", Text(RULE_ID)),
    _value("KeyId", Text(KEY)),
    _value("RulesDigest", Text(DIGEST), "rules_digest"),
    _value("Digest", Text(DIGEST)),
    _value("Seed", Text(SEED), "seed"),
    _value("Signature", Text(SIGNATURE), "sig"),
    _value("Timestamp", Text(TIME)),
    _value("Name", Text(NAME)),
    _value("Names", ListOf(Text(NAME), MOST_SEATS)),
    _value("Capsule", Text(CAPSULE)),
    _value("Cursor", Text(CURSOR)),
    _value("Figure", Text(FIGURE)),
    _value("Seq", Integer(0, MOST_SEQ), "seq", "decision"),
    _value("LaterSeq", Integer(1, MOST_SEQ), "seq"),
    _value("RoundNumber", Integer(1), "round"),
    _value("RulesVersion", Integer(1), "version"),
    _value("Seat", Integer(0, MOST_SEATS - 1)),
    _value("SeatList", IntegerList(0, MOST_SEATS - 1, most=MOST_SEATS)),
    _value("SeatSet", Seats()),
    _value("SomeSeats", Seats(1)),
    Value("NamedSeat", NAMED_SEATS["items"]),
    Value("NamedSeats", NAMED_SEATS),
    _value("Points", Integer(-MAX_INTEGER, MAX_INTEGER)),
    _value("Count", Integer()),
    Value("Scores", scores_field().json_schema()),
    _value("MatchStatus", Word(*STATUSES)),
    _value("Disclosure", disclosure()),
    _value("Visibility", visibility()),
    _value("Precondition", precondition()),
    _value("Pairing", Word(*PAIRINGS)),
    _value("TieBreak", Word(*TIE_BREAKS)),
    _value("TieBreaks", tie_breaks()),
    _value("WebhookMessageType", Word(*TYPES)),
    _value("DeliveryFault", Word(*FAULTS)),
    _value("InfractionReason", Word(*get_args(Reason))),
    _value("Tags", tags()),
    _value("TagList", ListOf(Text(NAME), MOST_TAGS)),
    Value("HiddenCount", Hidden(Integer()).json_schema()["oneOf"][1]),
    Value("SealedHead", {"type": "string", "const": "head"}, ("sealed",)),
)

BESIDE = ("description", "default")
"""What may stand beside a reference: it is about the place, not about the value."""


class Naming:
    """Replaces values in schemas by references to their components, which it collects."""

    def __init__(self, values: Iterable[Value]) -> None:
        self.found: dict[str, Node] = {}
        self._values: dict[str, list[Value]] = {}
        for value in values:
            self._values.setdefault(_key(value.schema), []).append(value)

    def named(self, node: Any, owner: str, member: str = "") -> Any:
        """Return a schema with references in the place of values that have a name. ``owner`` is the component that it
        stands in, ``member`` the member that holds it."""
        if isinstance(node, list):
            return [self.named(item, owner, member) for item in node]
        if not isinstance(node, dict):
            return node
        beside = {key: node[key] for key in BESIDE if key in node}
        bare = {key: value for key, value in node.items() if key not in BESIDE}
        if isinstance(bare.get("type"), list) and "null" in bare["type"]:
            kinds = [kind for kind in bare["type"] if kind != "null"]
            value = self._find({**bare, "type": kinds[0]}, owner, member) if len(kinds) == 1 else None
            if value:
                return {"oneOf": [self._reference(value), {"type": "null"}], **beside}
        value = self._find(bare, owner, member)
        return {**(self._reference(value) if value else self._inner(bare, owner, member)), **beside}

    def _inner(self, node: Node, owner: str, member: str) -> Node:
        """A schema whose parts have been named."""
        return {
            key: {name: self.named(part, owner, name) for name, part in value.items()}
            if key == "properties"
            else self.named(value, owner, member)
            for key, value in node.items()
        }

    def _find(self, bare: Node, owner: str, member: str) -> Value | None:
        known = self._values.get(_key(bare), ())
        fitting = [value for value in known if owner.startswith(value.owner) and member in (value.members or (member,))]
        return next(iter(fitting), None)

    def _reference(self, value: Value) -> Node:
        if value.name not in self.found:
            self.found[value.name] = value.schema
            self.found[value.name] = _explained(value, self._inner(value.schema, value.name, ""))
        return {"$ref": REF + value.name}


def _explained(value: Value, component: Node) -> Node:
    """The component of a value with what the glossary says of it, or of the only member that holds it."""
    name = value.name.removeprefix(value.owner)
    member = value.members[0] if value.members else name.lower()
    said = description_of(OF_VALUES, name) or description_of(value.owner, member)
    if "properties" not in component:
        return {**component, **said}
    members = {member: {**description_of(name, member), **part} for member, part in component["properties"].items()}
    return {**component, **said, "properties": members}


def _key(schema: Node) -> str:
    return json.dumps(schema, sort_keys=True)


def published(
    components: Mapping[str, Node], naming: Naming, sent: Collection[str], prefixes: Collection[str]
) -> dict[str, Node]:
    """Return the components as the contract has them, in the order of their names. ``sent`` are those that bodies of
    requests are described by, ``prefixes`` what the names of the games' shapes begin with."""
    found = {name: naming.named(typed(component), name) for name, component in by_form(components).items()}
    if set(found) & set(naming.found):
        raise TypeError(f"shapes and values have the same names: {set(found) & set(naming.found)}")
    whole = hoisted({**found, **naming.found})
    open_to_others = opened({name: flattened(whole[name], whole) for name in whole}, sent)
    return dict(sorted(based(open_to_others, prefixes, used(open_to_others, sent)).items()))


def hoisted(components: Mapping[str, Node]) -> dict[str, Node]:
    """Return the components with what most members that hold one say of it as its own description, said once."""
    said: dict[str, Counter[str]] = {}
    for name, node in _described(components):
        said.setdefault(name, Counter())[node["description"]] += 1
    about: dict[str, str] = {}
    for name, texts in said.items():
        text, times = texts.most_common(1)[0]
        about.update({name: text} if times > 1 and "description" not in components[name] else {})
    found = {
        name: {**component, "description": about[name]} if name in about else component
        for name, component in components.items()
    }
    for name, node in [*_described(found)]:
        if node["description"] == found[name].get("description"):
            del node["description"]
    for component in found.values():
        for member in component.get("properties", {}).values():
            if "const" in member:  # a tag: it says itself what it means
                member.pop("description", None)
    return found


def _described(components: Mapping[str, Node]) -> Iterator[tuple[str, Node]]:
    """Every member with a description that holds a component or null: the name of the component, and the member."""
    for component in components.values():
        for member in component.get("properties", {}).values():
            variants = [part for part in member.get("oneOf", [member]) if part != {"type": "null"}]
            if "description" in member and len(variants) == 1 and "$ref" in variants[0]:
                yield variants[0]["$ref"].removeprefix(REF), member
