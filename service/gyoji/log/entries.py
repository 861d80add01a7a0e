"""An entry of a log keeps the canonical bytes of one event, and the openings beside it.

An event is never made again from its parts: ``body`` holds the bytes that were hashed. What an event hides is committed
to in its ``secret`` list; the opening of entry ``place`` of that list is a salt and a payload, which maps JSON Pointers
(RFC 6901) into ``data`` to the values that replace what stands there.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

Actor = Mapping[str, Any]
"""Who acts in an event: a ``role``, and the ``seat`` of a player or the ``key`` of a referee."""

SERVICE: Actor = {"role": "service"}
OPERATOR: Actor = {"role": "operator"}


class Opening(NamedTuple):
    """The opening of ``secret[place]``: 32 bytes of salt, and JSON Pointer -> value."""

    place: int
    salt: bytes
    payload: Mapping[str, Any]


class Entry(NamedTuple):
    """One entry of a log: the event, its hash, and its openings."""

    seq: int
    body: bytes
    """Canonical bytes of the event."""
    hash: bytes
    """32 bytes; ``prev`` of the entry after it."""
    openings: tuple[Opening, ...] = ()
    """By rising place; those that this holder of the log has."""
    position: bytes | None = None
    """The salt of the position commitment, where there is one and this holder has it."""
