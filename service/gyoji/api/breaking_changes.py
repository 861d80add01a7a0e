"""Compares the released contract with a proposed one and lists the changes that would break clients.

The promise. What a client may send today it may send tomorrow: no member, key or token is newly demanded, no member,
word, variant or type is withdrawn, no bound tightened, no default changed. What a client is told today it is told
tomorrow: every member that is always there stays, with its type, its pattern and its words, and null appears nowhere
new. Additions are no breach, in answers too: clients let pass members, words and variants that they do not know. A
shape keeps its name, since generated clients name their classes after it.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gyoji.api.components import REF

Schema = Mapping[str, Any]

LOWER_BOUNDS = ("minimum", "minItems", "minLength")
UPPER_BOUNDS = ("maximum", "maxItems", "maxLength", "maxProperties")


def breaking_changes(released: Mapping[str, Any], proposed: Mapping[str, Any]) -> list[str]:
    """List every breaking change between two contracts, in the order of the released paths; empty if there is none."""
    comparison = _Comparison(released["components"]["schemas"], proposed["components"]["schemas"], set())
    changes: list[str] = []
    for path, methods in released["paths"].items():
        for method, old in methods.items():
            new = proposed["paths"].get(path, {}).get(method)
            where = f"{method.upper()} {path}"
            changes += [f"{where}: removed"] if new is None else comparison.operation(where, old, new)
    return list(dict.fromkeys(changes))


class _Comparison(NamedTuple):
    """The two sets of shapes, and which pairs have been compared: (old name, new name, whether clients send it)."""

    old: Mapping[str, Schema]
    new: Mapping[str, Schema]
    seen: set[tuple[str, str, bool]]

    def operation(self, where: str, old: Schema, new: Schema) -> Iterator[str]:
        """Who may ask, parameters, the request body, then every answer."""
        if _is_open(old) and not _is_open(new):
            yield f"{where}: a key or a token is newly required"
        yield from self._parameters(where, _by_place(old), _by_place(new))
        was, now = old.get("requestBody"), new.get("requestBody")
        if was is not None and now is not None:
            yield from self._content(f"{where} request", was["content"], now["content"], sent=True)
        elif was is not None or (now is not None and now.get("required")):
            yield f"{where}: the request body was {'added' if was is None else 'removed'}"
        for status, answer in old["responses"].items():
            if status not in new["responses"]:
                yield f"{where}: answer {status} removed"
            else:
                content = new["responses"][status].get("content", {})
                yield from self._content(f"{where} {status}", answer.get("content", {}), content, sent=False)

    def _parameters(self, where: str, old: Mapping[str, Schema], new: Mapping[str, Schema]) -> Iterator[str]:
        for place, parameter in new.items():
            if parameter.get("required") and not old.get(place, {}).get("required"):
                yield f"{where}: parameter {place} is newly required"
        for place, parameter in old.items():
            if place not in new:
                yield f"{where}: parameter {place} removed"
            else:
                yield from self.shape(f"{where} {place}", parameter["schema"], new[place]["schema"], sent=True)

    def _content(self, where: str, old: Schema, new: Schema, *, sent: bool) -> Iterator[str]:
        for media, was in old.items():
            if media not in new:
                yield f"{where}: media type {media} removed"
            else:
                yield from self.shape(where, was["schema"], new[media]["schema"], sent=sent)

    def shape(self, where: str, old: Schema, new: Schema, *, sent: bool) -> Iterator[str]:
        """One shape: its variants, where it is a union; else its type, its bounds and what it holds."""
        was, now = _variants(old), _variants(new)
        for key, variant in was.items():
            if key not in now:
                yield f"{where}: {key} removed"
            else:
                yield from self._variant(where, variant, now[key], sent=sent)
        if not sent and "null" in now.keys() - was.keys():
            yield f"{where}: may newly be null"

    def _variant(self, where: str, old: Schema, new: Schema, *, sent: bool) -> Iterator[str]:
        if "$ref" in old and "$ref" in new:
            pair = (old["$ref"].removeprefix(REF), new["$ref"].removeprefix(REF), sent)
            if pair not in self.seen:
                self.seen.add(pair)
                yield from self.shape(f"{where} {pair[0]}", self.old[pair[0]], self.new[pair[1]], sent=sent)
        else:
            yield from _value(where, old, new, sent=sent)
            yield from self._members(where, old, new, sent=sent)
            if "items" in old and "items" in new:
                yield from self.shape(f"{where}/*", old["items"], new["items"], sent=sent)

    def _members(self, where: str, old: Schema, new: Schema, *, sent: bool) -> Iterator[str]:
        was, now = old.get("properties", {}), new.get("properties", {})
        demanded, promised = set(new.get("required", ())), set(old.get("required", ()))
        for name in [*now, *was] if sent else was:
            if sent and name in demanded - promised:
                yield f"{where}: member {name} is newly required"
            elif not sent and name in promised - demanded and name in now:
                yield f"{where}: member {name} is no longer always there"
        for name, member in was.items():
            if name not in now:
                yield f"{where}: member {name} removed"
            else:
                yield from self.shape(f"{where}/{name}", member, now[name], sent=sent)


def _is_open(operation: Schema) -> bool:
    """Whether it can be asked without a key or a token."""
    security = operation.get("security", [])
    return not security or {} in security


def _by_place(operation: Schema) -> dict[str, Schema]:
    return {f"{parameter['in']} {parameter['name']}": parameter for parameter in operation.get("parameters", ())}


def _variants(schema: Schema) -> dict[str, Schema]:
    """What a union is made of, by tag where there is one; a shape that is no union is its own only variant."""
    if "discriminator" in schema:
        mapping = schema["discriminator"]["mapping"]
        return {f"variant {tag}": {"$ref": reference} for tag, reference in mapping.items()}
    union = schema.get("oneOf") or schema.get("anyOf")
    if union is None or "properties" in schema:
        return {_kind(schema): schema}
    return {_kind(variant): variant for variant in union}


def _kind(schema: Schema) -> str:
    """A name for one variant; of several types null is told apart elsewhere (see ``_value``)."""
    if "$ref" in schema:
        return f"shape {schema['$ref'].removeprefix(REF)}"
    return "null" if schema.get("type") == "null" else f"type {sorted(_types(schema) - {'null'})}"


def _types(schema: Schema) -> set[str]:
    kinds = schema.get("type", [])
    return {kinds} if isinstance(kinds, str) else set(kinds)


def _value(where: str, old: Schema, new: Schema, *, sent: bool) -> Iterator[str]:
    """What a value without members may be."""
    if sent and "null" in _types(old) - _types(new):
        yield f"{where}: may no longer be null"
    if not sent and "null" in _types(new) - _types(old):
        yield f"{where}: may newly be null"
    withdrawn = [word for word in old.get("enum", ()) if word not in new.get("enum", (word,)) and word is not None]
    if withdrawn or (sent and "enum" in new and "enum" not in old):
        yield f"{where}: words removed: {withdrawn}"
    if old.get("pattern") != new.get("pattern") and (sent or "pattern" in old):
        yield f"{where}: pattern changed"
    if sent:
        yield from _tightened(where, old, new)


def _tightened(where: str, old: Schema, new: Schema) -> Iterator[str]:
    for bound in LOWER_BOUNDS:
        if new.get(bound, float("-inf")) > old.get(bound, float("-inf")):
            yield f"{where}: {bound} raised"
    for bound in UPPER_BOUNDS:
        if new.get(bound, float("inf")) < old.get(bound, float("inf")):
            yield f"{where}: {bound} lowered"
    if new.get("additionalProperties") is False and old.get("additionalProperties") is not False:
        yield f"{where}: other members are refused now"
    if new.get("uniqueItems") and not old.get("uniqueItems"):
        yield f"{where}: items have to be distinct now"
    if old.get("default") != new.get("default"):
        yield f"{where}: default changed"
    if "oneOf" in new and old.get("oneOf") != new["oneOf"]:
        yield f"{where}: which members may stand together has changed"
