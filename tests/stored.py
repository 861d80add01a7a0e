"""Puts a match straight into a store, without a server."""

from contextlib import closing

from gyoji.games.catalogue import BY_SLUG
from gyoji.log.signatures import public_bytes, signer
from gyoji.simulation.derivation import timestamp
from gyoji.simulation.matches import SimulatedLog, match_record, plan_match, simulate_match
from gyoji.store import open_store, store_key
from gyoji.store.interface import SigningKey

PRIVATE = bytes(range(32))
ORIGIN = "stored.example"


def kept_match(url: str, slug: str = "catte", max_plies: int = 20_000, index: int = 0) -> str:
    """Keep a simulated match in the store at ``url``, with a key that signs; return its id."""
    return keep(url, simulate_match(plan_match(BY_SLUG[slug], 3, {}, "public_on_close", "stored", index), max_plies))


def keep(url: str, log: SimulatedLog) -> str:
    """Keep the log of a match in the store at ``url``; return its id."""
    with closing(open_store(url, store_key(url, None))) as store:
        store.create(match_record(log.match), log.entries)
        if not store.signing_keys():
            own = signer(PRIVATE, ORIGIN)
            store.add_signing_key(SigningKey(own.key, ORIGIN, public_bytes(own.private), PRIVATE, timestamp(0)))
    return log.match.match
