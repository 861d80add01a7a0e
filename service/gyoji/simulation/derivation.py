"""Derives everything that a simulation needs of secrets and chance from one seed (HKDF-SHA-512, RFC 5869).

Each thing has its own label: deals and choices, and of matches that are written down the id, the server's secret, the
entropy of all others, the salts, the signing key and the origin. Times count from a fixed epoch. The same seed gives
the same bytes on any machine.
"""

import hmac
from datetime import UTC, datetime, timedelta
from hashlib import sha512
from typing import Any

from gyoji.games.chance import length_prefixed, u32
from gyoji.games.game import Game, Move
from gyoji.match.seeding import Policy

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
"""When every simulated match begins; each event is a second later than the one before."""


def root_key(seed: str) -> bytes:
    """Extract the key of a seed (HKDF-Extract)."""
    return hmac.digest(sha512(b"gyoji/simulate/1").digest(), seed.encode(), "sha512")


def derive(key: bytes, label: str, *fields: bytes | str) -> bytes:
    """Derive 64 bytes for a label: the first block of HKDF-Expand."""
    return hmac.digest(key, length_prefixed(label, *fields) + b"\x01", "sha512")


def timestamp(seconds: int) -> str:
    """Write the time so many seconds after the epoch, as logs do."""
    return (EPOCH + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def derive_signing_key(seed: str) -> bytes:
    """Derive the 32 private bytes of the key that signs every match of a seed."""
    return derive(root_key(seed), "signing key")[:32]


def derive_origin(seed: str) -> str:
    """Derive the name of the service that the matches of a seed are said to come from."""
    return f"gyoji-simulate-{derive(root_key(seed), 'origin')[:8].hex()}"


def beacon_policy(seed: str, index: int) -> Policy:
    """Return the policy of a match that waits for a public beacon: one of the seed's own, whose values have numbers."""
    return Policy("external", beacon=f"{derive_origin(seed)} beacon", reference=str(index))


def beacon_value(seed: str, policy: Policy) -> bytes:
    """Return the value of the seed's beacon at the reference of a policy."""
    return derive(root_key(seed), "beacon", policy.reference)[:32]


def choose_move(game: Game[Any], state: Any, key: bytes) -> Move:
    """Choose the next move, any of the legal ones."""
    legal = game.legal_moves(state)
    return legal[int.from_bytes(derive(key, "choice", u32(state.ply))[:16], "big") % len(legal)]
