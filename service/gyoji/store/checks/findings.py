"""What a check of a store finds."""

from typing import NamedTuple


class Finding(NamedTuple):
    """Something that is wrong, and where: never with anything that was stored."""

    match: str | None
    seq: int | None
    what: str
