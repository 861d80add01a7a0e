"""Reads and writes objects in folders and object storage, by one URL: ``s3://bucket/prefix``, ``gs://``, ``file://``,
``memory://``, plain paths.

fsspec knows the protocol of each kind; it is imported when a place is opened, not before. No credential stands in a URL
(the package for the kind finds them in its own files and variables), and no text of a failure repeats what the storage
said, only where it was asked and what kind of failure it was.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple, Protocol, TypeVar
from urllib.parse import urlsplit

from gyoji.store.deadlines import within
from gyoji.store.files import sync_folder
from gyoji.store.records import Unavailable

Answer = TypeVar("Answer")

EXTRA = "folders and object storage by URL need the extra objects: pip install '.[objects]' in a checkout"
PACKAGES = {
    "s3": "s3fs",
    "s3a": "s3fs",
    "gs": "gcsfs",
    "gcs": "gcsfs",
    "abfs": "adlfs",
    "abfss": "adlfs",
    "az": "adlfs",
    "http": "aiohttp",
    "https": "aiohttp",
}
"""The package that fsspec needs for each of the kinds that are asked for most."""
LOCAL = "file"

HERE = (LOCAL, "memory")
"""Kinds that are on this machine, and wait for nobody."""

OBJECT_SECONDS = 60.0
"""Seconds that a storage has for one object, or to list all of them."""


class BadPlace(ValueError):
    """The URL of an archive, or of another place with objects, leads to nothing that can be opened here; the text says
    why, without the URL."""


class Unreached(Unavailable):
    """The storage does not answer now."""

    cause = "storage-away"


class Gone(Unreached):
    """There is no object of that name in the storage."""


class Files(Protocol):
    """The part of a file system of fsspec that is used; paths are its own, with the bucket and without the kind. One
    with an event loop of its own takes a ``timeout`` as well."""

    def find(self, path: str, detail: bool, **how: Any) -> dict[str, dict[str, Any]]:
        """List all files below a path."""

    def isdir(self, path: str) -> bool:
        """Whether the path is a folder, or leads to objects below it."""

    def open(self, path: str, mode: str = "rb") -> Any:
        """Open a file."""

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **how: Any) -> bytes:
        """Read a file, or a part of it by a ranged read."""

    def pipe_file(self, path: str, value: bytes, **how: Any) -> None:
        """Write a file whole."""

    def rm_file(self, path: str, **how: Any) -> None:
        """Delete a file."""


class StoredObject(NamedTuple):
    """An object in a storage: its name below the place, with ``/`` between its parts, and its size in bytes."""

    name: str
    size: int


class Objects:
    """A place with objects. Nothing is opened before the first use, and every process and thread opens its own."""

    def __init__(self, url: str, seconds: float = OBJECT_SECONDS) -> None:
        """``seconds``: how many the storage has for one answer."""
        self._url = url
        self._seconds = seconds
        self.shown = shown(url)
        """The URL, fit for messages."""

    def __repr__(self) -> str:
        return f"Objects({self.shown!r})"

    def opened(self) -> tuple[Files, str]:
        """Open the file system of the place; return it and the path of the place in it. fsspec keeps one for each
        process and thread."""
        return _opened(self._url)

    def refuse_missing_folder(self) -> None:
        """Raise ``BadPlace`` where the place is a folder that does not exist; for other places only a request tells."""
        if kind_of(self._url) == LOCAL and not os.access(f"{_local(self._url)}/", os.R_OK | os.X_OK):
            raise BadPlace("there is no such folder, or it may not be read: make it, or mount what was to be there")

    def held(self, below: str = "") -> list[StoredObject]:
        """List all objects in the place (or in a folder of it), ordered by name."""
        files, root = self.opened()
        top = root.rstrip("/")
        nothing: dict[str, dict[str, Any]] = {}
        found = self._tried(files, lambda **how: files.find(_joined(root, below), detail=True, **how), nothing)
        return sorted([StoredObject(path.removeprefix(top).lstrip("/"), said["size"]) for path, said in found.items()])

    def read(self, name: str, start: int | None = None, length: int | None = None) -> bytes:
        """Read an object, or ``length`` bytes of it from ``start`` on. ``Gone`` if there is none."""
        files, root = self.opened()
        end = None if start is None or length is None else start + length
        return self._tried(files, lambda **how: files.cat_file(_joined(root, name), start=start, end=end, **how))

    def write(self, name: str, content: bytes) -> None:
        """Write a new object, whole: on a disk of this machine also synced when this returns."""
        files, root = self.opened()
        path = _joined(root, name)
        if _is_local(files):
            self._tried(files, lambda: _write_file(Path(path), content))
        else:
            self._tried(files, lambda **how: files.pipe_file(path, content, **how))

    def remove(self, name: str) -> None:
        """Delete an object; nothing happens if there is none."""
        files, root = self.opened()
        with suppress(Gone):
            self._tried(files, lambda **how: files.rm_file(_joined(root, name), **how))

    def _tried(self, files: Files, work: Callable[..., Answer], without: Answer | None = None) -> Answer:
        """Do the work; give back ``without`` (if given) where there is nothing. Whatever the package for the kind
        raises, of whichever class, means that the storage does not answer."""
        try:
            return self._timely(files, work)
        except FileNotFoundError:
            if without is not None:
                return without
            raise Gone(f"{self.shown} does not hold the object") from None
        except Exception as failure:
            raise Unreached(f"{self.shown} does not answer ({_said(failure)})") from None

    def _timely(self, files: Files, work: Callable[..., Answer]) -> Answer:
        """Do the work in time: fsspec itself gives up what its event loop waits for; for other kinds a thread is left
        behind, which waits on."""
        if kind_of(self._url) in HERE:
            return work()
        if getattr(files, "async_impl", False):
            return work(timeout=self._seconds)
        return within(self._seconds, work)


def objects(url: str, seconds: float = OBJECT_SECONDS) -> Objects:
    """Return the place at ``url``; ``BadPlace`` where that can be refused without asking it. Chains of fsspec's
    (``simplecache::s3://``) are no places: what they write may stay on this machine."""
    _refuse_credentials(url)
    _refuse_unknown(url.partition("://")[0] if "://" in url else LOCAL)
    return Objects(url, seconds)


def kind_of(url: str) -> str:
    """Return the kind of a place, as fsspec calls it; plain paths are files."""
    return url.partition("://")[0] if is_url(url) else LOCAL


def is_url(text: str) -> bool:
    """Whether this is a URL and not a plain path."""
    kind, separator, _rest = text.partition("://")
    return bool(separator) and kind.isalnum()


def shown(url: str) -> str:
    """Return a URL or path for messages, without whatever may be a credential."""
    if not is_url(url):
        return url
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _refuse_credentials(url: str) -> None:
    try:
        netloc = urlsplit(url).netloc
    except ValueError:  # such as a bracket that is not closed
        raise BadPlace("that is no URL") from None
    if is_url(url) and "@" in netloc:
        raise BadPlace("credentials do not belong into a URL: the storage's own files and variables hold them")


def _refuse_unknown(kind: str) -> None:
    fsspec = _fsspec()
    try:
        fsspec.get_filesystem_class(kind)
    except ImportError:
        package = PACKAGES.get(kind)
        wanted = f"pip install {package}" if package else "see the documentation of fsspec"
        raise BadPlace(f"{kind}:// needs a package of its own beside the extra objects: {wanted}") from None
    except ValueError:
        raise BadPlace("there is no such kind of place: expected s3://, gs://, file:// or another of fsspec") from None


def _fsspec() -> Any:
    """Import fsspec; ``BadPlace`` where the extra is not installed."""
    try:
        import fsspec
    except ImportError:
        raise BadPlace(EXTRA) from None
    return fsspec


def _opened(url: str) -> tuple[Files, str]:
    fsspec = _fsspec()
    if kind_of(url) == LOCAL:  # ``::`` in a path would be taken for a chain
        return fsspec.filesystem(LOCAL), str(_local(url))
    try:
        opened: tuple[Files, str] = fsspec.url_to_fs(url, use_listings_cache=False)
    except Exception as failure:  # whatever the kind's own package raises
        raise Unreached(f"{shown(url)} does not answer ({_said(failure)})") from None
    return opened


def _local(url: str) -> Path:
    return Path(url.removeprefix(f"{LOCAL}://")).absolute()


def _said(failure: Exception) -> str:
    """Describe a failure by the operating system's words, else its class: never by the storage's, which may quote
    requests."""
    return (failure.strerror if isinstance(failure, OSError) else None) or type(failure).__name__


def _joined(root: str, name: str) -> str:
    return f"{root.rstrip('/')}/{name}" if name else root


def _is_local(files: Files) -> bool:
    kind = getattr(files, "protocol", ())
    return LOCAL in ((kind,) if isinstance(kind, str) else kind)


def _write_file(path: Path, content: bytes) -> None:
    """Write a file that only its owner may read, whole or not at all; it stays there when the power fails."""
    made = [folder for folder in (path.parent, *path.parent.parents) if not folder.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    for folder in (path.parent, *[each.parent for each in made]):
        sync_folder(folder)
