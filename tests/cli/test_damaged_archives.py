"""Archives that are damaged within: said to be unreadable, whatever they are packed with."""

import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from gyoji.bulk.audit_terms import AuditTerms
from gyoji.bulk.audits import audit_locations
from gyoji.bulk.listings import list_locations

REPLAYS = Path(__file__).parents[2] / "replays"
BODY = (REPLAYS / "towai" / "two-seats.jsonl").read_bytes()[:20_000]


def make_zip(method: int) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", method) as archive:
        archive.writestr("one.jsonl", BODY)
    return kept.getvalue()


def make_tar() -> bytes:
    """A tar within xz, under the name of a plain one: Python looks at what it is."""
    kept = io.BytesIO()
    with tarfile.open(fileobj=kept, mode="w:xz") as archive:
        entry = tarfile.TarInfo("one.jsonl")
        entry.size = len(BODY)
        archive.addfile(entry, io.BytesIO(BODY))
    return kept.getvalue()


@pytest.mark.parametrize(
    ("name", "packed"),
    [
        ("deflated.zip", lambda: make_zip(zipfile.ZIP_DEFLATED)),
        ("bzip2.zip", lambda: make_zip(zipfile.ZIP_BZIP2)),
        ("lzma.zip", lambda: make_zip(zipfile.ZIP_LZMA)),
        ("xz.tar", make_tar),
    ],
)
def test_every_damage_is_survived(tmp_path: Path, name: str, packed: Callable[[], bytes]) -> None:
    whole = packed()
    path = tmp_path / name
    unreadable = 0
    for at in range(0, len(whole), max(1, len(whole) // 60)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        audited = audit_locations(AuditTerms(None, None), list(list_locations(path)))
        assert all(one.verdict is None or one.verdict.verdict != "verified" for one in audited)
        unreadable += any(one.verdict is None and one.failure for one in audited)
    assert unreadable > 30
