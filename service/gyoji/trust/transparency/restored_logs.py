"""Where a log over all matches has ended, because the store of its service went back, and another one goes on.

The entries that were known then are the first ones of the next log; those that were lost are in none. A key of the log
that has ended has signed which one follows, so whoever trusts that key can follow.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from gyoji.log.key_endings import Restoration
from gyoji.log.signatures import key_id
from gyoji.trust.restorations import restoration, signers
from gyoji.trust.transparency.notes import Checkpoint, Verifier, read_vkey
from gyoji.trust.transparency.tree import root
from gyoji.trust.transparency.verification import Log, Wrong, tile_nodes


class Seam(NamedTuple):
    """The end of a log."""

    told: Restoration
    next: Verifier
    """Name and key of the one that follows."""


def seams(documents: Iterable[Any], verifiers: Sequence[Verifier]) -> list[Seam]:
    """The ends that keys of these logs have signed, and those of the logs that follow, in order."""
    known = {key_id(verifier.public): verifier for verifier in verifiers}
    told = [(each, found) for found in documents if (each := restoration(found)) is not None]
    found: list[Seam] = []
    for each, document in sorted(told, key=lambda pair: pair[0].generation):
        publics = {key: verifier.public for key, verifier in known.items() if verifier.name == each.log}
        if signers(document, each, publics).isdisjoint(each.log_ended):
            continue
        try:
            following = read_vkey(each.next)
        except ValueError:
            continue
        known[key_id(following.public)] = following
        found.append(Seam(each, following))
    return found


def resumed(log: Log, before: Checkpoint, said: Checkpoint, found: Sequence[Seam]) -> Seam:
    """The first end on the way from the log that was seen ``before`` to this one, which holds everything that was known
    at each. Raises ``Wrong``: ``wrong-origin`` where no such way leads here, else as for a tree that is not as signed.
    """
    way = _way(before.origin, said.origin, found)
    if not way:
        raise Wrong("wrong-origin")
    for told, _next in way:
        _must_begin(log, said, told.size, told.root)
    if before.size <= way[0].told.size:
        _must_begin(log, said, before.size, before.root)
    return way[0]


def _way(start: str, end: str, found: Sequence[Seam]) -> list[Seam]:
    by_name = {seam.told.log: seam for seam in found}
    way: list[Seam] = []
    while start != end and start in by_name and len(way) <= len(found):
        way.append(by_name[start])
        start = by_name[start].next.name
    return way if start == end else []


def _must_begin(log: Log, said: Checkpoint, size: int, expected: bytes) -> None:
    """The tree begins with that of a smaller size."""
    if size > said.size:
        raise Wrong("stale", str(said.size))
    try:
        begins = root(tile_nodes(log, said.size), size)
    except IndexError:
        raise Wrong("nothing-there", str(said.size)) from None
    if begins != expected:
        raise Wrong("wrong-root", str(size))
