"""``gyoji audit`` of object storage by URL: objects, folders and archives there, and what does not answer."""

import io
import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from commands import Gyoji
from gyoji.log.canonical import canonical
from replay.tampering import entries_of, file_of
from verifier.corpora import trust

BODY = b"".join(file_of(entries_of("towai")[:9]))
SIGNATURE = "X-Amz-Signature=0123456789abcdef"


@pytest.fixture
def bucket(tmp_path: Path) -> Iterator[MemoryFileSystem]:
    """Replays and an archive in memory; the keys to trust are in a file."""
    files = fsspec.filesystem("memory")
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("inner.jsonl", BODY)
    for name, body in (("a.jsonl", BODY), ("b/c.jsonl", BODY), ("b/d.zip", zipped.getvalue()), ("notes.txt", b"")):
        files.pipe_file(f"/bucket/{name}", body)
    (tmp_path / "trust.json").write_text(json.dumps(trust()), "utf-8")
    yield files
    files.store.clear()


def names_of(printed: str) -> list[tuple[str, str]]:
    return [(one["replay"], one["verdict"]) for one in map(json.loads, printed.splitlines()[:-1])]


@pytest.mark.parametrize("jobs", [(), ("--shard", "1/1")])
def test_everything_below_a_url(gyoji: Gyoji, bucket: MemoryFileSystem, tmp_path: Path, jobs: tuple[str, ...]) -> None:
    ran = gyoji("audit", "memory://bucket", "--trust", tmp_path / "trust.json", "--json", *jobs)
    assert names_of(ran.stdout) == [
        ("memory:///bucket/a.jsonl", "verified_partial"),
        ("memory:///bucket/b/c.jsonl", "verified_partial"),
        ("memory:///bucket/b/d.zip:inner.jsonl", "verified_partial"),
    ]
    one = gyoji("audit", "memory://bucket/b/d.zip", "memory://bucket/notes.txt", "--json", *jobs)
    assert [verdict for _, verdict in names_of(one.stdout)] == ["verified_partial", "malformed"]


def test_an_object_that_vanishes_is_one_replay(
    gyoji: Gyoji, bucket: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest is judged; what the storage says, which may quote a request, is not repeated."""
    cat = bucket.cat_file

    def failing(path: str, *args: Any, **named: Any) -> bytes:
        if path.endswith("a.jsonl"):
            raise RuntimeError(f"403 for https://bucket/{SIGNATURE}")
        body: bytes = cat(path, *args, **named)
        return body

    monkeypatch.setattr(type(bucket), "cat_file", lambda _self, *args, **named: failing(*args, **named))
    ran = gyoji("audit", "memory://bucket")
    assert (ran.exit_code, SIGNATURE in ran.output) == (1, False)
    first, second, *_ = ran.stdout.splitlines()
    assert first == "unreadable         memory:///bucket/a.jsonl: the storage does not answer (RuntimeError)"
    assert second.startswith("verified_partial   memory:///bucket/b/c.jsonl")
    nowhere = gyoji("audit", "memory://bucket/none.jsonl")
    assert (nowhere.exit_code, nowhere.stdout.splitlines()[0]) == (
        1,
        "unreadable         memory://bucket/none.jsonl: there is no such object",
    )


def test_a_larger_object_is_read_in_pieces(
    gyoji: Gyoji, bucket: MemoryFileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("audits", "sources"):
        monkeypatch.setattr(f"gyoji.bulk.{module}.WHOLE", 1000)
    ran = gyoji("audit", "memory://bucket/a.jsonl", "--trust", tmp_path / "trust.json", "--json")
    assert names_of(ran.stdout) == [("memory://bucket/a.jsonl", "verified_partial")]
    file = tmp_path / "a.jsonl"
    file.write_bytes(BODY)
    assert gyoji("audit", file, "--trust", tmp_path / "trust.json").stdout.startswith("verified_partial")


def test_what_is_unchanged_is_not_fetched_again(
    gyoji: Gyoji, bucket: MemoryFileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = tmp_path / "report"
    gyoji("audit", "memory://bucket", "--report", report)
    before = report.read_bytes()
    monkeypatch.delattr(type(bucket), "cat_file")
    ran = gyoji("audit", "memory://bucket", "--report", report, "--resume")
    assert (ran.stdout, report.read_bytes()) == (
        "3 audited: 3 verified_partial (3 of them by an earlier run)\n",
        before,
    )


def test_what_cannot_be_opened(gyoji: Gyoji, monkeypatch: pytest.MonkeyPatch) -> None:
    for url, said in (
        ("nothing://here", "there is no such kind of place"),
        ("s3://me:secret@bucket/x", "credentials do not belong into a URL"),
        ("gs://bucket", "pip install gcsfs"),
        ("http://[me:secret", "that is no URL"),
    ):
        ran = gyoji("audit", url)
        assert (ran.exit_code, said in " ".join(ran.stderr.split()), "secret" in ran.stderr) == (2, True, False)
    for module in ("fsspec", "fsspec.core", "fsspec.registry"):
        monkeypatch.setitem(sys.modules, module, None)
    ran = gyoji("audit", "memory://bucket")
    assert (ran.exit_code, "the extra objects" in ran.stderr) == (2, True)


def test_a_path_is_a_path(gyoji: Gyoji, tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_bytes(canonical({}))
    assert gyoji("audit", tmp_path / "nowhere").exit_code == 2
    assert gyoji("audit", f"file://{tmp_path}/keys.json").exit_code == 51
