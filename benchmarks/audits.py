"""A driver: audits of whole replay files against the clock; prints a line of JSON.

usage: python -m benchmarks.audits GAME SECONDS NUMBER [signatures|SEATS|turns]

With the word ``signatures`` every file is audited by turns with trusted keys and without any; with a number, matches
have so many seats. ``do_least`` is what a loop reaches that does only what no audit can leave out (``courses.least``).

Files of random games are made beforehand; an audit reads the bytes, checks them, chain, signature, openings, seed and
shuffles, plays every move again and compares every consequence. The clock is the processor time of the thread.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import cycle
from random import Random
from statistics import median
from time import thread_time

from benchmarks.courses import FinishedMatch, FinishedMatches, do_least, make_finished_matches
from benchmarks.turns import WORD, answer_turns
from gyoji.audit.audit import audit
from gyoji.log.lines import cut
from gyoji.log.signatures import Trusted
from gyoji.messages.verdicts import rules_for

WARM_UP = 5


def time_audit(file: bytes, trusted: Sequence[Trusted] | None) -> float:
    """Time the audit of a file, in seconds; it has to find nothing wrong."""
    begun = thread_time()
    verdict = audit(partial(cut, (file,)), rules_for, trusted)
    took = thread_time() - begun
    if verdict.verdict != ("verified_partial" if trusted is None else "verified"):
        raise RuntimeError(str(verdict))
    return took


def measure_rates(slug: str, seconds: float, rng: Random, seats: int | None = None) -> dict[str, float]:
    """Measure moves a second over as many files as fill that time, after a warm-up."""
    kept = make_finished_matches(slug, rng, seats)
    courses = cycle(kept.courses)
    for _ in range(WARM_UP):
        time_audit(next(courses).file, kept.trusted)
    return rates_of(kept, courses, seconds)


def rates_of(kept: FinishedMatches, courses: Iterator[FinishedMatch], seconds: float) -> dict[str, float]:
    """Measure moves a second of the audit, and of the least that there is to it."""
    return {
        "moves_per_second": _rate(lambda one: time_audit(one.file, kept.trusted), courses, seconds),
        "least": _rate(partial(_least, kept), courses, seconds / 2),
    }


def _rate(took: Callable[[FinishedMatch], float], courses: Iterator[FinishedMatch], seconds: float) -> float:
    moves, spent = 0, 0.0
    for one in courses:
        spent += took(one)
        moves += len(one.moves)
        if spent >= seconds:
            break
    return moves / spent


def _least(kept: FinishedMatches, one: FinishedMatch) -> float:
    begun = thread_time()
    do_least(kept.game, one)
    return thread_time() - begun


def compare_signatures(slug: str, seconds: float, rng: Random) -> dict[str, float]:
    """Measure moves a second with the key trusted, so that the head's signature is checked, and without; by turns,
    medians."""
    kept = make_finished_matches(slug, rng)
    signed: list[list[float]] = [[] for _ in kept.courses]
    unsigned: list[list[float]] = [[] for _ in kept.courses]
    spent, rounds = 0.0, 0
    while spent < seconds or rounds < WARM_UP:
        for one, ours, theirs in zip(kept.courses, signed, unsigned, strict=True):
            ours.append(time_audit(one.file, kept.trusted))
            theirs.append(time_audit(one.file, None))
            spent += ours[-1] + theirs[-1]
        rounds += 1
    with_keys, without = (kept.moves / sum(map(median, times)) for times in (signed, unsigned))
    return {"with_signatures": with_keys, "without": without}


def _take_turns(slug: str, seconds: float, rng: Random) -> None:
    kept = make_finished_matches(slug, rng)
    courses = cycle(kept.courses)
    answer_turns(lambda: rates_of(kept, courses, seconds))


if __name__ == "__main__":
    name, duration, repeat, *how = sys.argv[1:]
    source = Random(int(repeat))
    if how == [WORD]:
        _take_turns(name, float(duration), source)
    elif how == ["signatures"]:
        print(json.dumps(compare_signatures(name, float(duration), source)))
    else:
        print(json.dumps(measure_rates(name, float(duration), source, *map(int, how))))
