"""What ``gyoji audit`` is asked for, place by place: in folders, archives, object storage and stores; by shards."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import click

from gyoji.cli.audit_objects import Object, listed
from gyoji.cli.audit_sources import ARCHIVES, SUFFIX, UNREADABLE, Place, mark_of_match, members, said
from gyoji.games.catalogue import GAMES
from gyoji.published_files import rules_digest
from gyoji.store.interface import Store
from gyoji.store.object_storage import BadPlace, is_url, objects

MOST_SHARDS = 1_000_000


class Shard(NamedTuple):
    """One of several parts of everything, the same whatever the order in which it is listed."""

    number: int
    """From 1."""
    of: int

    def has(self, key: str) -> bool:
        """Whether a replay of that key (its name below what was asked for) is in this part."""
        digest = sha256(key.encode("utf-8", "surrogateescape")).digest()
        return int.from_bytes(digest[:8], "big") % self.of == self.number - 1


def shard_in(text: str) -> Shard | None:
    """The shard that is meant by ``3/16``; ``None`` if there is no such one."""
    number, _, of = text.partition("/")
    if not (number.isascii() and number.isdecimal() and of.isascii() and of.isdecimal()):
        return None
    shard = Shard(int(number[:9]), int(of[:9]))
    return shard if 1 <= shard.number <= shard.of <= MOST_SHARDS else None


def _shard(_context: click.Context, _parameter: click.Parameter, text: str | None) -> Shard | None:
    shard = None if text is None else shard_in(text)
    if text is not None and shard is None:
        raise click.BadParameter(f"expected NUMBER/OF, such as 3/16, with a NUMBER from 1 to OF, at most {MOST_SHARDS}")
    return shard


SHARD_OPTION = click.option(
    "--shard",
    callback=_shard,
    metavar="NUMBER/OF",
    help="Audit only that part of everything, from 1/16 to 16/16; gyoji verdicts puts the reports together.",
)


def _asked(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Paths that are there, ``-``, and URLs of storage that can be opened."""
    for one in given:
        if is_url(one):
            try:
                objects(one)
            except BadPlace as wrong:
                raise click.BadParameter(str(wrong)) from None
        elif one != "-" and not os.path.exists(one):  # noqa: PTH110 - a Path takes nothing for the folder that one is in
            raise click.BadParameter(f"Path {one!r} does not exist.")
    return tuple([one if is_url(one) or one == "-" else _tidy(one) for one in given])


def _tidy(path: str) -> str:
    """A path as names begin with it; a file that is called ``-`` is not standard input."""
    tidy = str(Path(path))
    return path if tidy == "-" else tidy


PATHS_ARGUMENT = click.argument("paths", nargs=-1, metavar="PATH…", callback=_asked)


def places(asked: str | Path) -> Iterator[Place]:
    """The files, archives and objects at a path or URL; of a folder every ``.jsonl`` file and every archive below it,
    in the order of their names."""
    if is_url(str(asked)):
        return map(_of_object, listed(str(asked), _is_named_so))
    path = Path(asked)
    return _in_folder(path, "") if path.is_dir() else iter([_place(str(path), path.name, path.stat)])


def _is_named_so(name: str) -> bool:
    return name.endswith((SUFFIX, *ARCHIVES))


def _of_object(found: Object) -> Place:
    kind = "archive" if found.name.endswith(ARCHIVES) else "object"
    return Place(kind, found.name, found.url, found.size, found.mark, found.key, failure=found.failure)  # type: ignore[arg-type]


def _in_folder(folder: Path, below: str) -> Iterator[Place]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as failure:
        yield Place("file", str(folder), key=below, failure=said(failure))
        return
    for entry in found:
        key = f"{below}{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            yield from _in_folder(folder / entry.name, f"{key}/")
        elif _is_named_so(entry.name) and _may_be_read(entry):
            yield _place(str(folder / entry.name), key, entry.stat)


def _may_be_read(entry: "os.DirEntry[str]") -> bool:
    """Whether it is a file, or a link that leads nowhere, which is to be told of."""
    try:
        return entry.is_file() or (entry.is_symlink() and not os.path.exists(entry.path))  # noqa: PTH110
    except OSError:  # links in a circle
        return True


def _place(name: str, key: str, stat: Callable[[], os.stat_result]) -> Place:
    try:
        told = stat()
    except OSError as failure:
        return Place("file", name, key=key, failure=said(failure))
    return Place(
        "archive" if name.endswith(ARCHIVES) else "file",
        name,
        size=told.st_size,
        mark=f"{told.st_size}-{told.st_mtime_ns}",
        key=key,
    )


def unpacked(found: Iterable[Place], shard: Shard | None) -> Iterator[Place]:
    """The replays of a shard, one a place. What an archive holds has been read; what could not be read is in every
    shard, as nobody knows what it holds."""
    for place in found:
        if place.kind == "archive" and place.failure is None:
            yield from (one for one in _members(place) if _is_in(shard, one))
        elif _is_in(shard, place):
            yield place


def _is_in(shard: Shard | None, place: Place) -> bool:
    return shard is None or place.failure is not None or shard.has(place.key)


def _members(archive: Place) -> Iterator[Place]:
    try:
        yield from members(archive)
    except UNREADABLE as failure:
        yield archive._replace(failure=said(failure))


def matches(store: Store, url: str, shard: Shard | None, *, marked: bool) -> Iterator[Place]:
    """The matches of a store; ``marked`` with how far each has come."""
    with closing(store):
        for match in store.every_match():
            if shard is None or shard.has(match):
                head = store.head(match) if marked else None
                yield Place("match", match, url, mark=None if head is None else mark_of_match(head), key=match)


def how_many(asked: Sequence[str], shard: Shard | None) -> int | None:
    """How many replays will be audited; ``None`` where that takes more than a look at folders."""
    count = 0
    for one in asked:
        if is_url(one) or one == "-":
            return None
        for place in places(one):
            if place.kind == "archive":
                return None
            count += _is_in(shard, place)
    return count


def rules_digests() -> dict[str, str]:
    """The digest of the rules of every game."""
    return {game.slug: rules_digest(game.slug) for game in GAMES}
