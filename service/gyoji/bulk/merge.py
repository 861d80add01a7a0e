"""Merges the reports of several audits into one, such as those of all shards."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from gyoji.audit.verdicts import SEVEREST_FIRST
from gyoji.bulk.audit_terms import AuditTerms
from gyoji.bulk.head_comparison import Comparison, compare_heads
from gyoji.bulk.heads import HeadedFile, Heads
from gyoji.bulk.locations import BulkError, Location
from gyoji.bulk.outcomes import UNREADABLE, Document, head_in, label_in, status_of, summary_of
from gyoji.bulk.reports import FORMAT, differing_terms, is_present, read_keys, read_lines, write_report
from gyoji.bulk.run import amended_line
from gyoji.messages.language import Language

WORST_FIRST = (*SEVEREST_FIRST[:-3], "changes", UNREADABLE, "not_compared", *SEVEREST_FIRST[-3:], "same")


class Report(NamedTuple):
    """A report of an audit whose lines have been checked."""

    path: Path
    terms: Document
    lines: int
    """So many that an audit has written, before one that is cut off or damaged."""
    is_whole: bool
    """Whether it ends with the summary of what it holds."""


def open_report(path: Path) -> Report:
    """Check the lines of a report, to its end or its first damaged line."""
    try:
        with path.open("rb") as file:
            lines = read_lines(file)
            first = next(lines, None)
            if first is None or first.document.get("report") != FORMAT:
                raise BulkError(f"{path} is no report of gyoji audit ({FORMAT})")
            number, last = 1, first
            for line in lines:
                number, last = number + 1, line
            is_whole = "summary" in last.document and last.end == path.stat().st_size
    except OSError as error:
        raise BulkError(f"cannot read {path}: {error.strerror}") from None
    return Report(path, first.document, number, is_whole)


def _replays(report: Report) -> Iterator[Document]:
    with report.path.open("rb") as file:
        for line in islice(read_lines(file, is_present), report.lines):
            if "replay" in line.document:
                yield line.document


def _common_terms(reports: Sequence[Report]) -> Document:
    first = reports[0]
    for other in reports[1:]:
        names = differing_terms(first.terms, other.terms)
        if names:
            raise BulkError(f"{first.path} and {other.path} are by other terms: {', '.join(names)}")
    if len({_shards(report) for report in reports}) > 1:
        raise BulkError("these are not shards of one whole: they are of different numbers of shards")
    return first.terms


def _shards(report: Report) -> int:
    """Return of how many shards a report is one; 0 if it is of everything."""
    shard = report.terms["shard"]
    return 0 if shard is None else int(shard.partition("/")[2])


def _missing_shards(reports: Sequence[Report]) -> list[str]:
    of = _shards(reports[0])
    there = {report.terms["shard"] for report in reports}
    return [name for name in (f"{number}/{of}" for number in range(1, of + 1)) if name not in there]


class ReportMerge:
    """Merges several reports into one: every replay once, by its worse verdict."""

    def __init__(self, paths: Sequence[Path], lang: Language) -> None:
        """Read the reports. Raises ``BulkError`` where one is none, or they do not belong together."""
        self._reports = [open_report(path) for path in paths]
        self._heading = _common_terms(self._reports)
        self._version: int | None = self._heading["version"]
        trusted, own = read_keys(self._heading["trusted"]), read_keys(self._heading["store"]) or ()
        self._terms = AuditTerms(trusted, None, own=own, lang=lang)
        self._heads = Heads()
        self._counts: Counter[str] = Counter()
        self._labels: dict[str, str] = {}
        self._comparison = Comparison({}, ())
        self.missing = _missing_shards(self._reports)
        """The shards that there is no report of."""
        self.unfinished = [str(report.path) for report in self._reports if not report.is_whole]
        """The reports that are cut off or damaged."""
        self.twice: list[str] = []
        """The replays that stand in two of the reports."""
        for report in self._reports:
            for document in _replays(report):
                self._add(document)

    def close(self) -> None:
        """Free what the merge holds."""
        self._heads.close()

    def _add(self, document: Document) -> None:
        name, label = document["replay"], label_in(document)
        before = self._labels.get(name)
        if before is not None and not (before == label == UNREADABLE):
            self.twice.append(name)
        if before is None or WORST_FIRST.index(label) < WORST_FIRST.index(before):
            self._labels[name] = label
            self._counts[label] += 1
            if before is not None:
                self._counts[before] -= 1
        head = head_in(document)
        if head is not None and before is None and document["kind"] != "input":
            self._heads.add(HeadedFile(_place(document), head, label))

    @property
    def undecided(self) -> tuple[tuple[str, str], ...]:
        """List the pairs of files that could not be compared, as one cannot be read again."""
        return self._comparison.undecided

    def compare(self) -> None:
        """Compare the files of each match with each other, those that lay in different shards among them."""
        self._comparison = compare_heads(self._heads.differing(), self._terms)
        for rival in self._comparison.rivals.values():
            self._counts[rival.label] -= 1
            self._counts["equivocation"] += 1

    def replays(self) -> Iterator[Document]:
        """Return the line of each replay once, with the verdict that another replay has brought about."""
        for report in self._reports:
            for document in _replays(report):
                if self._labels.get(document["replay"]) == label_in(document):
                    del self._labels[document["replay"]]
                    yield amended_line(document, self._comparison.rivals, self._terms)

    def write(self, path: Path, show: Callable[[Document], None]) -> None:
        """Write everything as one report, whole or not at all; ``show`` is called with the line of each replay."""
        draft = path.with_name(f"{path.name}.new")
        try:
            with draft.open("wb") as file:
                heading = {**self._heading, "shard": None}
                write_report(file, heading, _shown(self.replays(), show), self.summary()[0])
            draft.replace(path)
        except OSError as error:
            raise BulkError(f"cannot write {path}: {error.strerror}") from None
        finally:
            draft.unlink(missing_ok=True)

    def summary(self) -> tuple[Document, str]:
        """Return how many there are of each verdict, as a document and for people."""
        return summary_of(self._counts, self._version)

    def document(self) -> Document:
        """Return the summary, with everything that is missing."""
        return {
            **self.summary()[0],
            "reports": len(self._reports),
            "missing": self.missing,
            "unfinished": self.unfinished,
            "twice": self.twice,
            "undecided": [list(pair) for pair in self.undecided],
        }

    def status(self) -> int:
        """Return the exit status of the merged report."""
        return status_of(self._counts, self._version, is_whole=not (self.missing or self.unfinished or self.undecided))


def _shown(documents: Iterator[Document], show: Callable[[Document], None]) -> Iterator[Document]:
    for document in documents:
        show(document)
        yield document


def _place(document: Document) -> Location:
    """Return where a replay of a report was, as far as the report tells."""
    kind, name, archive = document["kind"], document["replay"], document["archive"]
    return Location(kind, name, archive or (name if kind == "object" else ""))
