"""Options and arguments that several commands take."""

from collections.abc import Callable, Sequence
from os import environ
from pathlib import Path
from typing import Any

import click

from gyoji.access.variables import FILE, InvalidVariable, read_secret
from gyoji.app.settings import SETTINGS, Setting
from gyoji.games.catalogue import BY_SLUG

HEX = frozenset("0123456789abcdef")


class SecretOption(click.Option):
    """An option that a variable can give too, or the file that the variable with ``_FILE`` names."""

    def __init__(self, param_decls: Sequence[str], *, envvar: str, **attributes: Any) -> None:
        self._variable = envvar
        super().__init__(param_decls, envvar=[envvar, envvar + FILE], show_envvar=True, **attributes)

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:
        """Return what the environment gives, where the command line gives nothing."""
        return secret_variable(self._variable)


def secret_variable(name: str) -> str | None:
    """Return the secret that a variable gives, if there is one; a usage error where it cannot be read."""
    try:
        return read_secret(name, environ)
    except InvalidVariable as wrong:
        raise click.UsageError(str(wrong)) from None


def setting_option(name: str, flag: str | None = None, **changes: Any) -> Callable[[Any], Any]:
    """Make the option of a setting, as ``gyoji.app.settings`` declares it; ``flag`` is another name for it.

    The variable of the environment gives it too. One that is given as nothing is not given.
    """
    setting = SETTINGS[name]
    names = [flag, name] if flag else [setting.option]
    if setting.kind == "flag":
        names = [f"{setting.option}/--no-{setting.option.removeprefix('--')}"]
    attributes: dict[str, Any] = {
        "show_default": setting.default is not None,
        "type": _setting_type(setting),
        "metavar": setting.metavar,
        "help": setting.help,
        "envvar": setting.variable,
        **({"cls": SecretOption} if setting.is_secret else {"show_envvar": True}),
        **({} if setting.kind == "flag" else {"callback": _given}),
        **({} if changes.get("required") else {"default": "on" if setting.kind == "switch" else setting.default}),
    }
    return click.option(*names, **(attributes | changes))


def _setting_type(setting: Setting) -> click.Choice[str] | click.IntRange | None:
    if setting.choices:
        return click.Choice(setting.choices)
    return click.IntRange(setting.least, setting.most) if setting.kind == "number" else None


def _given(_context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Take the value of a setting: of a switch whether it is on, of a text ``None`` for an empty one."""
    if parameter.name in SETTINGS and SETTINGS[parameter.name].kind == "switch":
        return value == "on"
    return parameter.get_default(_context) if value == "" else value


def known_game(_context: click.Context, _parameter: click.Parameter, slug: str) -> str:
    """Check that a text is the slug of a game; a usage error lists the games."""
    if slug not in BY_SLUG:
        raise click.BadParameter(f"no game {slug!r}; there are {', '.join(BY_SLUG)}")
    return slug


def hex_digits(text: str) -> str:
    """Check that a text is 1 to 128 hex digits, and return it in lower case."""
    if not 1 <= len(text) <= 128 or not HEX.issuperset(text.lower()):
        raise click.BadParameter("1 to 128 hex digits")
    return text.lower()


FILE_TYPE = click.Path(path_type=Path, dir_okay=False)
EXISTING_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
FOLDER_TYPE = click.Path(path_type=Path, file_okay=False)

LANGUAGE_OPTION = click.option(
    "--lang", type=click.Choice(["en", "ja"]), default="en", show_default=True, envvar="GYOJI_LANG", show_envvar=True
)
JSON_OPTION = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
GAME_ARGUMENT = click.argument("game", callback=known_game)
OUT_OPTION = click.option("--out", type=FILE_TYPE, help="Where to write it. Default: standard output.")
PROOFS_OPTION = click.option(
    "--proofs",
    type=FOLDER_TYPE,
    metavar="FOLDER",
    help="Write a proof of every equivocation there, for gyoji proof check.",
)
