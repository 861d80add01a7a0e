"""A shard is one of several equal parts of all replays, which machines audit without knowing of each other."""

from hashlib import sha256
from typing import NamedTuple

from gyoji.bulk.places import Place

MOST_SHARDS = 1_000_000


class Shard(NamedTuple):
    """One of several parts of everything, the same whatever the order in which it is listed."""

    number: int
    """From 1."""
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def has(self, key: str) -> bool:
        """Tell whether a replay of that key (its name below what was asked for) is in this part."""
        digest = sha256(key.encode("utf-8", "surrogateescape")).digest()
        return int.from_bytes(digest[:8], "big") % self.of == self.number - 1


def read_shard(text: str) -> Shard | None:
    """Read a shard such as ``3/16``; ``None`` if there is no such one."""
    number, _, of = text.partition("/")
    if not (number.isascii() and number.isdecimal() and of.isascii() and of.isdecimal()):
        return None
    shard = Shard(int(number[:9]), int(of[:9]))
    return shard if 1 <= shard.number <= shard.of <= MOST_SHARDS else None


def is_in_shard(shard: Shard | None, place: Place) -> bool:
    """Tell whether a place belongs to a shard. One that could not be read is in every shard: nobody knows what it
    holds."""
    return shard is None or place.failure is not None or shard.has(place.key)
