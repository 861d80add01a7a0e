"""``gyoji verdicts``: the reports of several audits as one, such as those of all shards."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from os import fsync
from pathlib import Path
from typing import NamedTuple

import click
import orjson

from gyoji.audit.verdicts import SEVEREST_FIRST
from gyoji.cli.audit_hearing import amended, head_in, status_of, summary_of, word_in
from gyoji.cli.audit_reports import FORMAT, Document, keys_in, looked_at, read_lines, regular, unlike
from gyoji.cli.audit_sources import Place, spoken
from gyoji.cli.audit_words import UNREAD, line_of
from gyoji.cli.auditing import Terms
from gyoji.cli.printing import JSON_OPTION, LANGUAGE_OPTION
from gyoji.cli.rivals import Found, Headed, Heads, rivals
from gyoji.messages.language import Language
from gyoji.names import printable

FINE = ("verified", "verified_with_rulings", "same")
"""Of these only the number is told."""


TOLD = 20
"""So many names are told in a line."""
WORST_FIRST = (*SEVEREST_FIRST[:-3], "changes", UNREAD, "not_compared", *SEVEREST_FIRST[-3:], "same")


class Report(NamedTuple):
    """A report that has been looked through."""

    path: Path
    terms: Document
    lines: int
    """So many that an audit has written, before one that is cut off or damaged."""
    is_whole: bool
    """Whether it ends with the summary of what it holds."""


@click.command()
@click.argument("reports", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    callback=regular,
    help="Write them as one report there.",
)
@LANGUAGE_OPTION
@JSON_OPTION
def verdicts(reports: tuple[Path, ...], report: Path | None, lang: Language, as_json: bool) -> None:
    """Put the REPORTS of gyoji audit together: counts, what is not verified, and the exit status of the worst verdict.

    They have to be by the same terms. Shards and ends of reports that are missing are named, and so is what stands in
    two of them (it counts once, by its worse verdict). Files of one match that lay in different shards are held against
    each other; where one is longer than another it is read again for that. Exit status as of gyoji audit; 1 if nothing
    is wrong but something is missing.
    """
    found = [_looked_through(path) for path in reports]
    terms = _same_terms(found)
    merged = _Merged(terms, lang)
    with closing(merged.heads):
        for one in found:
            merged.add(one)
        against = rivals(merged.heads.apart(), merged.terms)
        summary = _tell(found, merged, against, report, as_json=as_json)
    if as_json:
        click.echo(orjson.dumps({"summary": summary}))
    sys.exit(merged.status(is_whole=not any(summary[name] for name in ("missing", "unfinished", "undecided"))))


def _looked_through(path: Path) -> Report:
    try:
        with path.open("rb") as file:
            lines = read_lines(file)
            first = next(lines, None)
            if first is None or first.document.get("report") != FORMAT:
                raise click.ClickException(f"{path} is no report of gyoji audit ({FORMAT})")
            number, last = 1, first
            for number, last in enumerate(lines, 2):  # noqa: B007 - the last ones count
                pass
            is_whole = "summary" in last.document and last.end == path.stat().st_size
    except OSError as error:
        raise click.ClickException(f"cannot read {path}: {error.strerror}") from None
    return Report(path, first.document, number, is_whole)


def _same_terms(found: Sequence[Report]) -> Document:
    first = found[0]
    for other in found[1:]:
        names = unlike(first.terms, other.terms)
        if names:
            raise click.ClickException(f"{first.path} and {other.path} are by other terms: {', '.join(names)}")
    if len({_of(report) for report in found}) > 1:
        raise click.ClickException("these are not shards of one whole: they are of different numbers of shards")
    return first.terms


def _of(report: Report) -> int:
    """Of how many shards it is one; 0 if it is of everything."""
    shard = report.terms["shard"]
    return 0 if shard is None else int(shard.partition("/")[2])


def _missing(found: Sequence[Report]) -> list[str]:
    """The shards that there is no report of."""
    of = _of(found[0])
    there = {report.terms["shard"] for report in found}
    return [name for name in (f"{number}/{of}" for number in range(1, of + 1)) if name not in there]


class _Merged:
    """Several reports as one."""

    def __init__(self, terms: Document, lang: Language) -> None:
        self._version: int | None = terms["version"]
        self.terms = Terms(keys_in(terms["trusted"]), None, own=keys_in(terms["store"]) or (), lang=lang)
        self.heads = Heads()
        self.seen: Counter[str] = Counter()
        self.twice: list[str] = []
        self._words: dict[str, str] = {}

    def add(self, report: Report) -> None:
        """What one report tells."""
        for document in _replays(report):
            name, word = document["replay"], word_in(document)
            before = self._words.get(name)
            if before is not None and not (before == word == UNREAD):
                self.twice.append(name)
            if before is None or WORST_FIRST.index(word) < WORST_FIRST.index(before):
                self._words[name] = word
                self.seen[word] += 1
                if before is not None:
                    self.seen[before] -= 1
            head = head_in(document)
            if head is not None and before is None and document["kind"] != "input":
                self.heads.add(Headed(_place(document), head, word))

    def is_first(self, document: Document) -> bool:
        """Whether this is the one line that counts for its replay; true once."""
        word = self._words.get(document["replay"])
        if word != word_in(document):
            return False
        del self._words[document["replay"]]
        return True

    def summary(self) -> tuple[Document, str]:
        """How many of each."""
        return summary_of(self.seen, self._version)

    def status(self, *, is_whole: bool) -> int:
        """The exit status."""
        return status_of(self.seen, self._version, is_whole=is_whole)


def _replays(report: Report) -> Iterator[Document]:
    with report.path.open("rb") as file:
        for line in islice(read_lines(file, looked_at), report.lines):
            if "replay" in line.document:
                yield line.document


def _place(document: Document) -> Place:
    """Where a replay of a report was, as far as the report tells."""
    kind, name, archive = document["kind"], document["replay"], document["archive"]
    return Place(kind, name, archive or (name if kind == "object" else ""))


def _tell(found: Sequence[Report], merged: _Merged, against: Found, to: Path | None, *, as_json: bool) -> Document:
    """Print what is not verified and what is missing, and write the whole; the summary."""
    for rival in against.rivals.values():
        merged.seen[rival.word] -= 1
        merged.seen["equivocation"] += 1
    summary, text = merged.summary()
    missing, unfinished = _missing(found), [str(report.path) for report in found if not report.is_whole]
    lines = (
        amended(document, against.rivals, merged.terms)
        for report in found
        for document in _replays(report)
        if merged.is_first(document)
    )
    _print(lines if to is None else _kept(lines, to, {**found[0].terms, "shard": None}, summary), merged, as_json)
    whole = {
        **summary,
        "reports": len(found),
        "missing": missing,
        "unfinished": unfinished,
        "twice": merged.twice,
        "undecided": [list(pair) for pair in against.undecided],
    }
    if not as_json:
        click.echo(text)
        for label, names in (
            ("missing shards", missing),
            ("unfinished or damaged reports", list(map(spoken, unfinished))),
            ("twice", merged.twice),
        ):
            if names:
                click.echo(f"{label}: {_some(names)}")
        for one, other in against.undecided:
            click.echo(
                f"not held against each other, as one cannot be read again: {printable(one)}, {printable(other)}"
            )
    return whole


def _some(names: Sequence[str]) -> str:
    """The first names; nobody reads a million."""
    more = f" and {len(names) - TOLD} more" if len(names) > TOLD else ""
    return ", ".join(map(printable, names[:TOLD])) + more


def _print(lines: Iterator[Document], merged: _Merged, as_json: bool) -> None:
    for document in lines:
        if as_json:
            click.echo(orjson.dumps(document))
        elif word_in(document) not in FINE:
            # anybody may have written the report
            click.echo("\n".join(map(printable, _line(document, merged.terms.lang).split("\n"))))


def _line(document: Document, lang: Language) -> str:
    if "changes" not in document:
        return line_of(document, lang)
    whys = [one["why"] for one in document["illegal"]]
    left = [document["not_compared"]["why"]] if document["not_compared"] else []
    return f"{word_in(document).replace('_', ' '):<12} {document['replay']}: {'; '.join([*whys, *left])}"


def _kept(lines: Iterator[Document], to: Path, terms: Document, summary: Document) -> Iterator[Document]:
    """The lines, which are written as a report while they pass."""
    draft = to.with_name(f"{to.name}.new")
    try:
        with draft.open("wb") as file:
            file.write(orjson.dumps(terms) + b"\n")
            for document in lines:
                file.write(orjson.dumps(document) + b"\n")
                yield document
            file.write(orjson.dumps({"summary": summary}) + b"\n")
            file.flush()
            fsync(file.fileno())
        draft.replace(to)
    except OSError as error:
        raise click.ClickException(f"cannot write {to}: {error.strerror}") from None
    finally:
        draft.unlink(missing_ok=True)
