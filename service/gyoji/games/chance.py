"""deal/v1: how a seed becomes shuffled piles.

The seed is a pseudo-random key of 64 bytes, written as 128 lower-case hex digits. Shuffle number ``k`` takes the
HKDF-Expand stream (RFC 5869, SHA-512) of the seed with ``info = LP("deal/v1/shuffle", label, u32(k), u32(n))`` and
runs Fisher-Yates with two stream bytes a draw, rejecting draws that would favour some cards.
"""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256, sha512
from struct import Struct

from gyoji.games.game import Chance

MAX_BLOCKS = 255
"""RFC 5869, section 2.3: the output of Expand ends after 255 blocks (16,320 bytes of SHA-512)."""


class SeedMissing(Exception):
    """A shuffle is due, and the state carries no seed."""


class StreamExhausted(Exception):
    """The stream of one shuffle has run out."""


def length_prefixed(*fields: bytes | str) -> bytes:
    """Join fields, each as its length (4 bytes, big-endian) and its bytes; strings as UTF-8. Called LP in the
    documents."""
    raw = [field.encode() if isinstance(field, str) else field for field in fields]
    return b"".join(len(field).to_bytes(4, "big") + field for field in raw)


def u32(number: int) -> bytes:
    """4 bytes, big-endian."""
    return number.to_bytes(4, "big")


def root(server_secret: bytes, entropies: Sequence[bytes], beacon: bytes, game: str, version: int, deal_id: str) -> str:
    """The seed of a stored match: HKDF-Extract over all contributions, as 128 hex digits."""
    salt = sha512(length_prefixed("deal/v1/salt", game, u32(version), deal_id)).digest()
    return hmac.digest(salt, length_prefixed(server_secret, *entropies, beacon), "sha512").hex()


def commitment(server_secret: bytes, game: str, version: int, deal_id: str) -> str:
    """Return the commitment to the server's secret, which is published before the server knows any entropy of
    others."""
    return sha256(length_prefixed("deal/v1/commit", deal_id, game, u32(version), server_secret)).hexdigest()


def branch_root(
    server_secret: bytes,
    entropies: Sequence[bytes],
    beacon: bytes,
    game: str,
    version: int,
    deal_id: str,
    match: str,
    seq: int,
) -> str:
    """Return the seed of the branch that event ``seq`` of a match begins: from the same contributions as ``root``, and
    like that not to be foreseen or chosen by anybody."""
    salt = sha512(length_prefixed("deal/v1/branch", game, u32(version), deal_id, match, u32(seq))).digest()
    return hmac.digest(salt, length_prefixed(server_secret, *entropies, beacon), "sha512").hex()


def player_commitment(deal_id: str, seat: int, entropy: bytes) -> str:
    """What a seat publishes of its entropy before any is revealed."""
    return sha256(length_prefixed("deal/v1/player", deal_id, u32(seat), entropy)).hexdigest()


WORDS = Struct(">32H")
"""One block of the stream as words of 2 bytes, big-endian."""


def _stream(key: bytes, info: bytes) -> Iterator[int]:
    """HKDF-Expand's output word by word, block by block as needed."""
    block = b""
    for counter in range(1, MAX_BLOCKS + 1):
        block = hmac.digest(key, block + info + bytes((counter,)), "sha512")
        yield from WORDS.unpack(block)
    raise StreamExhausted(f"deal/v1: {MAX_BLOCKS} blocks were not enough")


def shuffled(seed: str, label: str, k: int, pile: Sequence[str]) -> tuple[str, ...]:
    """Shuffle number ``k`` of the pile, which must come in the game's canonical order. Position 0 is the top."""
    cards = list(pile)
    n = len(cards)
    words = _stream(bytes.fromhex(seed), length_prefixed("deal/v1/shuffle", label, u32(k), u32(n)))
    for i in range(n, 1, -1):
        bound = 65536 - 65536 % i
        word = next(words)
        while word >= bound:
            word = next(words)
        j = word % i
        cards[i - 1], cards[j] = cards[j], cards[i - 1]
    return tuple(cards)


def deal_v1(seed: str | None) -> Chance:
    """The chance of live play. Without a seed the first shuffle that is due raises ``SeedMissing``."""

    def chance(label: str, k: int, pile: Sequence[str]) -> tuple[str, ...]:
        if seed is None:
            raise SeedMissing(label)
        return shuffled(seed, label, k, pile)

    return chance
