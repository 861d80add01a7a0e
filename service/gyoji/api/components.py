"""Makes JSON Schemas of marshmallow shapes: apispec's plugin, extended with our fields and unions."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from gyoji import __version__
from gyoji.api.fields import Documented
from gyoji.api.shapes import Shape, Untagged
from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.game_words import game_words

REF = "#/components/schemas/"


class Converter(OpenAPIConverter):
    """Converts shapes with apispec: fields state their own schema, a tagged union is ``oneOf`` with a discriminator."""

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        instance = schema if isinstance(schema, Schema) else schema()
        if isinstance(instance, OneOfSchema):
            return self._union(instance)
        if isinstance(instance, Untagged):
            return {instance.keyword: [self.resolve_nested_schema(variant) for variant in instance.variants]}
        document: dict[str, Any] = super().schema2jsonschema(schema)
        document["required"] = [name for name, field in instance.fields.items() if field.required]
        if not document["required"]:
            del document["required"]
        document.update(getattr(instance.Meta, "extra", {}))
        document["properties"] = {
            member: {**description_of(type(instance).__name__, member), **shape}
            for member, shape in document["properties"].items()
        }
        return document

    def _union(self, schema: OneOfSchema) -> dict[str, Any]:
        references = {tag: self.resolve_nested_schema(variant) for tag, variant in schema.type_schemas.items()}
        mapping = {tag: reference["$ref"] for tag, reference in references.items()}
        discriminator = {"propertyName": schema.type_field, "mapping": mapping}
        return {"oneOf": list(references.values()), "discriminator": discriminator}


OF_VALUES = "Values"
"""What the glossary has values under that recur under several names."""


@cache
def _glossary() -> Mapping[str, Mapping[str, str]]:
    """What members mean, by what the names of components begin with, such as a game, or after ``*-`` end with
    (``common``: in all of them)."""
    own: Mapping[str, Mapping[str, str]] = tomllib.loads(
        files("gyoji.api").joinpath("glossary.toml").read_text("utf-8")
    )
    options = {f"{slug}-options": _ambiguous_options(slug) for slug in BY_SLUG}
    return {**options, **own, **{slug: game_words(slug).members for slug in BY_SLUG}}


def _ambiguous_options(slug: str) -> Mapping[str, str]:
    """What those options decide that are called like something that lies on the table."""
    codec = BY_SLUG[slug].records.codec
    both = {member.name for member in codec.table} & {member.name for member in codec.options.members}
    return {name: game_words(slug).options[name]["en"] for name in sorted(both) if name in game_words(slug).options}


def description_of(component: str, member: str) -> dict[str, str]:
    """Return what the member of a component means, as its game's glossary has it, or the common one."""
    for part, meanings in _glossary().items():
        if member in meanings and _is_about(component, part.title().replace("-", "")):
            return {"description": meanings[member]}
    common = _glossary()["common"]
    return {"description": common[member]} if member in common and component != OF_VALUES else {}


def _is_about(component: str, part: str) -> bool:
    return component.endswith(part[1:]) if part.startswith("*") else component.startswith(part)


def _documented(_converter: Any, field: Any, **_kwargs: Any) -> dict[str, Any]:
    return field.json_schema() if isinstance(field, Documented) else {}


class Plugin(MarshmallowPlugin):
    """The apispec plugin that knows our fields and unions."""

    Converter = Converter

    def init_spec(self, spec: APISpec) -> None:
        super().init_spec(spec)
        converter = self.converter
        if converter is None:
            raise RuntimeError("apispec has made no converter")
        converter.map_to_openapi_type(Documented, None, None)
        converter.add_attribute_function(_documented)
        # A null that is allowed is said last, so that it also reaches what a field says of itself.
        converter.attribute_functions.remove(converter.field2nullable)
        converter.add_attribute_function(_nullable)


def _nullable(_converter: Any, field: Any, ret: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
    if not field.allow_none:
        return {}
    if "$ref" in ret:
        reference = ret.pop("$ref")
        return {"oneOf": [{"$ref": reference}, {"type": "null"}]}
    if "oneOf" in ret:
        return {"oneOf": [*ret["oneOf"], {"type": "null"}]}
    nullable: dict[str, Any] = {"type": [ret["type"], "null"]}
    if "enum" in ret:
        nullable["enum"] = [*(word for word in ret["enum"] if word is not None), None]
    return nullable


def specification() -> APISpec:
    """Make an empty OpenAPI description, to which schemas are added by class."""
    return APISpec(
        title="gyoji",
        version=__version__,
        openapi_version="3.1.0",
        plugins=[Plugin(schema_name_resolver=_name)],
    )


def _name(schema: Any) -> str:
    kind = schema if isinstance(schema, type) else type(schema)
    return kind.__name__


def component(spec: APISpec, shape: Shape) -> dict[str, str]:
    """Return the reference to a shape as a component. Add it, and the shapes in it, to the description where they are
    missing."""
    name = shape.__name__
    if name not in spec.components.schemas:
        spec.components.schema(name, schema=shape)
    return {"$ref": REF + name}


def standalone(name: str, components: Mapping[str, Any]) -> dict[str, Any]:
    """Return one component as a JSON Schema document that needs no other file."""
    wanted, waiting = {}, [name]
    while waiting:
        key = waiting.pop()
        if key not in wanted:
            wanted[key] = _moved(components[key])
            waiting.extend(_references(components[key]))
    root = wanted.pop(name)
    document = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name, **root}
    return {**document, "$defs": {key: wanted[key] for key in sorted(wanted)}} if wanted else document


def _references(node: Any) -> list[str]:
    if isinstance(node, dict):
        own = [node["$ref"].removeprefix(REF)] if isinstance(node.get("$ref"), str) else []
        return own + [name for value in node.values() for name in _references(value)]
    return [name for item in node for name in _references(item)] if isinstance(node, list) else []


def _moved(node: Any) -> Any:
    """The node with its references turned to ``$defs``; the discriminator is OpenAPI's and stays behind."""
    if isinstance(node, dict):
        return {
            key: _moved(value) for key, value in node.items() if key != "discriminator" or "propertyName" not in value
        }
    if isinstance(node, list):
        return [_moved(item) for item in node]
    return node.replace(REF, "#/$defs/") if isinstance(node, str) else node
