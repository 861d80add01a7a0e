"""A place names one replay, or one archive of replays, so that any process or machine can read it there."""

from typing import Literal, NamedTuple

from gyoji.names import printable
from gyoji.store.interface import Unavailable

SUFFIX = ".jsonl"
"""How the names of replay files end."""
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
"""How the names of archives end."""


class Place(NamedTuple):
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
