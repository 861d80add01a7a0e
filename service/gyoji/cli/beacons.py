"""``--beacons``: the values of public beacons that an audit holds deals against."""

from pathlib import Path

import click

from gyoji.audit.beacons import Beacons, UnreadableBeacons, known_beacons
from gyoji.cli.trust import document_in


def _beacons(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> Beacons | None:
    if path is None:
        return None
    try:
        return known_beacons(document_in(path))
    except UnreadableBeacons as wrong:
        raise click.BadParameter(str(wrong)) from None


BEACONS_OPTION = click.option(
    "--beacons",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    callback=_beacons,
    metavar="FILE",
    help="Values of public beacons that deals may have waited for.",
)
