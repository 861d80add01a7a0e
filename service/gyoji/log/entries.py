"""One entry of a log as it is kept: the event's canonical bytes, and the openings beside it.

An event is never made again from its parts: ``body`` holds the bytes that were hashed. What an event hides is committed
to in its ``secret`` list; the opening of entry ``place`` of that list is a salt and a payload, which maps JSON Pointers
(RFC 6901) into ``data`` to the values that replace what stands there.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gyoji.log.canonical import canonical, position_commitment, secret_commitment
from gyoji.log.redaction import PrivateParts

Actor = Mapping[str, Any]


class Opening(NamedTuple):
    """The opening of ``secret[place]``: 32 bytes of salt, and JSON Pointer -> value."""

    place: int
    salt: bytes
    payload: Mapping[str, Any]


class Entry(NamedTuple):
    """One log event with everything that is known beside it."""

    seq: int
    body: bytes
    """Canonical bytes of the event."""
    hash: bytes
    """32 bytes; ``prev`` of the entry after it."""
    openings: tuple[Opening, ...] = ()
    """By rising place; those that this holder of the log has."""
    position: bytes | None = None
    """The salt of the position commitment, where there is one and this holder has it."""


def event(
    match: str,
    seq: int,
    prev: bytes,
    at: Any,
    kind: str,
    actor: Any,
    data: Mapping[str, Any],
    secrets: PrivateParts,
    openings: list[Opening],
    position: Mapping[str, Any] | None,
    position_salt: bytes | None,
) -> dict[str, Any]:
    """The log event as a document; the openings give the salts of its commitments, in the order of ``secrets``."""
    return {
        "v": 1,
        "match": match,
        "seq": seq,
        "prev": prev.hex(),
        "at": at,
        "type": kind,
        "actor": actor,
        "data": data,
        "secret": [
            {"for": audience, "commit": secret_commitment(opening.salt, canonical(payload))}
            for (audience, payload), opening in zip(secrets.items(), openings, strict=True)
        ],
        "position": None if position is None or position_salt is None else position_commitment(position_salt, position),
    }
