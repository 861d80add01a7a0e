"""Writes a report as Markdown, and to files."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.figures import markdown, number, padded, read_row, spread
from benchmarks.goals import TITLES, goal_statuses
from benchmarks.report import speeds_of
from benchmarks.splits import markdown as split_tables
from benchmarks.splits import read_split

NOTE = (
    "Figures are median (least–most) of interleaved repeats. A ratio is the median of the repeats' own ratios, ours by "
    "the peer's (of a cost, the peer's by ours, where more is to be better); ≥ and ≤ say which way is good. Figures of "
    "two machines, or of two days on one, are not to be compared: ratios are."
)

LIMITS = (
    "The limit is the ratio that this machine gives where everything of ours that can be left out is left out, against "
    "the same peer in the same minutes; the sections say what is left then. An aim beyond it is not to be met on this "
    "stack."
)


def report_markdown(document: Mapping[str, Any]) -> str:
    """Write the whole report as Markdown."""
    parts = [_head(document), _goals(document), *map(_section, document["sections"])]
    if document["soak"]:
        parts.append(_soak(document["soak"]))
    return "\n\n".join(parts) + "\n"


def _head(document: Mapping[str, Any]) -> str:
    versions = dict(document["versions"])
    commit = f", commit {document['commit']}" if document["commit"] else ""
    lines = [
        f"# gyoji {versions.pop('gyoji')}{commit}, measured {document['begun']}",
        f"{machine_line(document)}. Effort: {document['effort']['name']}, {document['seconds']:.0f} s.",
        f"{_named(versions)}; SQLite as {document['sqlite']}; load by {document['load']}.",
        f"Peers: {_named(document['peers'])}.",
        f"Calibration loop, million steps/s: {spread(speeds_of(document))}. {NOTE}",
    ]
    return "\n\n".join(lines)


def machine_line(document: Mapping[str, Any]) -> str:
    """Describe processor, memory, system and interpreter."""
    here = document["machine"]
    python = f"{here['interpreter']} ({here['build']}, rules as {here['rules']})"
    return f"{here['processor']}, {here['cores']} cores, {here['memory_mib']:,} MiB, {here['system']}, {python}"


def _named(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def _goals(document: Mapping[str, Any]) -> str:
    rows = [
        (one.id, TITLES[one.id], one.floor, one.aim, one.ratios, one.limit, one.verdict)
        for one in goal_statuses(document)
    ]
    return f"## Goals\n\n{LIMITS}\n\n" + padded([("goal", "what", "floor", "aim", "ratios", "limit", ""), *rows])


def _section(section: Mapping[str, Any]) -> str:
    head = f"## {section['title']}\n\n{section['about']} ({section['section']}, {section['seconds']:.0f} s)"
    if section["failure"]:
        return f"{head}\n\nNot measured: {section['failure'].strip()}"
    tables = [markdown(map(read_row, section["rows"]))] if section["rows"] else []
    if section.get("splits"):
        tables.append(split_tables(map(read_split, section["splits"])))
    return "\n\n".join([head, *tables])


def _soak(soak: Mapping[str, Any]) -> str:
    plan, errors = soak["plan"], sum(soak["errors"].values())
    about = (
        f"{plan['minutes']:g} minutes at {plan['rate']:g} requests a second, ended {soak['ended']}, {soak['machine']}: "
        f"{soak['answers']:,} answers, {soak['achieved_rate']:g} a second, {errors} errors. Memory of all processes "
        f"(PSS) drifts by {_share(soak['memory']['drift'])} over the last two thirds. "
        f"{'Failed: ' + '; '.join(soak['failures']) if soak['failures'] else 'Passed'}."
    )
    points = ("p50", "p95", "p99", "p99.9", "max")
    rows = [
        (kind, f"{found['count']:,}", *(number(found[point]) if point in found else "-" for point in points))
        for kind, found in soak["kinds"].items()
    ]
    return f"## Soak\n\n{about}\n\n{padded([('request, ms', 'count', *points), *rows])}"


def _share(drift: float | None) -> str:
    return "-" if drift is None else f"{drift:+.1%}"


def save_report(document: Mapping[str, Any], as_json: Path | None, as_markdown: Path | None) -> None:
    """Write the files that were asked for, with the folders that they lie in."""
    texts = (
        (as_json, json.dumps(document, indent=1, ensure_ascii=False) + "\n"),
        (as_markdown, report_markdown(document)),
    )
    for file, text in texts:
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")


def is_of_compiled(document: Mapping[str, Any]) -> bool:
    """Tell whether the rules that were measured were compiled ones."""
    return bool(document["machine"]["rules"] == "compiled")


def record_report(document: Mapping[str, Any], folder: Path) -> Sequence[Path]:
    """Write both files of this release into a folder of such records; those of compiled rules beside those of plain
    ones."""
    name = document["versions"]["gyoji"] + ("-compiled" if is_of_compiled(document) else "")
    files = folder / f"{name}.json", folder / f"{name}.md"
    save_report(document, *files)
    return files
