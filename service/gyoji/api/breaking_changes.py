"""Compares the released contract with a proposed one and lists the changes that would break clients.

The promise. What a client may send today it may send tomorrow: no member, key or token is newly demanded, no member,
word, variant or type is withdrawn, no bound tightened, no pattern set, no default changed. What a client is told today
it is told tomorrow: every member that is always there stays, with its type, its pattern and its words, and null appears
nowhere new; but a limit that is gone (429) is missed by nobody. Additions are no breach, in answers too: clients let
pass members, words and variants that they do not know, so that an answer whose shape becomes open to further members
breaks nothing. A shape of answers keeps its name, since generated clients name their classes after it; that of a
request may give way to one that takes all its values.

What is compared is what a value may be, not how the contract writes it: a shape that stands in place or is referred to
by name, an ``enum`` of one word or a ``const``, members that lie in an ``allOf``, and unions within unions are the same
(see ``contract_values``).
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gyoji.api.contract_values import Components, Schema, Variant, kinds, variants, words

LIMITED = "429"

LOWER_BOUNDS = ("minimum", "minItems", "minLength")
UPPER_BOUNDS = ("maximum", "maxItems", "maxLength", "maxProperties")


def breaking_changes(released: Mapping[str, Any], proposed: Mapping[str, Any]) -> list[str]:
    """List every breaking change between two contracts, in the order of the released paths; empty if there is none."""
    comparison = _Comparison(Components(released), Components(proposed), set())
    changes: list[str] = []
    for path, methods in released["paths"].items():
        for method, old in methods.items():
            new = proposed["paths"].get(path, {}).get(method)
            where = f"{method.upper()} {path}"
            changes += [f"{where}: removed"] if new is None else comparison.operation(where, old, new)
    return list(dict.fromkeys(changes))


class _Comparison(NamedTuple):
    """The two sets of components, and which pairs of shapes have been compared: (old name, new name, whether clients
    send it)."""

    old: Components
    new: Components
    seen: set[tuple[str, str, bool]]

    def operation(self, where: str, old: Schema, new: Schema) -> Iterator[str]:
        """Who may ask, parameters, the request body, then every answer."""
        if _is_open(old) and not _is_open(new):
            yield f"{where}: a key or a token is newly required"
        yield from self._parameters(where, self.old.parameters(old), self.new.parameters(new))
        was, now = old.get("requestBody"), new.get("requestBody")
        if was is not None and now is not None:
            yield from self._content(f"{where} request", was["content"], now["content"], sent=True)
        elif was is not None or (now is not None and now.get("required")):
            yield f"{where}: the request body was {'added' if was is None else 'removed'}"
        for status, answer in old["responses"].items():
            if status not in new["responses"]:
                yield from [] if status == LIMITED else [f"{where}: answer {status} removed"]
            else:
                told = self.old.resolve(answer).get("content", {})
                content = self.new.resolve(new["responses"][status]).get("content", {})
                yield from self._content(f"{where} {status}", told, content, sent=False)

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
        if sent and self.old.default(old) != self.new.default(new):
            yield f"{where}: default changed"
        was, now = variants(old, self.old), variants(new, self.new)
        for variant in was:
            found = self._match(variant, now, sent=sent)
            if found is not None:
                yield from self.variant(where, variant, found, sent=sent)
            elif variant.is_null:
                yield from [f"{where}: may no longer be null"] if sent else []
            else:
                yield f"{where}: {variant.key} removed"
        if not sent and any(new.is_null for new in now) and not any(old.is_null for old in was):
            yield f"{where}: may newly be null"

    def _match(self, old: Variant, now: list[Variant], *, sent: bool) -> Variant | None:
        """The variant that stands in the place of an old one: of the same key, or the same shape. The place of one
        without a name, or of a request, is taken by one that differs in nothing; else by one of the same type, where
        there was no name."""
        named = [new for new in now if new.key == old.key or (old.name and new.name == old.name)]
        if named or (old.name and not sent):
            return next(iter(named), None)
        is_any = old.is_any and not sent
        alike = [new for new in now if is_any or new.is_any or kinds(new.schema) == kinds(old.schema)]
        fitting = [new for new in alike if not self._differs(old, new, sent=sent)]
        return next(iter(fitting or ([] if old.name else alike)), None)

    def _differs(self, old: Variant, new: Variant, *, sent: bool) -> bool:
        trial = self._replace(seen=set(self.seen))
        return any(True for _change in trial.variant("", old, new, sent=sent))

    def variant(self, where: str, old: Variant, new: Variant, *, sent: bool) -> Iterator[str]:
        """One variant and that which stands in its place: what its values may be, and what they hold."""
        if old.name and new.name:
            pair = (old.name, new.name, sent)
            if pair in self.seen:
                return
            self.seen.add(pair)
            where = f"{where} {old.name}"
        yield from _value(where, old.schema, new.schema, sent=sent)
        yield from self._members(where, old.schema, new.schema, sent=sent)
        if "items" in old.schema and "items" in new.schema:
            yield from self.shape(f"{where}/*", old.schema["items"], new.schema["items"], sent=sent)

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


def _value(where: str, old: Schema, new: Schema, *, sent: bool) -> Iterator[str]:
    """What a value without members may be."""
    was, now = words(old), words(new)
    withdrawn = [word for word in was or () if now is not None and word not in now]
    if withdrawn or (sent and now is not None and was is None):
        yield f"{where}: words removed: {withdrawn}"
    if old.get("pattern") != new.get("pattern") and "pattern" in (new if sent else old):
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
