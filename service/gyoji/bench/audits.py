"""Audits of whole replay files against the clock, in a process of its own; one line of JSON.

usage: python -m gyoji.bench.audits GAME SECONDS NUMBER [signatures]

With the word ``signatures`` every file is audited by turns with trusted keys and without any.

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

FILES = 20
WARM_UP = 5


def kept(game: Game[Any], seed: str, signing: Signer) -> Iterator[bytes]:
    """Files of random games that came to their end."""
    number = 0
    while True:
        log = simulated(table(game, min(SEATS, game.max_seats), {}, "public_on_close", seed, number), MOST_PLIES)
        number += 1
        if log.standing.over:
            yield b"".join(written(log.entries[0], log.entries[1:], signing, "full"))


def measured(slug: str, seconds: float, rng: Random) -> dict[str, float]:
    """Moves a second over as many files as fill that time, after a warm-up."""
    game = BY_SLUG[slug]
    signing = signer(rng.randbytes(32), "bench")
    files = list(islice(kept(game, rng.randbytes(16).hex(), signing), FILES))
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
            moves += file.count(b'"type":"move_played"') + file.count(b'"type":"choice_made"')
        if spent >= seconds:
            break
    return {"moves_per_second": moves / spent}


def compared(slug: str, seconds: float, rng: Random) -> dict[str, float]:
    """Moves a second with the key trusted, so that the head's signature is checked, and without; by turns, medians."""
    game = BY_SLUG[slug]
    signing = signer(rng.randbytes(32), "bench")
    files = list(islice(kept(game, rng.randbytes(16).hex(), signing), FILES))
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
    moves = sum(file.count(b'"type":"move_played"') + file.count(b'"type":"choice_made"') for file in files)
    with_keys, without = (moves / sum(map(median, times)) for times in (signed, unsigned))
    return {"with_signatures": with_keys, "without": without}


if __name__ == "__main__":
    name, duration, repeat, *how = sys.argv[1:]
    measure = compared if how == ["signatures"] else measured
    print(json.dumps(measure(name, float(duration), Random(int(repeat)))))
