"""Places by URL: what is written is read again, and what cannot be opened is said without credentials."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import pytest
from fsspec import AbstractFileSystem, register_implementation
from fsspec.asyn import AsyncFileSystem
from fsspec.registry import _registry

from gyoji.store import open_store
from gyoji.store.archive.reader import INTERACTIVE_SECONDS, REST, Archive
from gyoji.store.interface import Unavailable
from gyoji.store.object_storage import OBJECT_SECONDS, BadPlace, Gone, StoredObject, Unreached, objects, shown
from gyoji.store.urls import ConnectionOptions

WAIT = 20.0
"""Seconds for what takes no time unless it is broken."""


@pytest.fixture(params=["memory", "file", "path"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place of each kind that needs nothing beside fsspec."""
    return {"memory": f"memory://{tmp_path.name}", "file": f"file://{tmp_path}/far", "path": f"{tmp_path}/far"}[
        request.param
    ]


def test_what_is_written_is_read_again(url: str) -> None:
    place = objects(url)
    assert place.held() == []
    place.write("b/two", b"0123456789")
    place.write("a", b"one")
    assert place.held() == [StoredObject("a", 3), StoredObject("b/two", 10)]
    assert place.held("b") == [StoredObject("b/two", 10)]
    assert place.held("c") == []
    assert place.read("b/two") == b"0123456789"
    assert place.read("b/two", 2, 3) == b"234"
    assert place.read("b/two", 8, 5) == b"89"


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_a_folder_may_be_called_anything(tmp_path: Path, scheme: str) -> None:
    folder = tmp_path / "a::b %41#?*[1] \u732b"
    place = objects(f"{scheme}{folder}")
    place.write("b/two", b"0123456789")
    assert (folder / "b" / "two").read_bytes() == place.read("b/two")
    assert place.held() == [StoredObject("b/two", 10)]
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


def test_what_was_removed_is_gone(url: str) -> None:
    place = objects(url)
    place.write("a", b"one")
    place.remove("a")
    place.remove("a")
    assert place.held() == []
    with pytest.raises(Gone, match="does not hold the object"):
        place.read("a")


def test_a_file_is_there_whole(tmp_path: Path) -> None:
    place = objects(str(tmp_path))
    place.write("pack", b"old")
    place.write("pack", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["pack"]
    assert place.read("pack") == b"new"


def test_the_folders_that_are_made_for_it_are_synced_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[Path] = []
    monkeypatch.setattr("gyoji.store.object_storage.sync_folder", synced.append)
    place = objects(str(tmp_path / "far"))
    place.write("b/one", b"1")
    assert set(synced) == {tmp_path, tmp_path / "far", tmp_path / "far" / "b"}
    synced.clear()
    place.write("b/two", b"2")
    assert synced == [tmp_path / "far" / "b"]


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"no folder")
    with pytest.raises(Unreached, match="does not answer"):
        objects(str(tmp_path / "file")).write("pack", b"x")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("s3://AKIA:hush@bucket/prefix", "credentials do not belong into a URL"),
        ("nowhere://bucket", "no such kind of place"),
        ("simplecache::file:///bucket", "no such kind of place"),
        ("gs://bucket", "pip install gcsfs"),
    ],
)
def test_what_cannot_be_opened_is_said_without_the_url(url: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gcsfs", None)
    with pytest.raises(BadPlace, match=said) as refused:
        objects(url)
    assert "hush" not in str(refused.value)
    assert "bucket" not in str(refused.value)


def test_without_the_extra_a_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(BadPlace, match=r"pip install '\.\[objects\]' in a checkout"):
        objects("s3://bucket/prefix")


def test_what_may_be_a_credential_is_not_shown() -> None:
    assert shown("https://user:hush@host/folder?signature=hush") == "https://host/folder"
    assert shown("s3://bucket/prefix") == "s3://bucket/prefix"
    assert shown("a@b/folder") == "a@b/folder"


# --- a storage that does not answer


class Looped(AsyncFileSystem):  # type: ignore[misc]  # fsspec has no types
    """A storage with a loop of its own, as those of the clouds have, that answers nothing."""

    protocol = "looped"

    async def _cat_file(self, path: str, **_how: Any) -> bytes:
        await asyncio.sleep(3600)
        return b""

    _find = _pipe_file = _rm_file = _cat_file


class Plain(AbstractFileSystem):  # type: ignore[misc]  # see above
    """One without, that answers nothing until it is let go."""

    protocol = "plain"
    close_marker = Event()

    def cat_file(self, path: str, **_how: Any) -> bytes:
        self.let_go.wait(WAIT)
        return b""

    find = pipe_file = rm_file = cat_file


@pytest.fixture(params=[Looped, Plain])
def hung(request: pytest.FixtureRequest) -> Iterator[str]:
    """A place in such a storage."""
    kind: type[AbstractFileSystem] = request.param
    Plain.let_go = Event()
    register_implementation(kind.protocol, kind, clobber=True)
    yield f"{kind.protocol}://bucket/prefix"
    Plain.let_go.set()
    del _registry[kind.protocol]


def test_a_storage_that_does_not_answer_is_not_waited_for(hung: str) -> None:
    place = objects(hung, 0.2)
    began = monotonic()
    for work in (lambda: place.read("pack"), lambda: place.write("pack", b"x"), place.held, lambda: place.remove("p")):
        with pytest.raises(Unreached, match="does not answer") as refused:
            work()
        assert refused.value.cause == "storage-away"
    assert monotonic() - began < WAIT


def test_those_who_come_after_are_told_at_once(hung: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Rows:
        """A database that knows where the match is."""

        def query(self, _sql: str, _put: object) -> list[tuple[object, ...]]:
            return [("pack", 0, 3, b"digest", 1, b"hash")]

    monkeypatch.setattr("gyoji.store.archive.reader.INTERACTIVE_SECONDS", 0.2)
    now = [100.0]
    archive = Archive(Rows(), hung, is_interactive=True, clock=lambda: now[0])  # type: ignore[arg-type]

    def told() -> str:
        with pytest.raises(Unavailable) as refused:
            archive.rows("match")
        assert refused.value.cause == "storage-away"
        return str(refused.value)

    assert "bucket/prefix does not answer" in told()
    for _ in range(100):
        assert told() == "the storage did not answer a moment ago"
    now[0] += REST
    assert "bucket/prefix does not answer" in told()


def test_callers_are_told_within_five_seconds(tmp_path: Path) -> None:
    url, far = f"sqlite:///{tmp_path}/gyoji.db", f"file://{tmp_path}/far"
    stores = [open_store(url, None, far, ways) for ways in (ConnectionOptions(is_interactive=True), None)]
    places = [store._history._archive.place for store in stores]
    assert [place and place._seconds for place in places] == [INTERACTIVE_SECONDS, OBJECT_SECONDS]
    assert INTERACTIVE_SECONDS < 5
