"""Reports of ``gyoji audit``: what each holds, and how one is written so that a run that was stopped can go on.

JSON, one object a line: first the terms (``report``), then each replay, at last the summary. While it is made it is
``REPORT.part``; a line that was cut off when the run was killed is dropped, and audited again.
"""

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from shutil import copyfile
from typing import IO, Any, NamedTuple

import orjson

from gyoji import __version__
from gyoji.bulk.audit_terms import AuditTerms, rules_digests
from gyoji.bulk.locations import BulkError, Shard
from gyoji.bulk.outcomes import Document
from gyoji.bulk.report_lines import is_line
from gyoji.log.signatures import Trusted

FORMAT = "gyoji-report/1"
NO_REPORT = "there is something else than a report of this release: move it away, or name another --report"
BY_ITSELF = "by_itself"
"""Member of a replay that another of its match has overruled: its verdict without that."""


def report_heading(terms: AuditTerms, shard: Shard | None) -> Document:
    """Write the heading of a report, its first line: by which terms the verdicts were reached."""
    return {
        "report": FORMAT,
        "gyoji": __version__,
        "rules": rules_digests(),
        "version": terms.version,
        "trusted": None if terms.trusted is None else _write_keys(terms.trusted),
        "store": _write_keys(terms.own),
        "receipts": None if terms.receipts is None else _digest([dict(terms.receipts.of_match), terms.receipts.others]),
        "beacons": None if terms.beacons is None else _digest(sorted(map(repr, terms.beacons.items()))),
        "lang": terms.lang,
        "shard": None if shard is None else str(shard),
    }


def _write_keys(keys: Iterable[Trusted]) -> list[Document]:
    found = sorted({(key.key, key.origin, key.public.hex(), key.revoked) for key in keys})
    return [dict(zip(("key", "origin", "public", "revoked"), key, strict=True)) for key in found]


def read_keys(found: list[Document] | None) -> tuple[Trusted, ...] | None:
    """Read the keys that the heading of a report names."""
    if found is None:
        return None
    return tuple([Trusted(key["key"], key["origin"], bytes.fromhex(key["public"]), key["revoked"]) for key in found])


def _digest(value: Any) -> str:
    return sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).hexdigest()


def differing_terms(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Name the terms of two headings that are not the same, but for the shard."""
    return [name for name in {**one, **other} if name != "shard" and one.get(name) != other.get(name)]


class ReportLine(NamedTuple):
    """One line of a report, and where it is."""

    at: int
    end: int
    document: Document


def read_lines(file: IO[bytes], fits: Callable[[Any], bool] = is_line) -> Iterator[ReportLine]:
    """Read the lines of a report from its beginning, to the first that is not whole, or that no audit writes."""
    end = 0
    file.seek(0)
    for line in file:
        at, end = end, end + len(line)
        try:
            found: Any = orjson.loads(line) if line.endswith(b"\n") else None
        except orjson.JSONDecodeError:
            return
        if not fits(found):
            return
        yield ReportLine(at, end, found)


def is_present(line: Any) -> bool:
    """Tell whether there is a line, where all lines have been checked before."""
    return line is not None


def write_report(file: IO[bytes], heading: Document, replays: Iterable[Document], summary: Document) -> None:
    """Write a whole report, and see that it is on the disk."""
    for document in (heading, *replays, {"summary": summary}):
        file.write(orjson.dumps(document) + b"\n")
    sync(file)


def sync(file: IO[bytes]) -> None:
    """See that what was written is on the disk."""
    file.flush()
    os.fsync(file.fileno())


class Earlier(NamedTuple):
    """A replay that an earlier run has audited: where its line is in the report, and a mark of the content audited."""

    at: int
    mark: str | None


class ReportDraft:
    """A report under way, to which lines are written. Raises ``BulkError`` where that fails."""

    def __init__(self, file: IO[bytes], heading: Document, report: Path) -> None:
        """Go on with what is there, if it is by the same terms; or begin."""
        self._file, self._report = file, report
        self._earlier: dict[str, list[Earlier]] = {}
        self.count = 0
        """Replays in it."""
        lines = read_lines(file)
        begun = next(lines, None)
        if begun is None:
            self._heading, self._end = heading, 0
            self._begin(orjson.dumps(heading) + b"\n")
        else:
            _refuse_other_terms(begun.document, heading)
            self._heading, self._end = begun.document, begun.end
            self._take_over(lines)
        file.truncate(self._end)

    def _begin(self, heading: bytes) -> None:
        """Write the heading; nothing but a heading that was cut off is written over."""
        self._file.seek(0)
        if not heading.startswith(self._file.read(len(heading) + 1)):
            raise BulkError(NO_REPORT)
        self._write(heading)

    def _take_over(self, lines: Iterator[ReportLine]) -> None:
        for line in lines:
            found = line.document
            if "replay" not in found:
                return
            self._end = line.end
            self.count += 1
            self._earlier.setdefault(found["replay"], []).append(Earlier(line.at, _mark_to_trust(found)))

    def take_earlier(self, name: str, mark: str | None) -> Document | None:
        """Return the line that an earlier run wrote of a replay, if the replay has not changed; each line once."""
        kept = self._earlier.get(name)
        if not kept or mark is None or kept[0].mark != mark:
            return None
        with _writing(self._report):
            self._file.seek(kept.pop(0).at)
            found: Document = orjson.loads(self._file.readline())
        return found

    def write(self, line: bytes) -> None:
        """Write the line of one more replay."""
        with _writing(self._report):
            self._write(line)
        self.count += 1

    def _write(self, line: bytes) -> None:
        self._file.seek(self._end)
        self._end += self._file.write(line)

    def flush(self) -> None:
        """Let what was written outlive this process."""
        with _writing(self._report):
            self._file.flush()

    def finish(self, summary: Document, amend: Callable[[Document], Document] | None) -> None:
        """Turn the draft into the report. Replays that are gone or have changed are left out; lines are amended where
        asked."""
        gone = {one.at for kept in self._earlier.values() for one in kept}
        with _writing(self._report):
            if gone or amend is not None:
                self._rewrite(summary, gone, amend or dict)
                return
            self._write(orjson.dumps({"summary": summary}) + b"\n")
            sync(self._file)
            part_of(self._report).replace(self._report)

    def _rewrite(self, summary: Document, gone: set[int], amend: Callable[[Document], Document]) -> None:
        draft = self._report.with_name(f"{self._report.name}.new")
        with draft.open("wb") as file:
            write_report(file, self._heading, self._kept_replays(gone, amend), summary)
        draft.replace(self._report)
        part_of(self._report).unlink()

    def _kept_replays(self, gone: set[int], amend: Callable[[Document], Document]) -> Iterator[Document]:
        for line in read_lines(self._file, is_present):
            if "report" not in line.document and line.at not in gone:
                yield amend(line.document)


def _mark_to_trust(found: Document) -> str | None:
    """Return the mark of a replay that need not be audited again: it could be read, and no other of its match has
    overruled it, which would have to be compared with it again."""
    is_settled = found["verdict"] is not None and BY_ITSELF not in found
    mark: str | None = found.get("mark") if is_settled else None
    return mark


def _refuse_other_terms(begun: Document, heading: Document) -> None:
    if begun.get("report") != FORMAT:
        raise BulkError(NO_REPORT)
    names = differing_terms(begun, heading) or (["shard"] if begun.get("shard") != heading["shard"] else [])
    if names:
        raise BulkError(
            f"the report that is there goes by other terms ({', '.join(names)}): give the same, or another --report"
        )


def part_of(report: Path) -> Path:
    """Return the path of the draft of a report."""
    return report.with_name(f"{report.name}.part")


@contextmanager
def open_draft(report: Path, heading: Document, *, resume: bool) -> Iterator[ReportDraft]:
    """Begin a report, or go on with one. What is written stays in ``REPORT.part`` until it is finished."""
    part = part_of(report)
    if not resume and part.exists():
        raise BulkError(f"{part} is there from a run that was stopped: go on with --resume, or delete it to begin anew")
    with ExitStack() as held:
        with _writing(report):
            draft = _opened(held, report, heading, resume=resume)
        try:
            yield draft
        finally:
            with _writing(report):
                if not draft.count:
                    part.unlink(missing_ok=True)
                held.close()


def _opened(held: ExitStack, report: Path, heading: Document, *, resume: bool) -> ReportDraft:
    """Open the draft, in a file that is ``held`` and that nobody else writes to."""
    part = part_of(report)
    is_copy = resume and not part.exists() and report.exists()
    if is_copy:
        _copy(report, part)
    file = held.enter_context(os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT, 0o666), "r+b"))
    _lock(file, part)
    if not _is_there(file, part):
        raise BulkError(f"{part} has just been finished by another run: try again")
    try:
        return ReportDraft(file, heading, report)
    except BulkError:
        if is_copy:
            part.unlink()
        raise


@contextmanager
def _writing(report: Path) -> Iterator[None]:
    """Tell a failure to write the report in a sentence."""
    try:
        yield
    except OSError as error:
        raise BulkError(f"cannot write {report}: {error.strerror}") from None


def _lock(file: IO[bytes], part: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BulkError(f"{part} is being written by another run") from None
    except OSError:  # a file system without locks
        return


def _is_there(file: IO[bytes], part: Path) -> bool:
    """Tell whether the file that we hold is still what is made there."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), part.stat())
    except FileNotFoundError:
        return False


def _copy(report: Path, part: Path) -> None:
    """Copy a report that is complete, to go on from."""
    draft = part.with_name(f"{part.name}.new")
    try:
        copyfile(report, draft)
        draft.replace(part)
    finally:
        draft.unlink(missing_ok=True)
