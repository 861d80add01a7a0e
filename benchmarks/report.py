"""Makes the report: sections measured one after the other, as a document of the form ``gyoji-bench/1``."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from benchmarks.effort import Effort
from benchmarks.figures import Row, read_row
from benchmarks.installation import node, peers
from benchmarks.load import loader
from benchmarks.programs import ProgramFailed
from benchmarks.sections import SECTIONS, Section
from benchmarks.splits import Split, read_split
from benchmarks.stored_moves import durability
from benchmarks.surroundings import calibration, commit, facts, progress, versions_by_name

FORMAT = "gyoji-bench/1"
SOAK = "gyoji-soak/1"

Document = dict[str, Any]


class NoReport(ValueError):
    """A document is none that this release writes; the text says what was expected."""


def make_report(names: Sequence[str], effort: Effort, soak: Mapping[str, Any] | None = None) -> Document:
    """Measure these sections, in the order of the report. One that fails says so, and the others go on."""
    begun, clock = datetime.now(UTC), perf_counter()
    calibrations: list[dict[str, Any]] = []
    sections: list[dict[str, Any]] = []
    for section in SECTIONS:
        if section.name in names:
            calibrations.append(_calibrate(section.name))
            sections.append(_measure(section, effort))
    calibrations.append(_calibrate("the end"))
    return {
        "format": FORMAT,
        "begun": begun.isoformat(timespec="seconds"),
        "seconds": round(perf_counter() - clock, 1),
        "commit": commit(),
        "machine": facts(),
        "versions": versions_by_name(node()),
        "sqlite": durability(),
        "peers": peers(),
        "load": loader(),
        "effort": effort._asdict(),
        "calibration": calibrations,
        "sections": sections,
        "soak": soak,
    }


def _calibrate(before: str) -> dict[str, Any]:
    """Measure how fast the machine is just now, in million steps a second of a fixed loop."""
    return {"before": before, "million_steps_per_second": calibration()}


def _measure(section: Section, effort: Effort) -> dict[str, Any]:
    begun = perf_counter()
    found: Sequence[Row | Split] = ()
    failure = None
    try:
        found = section.measure(effort)
    except (ProgramFailed, RuntimeError, OSError) as broken:
        failure = str(broken)
        progress(f"{section.name} failed: {failure}")
    return {
        "section": section.name,
        "title": section.title,
        "about": section.about,
        "seconds": round(perf_counter() - begun, 1),
        "failure": failure,
        "rows": [row.plain() for row in found if isinstance(row, Row)],
        "splits": [split.plain() for split in found if isinstance(split, Split)],
    }


def rows_of(document: Mapping[str, Any]) -> Iterator[tuple[str, Row]]:
    """Return every row, with the section that it stands in."""
    for section in document["sections"]:
        for row in section["rows"]:
            yield section["section"], read_row(row)


def splits_of(document: Mapping[str, Any]) -> Iterator[Split]:
    """Return every split; records of earlier releases have none."""
    for section in document["sections"]:
        yield from map(read_split, section.get("splits", ()))


def speeds_of(document: Mapping[str, Any]) -> list[float]:
    """Return the calibrations."""
    return [float(one["million_steps_per_second"]) for one in document["calibration"]]


def read_report(document: Any, form: str = FORMAT) -> Document:
    """Check a document. Raises ``NoReport`` if it is of another form."""
    if not isinstance(document, dict) or document.get("format") != form:
        raise NoReport(f"expected a document of the form {form}")
    return document


def shortcomings(document: Mapping[str, Any]) -> list[str]:
    """List sections that failed, floors that were missed, and what the soak found wrong."""
    found = [f"{section['section']} failed" for section in document["sections"] if section["failure"]]
    found += [f"{row.measure} against {row.peer}" for _section, row in rows_of(document) if row.missed]
    return found + list((document["soak"] or {}).get("failures", ()))
