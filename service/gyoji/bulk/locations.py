"""A location names one replay, or one archive of replays, so that any process or machine can read it there.

A shard is one of several equal parts of all replays, which machines audit without knowing of each other.
"""

from hashlib import sha256
from typing import Literal, NamedTuple

from gyoji.names import printable
from gyoji.store.interface import Unavailable

SUFFIX = ".jsonl"
"""How the names of replay files end."""
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
"""How the names of archives end."""


class Location(NamedTuple):
    """Where replays are: a file, an object, an archive of files, one of its members, or a match of a store.

    ``input`` is standard input. ``where`` is the URL of an object, of the store, or of the archive of a member (or its
    path); of a file that is read on other machines the whole path.
    """

    kind: Literal["file", "object", "archive", "member", "match", "input"]
    name: str
    where: str = ""
    size: int = 0
    """Bytes, as far as they are known."""
    mark: str | None = None
    """Changes with the content."""
    key: str = ""
    """The name below what was asked for, the same on every machine."""
    body: bytes | None = None
    """The content, where it has been read already."""
    failure: str | None = None
    """Why it could not be read."""


def failure_text(failure: BaseException) -> str:
    """Describe in one line why a place could not be read, without its path: the line begins with that anyway."""
    if isinstance(failure, Unavailable):
        return str(failure)
    if isinstance(failure, OSError) and failure.strerror:
        return failure.strerror
    return "an archive that is damaged, encrypted or none"


def printable_name(name: str) -> str:
    """Return a name that can be printed: archives and folders may hold any bytes as names."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return printable(text)


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


def is_in_shard(shard: Shard | None, place: Location) -> bool:
    """Tell whether a place belongs to a shard. One that could not be read is in every shard: nobody knows what it
    holds."""
    return shard is None or place.failure is not None or shard.has(place.key)


class BulkError(Exception):
    """An audit of many replays cannot begin, or cannot go on; the text says why, for the person who started it."""


class MissingExtra(BulkError):
    """An optional package is not installed that the audit was asked to use."""
