"""Groups of matches that share their deals, as a store is handed them and gives them back."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from gyoji.store.records import Status


class GroupClosed(Exception):
    """The group takes no more matches, or there is none of that id; nothing was stored."""


class GroupFull(GroupClosed):
    """The group has as many matches as it may have; nothing was stored."""


class Group(NamedTuple):
    """A group of matches that share their deals, and what they are set up with. ``secret`` is decrypted."""

    group: str
    owner: str
    """The account whose group it is, and whose matches are in it."""
    created: str
    game: str
    version: int
    seats: int
    options: Mapping[str, Any]
    """All of them, as in the log."""
    first: int
    disclosure: Literal["public_on_close", "auditors_only"]
    until: str | None
    """A time before which nothing is disclosed, whatever has ended."""
    secret: bytes
    """The server's secret S of all its matches, 64 bytes."""
    closed: bool = False
    """Whether it takes no more matches."""
    maker: str | None = None
    """The id of the API key that made it; ``None``: an earlier release did not write that down."""


class GroupMember(NamedTuple):
    """A match of a group, and how it stands."""

    match: str
    status: Status
    closed: bool
