"""``gyoji receipt``: what movers were given, checked by themselves and against a log."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import orjson

from gyoji.audit.verdicts import EXITS, worst
from gyoji.bulk.places import SUFFIX
from gyoji.bulk.proof_files import write_proof
from gyoji.bulk.stored_matches import DAMAGED_EVENT, match_lines, own_keys
from gyoji.cli.errors import bulk_errors
from gyoji.cli.lazily import Group
from gyoji.cli.printing import JSON_OPTION, LANGUAGE_OPTION
from gyoji.cli.receipts import receipts_in
from gyoji.cli.replay_files import lines_of
from gyoji.cli.storing import KEY_OPTION, opened
from gyoji.cli.trust import TRUST_OPTION
from gyoji.cli.writing import PROOFS
from gyoji.log.signatures import Trusted, indexed
from gyoji.messages.language import Language
from gyoji.messages.receipts import held_document, held_sentence
from gyoji.store.interface import Store
from gyoji.trust.proofs import proof
from gyoji.trust.receipt_checks import Held, Logged, held, logged, nothing_logged, read
from gyoji.trust.rival_receipts import compare


class Given(NamedTuple):
    """A receipt, and where it was found."""

    name: str
    document: Any


@click.group(cls=Group)
def receipt() -> None:
    """Receipts: what a service has signed for every accepted move."""


@receipt.command()
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE…", type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@TRUST_OPTION
@click.option(
    "--replay",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help=f"A replay file ({SUFFIX}) that has to hold the event.",
)
@click.option("--store", metavar="URL", help="A store that has to hold the event; its own keys are trusted too.")
@KEY_OPTION
@PROOFS
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
    given = list(_given(files))
    if not given:
        raise click.ClickException("there are no receipts")
    if store is not None:
        said = _against_store(given, trusted, store, store_key, proofs)
    else:
        said = _said(given, trusted, None if replay is None else _one_log(_wanted(given), replay))
        _prove(proofs, said, lambda _match: iter(()) if replay is None else lines_of(replay))
    for one, found in zip(given, said, strict=True):
        click.echo(_line(one, found, lang, as_json))
    sys.exit(EXITS[worst({found.verdict for found in said})])


def _given(files: Sequence[Path]) -> Iterator[Given]:
    for file in files:
        found = receipts_in(file)
        for number, document in enumerate(found):
            yield Given(str(file) if len(found) == 1 else f"{file}:{number + 1}", document)


def _wanted(given: Sequence[Given]) -> Mapping[str, frozenset[int]]:
    """By match, the events that the receipts tell of."""
    told: dict[str, set[int]] = {}
    for one in given:
        found = read(one.document)
        if found is not None:
            told.setdefault(found.match, set()).add(found.seq)
    return {match: frozenset(seqs) for match, seqs in told.items()}


def _one_log(wanted: Mapping[str, frozenset[int]], replay: Path) -> Mapping[str, Logged]:
    """The log of a replay file, in the place of every match."""
    found = logged(lines_of(replay), frozenset[int]().union(*wanted.values()))
    if found is None:
        raise click.BadParameter("expected a replay file", param_hint="--replay")
    return dict.fromkeys(wanted, found)


def _against_store(
    given: Sequence[Given], trusted: tuple[Trusted, ...] | None, url: str, configured: str | None, proofs: Path | None
) -> list[Held]:
    with opened(url, configured) as kept:
        logs = {match: _stored(kept, match, seqs) for match, seqs in _wanted(given).items()}
        said = _said(given, (*(trusted or ()), *own_keys(kept)), logs)
        _prove(proofs, said, lambda match: _stored_lines(kept, match))
        return said


def _stored(kept: Store, match: str, wanted: frozenset[int]) -> Logged:
    try:
        return logged(_stored_lines(kept, match), wanted) or nothing_logged("", match)
    except DAMAGED_EVENT:
        raise click.ClickException(f"an event of {match} in the store cannot be read; see gyoji store check") from None


def _stored_lines(kept: Store, match: str) -> Iterator[bytes]:
    found = match_lines(kept, match)
    return iter(()) if found is None else iter(found[1]())


def _said(given: Sequence[Given], trusted: tuple[Trusted, ...] | None, logs: Mapping[str, Logged] | None) -> list[Held]:
    keys = None if trusted is None else indexed(trusted)
    return compare([_one(one, keys, logs) for one in given], logs, keys)


def _one(one: Given, trusted: tuple[Trusted, ...] | None, logs: Mapping[str, Logged] | None) -> Held:
    found = read(one.document)
    return held(one.document, trusted, None if logs is None or found is None else logs[found.match])


def _prove(folder: Path | None, said: Sequence[Held], lines: Callable[[str], Iterator[bytes]]) -> None:
    """Write the proofs down; ``lines`` gives the log of a match, which leads from one event to another."""
    for pair in dict.fromkeys([one.contradiction for one in said if one.contradiction is not None]):
        if folder is not None:
            with bulk_errors():
                write_proof(folder, proof(pair, lines(pair[0].match)))


def _line(one: Given, found: Held, lang: Language, as_json: bool) -> str:
    if as_json:
        return orjson.dumps({"receipt": one.name, **held_document(found, lang)}).decode()
    place = "" if found.match is None else f" {found.match} {found.seq}"
    return f"{found.verdict:<18} {one.name}{place}: {held_sentence(found, lang)}"
