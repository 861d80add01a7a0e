"""``gyoji log``: verifies and monitors the transparency log over all matches, and enters errata into it."""

import click

from gyoji.cli.groups import Group
from gyoji.cli.log_erratum import enter_erratum
from gyoji.cli.log_monitor import monitor
from gyoji.cli.log_proof import check_split_proof
from gyoji.cli.log_verify import verify


@click.group(cls=Group)
def log() -> None:
    """The log over all matches: verify it, watch it, tell it of an erratum."""


for command in (verify, monitor, check_split_proof, enter_erratum):
    log.add_command(command)
