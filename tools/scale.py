"""Writes the tables of ``docs/scale.md`` from the figures in ``docs/scale/measured.json``: ``python tools/scale.py``.

Nothing here is measured: it is arithmetic, so that every total in the document follows from what was.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import mean
from typing import Any

MEASURED = Path(__file__).parent.parent / "docs" / "scale" / "measured.json"
MATCHES = 100_000_000
YEAR = 365 * 86400
PEAK = 4
"""How much more is played at the busiest hour than on average: assumed."""
WINDOW = 90
"""Days that events stay in the database before they are archived: chosen."""
SHARE = 0.5
"""How busy a core may be at the peak: chosen."""
PACK_MATCHES, PACK_BYTES = 1000, 64 << 20
CORES = (1, 8, 32, 128)
SECTIONS = ("rows", "matches", "stock", "load", "archiving", "audit")

Figures = Mapping[str, Any]


def measured() -> Figures:
    """Read the figures."""
    figures: Figures = json.loads(MEASURED.read_text("utf-8"))
    return figures


def per_match(game: Figures, kind: str) -> dict[str, float]:
    """Return the bytes of a match in each table, with indexes."""
    return {name: size / game["matches"] for name, size in game[kind]["bytes"].items()}


def average(figures: Figures, kind: str) -> dict[str, float]:
    """Return a figure of a match of no particular game: each of the games as often."""
    games = [per_match(game, kind) for game in figures["games"].values()]
    return {name: mean([game[name] for game in games]) for name in games[0]}


def of_a_match(figures: Figures, what: str) -> float:
    """Return how many events, or moves, a match has: each game as often."""
    return float(mean([game[what] / game["matches"] for game in figures["games"].values()]))


def archived_bytes(figures: Figures) -> float:
    """Return the bytes of a match in a pack: each game as often."""
    return float(mean([game["postgresql"]["archive"] / game["matches"] for game in figures["games"].values()]))


def rows(figures: Figures) -> Iterator[str]:
    """Compute what a row weighs."""
    yield "| game | events, moves a match | body | sealed | row, PostgreSQL | row, SQLite | in a pack | move's record |"
    yield "|---|---|---|---|---|---|---|---|"
    for slug, game in figures["games"].items():
        events, moves = game["events"], game["moves"]
        postgres, sqlite = game["postgresql"], game["sqlite"]
        yield (
            f"| `{slug}` | {events / game['matches']:.0f}, {moves / game['matches']:.0f} "
            f"| {game['bodies'] / events:.0f} | {postgres['sealed'] / events:.0f} "
            f"| {postgres['bytes']['events'] / events:.0f} | {sqlite['bytes']['events'] / events:.0f} "
            f"| {postgres['archive'] / events:.0f} | {postgres['bytes']['idempotency'] / moves:.0f} |"
        )


def matches(figures: Figures) -> Iterator[str]:
    """Compute what a match weighs, each game as often."""
    postgres, sqlite = average(figures, "postgresql"), average(figures, "sqlite")
    yield "| of a match | PostgreSQL | SQLite |"
    yield "|---|---|---|"
    for name in ("matches", "events", "idempotency", "tree_leaves"):
        yield f"| `{name}` | {postgres[name]:,.0f} | {sqlite[name]:,.0f} |"
    yield f"| `archived` | {postgres['archived']:,.0f} | not measured |"
    yield f"| its part of a pack | {archived_bytes(figures):,.0f} | the same |"


def stock(figures: Figures) -> Iterator[str]:
    """Compute the figures of a hundred million matches at rest."""
    postgres = average(figures, "postgresql")
    record = postgres["idempotency"] / of_a_match(figures, "moves")  # that of its making
    staying = sum([postgres[name] for name in ("matches", "tree_leaves", "archived")]) + record
    part = archived_bytes(figures)
    in_pack = min(PACK_MATCHES, PACK_BYTES / part)
    whole = sum([postgres[name] for name in ("matches", "events", "idempotency", "tree_leaves")])
    live = MATCHES * WINDOW / 365 * (postgres["events"] + postgres["idempotency"])
    yield "| 100,000,000 matches | |"
    yield "|---|---|"
    yield f"| events | {MATCHES * of_a_match(figures, 'events') / 1e9:.1f} thousand million |"
    yield f"| everything in PostgreSQL | {terabytes(MATCHES * whole)} |"
    yield f"| of that `events` | {terabytes(MATCHES * postgres['events'])} |"
    yield f"| of that `idempotency` | {terabytes(MATCHES * postgres['idempotency'])} |"
    yield f"| everything archived: what stays in PostgreSQL | {terabytes(MATCHES * staying)} |"
    yield f"| everything archived: the packs | {terabytes(MATCHES * part)} in {MATCHES / in_pack:,.0f} objects |"
    yield f"| all but the last {WINDOW} days of a year archived: PostgreSQL | {terabytes(MATCHES * staying + live)} |"


def load(figures: Figures) -> Iterator[str]:
    """Compute the figures of a hundred million matches in a year, as they are played."""
    cost, postgres = figures["cost"], average(figures, "postgresql")
    moves = MATCHES * of_a_match(figures, "moves") / YEAR
    peak = moves * PEAK
    event = postgres["events"] / of_a_match(figures, "events")
    record = postgres["idempotency"] / of_a_match(figures, "moves")
    cores = peak * cost["move_us"] / 1e6 / SHARE
    yield "| 100,000,000 matches a year | average | peak |"
    yield "|---|---|---|"
    yield f"| matches begun a second | {MATCHES / YEAR:.1f} | {MATCHES / YEAR * PEAK:.1f} |"
    yield f"| moves a second: commits, and syncs at most | {moves:,.0f} | {peak:,.0f} |"
    written = moves * (event + record) / 1e6
    yield f"| rows and indexes written, MB a second | {written:.2f} | {written * PEAK:.2f} |"
    yield f"| cores of servers, half busy | {cores / PEAK:.1f} | {cores:.1f} |"
    yield f"| connections, one process a core, {cost['pool']} each | | {cores * cost['pool']:.0f} |"


def archiving(figures: Figures) -> Iterator[str]:
    """Compute what moving and reading cost."""
    spent = mean([game["postgresql"]["archiving_us_per_event"] for game in figures["games"].values()])
    events = MATCHES * of_a_match(figures, "events")
    part = archived_bytes(figures)
    in_pack = min(PACK_MATCHES, PACK_BYTES / part)
    read = {
        kind: mean([game["postgresql"]["read_us"][kind] for game in figures["games"].values()])
        for kind in ("database", "archive")
    }
    yield "| the archive | |"
    yield "|---|---|"
    yield f"| archiving, CPU µs an event (PostgreSQL; its own CPU not counted) | {spent:.1f} |"
    yield f"| archiving all of it, core hours | {events * spent / 3.6e9:,.0f} |"
    yield f"| archiving what is closed in a day of such a year, core minutes | {events / 365 * spent / 6e7:.0f} |"
    yield f"| packs written in such a day | {MATCHES / 365 / in_pack:,.0f} |"
    yield f"| reading a whole log from the database, CPU ms | {read['database'] / 1000:.1f} |"
    yield f"| reading a whole log from a pack in a folder, CPU ms | {read['archive'] / 1000:.1f} |"


def audit(figures: Figures) -> Iterator[str]:
    """Compute the figures of a million replays."""
    cost = figures["audit"]
    each = mean([game["ms"] for game in cost["games"].values()])
    size = mean([game["bytes"] for game in cost["games"].values()])
    total = 1e6 * each / 1000
    yield "| 1,000,000 replays, each game as often | |"
    yield "|---|---|"
    yield f"| CPU ms a replay | {each:.2f} |"
    yield f"| CPU hours in all | {total / 3600:.2f} |"
    for cores in CORES:
        busy = max(total / cores, 1e6 * cost["feeder_ms"] / 1000 if cores > 1 else 0)
        yield f"| minutes on {cores} core{'s' if cores > 1 else ''}, one command | {busy / 60:.1f} |"
    yield f"| bytes read | {1e6 * size / 1e9:.0f} GB |"
    yield f"| the report | {1e6 * cost['report_line'] / 1e9:.2f} GB |"
    yield f"| processes that one main process can feed | {each / cost['feeder_ms']:.0f} |"
    yield f"| 100,000,000 replays, CPU hours | {100 * total / 3600:.0f} |"


def terabytes(size: float) -> str:
    """Bytes as TB, thousands of thousands of millions."""
    return f"{size / 1e12:.2f} TB"


def lines() -> Iterator[tuple[str, str]]:
    """Return every line of every table, with the table's name."""
    figures = measured()
    made = {"rows": rows, "matches": matches, "stock": stock, "load": load, "archiving": archiving, "audit": audit}
    for name in SECTIONS:
        yield from [(name, line) for line in made[name](figures)]


if __name__ == "__main__":
    for name in SECTIONS:
        sys.stdout.write("\n".join([line for table, line in lines() if table == name]) + "\n\n")
