"""Redaction decides what of a log event is public, what is hidden from whom, and what a reader gets to see.

``redact`` splits an event when it is written, ``project_event`` merges what a reader may know when it is read. The
public part is built from the fields that the game says may be told, never by taking something away; a field that is on
no list is a broken program and not told at all. The feed, receipts and replay files all ask ``may_open``.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import orjson

from gyoji.games.game import Event, Move, Seat, hidden_pile
from gyoji.games.records import Fields, Knower, Known
from gyoji.log.entries import Entry, Opening

Audience = tuple[Seat, ...] | Literal["all"]
"""The seats that may know; none for what nobody knows; ``all`` for what is hidden only so that it can be erased."""

PrivateParts = dict[Audience, dict[str, Any]]
"""Audience -> JSON Pointer into ``data`` -> what stands there in truth."""

NOBODY: Audience = ()


def placeholder(value: Any) -> Any:
    """Return the placeholder of a hidden value: ``{"count": n}`` for a list, ``None`` for anything else."""
    return hidden_pile(value) if isinstance(value, (list, tuple)) else None


class TypePlan(NamedTuple):
    """Who may know what of one type of moves or events, prepared for fast redaction."""

    names: frozenset[str]
    """All that it may hold."""
    fields: Fields
    is_open: bool
    """Whether it hides nothing, as most do."""
    single: tuple[str, Knower] | None
    """The one field that may be hidden, as in most others; ``None`` if there are several."""


class RedactionPlan(NamedTuple):
    """Who may know what of the moves and events of a game, by type, prepared for fast redaction."""

    known: Known
    moves: Mapping[str, TypePlan]
    events: Mapping[str, TypePlan]


PLANS: dict[int, RedactionPlan] = {}
MOST_PLANS = 64


def redaction_plan(known: Known) -> RedactionPlan:
    """Return the prepared plan of who may know what in a game. A game has one or two such plans, so they are cached."""
    plan = PLANS.get(id(known))
    if plan is None or plan.known is not known:
        plan = RedactionPlan(known, _kinds(known.moves), _kinds(known.events))
        if len(PLANS) < MOST_PLANS:
            PLANS[id(known)] = plan
    return plan


def _kinds(kinds: Mapping[str, Fields]) -> dict[str, TypePlan]:
    found = {}
    for name, fields in kinds.items():
        hidden = [field for field in fields.items() if field[1] != "all"]
        single = hidden[0] if len(hidden) == 1 and hidden[0][1] != "each" else None
        found[name] = TypePlan(frozenset([*fields, "type"]), fields, not hidden, single)
    return found


def redact(known: Known, move: Move | None, events: Sequence[Event]) -> tuple[dict[str, Any], PrivateParts]:
    """Split a move (``None``: a deal) and its events into the public ``data`` of a log event and the private parts.

    Raises ``KeyError`` for a type or a field that the game does not list.
    """
    by = redaction_plan(known)
    private: PrivateParts = {}
    data: dict[str, Any] = {}
    if move is not None:
        kind = by.moves[move["type"]]
        is_open = kind.is_open and move.keys() <= kind.names
        data["move"] = move if is_open else _redacted(move, kind, "/move", private)
    public: list[Mapping[str, Any]] = []
    for event in events:
        kind = by.events[event["type"]]
        is_open = kind.is_open and event.keys() <= kind.names
        public.append(event if is_open else _redacted(event, kind, f"/events/{len(public)}", private))
    data["events"] = public
    return data, private


def _redacted(item: Mapping[str, Any], kind: TypePlan, pointer: str, private: PrivateParts) -> Mapping[str, Any]:
    """The public part of a move or an event; a card or a wish that is all it can hide is put aside at once."""
    if kind.single is not None and item.keys() <= kind.names:
        name, knower = kind.single
        value = item.get(name)
        if type(value) is str:
            private.setdefault(_audience(item, knower), {})[f"{pointer}/{name}"] = value
            return {**item, name: None}
    return _public(item, kind.fields, pointer, private)


def _public(item: Mapping[str, Any], fields: Fields, pointer: str, private: PrivateParts) -> Mapping[str, Any]:
    public = {"type": item["type"]}
    for name, value in item.items():
        if name == "type":
            continue
        knower = fields[name]
        if knower == "all":
            public[name] = value
        elif knower == "each":
            public[name] = [
                _hide(hand, f"{pointer}/{name}/{seat}", (seat,), private) for seat, hand in enumerate(value)
            ]
        elif isinstance(value, dict):  # piles by level: nobody knows any of them
            public[name] = {
                key: _hide(inner, f"{pointer}/{name}/{key}", NOBODY, private) for key, inner in value.items()
            }
        else:
            public[name] = _hide(value, f"{pointer}/{name}", _audience(item, knower), private)
    return public


def _hide(value: Any, pointer: str, audience: Audience, private: PrivateParts) -> Any:
    private.setdefault(audience, {})[pointer] = value
    return placeholder(value)


def _audience(item: Mapping[str, Any], knower: str) -> Audience:
    if knower == "own":
        return (item["seat"],)
    if knower == "both":
        return tuple(sorted((item["from"], item["to"])))
    return NOBODY


def merge(data: Any, payloads: Sequence[Mapping[str, Any]]) -> Any:
    """Return ``data`` with the payloads of openings merged in; what no opening shows stays hidden. The argument is not
    changed.

    Whatever the payloads are, each list and object of ``data`` is copied once at most. Raises ``InvalidPointer`` for a
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
            raise InvalidPointer
        node[step] = value
    return root[0]


def _own(node: Any, step: Any, copied: set[int]) -> Any:
    """The list or object at that step, which from now on is no longer the argument's."""
    inner = node[step]
    if id(inner) not in copied:
        node[step] = inner = inner.copy()
        copied.add(id(inner))
    return inner


class InvalidPointer(Exception):
    """A pointer of an opening leads nowhere, or to something that is not hidden."""


ESCAPED_WRONGLY = re.compile("~(?![01])")
INDEX = re.compile("0|[1-9][0-9]{0,6}")
"""No line is long enough for a list that needs more digits."""


def steps_of(pointer: str) -> list[str]:
    """Split a JSON Pointer (RFC 6901) to a place below the root into its steps. Raises ``InvalidPointer`` if it is
    none."""
    if not pointer.startswith("/") or ESCAPED_WRONGLY.search(pointer):
        raise InvalidPointer
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer[1:].split("/")]


def step_into(node: Any, step: str) -> str | int:
    """Return the name or the index that a step leads to in a node. Raises ``InvalidPointer`` where there is none."""
    if isinstance(node, list) and INDEX.fullmatch(step) and int(step) < len(node):
        return int(step)
    if isinstance(node, dict) and step in node:
        return step
    raise InvalidPointer


def is_placeholder(shown: Any, value: Any) -> bool:
    """Tell whether ``shown`` is the placeholder of a value that is hidden."""
    if not isinstance(value, (list, tuple)):
        return shown is None
    return isinstance(shown, dict) and shown == hidden_pile(value) and type(shown["count"]) is int


Reader = Seat | Literal["full", "public"]
"""One seat; everything; or what everybody may know."""


def may_open(reader: Reader, audience: Any) -> bool:
    """Whether the reader may have an opening for that audience (``for`` in the event)."""
    return reader == "full" or audience == "all" or (isinstance(reader, int) and reader in audience)


def openings_for(reader: Reader, entry: Entry, document: Mapping[str, Any]) -> tuple[Opening, ...]:
    """The openings of an entry that the reader may have. ``document`` is the event."""
    if reader == "full":
        return entry.openings
    secret = document["secret"]
    return tuple([opening for opening in entry.openings if may_open(reader, secret[opening.place]["for"])])


def project_event(reader: Reader, entry: Entry, document: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The event as the feed gives it: ``data`` with what the reader may know in its place. ``document`` is the event,
    for whoever has read it."""
    document = orjson.loads(entry.body) if document is None else document
    payloads = [opening.payload for opening in openings_for(reader, entry, document)]
    return {
        "seq": entry.seq,
        "type": document["type"],
        "at": document["at"],
        "actor": document["actor"],
        "data": merge(document["data"], payloads),
        "hash": entry.hash.hex(),
    }


def opening_documents(
    reader: Reader, entry: Entry, document: Mapping[str, Any] | None = None
) -> Iterator[dict[str, Any]]:
    """The reader's openings of an entry as replay files hold them, without the word ``opening`` around them.
    ``document`` is the event, for whoever has read it."""
    if entry.openings:  # most events hide nothing, and need not be read
        for opening in openings_for(reader, entry, orjson.loads(entry.body) if document is None else document):
            yield opening_document(entry.seq, opening)
    if reader == "full" and entry.position is not None:
        yield {"seq": entry.seq, "position": entry.position.hex()}


def opening_document(seq: int, opening: Opening) -> dict[str, Any]:
    """One opening as a document."""
    return {"seq": seq, "index": opening.place, "salt": opening.salt.hex(), "payload": opening.payload}
