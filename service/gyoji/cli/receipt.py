"""``gyoji receipt``: checks the receipts that players were given, by themselves and against a log."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import orjson

from gyoji.audit.verdicts import EXITS, worst
from gyoji.bulk.locations import SUFFIX
from gyoji.bulk.run import write_proof
from gyoji.bulk.stored_matches import DAMAGED_EVENT, match_lines, own_keys
from gyoji.cli.groups import Group
from gyoji.cli.input_files import TRUST_OPTION, read_receipt_file
from gyoji.cli.options import EXISTING_FILE, JSON_OPTION, LANGUAGE_OPTION, PROOFS_OPTION
from gyoji.cli.replay_files import lines_of
from gyoji.cli.stores import KEY_OPTION, bulk_errors, open_with_key
from gyoji.log.signatures import Trusted, indexed
from gyoji.messages.language import Language
from gyoji.messages.receipts import receipt_document, receipt_sentence
from gyoji.store.interface import Store
from gyoji.trust.log_excerpts import LogExcerpt, empty_excerpt, read_excerpt
from gyoji.trust.proofs import make_proof
from gyoji.trust.receipt_comparison import compare_receipts
from gyoji.trust.receipts import CheckedReceipt, check_receipt, read_receipt

Keys = tuple[Trusted, ...] | None
"""The keys that are trusted; ``None``: none were given."""


class NamedReceipt(NamedTuple):
    """A receipt, and the file that it was found in."""

    name: str
    document: Any


@click.group(cls=Group)
def receipt() -> None:
    """Receipts: what a service has signed for every accepted move."""


@receipt.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=EXISTING_FILE)
@TRUST_OPTION
@click.option(
    "--replay",
    type=EXISTING_FILE,
    metavar="FILE",
    help=f"A replay file ({SUFFIX}) that has to hold the event.",
)
@click.option("--store", metavar="URL", help="A store that has to hold the event; its own keys are trusted too.")
@KEY_OPTION
@PROOFS_OPTION
@LANGUAGE_OPTION
@JSON_OPTION
def check(
    files: tuple[Path, ...],
    trusted: tuple[Trusted, ...] | None,
    replay: Path | None,
    store: str | None,
    store_key: str | None,
    proofs: Path | None,
    lang: Language,
    as_json: bool,
) -> None:
    """Check receipts: event and hash, openings, signature; that a log keeps what they promise, and that no two of them
    contradict each other.

    FILE holds a receipt, a list of them, or the answer to a move; of a .jsonl file each line does. Exit status is that
    of the worst verdict: 0 good, 10 no trusted keys given, 30 the log lacks the event, 40 tampered, 41 two receipts,
    or a receipt and a signed head, that cannot both be true, 42 key not trusted, 51 no receipt.
    """
    if replay is not None and store is not None:
        raise click.UsageError("name a --replay or a --store")
    given = list(_read(files))
    if not given:
        raise click.ClickException("there are no receipts")
    if store is not None:
        checked = _check_with_store(given, trusted, store, store_key, proofs)
    else:
        checked = _check(given, trusted, None if replay is None else _one_log(_events_by_match(given), replay))
        _prove(proofs, checked, lambda _match: iter(()) if replay is None else lines_of(replay))
    for one, found in zip(given, checked, strict=True):
        click.echo(_line(one, found, lang, as_json))
    sys.exit(EXITS[worst({found.verdict for found in checked})])


def _read(files: Sequence[Path]) -> Iterator[NamedReceipt]:
    for file in files:
        found = read_receipt_file(file)
        for number, document in enumerate(found):
            yield NamedReceipt(str(file) if len(found) == 1 else f"{file}:{number + 1}", document)


def _events_by_match(given: Sequence[NamedReceipt]) -> Mapping[str, frozenset[int]]:
    """Return the events that the receipts are of, by match."""
    events: dict[str, set[int]] = {}
    for one in given:
        found = read_receipt(one.document)
        if found is not None:
            events.setdefault(found.match, set()).add(found.seq)
    return {match: frozenset(seqs) for match, seqs in events.items()}


def _one_log(wanted: Mapping[str, frozenset[int]], replay: Path) -> Mapping[str, LogExcerpt]:
    """Read the log of a replay file, in the place of every match."""
    found = read_excerpt(lines_of(replay), frozenset[int]().union(*wanted.values()))
    if found is None:
        raise click.BadParameter("expected a replay file", param_hint="--replay")
    return dict.fromkeys(wanted, found)


def _check_with_store(
    given: Sequence[NamedReceipt],
    trusted: tuple[Trusted, ...] | None,
    url: str,
    configured: str | None,
    proofs: Path | None,
) -> list[CheckedReceipt]:
    with open_with_key(url, configured) as kept:
        logs = {match: _stored(kept, match, seqs) for match, seqs in _events_by_match(given).items()}
        checked = _check(given, (*(trusted or ()), *own_keys(kept)), logs)
        _prove(proofs, checked, lambda match: _stored_lines(kept, match))
        return checked


def _stored(kept: Store, match: str, wanted: frozenset[int]) -> LogExcerpt:
    try:
        return read_excerpt(_stored_lines(kept, match), wanted) or empty_excerpt("", match)
    except DAMAGED_EVENT:
        raise click.ClickException(f"an event of {match} in the store cannot be read; see gyoji store check") from None


def _stored_lines(kept: Store, match: str) -> Iterator[bytes]:
    found = match_lines(kept, match)
    return iter(()) if found is None else iter(found[1]())


def _check(given: Sequence[NamedReceipt], trusted: Keys, logs: Mapping[str, LogExcerpt] | None) -> list[CheckedReceipt]:
    keys = None if trusted is None else indexed(trusted)
    return compare_receipts([_check_one(one, keys, logs) for one in given], logs, keys)


def _check_one(one: NamedReceipt, trusted: Keys, logs: Mapping[str, LogExcerpt] | None) -> CheckedReceipt:
    found = read_receipt(one.document)
    return check_receipt(one.document, trusted, None if logs is None or found is None else logs[found.match])


def _prove(folder: Path | None, checked: Sequence[CheckedReceipt], lines: Callable[[str], Iterator[bytes]]) -> None:
    """Write the proofs to files; ``lines`` gives the log of a match, which leads from one event to another."""
    for pair in dict.fromkeys([one.contradiction for one in checked if one.contradiction is not None]):
        if folder is not None:
            with bulk_errors():
                write_proof(folder, make_proof(pair, lines(pair[0].match)))


def _line(one: NamedReceipt, found: CheckedReceipt, lang: Language, as_json: bool) -> str:
    if as_json:
        return orjson.dumps({"receipt": one.name, **receipt_document(found, lang)}).decode()
    place = "" if found.match is None else f" {found.match} {found.seq}"
    return f"{found.verdict:<18} {one.name}{place}: {receipt_sentence(found, lang)}"
