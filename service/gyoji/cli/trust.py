"""``--trust``: the keys that a command trusts."""

from pathlib import Path
from typing import Any

import click
import orjson

from gyoji.log.signatures import Trusted
from gyoji.trust.trusted_keys import UntrustworthyKeys, trusted_keys


def document_in(path: Path) -> Any:
    """What is in a JSON file."""
    try:
        return orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError:
        raise click.BadParameter("expected a JSON document") from None
    except OSError as error:
        raise click.BadParameter(f"cannot be read: {error.strerror}") from None


def _trusted(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> tuple[Trusted, ...] | None:
    try:
        return None if path is None else trusted_keys(document_in(path))
    except UntrustworthyKeys as wrong:
        raise click.BadParameter(str(wrong)) from None


TRUST_OPTION = click.option(
    "--trust",
    "trusted",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    callback=_trusted,
    metavar="KEYFILE",
    help="Keys, as /v1/keys serves them.",
)
