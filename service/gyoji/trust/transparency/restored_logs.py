"""Follows a transparency log that has ended, because the store of its service went back, to the one that goes on.

The leaves that were known then are the first ones of the next log; those that were lost are in none. A key of the log
that has ended has signed which one follows, so whoever trusts that key can follow.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from gyoji.log.signatures import Restoration, key_id
from gyoji.trust.restorations import read_restoration, verified_signers
from gyoji.trust.transparency.faults import LogFault
from gyoji.trust.transparency.notes import Checkpoint, Verifier, read_vkey
from gyoji.trust.transparency.tree import root
from gyoji.trust.transparency.verification import Log, tile_nodes


class Succession(NamedTuple):
    """A log that has ended, and the one that goes on."""

    end: Restoration
    successor: Verifier
    """Name and key of the log that goes on."""


def read_successions(documents: Iterable[Any], verifiers: Sequence[Verifier]) -> list[Succession]:
    """Read the successions that keys of these logs have signed, and those of the logs that follow, in order."""
    known = {key_id(verifier.public): verifier for verifier in verifiers}
    ends = [(end, document) for document in documents if (end := read_restoration(document)) is not None]
    found: list[Succession] = []
    for end, document in sorted(ends, key=lambda pair: pair[0].generation):
        publics = {key: verifier.public for key, verifier in known.items() if verifier.name == end.log}
        if verified_signers(document, end, publics).isdisjoint(end.log_ended):
            continue
        try:
            following = read_vkey(end.next)
        except ValueError:
            continue
        known[key_id(following.public)] = following
        found.append(Succession(end, following))
    return found


def check_succession(log: Log, before: Checkpoint, now: Checkpoint, found: Sequence[Succession]) -> Succession:
    """Check that a log goes on from the one that was seen ``before``, with everything that was known at each end.

    Returns the first of these successions. Raises ``LogFault``: ``wrong-origin`` where none leads from the one to the
    other, else as for a tree that is not as signed.
    """
    path = _path_between(before.origin, now.origin, found)
    if not path:
        raise LogFault("wrong-origin")
    for end, _successor in path:
        _check_prefix(log, now, end.size, end.root)
    if before.size <= path[0].end.size:
        _check_prefix(log, now, before.size, before.root)
    return path[0]


def _path_between(start: str, end: str, found: Sequence[Succession]) -> list[Succession]:
    by_name = {one.end.log: one for one in found}
    path: list[Succession] = []
    while start != end and start in by_name and len(path) <= len(found):
        path.append(by_name[start])
        start = by_name[start].successor.name
    return path if start == end else []


def _check_prefix(log: Log, now: Checkpoint, size: int, expected: bytes) -> None:
    """Check that the tree begins with that of a smaller size."""
    if size > now.size:
        raise LogFault("stale", str(now.size))
    try:
        begins = root(tile_nodes(log, now.size), size)
    except IndexError:
        raise LogFault("nothing-there", str(now.size)) from None
    if begins != expected:
        raise LogFault("wrong-root", str(size))
