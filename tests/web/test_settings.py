"""Settings that lead nowhere: told by name when the service starts, and never with what they hold."""

from pathlib import Path

import pytest

from gyoji.web.desk import prepared
from gyoji.web.settings import Settings, WrongSetting


@pytest.mark.parametrize("url", ["mysql://tester:hush@database/gyoji", "sqlite://", "gyoji.db"])
def test_a_store_of_another_kind(url: str) -> None:
    with pytest.raises(WrongSetting, match=r"^GYOJI_STORE: .*expected sqlite:///") as refused:
        prepared(Settings(store=url))
    assert "hush" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "cannot be read"),
        (b"{}\n{}\n", "no JSON document"),
        (b"[]", "expected"),
        (b'{"keys":[{"key":"0"}]}', "expected"),
    ],
)
def test_keys_to_trust_that_are_none(tmp_path: Path, content: bytes | None, told: str) -> None:
    trust = tmp_path / "trust.json"
    if content is not None:
        trust.write_bytes(content)
    with pytest.raises(WrongSetting, match=rf"^GYOJI_TRUST: .*{told}"):
        prepared(Settings(store=f"sqlite:///{tmp_path}/gyoji.db", trust=str(trust)))
