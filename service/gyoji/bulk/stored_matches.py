"""The matches of a store as replay files, and the keys that the store signs with."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing

from gyoji.app.signing_keys import keys_document
from gyoji.bulk.locations import Location, Shard
from gyoji.log.files import write_replay
from gyoji.log.signatures import Signer, Trusted, signer
from gyoji.store.interface import Head, Store
from gyoji.trust.transparency.notes import is_log_name
from gyoji.trust.trusted_keys import read_trusted_keys

FEW = 10_000
"""Events of a stored match whose lines are made once and kept while it is audited."""
DAMAGED_EVENT = (ValueError, KeyError, TypeError, StopIteration)
"""What reading a stored match raises where an event in the store is not what the service wrote."""


def own_keys(store: Store) -> tuple[Trusted, ...]:
    """Return the keys that a store signs and has signed with."""
    return read_trusted_keys(keys_document(store.signing_keys(), store.restorations.documents()))


def signing_key(store: Store) -> Signer | None:
    """Return the signer of the newest key in force for receipts and heads; the log's own keys sign nothing else."""
    keys = store.signing_keys()
    found = [key for key in keys if key.is_in_force and not any(is_log_name(key.origin, one.origin) for one in keys)]
    return signer(found[-1].private, found[-1].origin) if found else None


def match_places(store: Store, url: str, shard: Shard | None, *, marked: bool) -> Iterator[Location]:
    """List the matches of a store and close it; ``marked`` with how far each has come."""
    with closing(store):
        for match in store.every_match():
            if shard is None or shard.has(match):
                head = store.head(match) if marked else None
                yield Location("match", match, url, mark=None if head is None else mark_of_match(head), key=match)


def mark_of_match(head: Head) -> str:
    """Return the mark of a match, which changes with every event."""
    return f"{head.seq}-{head.hash.hex()}"


def match_lines(store: Store, match: str) -> tuple[Head, Callable[[], Iterable[bytes]]] | None:
    """Return the head of a stored match, and what gives the lines of its full file from the start each time.

    ``None`` if the store has no such match, or no signing key. The lines of a short match are kept.
    """
    head, signing = store.head(match), signing_key(store)
    if head is None or signing is None:
        return None
    if head.seq >= FEW:
        return head, lambda: _lines(store, match, head, signing)
    kept = list(_lines(store, match, head, signing))
    return head, lambda: kept


def _lines(store: Store, match: str, head: Head, signing: Signer) -> Iterator[bytes]:
    entries = store.entries(match, -1, head.seq)
    return write_replay(next(entries), entries, signing, "full", head[:2])
