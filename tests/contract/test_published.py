"""The committed contract is what the code makes, byte for byte, and is sound in itself."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import jsonschema_rs
import orjson
import pytest
import yaml
from flask import Flask
from openapi_spec_validator import validate

from answers import CheckedClient, contract, merged, resolved
from gyoji.api import contract as made_contract
from gyoji.api.contract import SHAPES, bodies, files, operations
from gyoji.api.media import CALLS, SEALED
from gyoji.api.operation import Deprecation
from gyoji.api.operations import OPERATIONS
from gyoji.api.parameters import TAGS
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted
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
    components = contract()["components"]
    named = {f"#/components/{section}/{name}" for section in components for name in components[section]}
    assert {*_references(contract()), "#/components/securitySchemes/bearer"} == named


def _nodes(node: Any) -> Iterator[Any]:
    yield node
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for value in inner:
        yield from _nodes(value)


def _references(document: Any) -> list[str]:
    return [node["$ref"] for node in _nodes(document) if isinstance(node, dict) and isinstance(node.get("$ref"), str)]


def test_calls_and_messages_have_tags_of_their_own() -> None:
    """openapi-generator makes a class of each tag, and loses the calls of one that messages have too."""
    tags = [
        {tag for methods in contract()[section].values() for each in methods.values() for tag in each["tags"]}
        for section in ("paths", "webhooks")
    ]
    assert tags[1] == {"messages"}
    assert not tags[0] & tags[1]


REFUSED = ("Claim", "Ruling", "Tournament")


def test_there_is_nothing_that_a_generator_merges_or_does_not_compile() -> None:
    """openapi-generator makes one class with all members of an ``anyOf`` for TypeScript, and for Java none that
    compiles of a component that is true, nor for TypeScript of a list beside a word by its name (issue 19). An outcome
    is part of states and logs, and has the same members in each game; the plain problem has always listed the codes of
    three others."""
    merged_ones = {name for name, node in _schemas() if "anyOf" in node}
    assert merged_ones == {"Outcome", *(f"{each}RefusedOrIdempotencyInProgress" for each in REFUSED)}
    assert not [name for name, node in _schemas() if "anyOf" in node and "discriminator" in node]
    assert not [name for name, node in contract()["components"]["schemas"].items() if node.get("const") is True]
    for name, node in _schemas():
        variants = [resolved(variant) for variant in node.get("oneOf", ())]
        if any(variant.get("type") == "array" for variant in variants):
            words = [variant for variant in node["oneOf"] if "const" in resolved(variant)]
            assert all("$ref" not in variant for variant in words), name


def test_no_union_stands_in_a_union() -> None:
    """But beside null: openapi-generator makes none that compiles for TypeScript (issue 19)."""
    in_paths = (("paths", node) for node in _nodes(contract()["paths"]) if isinstance(node, dict))
    for name, node in [*_schemas(), *in_paths]:
        variants = [part for part in node.get("oneOf", ()) if part != {"type": "null"}]
        unions = [part for part in variants if {"oneOf", "anyOf"} & resolved(part).keys()]
        assert len(variants) == 1 or not unions, (name, unions)


def test_unions_are_told_apart() -> None:
    """A discriminator names its variants by a required tag of their own."""
    answered = [
        (f"{path} {method}", answer["content"]["application/json"]["schema"])
        for path, methods in contract()["paths"].items()
        for method, each in methods.items()
        for answer in each["responses"].values()
        if "application/json" in answer.get("content", {})
    ]
    assert not any({"oneOf", "anyOf"} & schema.keys() and "discriminator" not in schema for _where, schema in answered)
    for name, component in [*contract()["components"]["schemas"].items(), *answered]:
        if "discriminator" not in component:
            continue
        tag, mapping = component["discriminator"]["propertyName"], component["discriminator"]["mapping"]
        assert [variant["$ref"] for variant in component["oneOf"]] == list(mapping.values()), name
        for word, reference in mapping.items():
            variant = merged({"$ref": reference})
            assert variant["properties"][tag]["const"] == word
            assert tag in variant["required"]


def _schemas() -> Iterator[tuple[str, Any]]:
    """Every schema of the contract, with the name of the component that it stands in."""
    for section in ("schemas", "responses", "parameters", "headers"):
        for name, component in contract()["components"][section].items():
            yield from ((name, node) for node in _nodes(component) if isinstance(node, dict))


def test_words_have_one_type_and_a_name_where_they_may_be_null() -> None:
    """What generators make of anything else does not compile, or they drop the operation (issue 19)."""
    for name, node in _schemas():
        if isinstance(node.get("enum"), list):
            assert node["type"] == "string", name
            assert len(node["enum"]) > 1, name
            assert None not in node["enum"], name
        for inner in (node.get("items"), node.get("additionalProperties")):
            assert not isinstance(inner, dict) or "enum" not in inner, (name, inner)


def test_no_object_is_a_union_too() -> None:
    for name, node in _schemas():
        assert not ({"oneOf", "anyOf"} & node.keys() and "properties" in node), name


def test_answers_are_open_to_further_members_and_requests_are_not() -> None:
    """What is answered and sent back as it is, such as a state and a move, is part of requests."""
    bodies = [
        operation.get("requestBody") for methods in contract()["paths"].values() for operation in methods.values()
    ]
    sent, waiting = set(), _references(bodies)
    while waiting:
        name = waiting.pop()
        if name not in sent:
            sent.add(name)
            waiting += _references(resolved({"$ref": name}))
    components = contract()["components"]["schemas"]
    for name, component in components.items():
        objects = [node for node in _nodes(component) if isinstance(node, dict) and "properties" in node]
        is_sent = f"#/components/schemas/{name}" in sent
        assert all((node.get("additionalProperties") is False) == is_sent for node in objects), name
    assert {"CatteState", "CatteMove", "CatteOptions"} <= {name.rsplit("/", 1)[1] for name in sent}
    assert "#/components/schemas/CatteView" not in sent


@pytest.mark.parametrize("slug", BY_SLUG)
def test_a_move_of_any_game_is_told_apart_by_its_type(slug: str) -> None:
    """What a stored match takes is described once for all games: each move is that of its type, and no other's."""
    game, seed = BY_SLUG[slug], "a7" * 64
    fits = jsonschema_rs.validator_for({"$ref": "#/components/schemas/AnyMove", "components": contract()["components"]})
    state, made = game.start(game.min_seats, game.read_options({}), 0, seed, deal_v1(seed)).state, 0
    while state.outcome is None:
        legal = game.legal_moves(state)
        for move in legal:
            fits.validate(move)
        ruling = game.adjudicate(state, legal[made % len(legal)], deal_v1(seed))
        assert isinstance(ruling, Accepted)
        state, made = ruling.state, made + 1
    assert not fits.is_valid({"type": "castle", "seat": 0})


def test_a_conflict_is_told_apart_by_its_code() -> None:
    for shapes in SHAPES.values():
        responses = contract()["paths"][f"/v1/games/{shapes.game.slug}/adjudications"]["post"]["responses"]
        variants = resolved(responses["409"])["content"]["application/problem+json"]["schema"]["oneOf"]
        codes = [merged(variant)["properties"]["code"]["const"] for variant in variants]
        assert codes == ["illegal-move", "impossible-state", "capsule-refused"]


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


PAGES = ("/docs/guides", "/docs/collection.json", "/audit", "/console", "/matches/", "/rule", "/rules", "/tournaments")
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
    assert len(linked) == 11
    links = [node["links"] for node in _nodes(contract()) if isinstance(node, dict) and "links" in node]
    assert all("requestBody" not in link for found in links for link in found.values())


def test_every_member_is_explained() -> None:
    for name, component in contract()["components"]["schemas"].items():
        assert _unexplained(component) == [], name


def test_what_is_said_of_a_member_is_about_it() -> None:
    """Seen to fail on 174faa5: lists of seats were said to be how many seats a table has, and the type of a move to be
    that of a problem."""
    problems = tuple(name for name, shape in _shapes() if shape.get("properties", {}).keys() >= {"instance", "detail"})
    for name, shape in _shapes():
        for member, part in shape.get("properties", {}).items():
            said = part.get("description", "")
            objects = "$ref" in part.get("items", {}) and "properties" in merged(part["items"])
            assert not (objects and said.startswith("How many")), (name, member)
            assert name in problems or "the problem" not in said, (name, member)
            assert not said.startswith(("As an option", "Of a problem")), (name, member)


def _shapes() -> Iterator[tuple[str, Any]]:
    for name, component in contract()["components"]["schemas"].items():
        yield name, merged(component)


def _unexplained(component: Any) -> list[str]:
    """List the members that nothing is said of, neither where they stand nor of the component that they hold. Of a
    constant nothing has to be said."""
    members = [(name, part) for name, part in merged(component).get("properties", {}).items() if "const" not in part]
    return [name for name, member in members if not any("description" in part for part in _said(member))]


def _said(member: Any) -> list[Any]:
    return [member, *(resolved(part) for part in member.get("oneOf", [member]))]


@pytest.mark.parametrize("tag", TAGS)
def test_the_slice_of_a_tag_is_a_whole_contract(client: CheckedClient, tag: str) -> None:
    document: dict[str, Any] = orjson.loads(client.get("/openapi.json", query_string={"tag": tag}).data)
    validate(document)
    found = {each["operationId"]: each for methods in document["paths"].values() for each in methods.values()}
    assert found.keys() == {row.name for row in operations() if row.tag == tag}
    assert [each["name"] for each in document["tags"]] == [tag]
    assert {*_references(document), "#/components/securitySchemes/bearer"} == {
        f"#/components/{section}/{name}" for section, of in document["components"].items() for name in of
    }
    linked = {
        link["operationId"]
        for each in found.values()
        for answer in each["responses"].values()
        for link in answer.get("links", {}).values()
    }
    assert linked <= found.keys()


def test_the_slice_of_a_game_holds_nothing_of_another(client: CheckedClient) -> None:
    shapes = orjson.loads(client.get("/openapi.json", query_string={"tag": "catte"}).data)["components"]["schemas"]
    assert any(name.startswith("Catte") for name in shapes)
    assert not any(name.startswith(("Towai", "FamiliarsTrouble", "TomorrowNeverMeows")) for name in shapes)


def test_there_is_no_slice_of_an_unknown_tag(client: CheckedClient) -> None:
    for path in ("/openapi.json", "/docs"):
        answer = client.get(path, query_string={"tag": "chess"})
        assert (answer.status_code, orjson.loads(answer.data)["errors"][0]["pointer"]) == (422, "/tag")


def test_a_deprecated_operation_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    end = Deprecation(datetime(2027, 1, 1, tzinfo=UTC), datetime(2028, 1, 1, tzinfo=UTC), "/docs/guides/versioning")
    rows = [replace(row, deprecated=end) if row.name == "listGames" else row for row in operations()]
    monkeypatch.setattr(made_contract, "operations", lambda: rows)
    made_contract._described.cache_clear()
    paths = made_contract.openapi()["paths"]
    made_contract._described.cache_clear()
    marked = [each["operationId"] for of in paths.values() for each in of.values() if each.get("deprecated")]
    assert marked == ["listGames"]
