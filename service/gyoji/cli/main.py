"""``gyoji``: the commands. Each is imported only when it is called, so that every start is quick."""

from importlib import import_module

import click

from gyoji import __version__

COMMANDS = {
    "serve": "serve",
    "demo": "demo",
    "games": "reading",
    "rules": "reading",
    "adjudicate": "adjudicate",
    "simulate": "simulate",
    "replay": "replay",
    "audit": "audit",
    "verdicts": "verdicts",
    "receipt": "receipt",
    "proof": "proof",
    "log": "log",
    "tournament": "tournament",
    "keys": "keys",
    "store": "store",
    "webhooks": "webhooks",
    "bench": "bench",
    "conformance": "conformance",
    "contract": "contract",
}
"""Command -> module of this package, in the order of ``gyoji --help``."""


class Commands(click.Group):
    """A group whose commands live in modules of their own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, or ``None`` where there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"gyoji.cli.{COMMANDS[cmd_name]}"), cmd_name)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="gyoji")
def main() -> None:
    """gyoji (行司): a referee for tabletop card games."""
