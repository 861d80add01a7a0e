"""``gyoji store archive`` and ``unarchive``, and what the other commands make of an archived match."""

import json
from pathlib import Path

import pytest

from commands import Gyoji
from gyoji.store import migrate
from stored import kept_match


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A store that is ready."""
    address = f"sqlite:///{tmp_path / 'kept.db'}"
    migrate(address)
    return address


def test_a_match_goes_and_is_verified_and_comes_back(
    gyoji: Gyoji, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, far = kept_match(url), tmp_path / "far"
    before = gyoji("replay", "export", match, "--store", url).stdout_bytes
    asked = ("--to", far, "--older-than", "0d", "--store", url, "--json")
    dry = json.loads(gyoji("store", "archive", *asked, "--dry-run").stdout)
    assert (dry["matches"], dry["packs"], dry["dry_run"], far.exists()) == (1, 1, True, False)
    done = json.loads(gyoji("store", "archive", *asked).stdout)
    assert (done["matches"], done["events"], done["size"], done["damaged"]) == (1, dry["events"], dry["size"], [])
    assert [path.stat().st_mode & 0o777 for path in far.rglob("*.pack")] == [0o600]
    gone = gyoji("replay", "export", match, "--store", url)
    assert (gone.exit_code, "GYOJI_ARCHIVE does not say where" in gone.stderr) == (1, True)
    unread = gyoji("audit", "--store", url)
    assert "unreadable" in unread.stdout
    assert "GYOJI_ARCHIVE" in unread.stdout
    checked = gyoji("store", "check", "--store", url)
    assert (checked.exit_code, "1 match(es) are archived" in checked.stdout) == (1, True)
    monkeypatch.setenv("GYOJI_ARCHIVE", str(far))
    assert gyoji("replay", "export", match, "--store", url).stdout_bytes == before
    assert (tmp_path / "again.jsonl").write_bytes(before) > 0
    assert gyoji("audit", "--store", url).stdout.startswith("verified ")
    assert gyoji("store", "check", "--store", url).stdout == "the store is sound\n"
    back = gyoji("store", "unarchive", match, match, "--store", url)
    assert back.stdout == f"1 match(es) with {done['events']} events are back\n"
    monkeypatch.delenv("GYOJI_ARCHIVE")
    assert gyoji("replay", "export", match, "--store", url).stdout_bytes == before


def test_a_damaged_pack_is_unreadable_and_never_another_verdict(
    gyoji: Gyoji, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_match(url)
    monkeypatch.setenv("GYOJI_ARCHIVE", str(tmp_path / "far"))
    assert gyoji("store", "archive", "--closed-before", "2999-01-01", "--store", url).stdout.startswith("1 match(es)")
    (pack,) = (tmp_path / "far").rglob("*.pack")
    content = bytearray(pack.read_bytes())
    content[100] ^= 1
    pack.write_bytes(content)
    audited = gyoji("audit", "--store", url)
    assert audited.stdout.startswith("unreadable ")
    assert "not what was put there" in audited.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--to", "memory://x", "--older-than", "1d"), "gone when this command ends"),
        (("--to", "nowhere://x", "--older-than", "1d"), "no such kind of place"),
        (("--to", "s3://a:b@x", "--older-than", "1d"), "credentials do not belong"),
        (("--to", "x"), "give either --closed-before or --older-than"),
        (("--to", "x", "--older-than", "1d", "--closed-before", "2026-01-01"), "give either"),
        (("--to", "x", "--older-than", "3"), "expected days, hours or weeks"),
        (("--to", "x", "--older-than", "99999w"), "expected days, hours or weeks"),
        (("--to", "x", "--closed-before", "soon"), "expected a date or a time"),
        (("--older-than", "1d"), "Missing option '--to'"),
    ],
)
def test_what_cannot_be_is_a_usage_error(gyoji: Gyoji, url: str, arguments: tuple[str, ...], said: str) -> None:
    result = gyoji("store", "archive", *arguments, "--store", url)
    assert result.exit_code == 2
    assert said in result.stderr
