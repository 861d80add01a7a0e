"""Groups of commands that are imported only when they are called, so that every start is quick."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class Commands(click.Group):
    """A group whose commands live in modules of their own: ``modules`` is command -> module of this package, in the
    order of ``--help``."""

    def __init__(self, *arguments: Any, modules: Mapping[str, str], **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the table."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, or ``None`` where there is none of that name."""
        if cmd_name not in self.modules:
            return None
        command: click.Command = getattr(import_module(f"gyoji.cli.{self.modules[cmd_name]}"), cmd_name)
        return command
