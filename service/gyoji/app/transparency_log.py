"""Serves the transparency log: one Merkle tree over all matches, its checkpoint, its parts, and when it grows.

A leaf is pending from the transaction on that stored its match. It gets into the tree after the answer to a request,
and before the answer to whoever asks for a checkpoint while one has been pending for a second: so nobody's move waits
for it.
"""

import re

from gyoji.api.parameters import MATCH, MOST_LEAVES, PROVABLE
from gyoji.app.clock import written_time
from gyoji.app.logs import log_aside
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext
from gyoji.app.services import Services
from gyoji.app.signing_keys import current_signer
from gyoji.store.interface import Unavailable
from gyoji.store.transparency.growth import PlacedLeaf, SignedCheckpoint
from gyoji.trust.transparency.notes import Verifier, log_name, write_vkey
from gyoji.trust.transparency.tiles import WIDTH, read_tile_path, tile_width, write_bundle
from gyoji.trust.transparency.tree import consistency_proof, inclusion_proof, root

PENDING_SECONDS = 1.0
"""Seconds that a leaf may have been pending when somebody asks."""

LEVEL = re.compile("0|[1-9][0-9]?")
MATCH_ID = re.compile(MATCH)


def name_of_log(services: Services) -> str:
    """Return the name of the log: another one since each recovery of the store."""
    return log_name(services.settings.origin, services.store.restorations.generation())


def grow(services: Services) -> SignedCheckpoint:
    """Enter all pending leaves; return the checkpoint over everything."""
    return services.store.transparency_log.grow(current_signer(services.store, name_of_log(services)), services.at())


def checkpoint(services: Services) -> SignedCheckpoint:
    """Return the newest checkpoint. It is made now where none is there, the key is another, or a leaf has been pending
    long enough; a store that was restored shows the last that it knows."""
    tree = services.store.transparency_log
    last, waiting = tree.latest(), tree.pending_since()
    if last is not None and services.store.restorations.waits():
        return last
    signing = current_signer(services.store, name_of_log(services))
    overdue = waiting is not None and waiting <= written_time(services.clock() - PENDING_SECONDS)
    if last is None or last.key != signing.key or overdue:
        return tree.grow(signing, services.at())
    return last


def grow_afterwards(services: Services) -> None:
    """Enter pending leaves after the answer to a request, and forget the oldest numbers of appends. Nobody waits for
    it: a failure goes to the log of the process."""
    services.store.has_new_leaves = False
    try:
        grow(services)
        services.store.appends.forget()
    except Unavailable as failure:  # the leaves stay pending; whoever asks for the checkpoint learns why
        log_aside("log-not-grown", failure)


def keys_text(services: Services) -> str:
    """Answer ``readLogKeys``: a line a key, the one in use first; revoked ones are left out."""
    name = name_of_log(services)
    if not services.store.restorations.waits():
        current_signer(services.store, name)
    kept = [key for key in services.store.signing_keys() if key.origin == name and key.revoked is None]
    kept.sort(key=lambda key: not key.is_in_force)
    return "".join([f"{write_vkey(Verifier(name, key.public))}\n" for key in kept])


def tile(services: Services, level: str, place: str) -> bytes:
    """Answer ``readLogTile``: the hashes of one tile."""
    if LEVEL.fullmatch(level) is None:
        raise HttpProblem("not-found")
    low, high = _within(services, int(level), place)
    return b"".join(services.store.transparency_log.hashes(int(level), low, high))


def leaves(services: Services, place: str) -> bytes:
    """Answer ``readLogEntries``: the leaves of one tile."""
    low, high = _within(services, 0, place)
    return write_bundle([leaf.body for leaf in services.store.transparency_log.leaves(low, high)])


def _within(services: Services, level: int, place: str) -> tuple[int, int]:
    """Return the places of a tile of the newest tree. Raises 404 for one that is not there, or is not as wide."""
    found = read_tile_path(place)
    last = services.store.transparency_log.latest()
    if found is None or last is None or found[1] > tile_width(level, found[0], last.size):
        raise HttpProblem("not-found")
    return found[0] * WIDTH, found[0] * WIDTH + found[1]


def prove_inclusion(context: RequestContext) -> dict[str, object]:
    """Answer ``proveInclusion``: that the creation or the end of a match is a leaf of the tree of that size."""
    match = context.query.get("match", "")
    kind = context.query.get("type", PROVABLE[0])
    if MATCH_ID.fullmatch(match) is None:
        raise context.invalid_query("match")
    if kind not in PROVABLE:
        raise context.invalid_query("type")
    size, tree = _size(context, "size"), context.services.store.transparency_log
    leaf = tree.last_leaf(match, "match_created" if kind == PROVABLE[0] else "match_closed", size)
    if leaf is None:
        raise HttpProblem("not-found")
    return _inclusion(context.services, leaf, size)


def _inclusion(services: Services, leaf: PlacedLeaf, size: int) -> dict[str, object]:
    nodes = services.store.transparency_log.nodes
    return {
        "size": size,
        "root": root(nodes, size).hex(),
        "index": leaf.number,
        "leaf": leaf.body.decode(),
        "hash": leaf.hash.hex(),
        "proof": [value.hex() for value in inclusion_proof(nodes, leaf.number, size)],
    }


def prove_consistency(context: RequestContext) -> dict[str, object]:
    """Answer ``proveConsistency``: that the tree of one size is the beginning of the tree of another."""
    second = _size(context, "to")
    first = context.whole_number("from", None, MOST_LEAVES)
    if first is None or first > second:
        raise context.invalid_query("from")
    nodes = context.services.store.transparency_log.nodes
    return {
        "from": first,
        "from_root": root(nodes, first).hex(),
        "to": second,
        "to_root": root(nodes, second).hex(),
        "proof": [value.hex() for value in consistency_proof(nodes, first, second)],
    }


def _size(context: RequestContext, name: str) -> int:
    """Read the size that was asked for, which the log has to have; else that of the newest checkpoint."""
    last = checkpoint(context.services).size
    asked = context.whole_number(name, last, MOST_LEAVES)
    if asked is None or asked > last:
        raise context.invalid_query(name)
    return asked
