"""Groups of commands: how their help lists them, what holds for all commands of a program, and lazy imports.

A command is imported only when it is called, so that every start is quick.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from gyoji.cli.output import guard_standard_output
from gyoji.names import printable

LONGEST = 200


class Group(click.Group):
    """A group whose help says the first sentence of every command whole, in as many lines as it takes."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, in the order in which the group lists them."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.get_short_help_str(LONGEST)) for name, command in commands if command])


class Program(Group):
    """A group that is a program of its own, and what holds for every command of it."""

    def main(self, *arguments: Any, **more: Any) -> Any:
        """Run a command; where nothing can be printed it ends with one line that says so."""
        guard_standard_output()
        return super().main(*arguments, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what it complains of may quote files and services, and commands no terminal."""
        try:
            return super().invoke(ctx)
        except click.ClickException as complaint:
            safe = "\n".join(map(printable, complaint.message.split("\n")))
            vars(complaint)["message"] = safe  # final by its type, but no constructor of all kinds takes it alone
            raise


class LazyGroup(Group):
    """A group whose commands are each the function of its name in the module of its name in this package."""

    def __init__(self, *arguments: Any, modules: Sequence[str], **more: Any) -> None:
        """``modules``: the names of the commands, in the order of ``--help``."""
        super().__init__(*arguments, **more)
        self.modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command; ``None`` where there is none of that name."""
        if cmd_name not in self.modules:
            return None
        command: click.Command = getattr(import_module(f"gyoji.cli.{cmd_name}"), cmd_name)
        return command
