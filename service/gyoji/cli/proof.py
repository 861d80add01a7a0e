"""``gyoji proof``: checks proofs that a service has signed two things that cannot both be true."""

import sys
from pathlib import Path
from typing import Any

import click
import orjson

from gyoji.audit.verdicts import EXITS
from gyoji.cli.groups import Group
from gyoji.cli.input_files import TRUST_OPTION
from gyoji.cli.options import EXISTING_FILE, JSON_OPTION, LANGUAGE_OPTION
from gyoji.log.signatures import Trusted
from gyoji.messages.language import Language
from gyoji.messages.verdicts import proved_document
from gyoji.trust.proofs import check_proof

LARGEST = 1 << 28
"""Bytes of a proof: the events between two places may be many."""


@click.group(cls=Group)
def proof() -> None:
    """Proofs that a service has signed two things that cannot both be true."""


@proof.command()
@click.argument("file", type=EXISTING_FILE)
@TRUST_OPTION
@LANGUAGE_OPTION
@JSON_OPTION
def check(file: Path, trusted: tuple[Trusted, ...] | None, lang: Language, as_json: bool) -> None:
    """Check a proof, as gyoji audit --proofs writes it, against the keys of --trust alone.

    Exit status: 41 if it proves it, 40 if it does not (a wrong signature, or statements that can both be true), 42 if
    one of the keys is not trusted or is revoked, 51 if it is no proof.
    """
    if trusted is None:
        raise click.UsageError("name the keys that you trust: --trust KEYFILE")
    checked = check_proof(_read_proof(file), trusted)
    document = proved_document(checked, lang)
    click.echo(orjson.dumps(document).decode() if as_json else f"{checked.verdict:<18} {file}: {document['why']}")
    sys.exit(EXITS[checked.verdict])


def _read_proof(path: Path) -> Any:
    """Read what the file holds; ``None`` where that is no JSON, or too long."""
    try:
        with path.open("rb") as file:
            body = file.read(LARGEST + 1)
        return orjson.loads(body) if len(body) <= LARGEST else None
    except orjson.JSONDecodeError:
        return None
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be read: {error.strerror}") from None
