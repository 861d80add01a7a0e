"""``gyoji replay``: read replay files, export them from a store, redact them, open single facts of them."""

import click

from gyoji.cli.groups import Group
from gyoji.cli.replay_export import export, redact
from gyoji.cli.replay_openings import open_, opening
from gyoji.cli.replay_show import show


@click.group(cls=Group)
def replay() -> None:
    """Read, export, redact and open replay files. Whether a file is true is for `gyoji audit` to say."""


for command in (open_, opening, show, redact, export):
    replay.add_command(command)
