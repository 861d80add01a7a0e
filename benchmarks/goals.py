"""The goals of the project, and whether the rows of a report reach them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from benchmarks.figures import Goal, Row, number
from benchmarks.report import rows_of

TITLES = {
    "G1": "rules in one process, against boardgame.io's reducer",
    "G2": "rules in one process, against OpenSpiel's hearts through Python",
    "G3": "adjudication over HTTP, server CPU, against an echo of 4 KB",
    "G4": "adjudication over HTTP, server CPU, against a constant answer",
    "G5": "p99 at 8 connections, against an echo of 4 KB",
    "G6": "adjudications in batches, a second of CPU, against requests of the echo",
    "G7": "append in one process, against eventsourcing",
    "G8": "stored move over HTTP, SQLite, against appends through SQLAlchemy Core",
    "G9": "stored move over HTTP, PostgreSQL, against appends through psycopg",
    "G10": "audit in one process, against boardgame.io's replay",
    "G11": "audit in one process, against python-chess reading PGN",
    "G12": "audit with two processes, against one",
    "G13": "first answer, against a constant Flask application",
}
BEYOND = "the aim is beyond the limit"
WORDS = ("MISSED", "below the aim", "aim met")


class GoalStatus(NamedTuple):
    """One goal, and whether a report reaches it."""

    id: str
    floor: str
    aim: str
    ratios: str
    limit: str
    """The ratios that would be reached if all that is ours took no time; empty where that was not measured."""
    verdict: str
    """The worst of its rows'; ``not measured`` where none has figures on both sides."""


def goal_statuses(document: Mapping[str, Any]) -> list[GoalStatus]:
    """Return the status of every goal, in order."""
    rows: dict[str, list[Row]] = {goal: [] for goal in TITLES}
    limits: dict[str, list[Row]] = {goal: [] for goal in TITLES}
    for _section, row in rows_of(document):
        if row.goal.id in rows:
            rows[row.goal.id].append(row)
        if row.limit_of in limits:
            limits[row.limit_of].append(row)
    return [_goal_status(goal, rows[goal], limits[goal]) for goal in TITLES]


def _goal_status(goal: str, rows: list[Row], limits: list[Row]) -> GoalStatus:
    if not rows:
        return GoalStatus(goal, "", "", "-", "", "not measured")
    bound = rows[0].goal
    limit = _range(_ratios(limits)) if _ratios(limits) else ""
    verdicts = [row.verdict for row in rows]
    verdict = next((word for word in WORDS if word in verdicts), "not measured")
    told = verdict if len(rows) == 1 or verdict in ("aim met", "not measured") else _counted(verdict, verdicts)
    ratios = _range(_ratios(rows))
    if verdict in WORDS[:2] and _is_beyond(bound, _ratios(limits)):
        told += f"; {BEYOND}"
    return GoalStatus(goal, bound.written(bound.floor), bound.written(bound.aim), ratios, limit, told)


def _is_beyond(goal: Goal, limits: list[float]) -> bool:
    """Tell whether not even the best limit reaches the aim."""
    return bool(limits) and not any(goal.reached(ratio, goal.aim) for ratio in limits)


def _ratios(rows: list[Row]) -> list[float]:
    return sorted(row.ratio for row in rows if row.ratio is not None)


def _counted(verdict: str, verdicts: list[str]) -> str:
    return f"{verdict} ({verdicts.count(verdict)} of {len(verdicts)})"


def _range(ratios: list[float]) -> str:
    if not ratios:
        return "-"
    least, most = number(ratios[0]), number(ratios[-1])
    return least if least == most else f"{least}–{most}"
