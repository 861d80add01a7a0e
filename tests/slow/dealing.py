"""Many deals, in processes: how often each card comes to each place."""

import os
from array import array
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha512
from itertools import islice
from multiprocessing import get_context

from gyoji.games.chance import root, shuffled

CHUNK = 20_000
"""Deals that a process is given at a time."""
DEAL_ID = "00000000-0000-4000-8000-000000000001"
SEATS = 4


def seeds(varied: str, game: str, first: int, count: int) -> Iterator[str]:
    """Seeds in which only one contribution differs: the server's secret, a seat's entropy, or a share."""
    fixed = sha512(b"fixed").digest()
    for number in range(first, first + count):
        fresh = sha512(b"%b %d" % (varied.encode(), number)).digest()
        secret = fresh if varied == "secret" else fixed
        entropies = [bytes([seat]) * 32 for seat in range(SEATS)]
        entropies[2] = fresh[:32] if varied == "entropy" else entropies[2]
        yield root(secret, entropies, fresh if varied == "share" else b"", game, 1, DEAL_ID)


def places(game: str, label: str, k: int, size: int, varied: str, first: int) -> bytes:
    """The counts of a chunk of deals, card by card and place by place, as 8-byte numbers."""
    pile = [*map(str, range(size))]
    counts = array("q", bytes(8 * size * size))
    orders = (shuffled(seed, label, k, pile) for seed in seeds(varied, game, first, CHUNK))
    while some := [*islice(orders, 1_000)]:
        for place, cards in enumerate(zip(*some, strict=True)):
            for card, times in Counter(cards).items():
                counts[int(card) * size + place] += times
    return counts.tobytes()


def counted(deals: int, game: str, label: str, k: int, size: int, varied: str) -> list[int]:
    """The counts of all deals."""
    total = [0] * (size * size)
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as processes:
        for part in processes.map(partial(places, game, label, k, size, varied), range(0, deals, CHUNK)):
            total = [one + other for one, other in zip(total, array("q", part), strict=True)]
    return total
