"""The keys that a command trusts: those of ``--trust``, and a store's own."""

from pathlib import Path
from typing import Any

import click
import orjson

from gyoji.app.signing_keys import keys_document
from gyoji.log.signatures import Signer, Trusted, signer
from gyoji.store.interface import Store
from gyoji.trust.transparency.notes import names_log
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


def own_keys(kept: Store) -> tuple[Trusted, ...]:
    """The keys that a store signs and has signed with."""
    return trusted_keys(keys_document(kept.signing_keys(), kept.restorations.documents()))


def signing_key(kept: Store) -> Signer | None:
    """The signer of the newest key in force for receipts and heads; the log's own keys sign nothing else."""
    keys = kept.signing_keys()
    found = [key for key in keys if key.is_in_force and not any(names_log(key.origin, one.origin) for one in keys)]
    return signer(found[-1].private, found[-1].origin) if found else None
