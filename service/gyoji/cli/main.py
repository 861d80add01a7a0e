"""``gyoji``: the commands. Each is imported only when it is called, so that every start is quick."""

import click

from gyoji import __version__
from gyoji.cli.lazily import Commands, Program

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
    "conformance": "conformance",
    "contract": "contract",
}
"""Command -> module of this package, in the order of ``gyoji --help``."""


class _Gyoji(Program, Commands):
    """Both: a program, and a group of commands that are imported when they are called."""


@click.group(
    cls=_Gyoji,
    modules=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="gyoji")
def main() -> None:
    """gyoji (行司): a referee for tabletop card games."""
