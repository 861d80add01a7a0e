"""Measure 5: how fast whole replay files are audited in one process, against boardgame.io replaying its own log; and
what the signature under each costs."""

from sys import executable

from gyoji.bench.engines import PEERS, driven
from gyoji.bench.figures import Goal, Row, times_as_fast
from gyoji.bench.installing import node, node_modules
from gyoji.bench.surroundings import progress
from gyoji.games.catalogue import BY_SLUG

PEER = "boardgame.io reducer, its log replayed"
GOAL = Goal(floor=10, aim=20)
SIGNED = Goal(floor=0.85)


def measure(repeats: int, seconds: float) -> list[Row]:
    """Each game and the peer in turn, each in a fresh process."""
    drivers = {slug: [executable, "-m", "gyoji.bench.audits", slug] for slug in BY_SLUG}
    rates: dict[str, list[float]] = {name: [] for name in (*BY_SLUG, PEER)}
    for repeat in range(repeats):
        progress(f"audits, repeat {repeat + 1} of {repeats}")
        for slug, command in drivers.items():
            rates[slug].append(driven(command, seconds, repeat)["moves_per_second"])
        if node_modules():
            command = [node() or "node", str(PEERS / "boardgame.js")]
            rates[PEER].append(driven(command, seconds, repeat, "replay")["moves_per_second"])
    peer = tuple(rates[PEER])
    return [
        *[
            Row(f"{slug}: audit, moves/s", tuple(rates[slug]), PEER, peer, times_as_fast(rates[slug], peer), GOAL)
            for slug in BY_SLUG
        ],
        *[_signed(slug, repeats, seconds) for slug in BY_SLUG],
    ]


def _signed(slug: str, repeats: int, seconds: float) -> Row:
    """One game's files with the signature checked, against the same without trusted keys."""
    signed: list[float] = []
    unsigned: list[float] = []
    for repeat in range(repeats):
        progress(f"{slug}: audits with signatures, repeat {repeat + 1} of {repeats}")
        found = driven([executable, "-m", "gyoji.bench.audits", slug], seconds, repeat, "signatures")
        signed.append(found["with_signatures"])
        unsigned.append(found["without"])
    ratios = times_as_fast(signed, unsigned)
    measure = f"{slug}: audit with signatures, moves/s"
    return Row(measure, tuple(signed), "the same without", tuple(unsigned), ratios, SIGNED)
