"""Replays in folders and object storage by URL, as ``gyoji.store.object_storage`` opens them. What fails says where,
and which kind of failure it was, never what the storage said."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, Any, NamedTuple

from gyoji.store.object_storage import BadPlace, Objects, Unreached, shown

Info = Mapping[str, Any]
TAGS = ("ETag", "etag", "md5Hash", "content_md5", "checksum")
TIMES = ("LastModified", "last_modified", "mtime", "updated", "created")


class Object(NamedTuple):
    """An object, or why it or a folder cannot be read."""

    url: str
    """As it is opened; it may hold the right to do so."""
    name: str
    """As it is told."""
    key: str
    """Its name below the place that was asked for."""
    size: int = 0
    mark: str | None = None
    failure: str | None = None


def listed(url: str, wanted: Callable[[str], bool]) -> Iterator[Object]:
    """The object at a URL, whatever its name; or those below it whose names are wanted, in their order."""
    try:
        files, root = Objects(url).opened()
        info: Info = files.info(root)  # type: ignore[attr-defined]
    except Exception as failure:  # of whichever class: it is the storage's own package that raises
        yield Object(url, shown(url), _base(url), failure=_failed(failure))
        return
    if info.get("type") == "directory":
        yield from _below(files, root.rstrip("/"), root.rstrip("/"), wanted)
    else:
        yield Object(url, shown(url), _base(url), info.get("size") or 0, _mark(info))


def _below(files: Any, folder: str, root: str, wanted: Callable[[str], bool]) -> Iterator[Object]:
    try:
        found = sorted(files.ls(folder, detail=True), key=lambda info: str(info["name"]))
    except Exception as failure:
        url = files.unstrip_protocol(folder)
        yield Object(url, shown(url), folder.removeprefix(root), failure=_failed(failure))
        return
    for info in found:
        path = info["name"].rstrip("/")
        if path == folder:
            continue  # some storages keep an empty object in a folder's place
        if info.get("type") == "directory":
            yield from _below(files, path, root, wanted)
        elif wanted(path):
            url = files.unstrip_protocol(path)
            yield Object(url, shown(url), path.removeprefix(root).lstrip("/"), info.get("size") or 0, _mark(info))


def fetched(urls: Sequence[str]) -> dict[str, bytes | Unreached]:
    """The contents of several objects, asked for at once where the storage can do so; or why there are none."""
    together: dict[int, tuple[Any, list[tuple[str, str]]]] = {}
    found: dict[str, bytes | Unreached] = {}
    for url in dict.fromkeys(urls):
        try:
            files, path = Objects(url).opened()
        except Exception as failure:
            found[url] = Unreached(_failed(failure))
        else:
            together.setdefault(id(files), (files, []))[1].append((url, path))
    for files, asked in together.values():
        for (url, _), body in zip(asked, _all(files, [path for _, path in asked]), strict=True):
            found[url] = body if isinstance(body, bytes) else Unreached(_failed(body))
    return found


def _all(files: Any, paths: list[str]) -> Sequence[bytes | Exception]:
    try:
        nowhere = [None] * len(paths)
        bodies: Sequence[bytes | Exception] = files.cat_ranges(paths, nowhere, nowhere, on_error="return")
    except Exception as failure:
        return [failure] * len(paths)
    return bodies


def stream(url: str) -> IO[bytes]:
    """An object, read as it is needed. Raises ``Unreached``, and so does what is read from it."""
    try:
        files, path = Objects(url).opened()
        file: IO[bytes] = files.open(path, "rb")
    except Exception as failure:
        raise Unreached(_failed(failure)) from None
    return _Told(file)  # type: ignore[return-value] # as much of a file as zipfile and tarfile ask for


class _Told:
    """A file whose failures, of whichever class, are told as that of the place."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def __enter__(self) -> "_Told":
        return self

    def __exit__(self, *_failure: object) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()

    def seekable(self) -> bool:
        return self._file.seekable()

    def tell(self) -> int:
        return self._file.tell()

    def seek(self, to: int, whence: int = 0) -> int:
        try:
            return self._file.seek(to, whence)
        except Exception as failure:
            raise Unreached(_failed(failure)) from None

    def read(self, size: int = -1) -> bytes:
        try:
            return self._file.read(size)
        except Exception as failure:
            raise Unreached(_failed(failure)) from None


def _failed(failure: BaseException) -> str:
    """What is said of a failure: our own words, those of the operating system, or its class."""
    if isinstance(failure, BadPlace | Unreached):
        return str(failure)
    if isinstance(failure, FileNotFoundError):
        return "there is no such object"
    told = failure.strerror if isinstance(failure, OSError) else None
    return f"the storage does not answer ({told or type(failure).__name__})"


def _base(url: str) -> str:
    return shown(url).rstrip("/").rpartition("/")[2]


def _mark(info: Info) -> str | None:
    """What changes with the content of an object: its tag, else its size and its time."""
    tag = next((info[name] for name in TAGS if info.get(name)), None)
    time = next((info[name] for name in TIMES if info.get(name)), None)
    if tag is not None:
        return str(tag).strip('"')
    return None if time is None else f"{info.get('size')}-{time}"
