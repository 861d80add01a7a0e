"""Reads the keys that somebody trusts from a document as ``GET /v1/keys`` serves it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gyoji.log.signatures import Restoration, Trusted, TrustedKeys, key_id
from gyoji.trust.restorations import read_restoration, verified_signers


class UntrustworthyKeys(Exception):
    """A document of trusted keys that contradicts itself or has another shape."""


def read_trusted_keys(document: Any) -> TrustedKeys:
    """Read the keys of a document as ``GET /v1/keys`` serves it, and which of them have ended because the store has
    gone back. Raises ``UntrustworthyKeys``."""
    try:
        keys = [_trusted(entry) for entry in document["keys"]]
        return TrustedKeys(_with_ends(keys, document.get("restorations", ())))
    except (KeyError, TypeError, ValueError):
        raise UntrustworthyKeys('expected {"keys":[{"key","origin","public","from","until","revoked"}]}') from None


def _with_ends(keys: Sequence[Trusted], documents: Iterable[Any]) -> list[Trusted]:
    """Add to each key the first restoration that is to be believed and says that the key has ended."""
    believed = [restored for found in documents if (restored := _believed(found, keys)) is not None]
    ends = {
        (restored.origin, key): restored
        for restored in sorted(believed, key=lambda restored: restored.generation, reverse=True)
        for key in restored.ended
    }
    return [key._replace(ended=ends.get((key.origin, key.key))) for key in keys]


def _believed(found: Any, keys: Sequence[Trusted]) -> Restoration | None:
    """Read a restoration, if one of the keys that it ends has signed it, and the one that follows. What this reader
    does not understand excuses nothing."""
    restored = read_restoration(found)
    if restored is None:
        return None
    publics = {key.key: key.public for key in keys if key.origin == restored.origin and not key.revoked}
    by = verified_signers(found, restored, publics)
    return restored if restored.key in by and not by.isdisjoint(restored.ended) else None


def _trusted(entry: Mapping[str, Any]) -> Trusted:
    public = bytes.fromhex(entry["public"])
    if len(public) != 32 or key_id(public) != entry["key"] or not isinstance(entry["origin"], str):
        raise ValueError(entry["key"])
    return Trusted(entry["key"], entry["origin"], public, entry["revoked"] is not None)
