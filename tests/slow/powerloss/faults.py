"""A process of the service whose disk refuses: every call in turn that a stored move makes, each way a disk can fail.

``faults.py FOLDER ERRNO TIMES``: prints one JSON object with what came of it. Runs under ``watch.c``.
"""

import ctypes
import json
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from gyoji.app.logs import configure_logs
from gyoji.app.preparation import prepare_store
from gyoji.store import check_store, store_key
from gyoji.web.app import create_app
from players import Answer, Ask, Order, Table, indoors, next_to_act, opened, order
from slow.powerloss.workload import service

SHIM = ctypes.CDLL(None)
SHIM.watch_fail.argtypes = (ctypes.c_long, ctypes.c_int, ctypes.c_long)
SHIM.watch_calls.restype = ctypes.c_long


def calls_of(one: Order, ask: Ask) -> tuple[int, Answer]:
    """The answer to a move, and how many calls that could fail it took."""
    SHIM.watch_fail(0, 0, 0)
    answer = one.put(ask)
    return int(SHIM.watch_calls()), answer


def refused(one: Order, ask: Ask, number: int, error: int, times: int) -> Answer:
    """The answer to a move whose ``number``-th call fails, and so many after it."""
    SHIM.watch_fail(number, error, times)
    try:
        return one.put(ask)
    finally:
        SHIM.watch_fail(0, 0, 0)


class Played:
    """A match, and what its players were told."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.chance = Random(4)
        self.met: Counter[str] = Counter()
        self.told: dict[tuple[str, int], str] = {}
        self.wrong: list[str] = []
        self.table: Table | None = None
        self._keys = 0

    def move(self) -> Order:
        """A legal move, under a key of its own."""
        view = None if self.table is None else next_to_act(self.ask, self.table, self.chance)
        if self.table is None or view is None:
            self.table = opened(self.ask, "towai", 3)
            view = next_to_act(self.ask, self.table, self.chance)
        self._keys += 1
        return order(self.table, self.chance.choice(view["legal_moves"]), key=f"key-{self._keys}", seq=view["seq"])

    def hear(self, one: Order, answer: Answer) -> None:
        """What was answered: that it is stored, or that it cannot be now."""
        self.met[str(answer.status)] += 1
        if answer.status == 200:
            document = answer.document
            self.told[one.table.match, document["seq"]] = document["receipt"]["hash"]
        elif answer.status != 503 or answer.document["code"] != "unavailable" or "Retry-After" not in answer.headers:
            self.wrong.append(f"{answer.status} {answer.body[:200]!r}")

    def again(self, one: Order, before: Answer) -> None:
        """The same request when the disk is well again: stored now, or answered as it was."""
        answer = one.put(self.ask)
        if answer.status != 200 or (before.status == 200 and before.body != answer.body):
            self.wrong.append(f"again: {answer.status} {answer.body[:200]!r}")
        self.hear(one, answer)


def main(where: str, error: str, times: str) -> None:
    """As the command line says."""
    configure_logs()
    settings = service(Path(where))
    prepare_store(settings)
    app = create_app(settings)
    store = app.extensions["gyoji.services"].store
    played = Played(indoors(app))
    first = played.move()
    first.put(played.ask)
    most, answer = calls_of(one := played.move(), played.ask)
    played.hear(one, answer)
    number = failed = 0
    while number < most + 2:
        number += 1
        one = played.move()
        answer = refused(one, played.ask, number, int(error), int(times))
        failed += answer.status == 503
        played.hear(one, answer)
        played.again(one, answer)
    found = {
        "calls": most,
        "refused": failed,
        "met": played.met,
        "wrong": played.wrong + _lost(store, played.told),
        "findings": [str(finding) for finding in check_store(settings.store, store_key(settings.store, None))],
    }
    store.close()
    print(json.dumps(found))  # noqa: T201 - for the test that started this


def _lost(store: Any, told: dict[tuple[str, int], str]) -> list[str]:
    """What was acknowledged and is not there, and what is there and was not."""
    stored = {
        (match, entry.seq): entry.hash.hex()
        for match in store.every_match()
        for entry in store.entries(match)
        if json.loads(entry.body)["type"] in ("move_played", "choice_made")
    }
    lost = [f"lost: {place}" for place, digest in told.items() if stored.get(place) != digest]
    return lost + [f"never acknowledged: {place}" for place in stored if place not in told and place[1] > 2]


if __name__ == "__main__":
    main(*sys.argv[1:])
