"""Moves what the shapes of a family have in common into a base, so that it stands once in the contract.

A family is made of the shapes of all games that are called the same (the match of each, say), of the events of
the feed, and of the problems. Only answers have bases: requests are closed to further members, which no generator
understands of a shape with a base.
"""

from collections.abc import Collection, Iterator, Mapping

from gyoji.api.publication import REF, Node

LEAST = 3
"""So many members the shapes of a family have to have in common."""

PROBLEM_MEMBERS = frozenset(["type", "title", "status", "detail", "instance", "code"])


def based(components: Mapping[str, Node], prefixes: Collection[str], closed: Collection[str]) -> dict[str, Node]:
    """Return the components with bases. ``prefixes`` are what the names of the games' shapes begin with, ``closed`` the
    components that requests hold."""
    found = dict(components)
    for base, family in _families(components, prefixes):
        common = _common([components[name] for name in family])
        if len(family) > 1 and len(common) >= LEAST and not set(family) & set(closed):
            demanded = components[family[0]].get("required", ())
            found[base] = _object(common, [name for name in common if name in demanded])
            found.update({name: _derived(components[name], base, common) for name in family})
    return found


def _families(components: Mapping[str, Node], prefixes: Collection[str]) -> Iterator[tuple[str, list[str]]]:
    """The name of the base of each family, and the names of its shapes."""
    objects = {name: component for name, component in components.items() if "properties" in component}
    families: dict[str, list[str]] = {}
    for name, component in objects.items():
        prefix = next((prefix for prefix in prefixes if name.startswith(prefix)), "")
        if prefix:
            families.setdefault(f"{name.removeprefix(prefix)}Base", []).append(name)
        elif component["properties"].keys() >= PROBLEM_MEMBERS:
            families.setdefault("ProblemDetails", []).append(name)
        elif name.startswith("Feed") and "hash" in component["properties"]:
            families.setdefault("FeedEventBase", []).append(name)
    whole = {base: family for base, family in families.items() if _is_whole(base, family, prefixes)}
    yield from whole.items()


def _is_whole(base: str, family: list[str], prefixes: Collection[str]) -> bool:
    """Whether every game has such a shape: what only some have in common is chance."""
    return base in ("ProblemDetails", "FeedEventBase") or len(family) == len(prefixes)


def _common(family: list[Node]) -> dict[str, Node]:
    """The members that all shapes of a family have, alike."""
    first = family[0]
    return {
        name: member
        for name, member in first["properties"].items()
        if all(other["properties"].get(name) == member and _is_alike(name, first, other) for other in family)
    }


def _is_alike(name: str, one: Node, other: Node) -> bool:
    return (name in one.get("required", ())) == (name in other.get("required", ()))


def _derived(component: Node, base: str, common: Mapping[str, Node]) -> Node:
    own = {name: member for name, member in component["properties"].items() if name not in common}
    required = [name for name in component.get("required", ()) if name not in common]
    rest = {key: value for key, value in component.items() if key not in ("type", "properties", "required")}
    return {"allOf": [{"$ref": REF + base}, _object(own, required)], **rest}


def _object(members: Mapping[str, Node], required: Collection[str]) -> Node:
    demanded = {"required": [*required]} if required else {}
    return {"type": "object", "properties": dict(members), **demanded}
