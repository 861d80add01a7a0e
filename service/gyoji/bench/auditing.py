"""How fast replay files are audited: in one process, against boardgame.io and python-chess reading their own back; with
two processes, against one; and what the signature under each costs."""

from sys import executable

from gyoji.bench import installing
from gyoji.bench.effort import Effort
from gyoji.bench.engines import PEERS, boardgame_io, driven
from gyoji.bench.figures import Goal, Row, times_as_fast
from gyoji.bench.surroundings import progress
from gyoji.bench.two_processes import two_processes
from gyoji.games.catalogue import BY_SLUG

BOARDGAME, CHESS = "boardgame.io reducer, its log replayed", "python-chess, PGN with a light visitor"
GOALS = {BOARDGAME: Goal("G10", floor=10, aim=20), CHESS: Goal("G11", floor=1.2, aim=2.3)}
SIGNED = Goal(floor=0.85)


def measure(effort: Effort) -> list[Row]:
    """Each game and the peers in turn, each in a fresh process."""
    rates = _rates(effort)
    against = [
        Row(
            f"{slug}: audit, moves/s",
            tuple(rates[slug]),
            peer,
            tuple(rates[peer]),
            times_as_fast(rates[slug], rates[peer]),
            goal,
        )
        for peer, goal in GOALS.items()
        for slug in BY_SLUG
    ]
    return [*against, two_processes(effort), *[_signed(slug, effort) for slug in BY_SLUG]]


def _rates(effort: Effort) -> dict[str, list[float]]:
    drivers = {slug: [executable, "-m", "gyoji.bench.audits", slug] for slug in BY_SLUG}
    replayed = boardgame_io()
    python = installing.python_of(installing.CHESS)
    rates: dict[str, list[float]] = {name: [] for name in (*BY_SLUG, *GOALS)}
    for repeat in range(effort.repeats):
        progress(f"audits, repeat {repeat + 1} of {effort.repeats}")
        for slug, command in drivers.items():
            rates[slug].append(driven(command, effort.seconds, repeat)["moves_per_second"])
        if replayed:
            rates[BOARDGAME].append(driven(replayed, effort.seconds, repeat, "replay")["moves_per_second"])
        if python:
            pgn = [str(python), str(PEERS / "pgn.py")]
            rates[CHESS].append(driven(pgn, effort.seconds, repeat)["moves_per_second"])
    return rates


def _signed(slug: str, effort: Effort) -> Row:
    """One game's files with the signature checked, against the same without trusted keys."""
    signed: list[float] = []
    unsigned: list[float] = []
    for repeat in range(effort.less):
        progress(f"{slug}: audits with signatures, repeat {repeat + 1} of {effort.less}")
        found = driven([executable, "-m", "gyoji.bench.audits", slug], effort.seconds, repeat, "signatures")
        signed.append(found["with_signatures"])
        unsigned.append(found["without"])
    ratios = times_as_fast(signed, unsigned)
    measure = f"{slug}: audit with signatures, moves/s"
    return Row(measure, tuple(signed), "the same without", tuple(unsigned), ratios, SIGNED)
