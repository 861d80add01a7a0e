"""Options that name files of what a command trusts: public keys, and values of public beacons."""

from pathlib import Path
from typing import Any

import click
import orjson

from gyoji.audit.beacons import Beacons, UnreadableBeacons, known_beacons
from gyoji.cli.options import EXISTING_FILE
from gyoji.log.signatures import Trusted
from gyoji.trust.trusted_keys import UntrustworthyKeys, read_trusted_keys


def read_json(path: Path) -> Any:
    """Read what is in a JSON file."""
    try:
        return orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError:
        raise click.BadParameter("expected a JSON document") from None
    except OSError as error:
        raise click.BadParameter(f"cannot be read: {error.strerror}") from None


def read_key_file(path: Path) -> tuple[Trusted, ...]:
    """Read the keys in a file, which is as ``/v1/keys`` serves them."""
    try:
        return read_trusted_keys(read_json(path))
    except UntrustworthyKeys as wrong:
        raise click.BadParameter(str(wrong)) from None


def _trusted(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> tuple[Trusted, ...] | None:
    return None if path is None else read_key_file(path)


def _beacons(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> Beacons | None:
    if path is None:
        return None
    try:
        return known_beacons(read_json(path))
    except UnreadableBeacons as wrong:
        raise click.BadParameter(str(wrong)) from None


TRUST_OPTION = click.option(
    "--trust",
    "trusted",
    type=EXISTING_FILE,
    callback=_trusted,
    metavar="KEYFILE",
    help="Keys, as /v1/keys serves them.",
)
BEACONS_OPTION = click.option(
    "--beacons",
    type=EXISTING_FILE,
    callback=_beacons,
    metavar="FILE",
    help="Values of public beacons that deals may have waited for.",
)
