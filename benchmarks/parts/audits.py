"""Splits the audit of a replay file into its parts: a driver that takes turns, and the section that runs it.

usage: python -m benchmarks.parts.audits turns
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

from benchmarks.audits import time_audit
from benchmarks.courses import (
    FinishedMatch,
    FinishedMatches,
    digest_file,
    hash_lines,
    make_finished_matches,
    rule_again,
    verify_signature,
)
from benchmarks.effort import Effort
from benchmarks.random_games import MOST_PLIES, SEATS
from benchmarks.splits import Split, make_split, time_calls
from benchmarks.surroundings import progress
from benchmarks.turns import alternate, answer_turns, keep_drivers
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.canonical import canonical, position_commitment, secret_commitment
from gyoji.log.files import write_replay
from gyoji.log.lines import cut
from gyoji.log.parser import LIMITS
from gyoji.log.signatures import Trusted, public_bytes, signer
from gyoji.match.prescan import prescan_buffered
from gyoji.simulation.matches import plan_match, simulate_match

WHOLE = "audit of a replay file, µs a move (G10, G11)"
FIXED = "what a file costs that holds no move, but for its signature"
DRIVER = [sys.executable, "-m", "benchmarks.parts.audits"]


class EmptyMatch(NamedTuple):
    """A file of a match that ended before its first move."""

    file: bytes
    trusted: Sequence[Trusted]


def split_audits(effort: Effort) -> list[Split]:
    """Split the audit of each game."""
    with keep_drivers({"audits": (DRIVER, None)}) as running:
        progress("parts of the audit")
        found = [running["audits"]() for _ in range(effort.turns)]
    return [make_split(WHOLE, slug, [one[slug] for one in found]) for slug in BY_SLUG]


def make_empty_match(slug: str, rng: Random) -> EmptyMatch:
    """Make a match that was dealt, made void, disclosed and signed."""
    game, signing = BY_SLUG[slug], signer(rng.randbytes(32), "bench")
    at_table = plan_match(game, min(SEATS, game.max_seats), {}, "public_on_close", rng.randbytes(16).hex(), 0)
    log = simulate_match(at_table._replace(cancelled_after=1), MOST_PLIES)
    trusted = [Trusted(signing.key, signing.origin, public_bytes(signing.private), revoked=False)]
    return EmptyMatch(b"".join(write_replay(log.entries[0], log.entries[1:], signing, "full")), trusted)


def time_pieces(kept: FinishedMatches, empty: EmptyMatch) -> Mapping[str, float]:
    """Time the parts, in microseconds a move, over the same files each time."""
    game, moves = kept.game, kept.moves
    lines = [[*cut((course.file,))] for course in kept.courses]

    def each(step: Callable[[FinishedMatch], object]) -> float:
        return time_calls(lambda: [step(course) for course in kept.courses], moves)

    signature = each(verify_signature)
    fixed = time_calls(lambda: [time_audit(empty.file, empty.trusted) for _ in kept.courses], moves)
    return {
        "": each(lambda course: time_audit(course.file, kept.trusted)),
        "rules: every move ruled on again": each(partial(rule_again, game)),
        "canonical bytes of what follows from each": each(_consequences),
        "hashes of the lines": each(hash_lines),
        "commitments of what was hidden": each(_hidden),
        "commitments of positions": each(partial(_positions, game)),
        "the file cut into lines": each(lambda course: [*cut((course.file,))]),
        "first pass, for the seed": time_calls(lambda: [prescan_buffered(one, LIMITS) for one in lines], moves),
        "digest of the file": each(digest_file),
        "signature": signature,
        FIXED: fixed - signature,
    }


def _consequences(course: FinishedMatch) -> None:
    for ruled in course.moves:
        canonical(ruled.events)


def _hidden(course: FinishedMatch) -> None:
    for salt, payload in course.openings:
        secret_commitment(salt, payload)


def _positions(game: Any, course: FinishedMatch) -> None:
    """Check the committed positions, but for those of the deal and of the end, which every file has."""
    for position in course.positions[1:-1]:
        position_commitment(position.salt, game.write_state(position.state))


if __name__ == "__main__":
    source = Random(1)
    known = {slug: (make_finished_matches(slug, source), make_empty_match(slug, source)) for slug in BY_SLUG}
    answer_turns(alternate({slug: partial(time_pieces, *one) for slug, one in known.items()}))
