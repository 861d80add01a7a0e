"""Writes what a soak has found, as JSON (``gyoji-soak/1``) and as Markdown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from benchmarks.figures import number, spread
from benchmarks.soak.monitor import Monitor, ProcessSample, drift, total_memory
from benchmarks.soak.traffic import Tally
from benchmarks.surroundings import machine, versions

FORMAT = "gyoji-soak/1"
MOST_DRIFT = 0.05
WARM = 10
"""Minutes from which on memory is judged: a shorter soak is all warming up."""
PROCESS = ("process", "PSS first, MiB", "last", "drift PSS", "drift RSS", "files", "threads")
POINTS = ((50, "p50"), (95, "p95"), (99, "p99"), (99.9, "p99.9"))


@dataclass
class SoakResult:
    """Everything that is known after a soak."""

    plan: dict[str, Any]
    seconds: float
    tally: Tally
    watch: Monitor
    verdicts: dict[str, int]
    finished: int
    status: int = 0
    """The exit status of the service."""
    calibration: list[float] = field(default_factory=list)
    ended: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))

    @property
    def drift(self) -> float | None:
        """The drift of the memory of all processes together; ``None`` where there were too few samples."""
        return drift(total_memory(list(self.watch.looks.values())))

    @property
    def failures(self) -> list[str]:
        """Everything that must not be; empty: the soak is passed."""
        found = [f"{text} ({times} times)" for text, times in self.tally.errors.items()]
        found += [
            f"{times} matches audit to {verdict}" for verdict, times in self.verdicts.items() if verdict != "verified"
        ]
        if self.status:
            found.append(f"the service ended with status {self.status}")
        if self.plan["minutes"] >= WARM and self.drift is not None and self.drift >= MOST_DRIFT:
            found.append(f"memory grows by {self.drift:.1%} in the last two thirds")
        return found


def soak_document(soak: SoakResult) -> dict[str, Any]:
    """Return ``gyoji-soak/1``. Latencies are milliseconds, memory is MiB, drift a share."""
    scheduled = len(soak.tally.late)
    plan = {**soak.plan, "store": store_kind(soak.plan["store"])}
    return {
        "format": FORMAT,
        "ended": soak.ended,
        "machine": machine(),
        "versions": versions(None),
        "calibration": soak.calibration,
        "plan": plan,
        "seconds": round(soak.seconds, 1),
        "answers": scheduled,
        "achieved_rate": round(scheduled / soak.seconds, 2),
        "sent_late_ms": _points(soak.tally.late),
        "kinds": {kind: _points(times) for kind, times in sorted(soak.tally.latencies.items())},
        "matches": {"finished": soak.finished, "verdicts": soak.verdicts},
        "errors": dict(soak.tally.errors),
        "memory": {
            "drift": soak.drift,
            "processes": {role: _process(looks) for role, looks in soak.watch.looks.items()},
            "line": [(round(at), round(mib, 1)) for at, mib in total_memory(list(soak.watch.looks.values()))],
        },
        "load": [round(look.load, 2) for look in soak.watch.machine],
        "store_mib": [round(look.store, 1) for look in soak.watch.machine],
        "failures": soak.failures,
    }


def store_kind(url: str | None) -> str:
    """Return ``sqlite`` or ``postgresql``; never more of the URL, which may hold a password."""
    return "sqlite" if url is None else url.partition(":")[0].partition("+")[0]


def _points(seconds: Sequence[float]) -> dict[str, float]:
    """Return how many there were, and the latencies in milliseconds that so many percent did not exceed."""
    ordered = sorted(seconds)
    if not ordered:
        return {"count": 0}
    points = {name: _ms(ordered[min(len(ordered) - 1, int(len(ordered) * share / 100))]) for share, name in POINTS}
    return {"count": len(ordered), **points, "max": _ms(ordered[-1])}


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)


def _process(looks: Sequence[ProcessSample]) -> dict[str, Any]:
    last = looks[-1]
    return {
        "pss": [round(look.pss, 1) for look in looks],
        "rss_first": round(looks[0].rss, 1),
        "rss_last": round(last.rss, 1),
        "drift_pss": drift([(look.at, look.pss) for look in looks]),
        "drift_rss": drift([(look.at, look.rss) for look in looks]),
        "files": _least_most([look.files for look in looks]),
        "threads": _least_most([look.threads for look in looks]),
    }


def _least_most(values: Sequence[int]) -> tuple[int, int]:
    return min(values), max(values)


def soak_markdown(soak: SoakResult) -> str:
    """Write the same for people, as Markdown."""
    found = soak_document(soak)
    plan, memory = found["plan"], found["memory"]
    head = [
        f"# Soak: {plan['minutes']:g} minutes at {plan['rate']:g} requests a second, {plan['server']}, {plan['store']}",
        "",
        f"{found['machine']}; {found['versions']}. Load average {_range(found['load'])}; "
        f"calibration loop {spread(found['calibration'])} million steps/s.",
        "",
        f"{found['answers']:,} answers, {found['achieved_rate']:g} a second; {soak.tally.errors.total()} errors; "
        f"{soak.finished:,} matches played to the end, {soak.verdicts.get('verified', 0):,} audited `verified`. "
        f"Store: {_range(found['store_mib'])} MiB.",
        "",
        "Latency in ms from the moment a request was due, whether or not it could be sent then "
        f"(sent late: p99 {found['sent_late_ms'].get('p99', 0)}, at most {found['sent_late_ms'].get('max', 0)}):",
        "",
    ]
    kinds: list[tuple[str, ...]] = [("request", "count", *[name for _, name in POINTS], "max")]
    kinds += [_kind(kind, points) for kind, points in found["kinds"].items()]
    processes: list[tuple[str, ...]] = [
        ("process", "PSS first, MiB", "last", "drift PSS", "drift RSS", "files", "threads")
    ]
    processes += [_row(role, of) for role, of in memory["processes"].items()]
    tail = [f"Memory of all together (PSS): drift {_share(memory['drift'])} over the last two thirds.", ""]
    verdict = ["Passed." if not soak.failures else "Failed: " + "; ".join(soak.failures) + "."]
    return "\n".join([*head, *_table(kinds), "", *_table(processes), "", *tail, *verdict])


def _kind(kind: str, points: dict[str, float]) -> tuple[str, ...]:
    return (kind, f"{points['count']:,}", *[number(points[name]) for _, name in POINTS], number(points["max"]))


def _row(role: str, of: dict[str, Any]) -> tuple[str, ...]:
    pss = of["pss"]
    files, threads = (f"{least}–{most}" for least, most in (of["files"], of["threads"]))
    return (role, f"{pss[0]:g}", f"{pss[-1]:g}", _share(of["drift_pss"]), _share(of["drift_rss"]), files, threads)


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:+.1%}"


def _range(values: Sequence[float]) -> str:
    return f"{min(values):g}–{max(values):g}" if values else "-"


def _table(rows: Iterable[Sequence[str]]) -> list[str]:
    first, *others = ["| " + " | ".join(row) + " |" for row in rows]
    return [first, "|" + "---|" * (first.count("|") - 1), *others]
