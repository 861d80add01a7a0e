"""What of a log event is public, and what is hidden from whom.

The public part is built from the fields that the game says may be told, never by taking something away; a field that
is on no list is a broken program and not told at all.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from gyoji.games.game import Event, Move, Seat, hidden
from gyoji.games.records import Fields, Knower, Known

Audience = tuple[Seat, ...] | Literal["all"]
"""The seats that may know; none for what nobody knows; ``all`` for what is hidden only so that it can be erased."""

PrivateParts = dict[Audience, dict[str, Any]]
"""Audience -> JSON Pointer into ``data`` -> what stands there in truth."""

NOBODY: Audience = ()


def placeholder(value: Any) -> Any:
    """What stands in place of a hidden value: ``{"count": n}`` for a list, ``None`` for anything else."""
    return hidden(value) if isinstance(value, (list, tuple)) else None


def redact(
    known: Known, move: Mapping[str, Any] | None, events: Sequence[Event]
) -> tuple[dict[str, Any], PrivateParts]:
    """The public ``data`` of a move (``None``: of a deal) and its events, and what of it is secret."""
    secrets: PrivateParts = {}
    data: dict[str, Any] = {}
    if move is not None:
        data["move"] = _public(move, known.moves[move["type"]], "/move", secrets)
    data["events"] = [
        _public(event, known.events[event["type"]], f"/events/{at}", secrets) for at, event in enumerate(events)
    ]
    return data, secrets


Hidden = tuple[str, Knower]
"""A field, and who knows it."""


class Plan(NamedTuple):
    """Who may know what, sorted beforehand for whoever parts thousands of moves: the types that hide nothing, and those
    in which only one field is not for all."""

    known: Known
    open_moves: frozenset[str]
    open_events: frozenset[str]
    single_moves: Mapping[str, Hidden]
    single_events: Mapping[str, Hidden]


def plan(known: Known) -> Plan:
    """The plan for ``redact_by``. A game knows one or two ways of hiding, so they are kept, by what they were made
    for."""
    plan = PLANS.get(id(known))
    if plan is None or plan.known is not known:
        plan = Plan(known, _open(known.moves), _open(known.events), _single(known.moves), _single(known.events))
        if len(PLANS) < MOST_PLANS:
            PLANS[id(known)] = plan
    return plan


PLANS: dict[int, Plan] = {}
MOST_PLANS = 64


def _open(kinds: Mapping[str, Fields]) -> frozenset[str]:
    return frozenset([kind for kind, fields in kinds.items() if {*fields.values()} == {"all"}])


def _single(kinds: Mapping[str, Fields]) -> dict[str, Hidden]:
    hidden = {kind: [field for field in fields.items() if field[1] != "all"] for kind, fields in kinds.items()}
    return {kind: fields[0] for kind, fields in hidden.items() if len(fields) == 1}


def redact_by(plan: Plan, move: Move, events: Sequence[Event]) -> tuple[dict[str, Any], PrivateParts]:
    """The same as ``redact`` for a move, sooner; that every field is on a list is not looked at again."""
    secrets: PrivateParts = {}
    kind = move["type"]
    if kind not in plan.open_moves:
        move = _told(move, plan.single_moves.get(kind), plan.known.moves[kind], "/move", secrets)
    told: list[Event] = []
    for event in events:
        kind = event["type"]
        if kind not in plan.open_events:
            pointer = f"/events/{len(told)}"
            event = _told(event, plan.single_events.get(kind), plan.known.events[kind], pointer, secrets)  # noqa: PLW2901
        told.append(event)
    return {"move": move, "events": told}, secrets


def _told(
    item: Mapping[str, Any], single: Hidden | None, fields: Fields, pointer: str, secrets: PrivateParts
) -> Mapping[str, Any]:
    """``_public``; a card or a wish that is all it can hide is put aside at once."""
    if single is not None:
        name, knower = single
        value = item.get(name)
        if type(value) is str and knower != "each":
            secrets.setdefault(_audience(item, knower), {})[f"{pointer}/{name}"] = value
            return {**item, name: None}
    return _public(item, fields, pointer, secrets)


def _public(item: Mapping[str, Any], fields: Fields, pointer: str, secrets: PrivateParts) -> Mapping[str, Any]:
    public = {"type": item["type"]}
    for name, value in item.items():
        if name == "type":
            continue
        knower = fields[name]
        if knower == "all":
            public[name] = value
        elif knower == "each":
            public[name] = [
                _hide(hand, f"{pointer}/{name}/{seat}", (seat,), secrets) for seat, hand in enumerate(value)
            ]
        elif isinstance(value, dict):  # piles by level: nobody knows any of them
            public[name] = {
                key: _hide(inner, f"{pointer}/{name}/{key}", NOBODY, secrets) for key, inner in value.items()
            }
        else:
            public[name] = _hide(value, f"{pointer}/{name}", _audience(item, knower), secrets)
    return public


def _hide(value: Any, pointer: str, audience: Audience, secrets: PrivateParts) -> Any:
    secrets.setdefault(audience, {})[pointer] = value
    return placeholder(value)


def _audience(item: Mapping[str, Any], knower: str) -> Audience:
    if knower == "own":
        return (item["seat"],)
    if knower == "both":
        return tuple(sorted((item["from"], item["to"])))
    return NOBODY


def merge(data: Any, payloads: Sequence[Mapping[str, Any]]) -> Any:
    """``data`` with what the openings tell in its place; what no opening tells stays hidden. The argument is kept.

    Whatever the payloads are, each list and object of ``data`` is copied once at most. Raises ``Misplaced`` for a
    pointer to a place that ``data`` has not got, or where nothing is hidden.
    """
    places = [place for payload in payloads for place in payload.items()]
    if not places:
        return data
    root = [data]
    copied: set[int] = set()
    """The lists and objects that are the new document's own."""
    for pointer, value in places:
        node: Any = root
        step: str | int = 0
        for name in steps_of(pointer):
            inner = step_into(node[step], name)
            node, step = _own(node, step, copied), inner
        if not is_placeholder(node[step], value):
            raise Misplaced
        node[step] = value
    return root[0]


def _own(node: Any, step: Any, copied: set[int]) -> Any:
    """The list or object at that step, which from now on is no longer the argument's."""
    inner = node[step]
    if id(inner) not in copied:
        node[step] = inner = inner.copy()
        copied.add(id(inner))
    return inner


class Misplaced(Exception):
    """A pointer of an opening leads nowhere, or to something that is not hidden."""


ESCAPED_WRONGLY = re.compile("~(?![01])")
INDEX = re.compile("0|[1-9][0-9]{0,6}")
"""No line is long enough for a list that needs more digits."""


def steps_of(pointer: str) -> list[str]:
    """The steps of a JSON Pointer (RFC 6901) to a place below the root. Raises ``Misplaced`` if it is none."""
    if not pointer.startswith("/") or ESCAPED_WRONGLY.search(pointer):
        raise Misplaced
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer[1:].split("/")]


def step_into(node: Any, step: str) -> str | int:
    """The name or the index that the step leads to. Raises ``Misplaced`` where there is none."""
    if isinstance(node, list) and INDEX.fullmatch(step) and int(step) < len(node):
        return int(step)
    if isinstance(node, dict) and step in node:
        return step
    raise Misplaced


def is_placeholder(shown: Any, value: Any) -> bool:
    """Whether that is what stands in place of the value where it is hidden."""
    if not isinstance(value, (list, tuple)):
        return shown is None
    return isinstance(shown, dict) and shown == hidden(value) and type(shown["count"]) is int
