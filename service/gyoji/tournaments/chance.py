"""Derives the lots of a tournament from one seed of 32 bytes, committed to before anybody has entered.

A round's own seed is published with its pairing, so that the lots of the round can be drawn again by anybody at once;
that they came from the committed seed can be seen when the tournament is closed and its log discloses that.
"""

import hmac
from collections.abc import Sequence
from hashlib import sha256

from gyoji.games.chance import length_prefixed, shuffled, u32
from gyoji.tournaments.tournament import EntrantId


def seed_commitment(seed: bytes) -> str:
    """Return the commitment to a seed, which is published at first: 64 hex digits."""
    return sha256(length_prefixed("tournament/1/seed", seed)).hexdigest()


def derive_round_seed(seed: bytes, number: int) -> str:
    """Derive the seed of a round, 128 hex digits."""
    return hmac.digest(seed, length_prefixed("tournament/1/round", u32(number)), "sha512").hex()


def draw_order(seed: str, label: str, entrants: Sequence[EntrantId]) -> tuple[EntrantId, ...]:
    """Put entrants in an order drawn by lot, with the shuffle of ``deal/v1``."""
    return shuffled(seed, f"tournament/1/{label}", 0, entrants)


def draw_lot(seed: str, entrant: EntrantId) -> bytes:
    """Draw the lot that decides where nothing else does; the lower one is better.

    ``seed`` is that of the first round, so that no lot is known before the entrants are, and none changes when another
    entrant comes later.
    """
    return hmac.digest(bytes.fromhex(seed), length_prefixed("tournament/1/lot", entrant), "sha256")
