"""Audits of whole replay files against the clock, in a process of its own; one line of JSON.

usage: python -m gyoji.bench.audits GAME SECONDS NUMBER [signatures|SEATS]

With the word ``signatures`` every file is audited by turns with trusted keys and without any; with a number, matches
have so many seats.

Files of random games are made beforehand; an audit reads the bytes, checks them, chain, signature, openings, seed and
shuffles, plays every move again and compares every consequence. The clock is the processor time of the thread.
"""

import json
import sys
from collections.abc import Iterator
from functools import partial
from itertools import cycle, islice
from random import Random
from statistics import median
from time import thread_time
from typing import Any

from gyoji.bench.playing import MOST_PLIES, SEATS
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game
from gyoji.replay.audit import audit
from gyoji.replay.files import written
from gyoji.replay.reading import cut
from gyoji.replay.signatures import Signer, Trusted, public_bytes, signer
from gyoji.wire.simulation import simulated, table
from gyoji.wire.verdicts import rules_for

FILES, FEWEST, PLIES = 20, 3, 6_000
"""As many files, or fewer (but not fewer than that) where games are so long that they come to so many plies."""
WARM_UP = 5


def kept(game: Game[Any], seed: str, signing: Signer, seats: int) -> Iterator[bytes]:
    """Files of random games that came to their end."""
    number = 0
    while True:
        log = simulated(table(game, seats, {}, "public_on_close", seed, number), MOST_PLIES)
        number += 1
        if log.standing.over:
            yield b"".join(written(log.entries[0], log.entries[1:], signing, "full"))


def moves_in(file: bytes) -> int:
    """How many moves and choices a file tells of."""
    return file.count(b'"type":"move_played"') + file.count(b'"type":"choice_made"')


def some(game: Game[Any], seed: str, signing: Signer, seats: int | None = None) -> list[bytes]:
    """Enough files to audit again and again."""
    files: list[bytes] = []
    plies = 0
    for file in islice(kept(game, seed, signing, seats or min(SEATS, game.max_seats)), FILES):
        files.append(file)
        plies += moves_in(file)
        if plies >= PLIES and len(files) >= FEWEST:
            break
    return files


def measured(slug: str, seconds: float, rng: Random, seats: int | None = None) -> dict[str, float]:
    """Moves a second over as many files as fill that time, after a warm-up."""
    game = BY_SLUG[slug]
    signing = signer(rng.randbytes(32), "bench")
    files = some(game, rng.randbytes(16).hex(), signing, seats)
    trusted = [Trusted(signing.key, signing.origin, public_bytes(signing.private), revoked=False)]
    moves, spent = 0, 0.0
    for number, file in enumerate(cycle(files)):
        begun = thread_time()
        verdict = audit(partial(cut, (file,)), rules_for, trusted)
        took = thread_time() - begun
        if verdict.verdict != "verified":
            raise RuntimeError(f"{slug}: {verdict}")
        if number >= WARM_UP:
            spent += took
            moves += moves_in(file)
        if spent >= seconds:
            break
    return {"moves_per_second": moves / spent}


def compared(slug: str, seconds: float, rng: Random) -> dict[str, float]:
    """Moves a second with the key trusted, so that the head's signature is checked, and without; by turns, medians."""
    game = BY_SLUG[slug]
    signing = signer(rng.randbytes(32), "bench")
    files = some(game, rng.randbytes(16).hex(), signing)
    trusted = [Trusted(signing.key, signing.origin, public_bytes(signing.private), revoked=False)]
    signed: list[list[float]] = [[] for _ in files]
    unsigned: list[list[float]] = [[] for _ in files]
    spent, rounds = 0.0, 0
    while spent < seconds or rounds < WARM_UP:
        for file, ours, theirs in zip(files, signed, unsigned, strict=True):
            for keys, word, took in ((trusted, "verified", ours), (None, "verified_partial", theirs)):
                begun = thread_time()
                verdict = audit(partial(cut, (file,)), rules_for, keys)
                took.append(thread_time() - begun)
                if verdict.verdict != word:
                    raise RuntimeError(f"{slug}: {verdict}")
                spent += took[-1]
        rounds += 1
    moves = sum(map(moves_in, files))
    with_keys, without = (moves / sum(map(median, times)) for times in (signed, unsigned))
    return {"with_signatures": with_keys, "without": without}


if __name__ == "__main__":
    name, duration, repeat, *how = sys.argv[1:]
    if how == ["signatures"]:
        print(json.dumps(compared(name, float(duration), Random(int(repeat)))))
    else:
        print(json.dumps(measured(name, float(duration), Random(int(repeat)), *map(int, how))))
