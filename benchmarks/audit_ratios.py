"""Measures how fast replay files are audited: against peers that read their own back, by two processes, with
signatures."""

from collections import defaultdict
from collections.abc import Mapping
from sys import executable

from benchmarks import installation
from benchmarks.effort import Effort
from benchmarks.engines import PEERS, Pairs, boardgame_io, compare_slices, run_driver, run_with_peers, turn_driver
from benchmarks.figures import Goal, Row, as_limit, times_as_fast
from benchmarks.store_audits import audit_store
from benchmarks.surroundings import progress
from benchmarks.turns import keep_drivers, order_of_turn
from benchmarks.two_processes import audit_by_two
from gyoji.games.catalogue import BY_SLUG

BOARDGAME, CHESS = "boardgame.io reducer, its log replayed", "python-chess, PGN with a light visitor"
GOALS = {BOARDGAME: Goal("G10", floor=10, aim=20), CHESS: Goal("G11", floor=1.2, aim=2.3)}
SIGNED = Goal(floor=0.85)
LEAST = "only what no audit can leave out"


def measure(effort: Effort) -> list[Row]:
    """Measure each game and the peers in turn; then what needs more than one process, a store, or keys."""
    pairs = _pairs(effort)
    against = [
        compare_slices(f"{slug}: audit, moves/s", slug, peer, pairs, goal)
        for peer, goal in GOALS.items()
        for slug in BY_SLUG
    ]
    limits = [
        as_limit(goal.id, compare_slices(f"{slug}: {LEAST}, moves/s", _least(slug), peer, pairs, Goal()))
        for peer, goal in GOALS.items()
        for slug in BY_SLUG
    ]
    more = [*audit_by_two(effort), audit_store(effort)]
    return [*against, *limits, *more, *[_signed(slug, effort) for slug in BY_SLUG]]


def _least(slug: str) -> str:
    return f"{slug}, {LEAST}"


def _pairs(effort: Effort) -> Pairs:
    """Run in every round each game, and what no audit of it can leave out, with every peer right after it."""
    pairs: Pairs = defaultdict(list)
    with keep_drivers(_drivers(effort.slice)) as running:
        for number in range(effort.turns):
            progress(f"audits, round {number + 1} of {effort.turns}")
            for slug in order_of_turn([*BY_SLUG], number):
                found = run_with_peers(slug, list(GOALS), running, pairs)
                for peer in GOALS:
                    pairs[_least(slug), peer].append((found["least"], pairs[slug, peer][-1][1]))
    return pairs


def _drivers(seconds: float) -> dict[str, tuple[list[str], Mapping[str, str] | None]]:
    drivers = {slug: turn_driver([executable, "-m", "benchmarks.audits", slug], seconds) for slug in BY_SLUG}
    if replayed := boardgame_io():
        drivers[BOARDGAME] = turn_driver(replayed, seconds, "replay")
    if python := installation.python_of(installation.CHESS):
        drivers[CHESS] = turn_driver([str(python), str(PEERS / "pgn.py")], seconds)
    return drivers


def _signed(slug: str, effort: Effort) -> Row:
    """Audit one game's files with the signature checked, and the same without trusted keys."""
    signed: list[float] = []
    unsigned: list[float] = []
    for repeat in range(effort.less):
        progress(f"{slug}: audits with signatures, repeat {repeat + 1} of {effort.less}")
        found = run_driver([executable, "-m", "benchmarks.audits", slug], effort.seconds, repeat, "signatures")
        signed.append(found["with_signatures"])
        unsigned.append(found["without"])
    ratios = times_as_fast(signed, unsigned)
    measure = f"{slug}: audit with signatures, moves/s"
    return Row(measure, tuple(signed), "the same without", tuple(unsigned), ratios, SIGNED)
