"""Reports of ``gyoji audit``: what each holds, and how one is written so that a run that was stopped can go on.

JSON, one object a line: first the terms (``report``), then each replay, at last the summary. While it is made it is
``REPORT.part``; a line that was cut off when the run was killed is dropped, and judged again.
"""

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from shutil import copyfile
from typing import IO, Any, NamedTuple

import click
import orjson

from gyoji import __version__
from gyoji.cli.audit_places import Shard, rules_digests
from gyoji.cli.audit_shapes import is_line
from gyoji.cli.auditing import Terms
from gyoji.log.signatures import Trusted

FORMAT = "gyoji-report/1"
Document = dict[str, Any]


def heading(terms: Terms, shard: Shard | None) -> Document:
    """The first line: by which terms there are these verdicts."""
    return {
        "report": FORMAT,
        "gyoji": __version__,
        "rules": rules_digests(),
        "version": terms.version,
        "trusted": None if terms.trusted is None else _named(terms.trusted),
        "store": _named(terms.own),
        "receipts": None if terms.receipts is None else _digest([dict(terms.receipts.of_match), terms.receipts.others]),
        "beacons": None if terms.beacons is None else _digest(sorted(map(repr, terms.beacons.items()))),
        "lang": terms.lang,
        "shard": None if shard is None else f"{shard.number}/{shard.of}",
    }


def _named(keys: Iterable[Trusted]) -> list[Document]:
    """Keys as documents."""
    found = sorted({(key.key, key.origin, key.public.hex(), key.revoked) for key in keys})
    return [dict(zip(("key", "origin", "public", "revoked"), key, strict=True)) for key in found]


def keys_in(found: list[Document] | None) -> tuple[Trusted, ...] | None:
    """The keys that a report names."""
    if found is None:
        return None
    return tuple([Trusted(key["key"], key["origin"], bytes.fromhex(key["public"]), key["revoked"]) for key in found])


def _digest(value: Any) -> str:
    return sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).hexdigest()


def unlike(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """The terms that are not the same, but for the shard."""
    return [name for name in {**one, **other} if name != "shard" and one.get(name) != other.get(name)]


class Earlier(NamedTuple):
    """A replay that has been judged before: where its line is, and the content that it is of."""

    at: int
    mark: str | None


class Draft:
    """A report that is being made."""

    def __init__(self, file: IO[bytes], first: Document) -> None:
        """Goes on with what is there, if it is by the same terms; or begins."""
        self._file = file
        self._earlier: dict[str, list[Earlier]] = {}
        self.first = first
        self.count = 0
        """Replays in it."""
        lines = read_lines(file)
        begun = next(lines, None)
        if begun is None:
            self._end = 0
            self._begin(orjson.dumps(first) + b"\n")
        else:
            _refuse_other_terms(begun.document, first)
            self._end = begun.end
            self._take_over(lines)
        file.truncate(self._end)

    def _begin(self, heading: bytes) -> None:
        """Nothing but a heading that was cut off is written over."""
        self._file.seek(0)
        if not heading.startswith(self._file.read(len(heading) + 1)):
            raise click.ClickException(NO_REPORT)
        self._write(heading)

    def _take_over(self, lines: Iterator["Line"]) -> None:
        for line in lines:
            found = line.document
            if "replay" not in found:
                return
            self._end = line.end
            self.count += 1
            self._earlier.setdefault(found["replay"], []).append(Earlier(line.at, _mark_to_trust(found)))

    def known(self, name: str, mark: str | None) -> Document | None:
        """What was told of a replay before, if it is the same still."""
        kept = self._earlier.get(name)
        if not kept or mark is None or kept[0].mark != mark:
            return None
        self._file.seek(kept.pop(0).at)
        found: Document = orjson.loads(self._file.readline())
        return found

    def write(self, line: bytes) -> None:
        """One more replay."""
        self._write(line)
        self.count += 1

    def _write(self, line: bytes) -> None:
        self._file.seek(self._end)
        self._end += self._file.write(line)

    def flush(self) -> None:
        """Let it outlive this process."""
        self._file.flush()

    def finish(self, report: Path, summary: Document, amended: Callable[[Document], Document] | None) -> None:
        """Make it the report: without what was judged before and is not there any more or has changed since, and, if
        there is reason to, with some replays told of in another way."""
        gone = {one.at for kept in self._earlier.values() for one in kept}
        if gone or amended is not None:
            self._rewrite(report, summary, gone, amended or dict)
            return
        self._write(orjson.dumps({"summary": summary}) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        part_of(report).replace(report)

    def _rewrite(
        self, report: Path, summary: Document, gone: set[int], amended: Callable[[Document], Document]
    ) -> None:
        draft = report.with_name(f"{report.name}.new")
        with draft.open("wb") as file:
            for line in read_lines(self._file, looked_at):
                if "report" in line.document:
                    file.write(orjson.dumps(line.document) + b"\n")
                elif line.at not in gone:
                    file.write(orjson.dumps(amended(line.document)) + b"\n")
            file.write(orjson.dumps({"summary": summary}) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(report)
        part_of(report).unlink()


class Line(NamedTuple):
    """One line of a report, and where it is."""

    at: int
    end: int
    document: Document


def read_lines(file: IO[bytes], fits: Callable[[Any], bool] = is_line) -> Iterator[Line]:
    """The lines of a report from its beginning, to the first that is not whole, or none that an audit writes."""
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
        yield Line(at, end, found)


def looked_at(line: Any) -> bool:
    """Of lines that have been found to be in order before: whether there is one."""
    return line is not None


def _mark_to_trust(found: Document) -> str | None:
    """What was not read may be read now, and what another replay has overruled has to be held against it again."""
    is_judged = found["verdict"] is not None and BY_ITSELF not in found
    mark: str | None = found.get("mark") if is_judged else None
    return mark


NO_REPORT = "there is something else than a report of this release: move it away, or name another --report"
BY_ITSELF = "by_itself"
"""Member of a replay that another of its match has overruled: its verdict without that."""


def _refuse_other_terms(begun: Document, first: Document) -> None:
    if begun.get("report") != FORMAT:
        raise click.ClickException(NO_REPORT)
    names = unlike(begun, first) or (["shard"] if begun.get("shard") != first["shard"] else [])
    if names:
        raise click.ClickException(
            f"the report that is there goes by other terms ({', '.join(names)}): give the same, or another --report"
        )


def regular(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> Path | None:
    """A file that a report may take the place of: a device such as ``/dev/null`` may not be replaced."""
    if path is not None and path.exists() and not path.is_file():
        raise click.BadParameter(f"{path} is no regular file")
    return path


def part_of(report: Path) -> Path:
    """Where a report is made."""
    return report.with_name(f"{report.name}.part")


@contextmanager
def drafted(report: Path, first: Document, *, resume: bool) -> Iterator[Draft]:
    """A report to be made. What has been written stays in ``REPORT.part`` until it is finished."""
    part = part_of(report)
    if not resume and part.exists():
        raise click.ClickException(
            f"{part} is there from a run that was stopped: go on with --resume, or delete it to begin anew"
        )
    try:
        is_copy = resume and not part.exists() and report.exists()
        if is_copy:
            _copied(report, part)
        with open(os.open(part, os.O_RDWR | os.O_CREAT, 0o666), "r+b") as file:  # noqa: PTH123 - neither a nor w
            _locked(file, part)
            if not _is_there(file, part):
                raise click.ClickException(f"{part} has just been finished by another run: try again")
            try:
                draft = Draft(file, first)
            except click.ClickException:
                if is_copy:
                    part.unlink()
                raise
            try:
                yield draft
            finally:
                if not draft.count:
                    part.unlink(missing_ok=True)
    except OSError as error:
        raise click.ClickException(f"cannot write {report}: {error.strerror}") from None


def _locked(file: IO[bytes], part: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise click.ClickException(f"{part} is being written by another run") from None
    except OSError:  # a file system without locks
        return


def _is_there(file: IO[bytes], part: Path) -> bool:
    """Whether the file that we hold is still what is made there."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), part.stat())
    except FileNotFoundError:
        return False


def _copied(report: Path, part: Path) -> None:
    """A report that is complete, to go on from."""
    draft = part.with_name(f"{part.name}.new")
    try:
        copyfile(report, draft)
        draft.replace(part)
    finally:
        draft.unlink(missing_ok=True)
