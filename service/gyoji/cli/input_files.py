"""Reads the files that commands are given: public keys, values of public beacons, receipts."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import click
import orjson

from gyoji.audit.commitments import Beacons, UnreadableBeacons, known_beacons
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


SUFFIXES = (".json", ".jsonl")
MEMBERS = frozenset(["event", "head", "sig"])
"""A receipt, the last line of a file, or a head has one of these: what was signed and can be compared with a log."""
LARGEST = 1 << 26
"""Bytes of a file of receipts."""
MOST = LARGEST // 512
"""Receipts of a file: with its event, two hashes and a signature none is shorter than that. What is none is reported
one by one, and takes far more room than it had in the file."""


def read_receipts(path: Path) -> list[Any]:
    """Read the receipts at a path, and heads: of a file, or of every ``.json`` and ``.jsonl`` file in a folder, by
    name."""
    is_folder = path.is_dir()
    files = sorted(inner for inner in path.rglob("*") if inner.suffix in SUFFIXES) if is_folder else [path]
    found = [(file, receipt) for file in files if file.is_file() for receipt in read_receipt_file(file)]
    for file, receipt in found:
        if not isinstance(receipt, dict) or MEMBERS.isdisjoint(receipt):
            raise click.BadParameter(f"{file}: expected receipts")
    return [receipt for _file, receipt in found]


def read_receipt_file(path: Path) -> list[Any]:
    """Read the documents of one file: a receipt, a list of them, or the answer to a move with its receipt; of a
    ``.jsonl`` file each line is one of these."""
    try:
        with path.open("rb") as file:
            body = file.read(LARGEST + 1)
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be read: {error.strerror}") from None
    if len(body) > LARGEST:
        raise click.ClickException(f"{path}: larger than {LARGEST} bytes")
    parts = [line for line in body.split(b"\n") if line.strip()] if path.suffix == ".jsonl" else [body]
    try:
        found = [*islice((receipt for part in parts for receipt in _receipts(orjson.loads(part))), MOST + 1)]
    except orjson.JSONDecodeError:
        raise click.ClickException(f"{path}: expected receipts in JSON") from None
    if len(found) > MOST:
        raise click.ClickException(f"{path}: more than {MOST} receipts")
    return found


def _receipts(document: Any) -> Iterator[Any]:
    for one in document if isinstance(document, list) else [document]:
        is_answer = isinstance(one, dict) and "receipt" in one and "event" not in one
        yield one["receipt"] if is_answer else one
