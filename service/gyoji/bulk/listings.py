"""Lists the replays in folders, archives and object storage, one place each, in the order of their names."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from gyoji.bulk.locations import ARCHIVES, SUFFIX, Location, Shard, failure_text, is_in_shard
from gyoji.bulk.objects import Object, list_objects
from gyoji.bulk.sources import UNREADABLE, members
from gyoji.store.object_storage import is_url


def list_locations(asked: str | Path) -> Iterator[Location]:
    """List the files, archives and objects at a path or URL; of a folder every ``.jsonl`` file and every archive below
    it, in the order of their names."""
    if is_url(str(asked)):
        return map(_of_object, list_objects(str(asked), _has_known_suffix))
    path = Path(asked)
    return _in_folder(path, "") if path.is_dir() else iter([_of_file(str(path), path.name, path.stat)])


def _has_known_suffix(name: str) -> bool:
    return name.endswith((SUFFIX, *ARCHIVES))


def _of_object(found: Object) -> Location:
    kind = "archive" if found.name.endswith(ARCHIVES) else "object"
    return Location(kind, found.name, found.url, found.size, found.mark, found.key, failure=found.failure)  # type: ignore[arg-type]


def _in_folder(folder: Path, below: str) -> Iterator[Location]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as failure:
        yield Location("file", str(folder), key=below, failure=failure_text(failure))
        return
    for entry in found:
        key = f"{below}{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            yield from _in_folder(folder / entry.name, f"{key}/")
        elif _has_known_suffix(entry.name) and _may_be_read(entry):
            yield _of_file(str(folder / entry.name), key, entry.stat)


def _may_be_read(entry: "os.DirEntry[str]") -> bool:
    """Tell whether an entry is a file, or a link that leads nowhere, which has to be reported."""
    try:
        return entry.is_file() or (entry.is_symlink() and not Path(entry.path).exists())
    except OSError:  # links in a circle
        return True


def _of_file(name: str, key: str, stat: Callable[[], os.stat_result]) -> Location:
    try:
        found = stat()
    except OSError as failure:
        return Location("file", name, key=key, failure=failure_text(failure))
    return Location(
        "archive" if name.endswith(ARCHIVES) else "file",
        name,
        size=found.st_size,
        mark=f"{found.st_size}-{found.st_mtime_ns}",
        key=key,
    )


def unpack(found: Iterable[Location], shard: Shard | None) -> Iterator[Location]:
    """List the replays of a shard, one a place; those in archives have been read.

    What could not be read is in every shard, as nobody knows what it holds.
    """
    for place in found:
        if place.kind == "archive" and place.failure is None:
            yield from (one for one in _members(place) if is_in_shard(shard, one))
        elif is_in_shard(shard, place):
            yield place


def _members(archive: Location) -> Iterator[Location]:
    try:
        yield from members(archive)
    except UNREADABLE as failure:
        yield archive._replace(failure=failure_text(failure))


def count_replays(asked: Sequence[str], shard: Shard | None) -> int | None:
    """Count the replays that will be audited; ``None`` where that takes more than a look at folders."""
    count = 0
    for one in asked:
        if is_url(one) or one == "-":
            return None
        for place in list_locations(one):
            if place.kind == "archive":
                return None
            count += is_in_shard(shard, place)
    return count
