"""``gyoji``: the commands. Each is imported only when it is called, so that every start is quick."""

from typing import Any

import click

from gyoji import __version__
from gyoji.cli.lazily import Commands
from gyoji.cli.standard_output import guard_standard_output
from gyoji.names import printable

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


class Program(Commands):
    """All of them, and what holds for every one."""

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


@click.group(
    cls=Program,
    modules=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="gyoji")
def main() -> None:
    """gyoji (行司): a referee for tabletop card games."""
