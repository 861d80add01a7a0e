"""The leaves of the transparency log: begin and end of each match, errata, and that the store has gone back.

Nothing hidden and nothing personal is in them.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import orjson

from gyoji.log.canonical import canonical
from gyoji.log.entries import Entry
from gyoji.log.parser import AT, is_text

Kind = Literal["match_created", "match_closed", "erratum", "restored"]

OVER = ("finished", "voided")
"""The statuses of a match whose end is entered."""

MEMBERS: dict[str, dict[str, type]] = {
    "match_created": {"v": int, "type": str, "match": str, "hash": str, "at": str},
    "match_closed": {"v": int, "type": str, "match": str, "seq": int, "hash": str, "at": str, "status": str},
    "erratum": {"v": int, "type": str, "game": str, "version": int, "text": str, "at": str},
    "restored": {"v": int, "type": str, "statement": str, "signatures": list, "at": str},
}
"""The members of a leaf by its type."""

LONGEST_ERRATUM = 4000
"""Characters."""


class Leaf(NamedTuple):
    """A leaf on its way into the tree."""

    kind: Kind
    match: str | None
    """``None`` where it is about none."""
    seq: int
    """The event whose hash it holds; 0 where it holds none."""
    at: str
    """When that event happened, in the form of the log."""
    body: bytes
    """Canonical bytes."""


class NoLeaf(ValueError):
    """The bytes are no leaf of this form."""


def creation_leaf(first: Entry) -> Leaf:
    """Make the leaf that says with which event a match has begun, and so with which commitment and rules."""
    event = orjson.loads(first.body)
    return _leaf("match_created", event["match"], 0, event["at"], {"match": event["match"], "hash": first.hash.hex()})


def closing_leaf(last: Entry, status: str) -> Leaf:
    """Make the leaf that says that a match is over, and that its log then ended with this event.

    Where the secret is withheld there is a second one, once the log is closed by the event that discloses it.
    """
    event = orjson.loads(last.body)
    content = {"match": event["match"], "seq": last.seq, "hash": last.hash.hex(), "status": status}
    return _leaf("match_closed", event["match"], last.seq, event["at"], content)


def erratum_leaf(game: str, version: int, text: str, at: str) -> Leaf:
    """Make the leaf that says what was wrong with the rules of a version as they were released."""
    return _leaf("erratum", None, 0, at, {"game": game, "version": version, "text": text})


def restoration_leaf(document: Mapping[str, Any], at: str) -> Leaf:
    """Make the leaf that says that the store had gone back and is recovered: what was signed of it."""
    content = {"statement": document["statement"], "signatures": document["signatures"]}
    return _leaf("restored", None, 0, at, content)


def _leaf(kind: Kind, match: str | None, seq: int, at: str, content: dict[str, Any]) -> Leaf:
    return Leaf(kind, match, seq, at, canonical({"v": 1, "type": kind, "at": at, **content}))


def read_leaf(body: bytes) -> dict[str, Any]:
    """Read what a leaf says. Raises ``NoLeaf`` unless it is of a known type, and canonical."""
    try:
        document = orjson.loads(body)
        members = MEMBERS[document["type"]]
        fits = canonical(document) == body and {name: type(value) for name, value in document.items()} == members
    except (KeyError, TypeError, ValueError):
        raise NoLeaf("no leaf of a known type") from None
    if not fits or document["v"] != 1 or not is_text(document["at"], AT):
        raise NoLeaf("a leaf of another shape")
    found: dict[str, Any] = document
    return found
