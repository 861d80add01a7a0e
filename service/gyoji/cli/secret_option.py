"""Options whose values are secrets."""

from collections.abc import Sequence
from os import environ
from typing import Any

import click

from gyoji.access.variables import FILE, WrongVariable, secret


class SecretOption(click.Option):
    """An option that a variable can give too, or the file that the variable with ``_FILE`` names."""

    def __init__(self, param_decls: Sequence[str], *, envvar: str, **attributes: Any) -> None:
        self._variable = envvar
        super().__init__(param_decls, envvar=[envvar, envvar + FILE], show_envvar=True, **attributes)

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:
        """What the environment gives, where the command line gives nothing."""
        return from_environment(self._variable)


def from_environment(name: str) -> str | None:
    """The secret of that name, if there is one; a usage error where it cannot be had."""
    try:
        return secret(name, environ)
    except WrongVariable as wrong:
        raise click.UsageError(str(wrong)) from None
