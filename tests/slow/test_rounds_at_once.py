"""Directors and players at the same moment, on a running service with two workers and either store: of a round that is
taken back while somebody begins it, either all matches are void or it stays; of many who pair ahead one has paired."""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Barrier
from time import sleep
from typing import Any

import pytest

from gyoji.store import check_store
from operators import OPERATOR
from players import JSON, Answer, Line
from servers import serving
from store.databases import KINDS, empty_database
from store.logs import KEY

TIMES = 60
PEOPLE = 8
SETTING = {"game": "catte", "name": "Cup", "seats": [3], "rounds": 128, "pairing": "draw"}
NAMES = ("Ann", "Ben", "Cho", "Dan", "Eve", "Fay")


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A store, found sound when the test is over."""
    with empty_database(request.param, tmp_path) as url:
        yield url
        assert check_store(url, KEY) == []


class Hall:
    """A tournament on a running service, and people who ask at the same moment."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.line = Line(port)
        self.pool = ThreadPoolExecutor(PEOPLE)
        self.path = f"/v1/tournaments/{self.post('/v1/tournaments', SETTING).document['tournament']}"
        self.post(f"{self.path}/entrants", {"entrants": [{"name": name} for name in NAMES]})

    def post(self, path: str, body: Any, line: Line | None = None, **headers: str) -> Answer:
        """A request of the operator, or of whoever sends another ``Authorization``."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return (line or self.line)("POST", path, json.dumps(body).encode(), {**OPERATOR, **JSON, **named})

    def seen(self, path: str, **headers: str) -> Any:
        """A document, by the operator or whoever sends another ``Authorization``."""
        answer = self.line("GET", path, None, {**OPERATOR, **headers})
        assert answer.status == 200, answer
        return answer.document

    def at_once(self, asks: list[Callable[[Line], Answer]]) -> list[int]:
        """The statuses of the answers to requests that are sent together."""
        together = Barrier(len(asks))

        def ask(one: Callable[[Line], Answer]) -> int:
            line = Line(self.port)
            try:
                together.wait(60)
                return one(line).status
            finally:
                line.close()

        return list(self.pool.map(ask, asks))

    def close(self) -> None:
        """Everybody goes home."""
        self.pool.shutdown()
        self.line.close()


@pytest.fixture
def hall(store: str) -> Iterator[Hall]:
    """A tournament of six."""
    environment = {"GYOJI_STORE": store, "GYOJI_STORE_KEY": KEY.hex()}
    with serving("--workers", "2", "--threads", "8", environment=environment) as server:
        made = Hall(server.port)
        yield made
        made.close()
    assert not any(b'"status":5' in logged for logged in server.raw)


def first_move(hall: Hall, table: Any, chance: Random) -> Callable[[Line], Answer]:
    """The first move at a table, by its seat; some think for a moment, so that now these and now others are first."""
    for seat in table["seats"]:
        by = f"Bearer {seat['token']}"
        legal = hall.seen(f"/v1/matches/{table['match']}", Authorization=by)["legal_moves"]
        if legal:
            break
    path = f"/v1/matches/{table['match']}/moves"

    def move(line: Line) -> Answer:
        sleep(chance.uniform(0, 0.02))
        return hall.post(path, {"move": legal[0]}, line, Authorization=by)

    return move


def test_a_round_is_taken_back_as_a_whole_or_stays(hall: Hall) -> None:
    met, chance = Counter[str](), Random(5)
    for _time in range(TIMES):
        paired = hall.post(f"{hall.path}/rounds", {}).document
        number, seen = paired["round"], f'"{paired["seq"]}"'
        back = f"{hall.path}/rounds/{number}/take-back"
        moves = [first_move(hall, table, chance) for table in paired["tables"]]
        asked = [lambda line, path=back, seen=seen: hall.post(path, {}, line, If_Match=seen)] * 2
        first, second, *taken = hall.at_once([*moves, *asked])
        statuses = [hall.seen(f"/v1/matches/{table['match']}")["status"] for table in paired["tables"]]
        rounds = len(hall.seen(hall.path)["paired"])
        if 200 in taken:
            met["taken back"] += 1
            assert sorted(taken) in ([200, 404], [200, 412])  # the other one finds no such round, or another tournament
            assert (first, second, statuses) == (409, 409, ["voided"] * 2)
            assert rounds == number - 1
        else:
            met["begun"] += 1
            assert (taken, 200 in (first, second), statuses) == ([409, 409], True, ["playing"] * 2)
            assert rounds == number
            for table in paired["tables"]:
                hall.post(f"/v1/matches/{table['match']}/void", {})
            assert hall.post(back, {}, Idempotency_Key=f"back-{_time}").status == 200
    sys.stdout.write(f"{dict(met)}\n")
    assert met["taken back"] + met["begun"] == TIMES


def pairing_ahead(hall: Hall, under: str, number: int) -> Callable[[Line], Answer]:
    """A request for that round, while those before it are played."""
    values = {"If-Match": f'"{hall.seen(hall.path)["seq"]}"', "Idempotency-Key": f"k{number}"}
    sent = {under.replace("-", "_"): values[under]} if under in values else {}
    return lambda line: hall.post(f"{hall.path}/rounds", {"early": True}, line, **sent)


@pytest.mark.parametrize("under", ["If-Match", "Idempotency-Key", "nothing"])
def test_of_many_who_pair_ahead_one_has_paired(hall: Hall, under: str) -> None:
    hall.post(f"{hall.path}/rounds", {})
    for number in range(2, 2 + TIMES // 2):
        statuses = Counter(hall.at_once([pairing_ahead(hall, under, number)] * PEOPLE))
        expected = {"If-Match": {201: 1, 412: PEOPLE - 1}, "Idempotency-Key": {201: PEOPLE}, "nothing": {428: PEOPLE}}
        assert statuses == expected[under]
        assert len(hall.seen(hall.path)["paired"]) == (1 if under == "nothing" else number)
