"""Reads replays in folders and object storage by URL, as ``gyoji.store.object_storage`` opens them.

What fails says where, and which kind of failure it was, never what the storage said: that may quote a signed request.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, Any, NamedTuple

from gyoji.store.object_storage import BadPlace, Objects, Unreached, shown

Info = Mapping[str, Any]
TAGS = ("ETag", "etag", "md5Hash", "content_md5", "checksum")
TIMES = ("LastModified", "last_modified", "mtime", "updated", "created")


class Object(NamedTuple):
    """An object of a storage, or why it or a folder cannot be read."""

    url: str
    """As it is opened; it may hold the right to do so."""
    name: str
    """As it is shown."""
    key: str
    """Its name below the place that was asked for."""
    size: int = 0
    mark: str | None = None
    failure: str | None = None


def list_objects(url: str, wanted: Callable[[str], bool]) -> Iterator[Object]:
    """List the object at a URL, whatever its name; or those below it whose names are wanted, in their order."""
    try:
        files, root = Objects(url).opened()
        info: Info = files.info(root)  # type: ignore[attr-defined]
    except Exception as failure:  # of whichever class: it is the storage's own package that raises
        yield Object(url, shown(url), _base(url), failure=_failure_text(failure))
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
        yield Object(url, shown(url), folder.removeprefix(root), failure=_failure_text(failure))
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


def fetch(urls: Sequence[str]) -> dict[str, bytes | Unreached]:
    """Fetch the contents of several objects, at once where the storage can do so; or say why there are none."""
    together: dict[int, tuple[Any, list[tuple[str, str]]]] = {}
    found: dict[str, bytes | Unreached] = {}
    for url in dict.fromkeys(urls):
        try:
            files, path = Objects(url).opened()
        except Exception as failure:
            found[url] = Unreached(_failure_text(failure))
        else:
            together.setdefault(id(files), (files, []))[1].append((url, path))
    for files, asked in together.values():
        for (url, _), body in zip(asked, _fetch_all(files, [path for _, path in asked]), strict=True):
            found[url] = body if isinstance(body, bytes) else Unreached(_failure_text(body))
    return found


def _fetch_all(files: Any, paths: list[str]) -> Sequence[bytes | Exception]:
    try:
        nowhere = [None] * len(paths)
        bodies: Sequence[bytes | Exception] = files.cat_ranges(paths, nowhere, nowhere, on_error="return")
    except Exception as failure:
        return [failure] * len(paths)
    return bodies


def open_object(url: str) -> IO[bytes]:
    """Open an object, to be read as it is needed. Raises ``Unreached``, and so does what is read from it."""
    try:
        files, path = Objects(url).opened()
        file: IO[bytes] = files.open(path, "rb")
    except Exception as failure:
        raise Unreached(_failure_text(failure)) from None
    return _ObjectFile(file)  # type: ignore[return-value] # as much of a file as zipfile and tarfile ask for


class _ObjectFile:
    """A file whose failures, of whichever class, are raised as ``Unreached``."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def __enter__(self) -> "_ObjectFile":
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
            raise Unreached(_failure_text(failure)) from None

    def read(self, size: int = -1) -> bytes:
        try:
            return self._file.read(size)
        except Exception as failure:
            raise Unreached(_failure_text(failure)) from None


def _failure_text(failure: BaseException) -> str:
    """Describe a failure: in our own words, those of the operating system, or by its class."""
    if isinstance(failure, BadPlace | Unreached):
        return str(failure)
    if isinstance(failure, FileNotFoundError):
        return "there is no such object"
    told = failure.strerror if isinstance(failure, OSError) else None
    return f"the storage does not answer ({told or type(failure).__name__})"


def _base(url: str) -> str:
    return shown(url).rstrip("/").rpartition("/")[2]


def _mark(info: Info) -> str | None:
    """Return what changes with the content of an object: its tag, else its size and its time."""
    tag = next((info[name] for name in TAGS if info.get(name)), None)
    time = next((info[name] for name in TIMES if info.get(name)), None)
    if tag is not None:
        return str(tag).strip('"')
    return None if time is None else f"{info.get('size')}-{time}"
