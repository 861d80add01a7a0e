"""Places by URL: what is written is read again, and what cannot be opened is said without credentials."""

import sys
from pathlib import Path

import pytest

from gyoji.store.objects import BadPlace, Gone, Held, Unreached, objects, shown


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
    assert place.held() == [Held("a", 3), Held("b/two", 10)]
    assert place.held("b") == [Held("b/two", 10)]
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
    assert place.held() == [Held("b/two", 10)]
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
    monkeypatch.setattr("gyoji.store.objects.sync_folder", synced.append)
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
    monkeypatch.setitem(sys.modules, "fsspec.registry", None)
    with pytest.raises(BadPlace, match=r"pip install '\.\[objects\]' in a checkout"):
        objects("s3://bucket/prefix")


def test_what_may_be_a_credential_is_not_shown() -> None:
    assert shown("https://user:hush@host/folder?signature=hush") == "https://host/folder"
    assert shown("s3://bucket/prefix") == "s3://bucket/prefix"
    assert shown("a@b/folder") == "a@b/folder"
