"""Makes ``gyoji_client/documents.py`` of the contract: ``python make_documents.py`` in this folder. It takes PyYAML.

Each component that the client has to do with becomes a type of its own name: an object a ``TypedDict`` with all that
the components it is made of (``allOf``) say, anything else an alias.
"""

import re
from collections.abc import Iterator, Mapping
from keyword import iskeyword
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
CONTRACT = FOLDER.parent.parent / "openapi.yaml"
DOCUMENTS = FOLDER / "gyoji_client" / "documents.py"

REFERENCE = "#/components/schemas/"
ROOTS = ("Match", "MoveAnswer", "StoredPosition", "FeedEvent", "CreatedMatch", "Verdict", "Receipt", "SigningKeys")
"""What the client reads and sends."""

OF_A_GAME = ("Move", "View", "State", "Position", "Adjudication", "NewMatch", "IllegalMove")
"""The same of every game: what the names of its components end with."""

PLAIN = {"string": "str", "integer": "int", "boolean": "bool", "null": "None", "number": "float"}

HEAD = '''"""The documents of the service, by game. Made of the contract by ``make_documents.py``."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
'''

Schema = Mapping[str, Any]


class Documents:
    """The types of the components of a contract."""

    def __init__(self, components: Mapping[str, Schema]) -> None:
        self._components = components

    def write(self, roots: Iterator[str]) -> str:
        """Write a module with these components and all that they are made of."""
        wanted: dict[str, Schema] = {}
        waiting = list(roots)
        while waiting:
            name = waiting.pop()
            if name not in wanted:
                wanted[name] = self._components[name]
                waiting += self._mentioned(name)
        objects = [name for name in sorted(wanted) if self._is_object(wanted[name])]
        aliases = [name for name in sorted(wanted) if name not in objects]
        texts = [*map(self._object, objects), "\n".join(self._alias(name) for name in self._in_order(aliases))]
        return "\n\n\n".join([HEAD.rstrip(), *texts]) + "\n"

    def _mentioned(self, name: str) -> list[str]:
        """List the components that the type of one names."""
        schema = self._components[name]
        seen = self._merged(schema) if self._is_object(schema) else schema
        return re.findall(rf"'\$ref': '{REFERENCE}(\w+)'", str(seen))

    def _in_order(self, aliases: list[str]) -> list[str]:
        """Put aliases behind those that they are made of: they are read at once, a ``TypedDict`` is later."""
        ordered: list[str] = []

        def add(name: str) -> None:
            if name in aliases and name not in ordered:
                for each in self._mentioned(name):
                    add(each)
                ordered.append(name)

        for name in aliases:
            add(name)
        return ordered

    def _is_object(self, schema: Schema) -> bool:
        return bool(self._merged(schema)["properties"])

    def _merged(self, schema: Schema) -> dict[str, Any]:
        """Put the members together of all that an object is made of; what comes later says more."""
        if "$ref" in schema:
            return self._merged(self._components[schema["$ref"].removeprefix(REFERENCE)])
        parts = [self._merged(part) for part in schema.get("allOf", ())] + [dict(schema)]
        properties = {name: member for part in parts for name, member in part.get("properties", {}).items()}
        return {"properties": properties, "required": {name for part in parts for name in part.get("required", ())}}

    def _object(self, name: str) -> str:
        merged = self._merged(self._components[name])
        members = {
            member: self._type(schema) if member in merged["required"] else f"NotRequired[{self._type(schema)}]"
            for member, schema in merged["properties"].items()
        }
        if all(member.isidentifier() and not iskeyword(member) for member in members):
            return "\n".join([f"class {name}(TypedDict):", *[f"    {each}: {kind}" for each, kind in members.items()]])
        inner = "\n".join(f'    "{each}": {_later(kind)},' for each, kind in members.items())
        return f'{name} = TypedDict("{name}", {{\n{inner}\n}})'

    def _alias(self, name: str) -> str:
        return f"{name}: TypeAlias = {self._type(self._components[name])}"

    def _type(self, schema: Schema) -> str:
        """Write the type of what fits a schema."""
        if "$ref" in schema:
            return str(schema["$ref"]).removeprefix(REFERENCE)
        if "const" in schema or "enum" in schema:
            return f"Literal[{', '.join(map(_literal, schema.get('enum', [schema.get('const')])))}]"
        if "oneOf" in schema or "anyOf" in schema:
            return " | ".join(dict.fromkeys(self._type(each) for each in schema.get("oneOf", schema.get("anyOf"))))
        if "allOf" in schema and len(schema["allOf"]) == 1:
            return self._type(schema["allOf"][0])
        kinds = schema.get("type", "object")
        return " | ".join(self._kind(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds))

    def _kind(self, kind: str, schema: Schema) -> str:
        if kind == "array":
            return f"list[{self._type(schema['items'])}]"
        if kind != "object":
            return PLAIN[kind]
        inner = schema.get("additionalProperties")
        return f"dict[str, {self._type(inner) if isinstance(inner, Mapping) else 'Any'}]"


def _later(kind: str) -> str:
    """Write a type that is read later, where something would be read at once."""
    return repr(kind)


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def documents(contract: str) -> str:
    """Write the module of a contract."""
    components = yaml.load(contract, Loader=yaml.CSafeLoader)["components"]["schemas"]
    games = [
        name.removesuffix("MoveAnswer") for name in components if name.endswith("MoveAnswer") and name != "MoveAnswer"
    ]
    roots = [*ROOTS, *[f"{game}{part}" for game in games for part in OF_A_GAME]]
    return Documents(components).write(iter(roots))


if __name__ == "__main__":
    DOCUMENTS.write_text(documents(CONTRACT.read_text("utf-8")), "utf-8")
