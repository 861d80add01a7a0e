"""Opens places: gives the lines of each replay there, as often as they are needed."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from io import BytesIO
from typing import IO, NamedTuple

from gyoji.bulk.archives import members, open_place
from gyoji.bulk.places import Place
from gyoji.bulk.stored_matches import mark_of_match, match_lines
from gyoji.log.parser import cut
from gyoji.store import open_store

PIECE = 1 << 16
WHOLE = 1 << 22
"""Bytes of a file that is read at once; a larger one is read in pieces, as often as its lines are needed."""

Lines = Callable[[], Iterable[bytes]]
"""Gives the lines of a file from the start each time it is called."""


class Source(NamedTuple):
    """One replay at a place, as long as the place is open; or why it could not be read."""

    name: str
    lines: Lines | None
    failure: str | None = None
    mark: str | None = None


def open_sources(place: Place, store_key: bytes | None = None) -> Iterator[Source]:
    """Open the replays at a place, one after another. Raises one of ``archives.UNREADABLE``."""
    if place.failure is not None:
        return iter([Source(place.name, None, place.failure)])
    if place.body is not None:
        return iter([Source(place.name, lines_in_memory(place.body))])
    if place.kind == "match":
        return _match(place, store_key)
    return _archive(place) if place.kind == "archive" else _file(place)


def lines_in_memory(body: bytes) -> Lines:
    """Return the lines of a content that is in memory; of a large one cut anew each time, as short lines take far
    more."""
    if len(body) > WHOLE:
        return lambda: lines_of_file(BytesIO(body))
    lines = list(cut((body,)))
    return lambda: lines


def lines_of_file(file: IO[bytes]) -> Iterator[bytes]:
    """Read the lines of a file from its beginning."""
    file.seek(0)
    return cut(iter(lambda: file.read(PIECE), b""))


def _file(place: Place) -> Iterator[Source]:
    with open_place(place) as file:
        body = file.read(WHOLE + 1)
        yield Source(place.name, lines_in_memory(body) if len(body) <= WHOLE else lambda: lines_of_file(file))


def _archive(place: Place) -> Iterator[Source]:
    for member in members(place):
        yield Source(member.name, None if member.body is None else lines_in_memory(member.body), member.failure)


def _match(place: Place, store_key: bytes | None) -> Iterator[Source]:
    with closing(open_store(place.where, store_key)) as store:
        found = match_lines(store, place.name)
        if found is None:
            yield Source(place.name, None, "the store has no such match, or no signing key")
        else:
            head, lines = found
            yield Source(place.name, lines, mark=mark_of_match(head))
