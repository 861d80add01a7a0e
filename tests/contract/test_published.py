"""The committed contract is what the code makes, byte for byte, and is sound in itself."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
import yaml
from flask import Flask
from openapi_spec_validator import validate

from answers import contract
from gyoji.api.contract import SHAPES, bodies, files, operations
from gyoji.api.media import CALLS, SEALED
from gyoji.api.operations import OPERATIONS
from gyoji.games.catalogue import BY_SLUG
from gyoji.published_files import CHECKOUT, schema

COMMITTED = sorted(
    path.relative_to(CHECKOUT).as_posix()
    for path in (CHECKOUT / "openapi.yaml", *(CHECKOUT / "schemas").rglob("*.json"))
)
REQUESTS = [
    *(f"{slug}/{call}-request" for slug in BY_SLUG for call in (*CALLS, *SEALED.values(), "moves")),
    *(f"{about}/{call}-request" for about in ("matches", "tournaments", "webhooks") for call in bodies()[about]),
]

MADE = dict(files())

HASH_BYTES = """
import hashlib
from gyoji.api.contract import files
print(hashlib.sha256(repr(list(files())).encode()).hexdigest())
"""


def test_every_generated_file_is_committed_and_nothing_else() -> None:
    assert sorted(MADE) == COMMITTED


@pytest.mark.parametrize("name", COMMITTED)
def test_committed_bytes_are_what_the_code_makes(name: str) -> None:
    assert (CHECKOUT / name).read_bytes() == MADE[name]


def test_same_bytes_whatever_the_hash_seed() -> None:
    def made(hash_seed: str) -> bytes:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        return subprocess.run(
            [sys.executable, "-c", HASH_BYTES], env=environment, check=True, capture_output=True
        ).stdout

    assert len({made(hash_seed) for hash_seed in ("1", "2")}) == 1


def test_valid_openapi_3_1() -> None:
    document = yaml.load((CHECKOUT / "openapi.yaml").read_bytes(), Loader=yaml.CSafeLoader)
    assert document["openapi"] == "3.1.0"
    validate(document)


def test_no_reference_dangles_and_no_component_is_unused() -> None:
    components = contract()["components"]["schemas"]
    named = {reference.removeprefix("#/components/schemas/") for reference in _references(contract())}
    assert named == set(components)


def _nodes(node: Any) -> Iterator[Any]:
    yield node
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for value in inner:
        yield from _nodes(value)


def _references(document: Any) -> list[str]:
    return [node["$ref"] for node in _nodes(document) if isinstance(node, dict) and isinstance(node.get("$ref"), str)]


def test_unions_are_told_apart() -> None:
    """Each ``oneOf`` of shapes has a discriminator whose mapping names its variants by a required tag of their own;
    what has none is a null beside one shape, a known or a counted pile, or what stands in a 409."""
    components = contract()["components"]["schemas"]
    for name, component in components.items():
        if set(component) != {"oneOf", "discriminator"}:
            continue
        tag, mapping = component["discriminator"]["propertyName"], component["discriminator"]["mapping"]
        assert [variant["$ref"] for variant in component["oneOf"]] == list(mapping.values()), name
        for word, reference in mapping.items():
            variant = components[reference.rsplit("/", 1)[1]]
            assert variant["properties"][tag]["enum"] == [word]
            assert tag in variant["required"]


def test_a_conflict_is_told_apart_by_its_code() -> None:
    for shapes in SHAPES.values():
        responses = contract()["paths"][f"/v1/games/{shapes.game.slug}/adjudications"]["post"]["responses"]
        variants = responses["409"]["content"]["application/problem+json"]["schema"]["oneOf"]
        components = contract()["components"]["schemas"]
        codes = [components[variant["$ref"].rsplit("/", 1)[1]]["properties"]["code"]["enum"] for variant in variants]
        assert codes == [["illegal-move"], ["impossible-state"], ["capsule-refused"]]


@pytest.mark.parametrize("name", REQUESTS)
def test_request_schemas_bound_what_they_admit(name: str) -> None:
    """The gate looks at depth, integers and surrogates only once a schema has said no; so whatever a request schema
    admits has to be bounded by it: members listed, lists and integers bounded, strings out of a set or a pattern."""
    document = schema(name)
    assert not any(reference.startswith("#/components") for reference in _references(document))
    for node in _nodes(document):
        kinds = node.get("type") if isinstance(node, dict) else None
        kind = kinds[0] if isinstance(kinds, list) else kinds
        if kind == "object" and "propertyNames" in node:
            assert node["propertyNames"]["pattern"].startswith("^[\\x20-\\x7e]")
            assert "maxProperties" in node
        elif kind == "object":
            assert node["additionalProperties"] is False
        elif kind == "array":
            assert "maxItems" in node
        elif kind == "integer":
            assert -(2**53) < node["minimum"] <= node["maximum"] < 2**53
        elif kind == "string":
            assert "enum" in node or node["pattern"].startswith("^")


@pytest.mark.parametrize("name", [name for name in COMMITTED if name.startswith("schemas/") and "rules" not in name])
def test_schemas_stand_alone(name: str) -> None:
    document = orjson.loads((CHECKOUT / name).read_bytes())
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert {f"#/$defs/{definition}" for definition in document.get("$defs", {})} == set(_references(document))
    assert not any(
        isinstance(node, dict) and "propertyName" in node.get("discriminator", {}) for node in _nodes(document)
    )


def test_rules_data_is_canonical_json() -> None:
    for slug in BY_SLUG:
        body = (CHECKOUT / "schemas" / slug / "rules.json").read_bytes()
        assert orjson.dumps(orjson.loads(body), option=orjson.OPT_SORT_KEYS) == body


PAGES = ("/audit", "/console", "/matches/", "/rules", "/tournaments")
"""Pages, with the data that they step through, are for people: no part of the published API."""


def test_routes_are_the_operations_of_the_contract(app: Flask) -> None:
    """Nothing is served that the contract does not list, and the other way round; pages and static files aside."""
    listed = {(operation.method.upper(), operation.path) for operation in operations()}
    assert {(method.upper(), path) for path, methods in contract()["paths"].items() for method in methods} == listed
    routes = {route for rule in app.url_map.iter_rules() for route in _urls(rule)}
    assert routes == listed


def _urls(rule: Any) -> Iterator[tuple[str, str]]:
    path = rule.rule.replace("<path:", "{").replace("<", "{").replace(">", "}")
    for method in rule.methods - {"HEAD", "OPTIONS"}:
        if OPERATIONS[rule.endpoint].of_game:
            yield from ((method, path.replace("{game}", slug)) for slug in BY_SLUG)
        elif not rule.rule.startswith(("/static/", *PAGES)):
            yield method, path


def test_operation_names_are_distinct() -> None:
    names = [operation.name for operation in operations()]
    assert len(set(names)) == len(names)


def test_links_lead_to_operations() -> None:
    names = {operation.name for operation in operations()}
    linked = {link for operation in operations() for link in operation.links or {}}
    assert linked < names
    assert len(linked) == 4 * len(BY_SLUG) + 11


def test_every_member_of_a_state_and_of_its_options_is_explained() -> None:
    for name, component in contract()["components"]["schemas"].items():
        if name.endswith(("State", "Table", "Options", "OptionsGiven")) and name != "ImpossibleState":
            unexplained = [
                member
                for member, shape in component["properties"].items()
                if "description" not in shape and member not in ("options", "table", "outcome", "coffee", "piles")
            ]
            assert unexplained == [], name


def test_every_member_of_a_match_and_of_its_log_is_explained() -> None:
    """Whatever stored matches, replays and keys are asked and answered with; what is a game's own is said above."""
    components = contract()["components"]["schemas"]
    games = tuple(shapes.prefix for shapes in SHAPES.values())
    own = (
        "Match",
        "NewMatch",
        "MoveRequest",
        "MoveAnswer",
        "StoredPosition",
        "MatchCreatedData",
        "DealtData",
        "MoveData",
    )
    waiting = [
        reference.rsplit("/", 1)[1]
        for methods in contract()["paths"].values()
        for operation in methods.values()
        if operation["tags"][0] in ("matches", "replays")
        for reference in _references(operation)
    ]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen or (name.startswith(games) and not name.endswith(own)):
            continue
        seen.add(name)
        members = components[name].get("properties", {})
        assert [member for member, shape in members.items() if "description" not in shape] == [], name
        waiting += [reference.rsplit("/", 1)[1] for reference in _references(components[name])]
    assert {"Receipt", "Verdict", "SigningKey", "CatteMatch", "TowaiMoveData", "FeedDealt"} <= seen
