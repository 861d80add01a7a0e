"""Secrets that commands take from files: every option that is one, and what is said where that fails."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from commands import Gyoji
from gyoji.access.variables import SECRETS
from gyoji.app.settings import Settings, WrongSetting, settings_from
from gyoji.cli.main import main
from gyoji.cli.options import SecretOption
from gyoji.store import migrate
from stored import kept_match

KEY = "5b" * 32
ID = "0b7f3f5e-2a55-4d8e-9c11-7f0e4b6d2a31"


def options(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Option]]:
    """Every option of a command and of those below it."""
    context = click.Context(command)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from options(below, (*path, name))
    yield from (
        (" ".join((*path, parameter.opts[0])), parameter)
        for parameter in command.params
        if isinstance(parameter, click.Option)
    )


def test_every_secret_can_stand_in_a_file() -> None:
    """Whatever takes one of those variables takes the file as well; whatever may be a secret is one of those."""
    found = {}
    for name, option in options(main):
        variables = [option.envvar] if isinstance(option.envvar, str) else list(option.envvar or ())
        if isinstance(option, SecretOption):
            found[name] = variables
        assert isinstance(option, SecretOption) == (variables[:1] != [] and variables[0] in SECRETS), name
        assert "key" not in name.split("--")[1].split("-") or not variables or isinstance(option, SecretOption), name
    assert {variables[0] for variables in found.values()} == {*SECRETS} - {"GYOJI_KEY"}
    assert all(variables == [variables[0], f"{variables[0]}_FILE"] for variables in found.values())
    assert {"serve --store", "serve --operator-key", "store check --store-key", "webhooks run --store"} <= found.keys()


def test_the_help_names_both(gyoji: Gyoji) -> None:
    shown = " ".join(gyoji("serve", "--help").stdout.split())
    assert "GYOJI_OPERATOR_KEY, GYOJI_OPERATOR_KEY_FILE" in shown


def test_a_store_and_its_key_by_files(gyoji: Gyoji, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path / 'kept.db'}"
    migrate(url)
    kept_match(url)
    (tmp_path / "url").write_text(f"{url}\n", "utf-8")
    (tmp_path / "kept.db.key").rename(tmp_path / "key")
    monkeypatch.setenv("GYOJI_STORE_FILE", str(tmp_path / "url"))
    assert gyoji("store", "check").stderr == "without the store key: what is sealed has not been looked into\n"
    monkeypatch.setenv("GYOJI_STORE_KEY_FILE", str(tmp_path / "key"))
    checked = gyoji("store", "check")
    assert (checked.stdout, checked.stderr) == ("the store is sound\n", "")


@pytest.mark.parametrize(
    "command",
    [("serve",), ("keys", "list"), ("webhooks", "run"), ("tournament", "show", ID)],
    ids=lambda parts: parts[0],
)
def test_what_is_wrong_is_a_usage_error(
    gyoji: Gyoji, command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GYOJI_STORE", "GYOJI_KEY"):
        monkeypatch.setenv(f"{name}_FILE", str(tmp_path / "hush"))
    ended = gyoji(*command)
    assert ended.exit_code == 2
    assert "_FILE: the file cannot be read: No such file or directory" in ended.stderr
    assert "hush" not in ended.output


def test_the_command_line_goes_before_the_environment(
    gyoji: Gyoji, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(f"sqlite:///{tmp_path / 'kept.db'}")
    monkeypatch.setenv("GYOJI_STORE_FILE", str(tmp_path / "nowhere"))
    assert gyoji("keys", "list", "--store", f"sqlite:///{tmp_path / 'kept.db'}").exit_code == 0


def test_the_application_reads_files_too(tmp_path: Path) -> None:
    """Where another server than ours runs it, its settings are the environment's."""
    (tmp_path / "key").write_text(f"{KEY}\n", "ascii")
    (tmp_path / "operator").write_text(f"{KEY}o\n", "ascii")
    (tmp_path / "url").write_text("postgresql+psycopg://me:hush@database/gyoji\n", "utf-8")
    files = {"STORE": "url", "STORE_REPLICA": "url", "STORE_LISTEN": "url", "STORE_KEY": "key"}
    files["OPERATOR_KEY"] = "operator"
    given = {f"GYOJI_{name}_FILE": str(tmp_path / file) for name, file in files.items()}
    url = "postgresql+psycopg://me:hush@database/gyoji"
    assert settings_from(given) == Settings(
        store=url, store_key=KEY, operator_key=f"{KEY}o", store_replica=url, store_listen=url
    )
    with pytest.raises(WrongSetting, match=r"^GYOJI_STORE and GYOJI_STORE_FILE are both set"):
        settings_from({**given, "GYOJI_STORE": url})
