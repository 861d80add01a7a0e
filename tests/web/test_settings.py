"""Settings that lead nowhere: told by name when the service starts, and never with what they hold."""

from pathlib import Path

import pytest

from gyoji.access.variables import SECRETS
from gyoji.app.preparation import prepare_store
from gyoji.app.settings import SETTINGS, Settings, WrongSetting, settings_from
from gyoji.store import migrate
from gyoji.store.interface import Unavailable
from gyoji.store.schema.migrator import transaction, upgrade
from gyoji.store.urls import parse_url
from store.databases import KINDS, empty_database
from store.logs import KEY


@pytest.mark.parametrize("url", ["mysql://tester:hush@database/gyoji", "sqlite://", "gyoji.db"])
def test_a_store_of_another_kind(url: str) -> None:
    with pytest.raises(WrongSetting, match=r"^GYOJI_STORE: .*expected sqlite:///") as refused:
        prepare_store(Settings(store=url))
    assert "hush" not in str(refused.value)


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_that_somebody_else_brings_up_to_date(kind: str, tmp_path: Path) -> None:
    """A start that is not to do so demands that it was done, and makes nothing."""
    with empty_database(kind, tmp_path) as url:
        settings = Settings(store=url, store_key=KEY.hex(), migrate=False)
        with pytest.raises(Unavailable):
            prepare_store(settings)
        assert list(tmp_path.iterdir()) == []
        with transaction(parse_url(url), make=True) as connection:
            upgrade(connection, "0009")
        with pytest.raises(Unavailable, match=r"of an older release .*: gyoji store migrate brings it up to date"):
            prepare_store(settings)
        migrate(url)
        prepare_store(settings)


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
        prepare_store(Settings(store=f"sqlite:///{tmp_path}/gyoji.db", trust=str(trust)))


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_an_archive_in_a_folder_has_to_be_there(tmp_path: Path, scheme: str) -> None:
    """One that was not mounted is noticed at the start. Object storage may be away then."""
    folder = tmp_path / "hush"
    settings = Settings(store=f"sqlite:///{tmp_path}/gyoji.db", archive=f"{scheme}{folder}")
    with pytest.raises(WrongSetting, match=r"^GYOJI_ARCHIVE: there is no such folder") as refused:
        prepare_store(settings)
    assert "hush" not in str(refused.value)
    folder.write_bytes(b"no folder")
    with pytest.raises(WrongSetting, match=r"^GYOJI_ARCHIVE: there is no such folder"):
        prepare_store(settings)
    assert not (tmp_path / "gyoji.db").exists()
    folder.unlink()
    folder.mkdir()
    prepare_store(settings)
    prepare_store(Settings(store=settings.store, archive="memory://nothing-yet"))


@pytest.mark.parametrize("name", [name for name, setting in SETTINGS.items() if setting.is_secret])
def test_what_may_be_a_secret_does_not_show(name: str) -> None:
    assert "hush" not in repr(settings_from({SETTINGS[name].variable: f"hush-{'0' * 64}"}))


def test_every_secret_of_the_service_is_a_setting() -> None:
    """``GYOJI_KEY`` is what commands send to a service."""
    assert {setting.variable for setting in SETTINGS.values() if setting.is_secret} == {*SECRETS} - {"GYOJI_KEY"}
