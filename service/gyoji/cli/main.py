"""``gyoji``: the commands. Each is imported only when it is called, so that every start is quick."""

import click

from gyoji import __version__
from gyoji.cli.groups import LazyGroup, Program

COMMANDS = (
    "serve",
    "demo",
    "games",
    "rules",
    "adjudicate",
    "simulate",
    "replay",
    "audit",
    "verdicts",
    "receipt",
    "proof",
    "log",
    "tournament",
    "keys",
    "store",
    "webhooks",
    "conformance",
    "contract",
)
"""Each command is the function of that name in the module of that name, in the order of ``gyoji --help``."""


class _Gyoji(Program, LazyGroup):
    """The group of all commands: a program, and commands that are imported when they are called."""


@click.group(
    cls=_Gyoji,
    modules=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="gyoji")
def main() -> None:
    """gyoji (行司): a referee for tabletop card games."""
