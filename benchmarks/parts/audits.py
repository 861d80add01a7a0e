"""The parts of the audit of a replay file: a driver that takes turns, and what is made of it.

usage: python -m benchmarks.parts.audits turns
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

from benchmarks.audits import audited
from benchmarks.courses import Course, Shelf, digest, hash_lines, rule, shelf, verify
from benchmarks.effort import Effort
from benchmarks.random_games import MOST_PLIES, SEATS
from benchmarks.splits import Split, added, timed
from benchmarks.surroundings import progress
from benchmarks.turns import alternating, answering, resident
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.canonical import canonical, position_commitment, secret_commitment
from gyoji.log.files import write_replay
from gyoji.log.parser import LIMITS, cut
from gyoji.log.signatures import Trusted, public_bytes, signer
from gyoji.match.prescan import prescan_buffered
from gyoji.simulation.matches import plan_match, simulate_match

WHOLE = "audit of a replay file, µs a move (G10, G11)"
FIXED = "what a file costs that holds no move, but for its signature"
DRIVER = [sys.executable, "-m", "benchmarks.parts.audits"]


class Bare(NamedTuple):
    """A file of a match that ended before its first move."""

    file: bytes
    trusted: Sequence[Trusted]


def of_audits(effort: Effort) -> list[Split]:
    """Each game."""
    with resident({"audits": (DRIVER, None)}) as running:
        progress("parts of the audit")
        found = [running["audits"]() for _ in range(effort.turns)]
    return [added(WHOLE, slug, [one[slug] for one in found]) for slug in BY_SLUG]


def bare(slug: str, rng: Random) -> Bare:
    """Dealt, void, disclosed and signed."""
    game, signing = BY_SLUG[slug], signer(rng.randbytes(32), "bench")
    at_table = plan_match(game, min(SEATS, game.max_seats), {}, "public_on_close", rng.randbytes(16).hex(), 0)
    log = simulate_match(at_table._replace(cancelled_after=1), MOST_PLIES)
    trusted = [Trusted(signing.key, signing.origin, public_bytes(signing.private), revoked=False)]
    return Bare(b"".join(write_replay(log.entries[0], log.entries[1:], signing, "full")), trusted)


def pieces(kept: Shelf, empty: Bare) -> Mapping[str, float]:
    """Microseconds a move, over the same files each time."""
    game, moves = kept.game, kept.moves
    lines = [[*cut((course.file,))] for course in kept.courses]

    def each(step: Callable[[Course], object]) -> float:
        return timed(lambda: [step(course) for course in kept.courses], moves)

    signature = each(verify)
    fixed = timed(lambda: [audited(empty.file, empty.trusted) for _ in kept.courses], moves)
    return {
        "": each(lambda course: audited(course.file, kept.trusted)),
        "rules: every move ruled on again": each(partial(rule, game)),
        "canonical bytes of what follows from each": each(_consequences),
        "hashes of the lines": each(hash_lines),
        "commitments of what was hidden": each(_hidden),
        "commitments of positions": each(partial(_positions, game)),
        "the file cut into lines": each(lambda course: [*cut((course.file,))]),
        "first pass, for the seed": timed(lambda: [prescan_buffered(one, LIMITS) for one in lines], moves),
        "digest of the file": each(digest),
        "signature": signature,
        FIXED: fixed - signature,
    }


def _consequences(course: Course) -> None:
    for ruled in course.moves:
        canonical(ruled.events)


def _hidden(course: Course) -> None:
    for salt, payload in course.openings:
        secret_commitment(salt, payload)


def _positions(game: Any, course: Course) -> None:
    """But for that of the deal and that of the end, which every file has."""
    for position in course.positions[1:-1]:
        position_commitment(position.salt, game.write_state(position.state))


if __name__ == "__main__":
    source = Random(1)
    known = {slug: (shelf(slug, source), bare(slug, source)) for slug in BY_SLUG}
    answering(alternating({slug: partial(pieces, *one) for slug, one in known.items()}))
