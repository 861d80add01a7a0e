"""Two servers on one PostgreSQL: whoever sits at a match may speak to either, and nothing is true in one alone.

The long version, with a database that is restarted, is in ``tests/slow``.
"""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from random import Random
from signal import SIGKILL
from statistics import median
from threading import Barrier, Thread
from time import monotonic, sleep
from uuid import uuid4

import pytest

from operators import OPERATOR
from players import JSON, Answer, Line, Order, Table, next_to_act, opened, order, seen
from servers import Server, serving
from store.databases import migrated_database
from store.logs import KEY

GAME, SEATS = "catte", 3


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The database of all servers here."""
    with migrated_database("postgresql", tmp_path_factory.mktemp("store")) as url:
        yield url


def server(store: str, **more: str) -> AbstractContextManager[Server]:
    """What starts a server on the database."""
    environment = {"GYOJI_STORE": store, "GYOJI_STORE_KEY": KEY.hex(), "GYOJI_WEBHOOKS": "off", **more}
    return serving("--workers", "1", environment=environment)


@pytest.fixture(scope="module")
def two(store: str) -> Iterator[list[Server]]:
    """Two servers. The threads of one have connections of their own; those of the other share two."""
    with ExitStack() as stack, ThreadPoolExecutor() as pool:
        starting = [server(store), server(store, GYOJI_STORE_CONNECTIONS="2")]
        yield list(pool.map(stack.enter_context, starting))


@pytest.fixture
def lines(two: list[Server]) -> Iterator[list[Line]]:
    """A connection to each."""
    found = [Line(one.port) for one in two]
    yield found
    for line in found:
        line.close()


class Feed(Thread):
    """A stream of a match that is listened to until it ends; what came, and when."""

    def __init__(self, port: int, table: Table, seat: int) -> None:
        super().__init__(daemon=True)
        self.line = Line(port)
        self.line.connection.request(
            "GET", f"{table.path}/events", headers={**table.sits(seat), "Accept": "text/event-stream"}
        )
        self.response = self.line.connection.getresponse()
        assert self.response.status == 200
        self.heard: list[tuple[int, float]] = []
        self.start()

    def run(self) -> None:
        """Line by line."""
        for line in self.response:
            if line.startswith(b"id: "):
                self.heard.append((int(line[4:]), monotonic()))

    def ends(self) -> None:
        """It has come to its end."""
        self.join(10)
        self.line.close()
        assert not self.is_alive()

    @property
    def seqs(self) -> list[int]:
        """The numbers of the events, as they came."""
        return [seq for seq, _at in self.heard]


def moved(line: Line, table: Table, chance: Random) -> Answer | None:
    """One move, seen and sent there; ``None`` when the match is over."""
    view = next_to_act(line, table, chance)
    if view is None:
        return None
    answer = order(table, chance.choice(view["legal_moves"]), seq=view["seq"]).put(line)
    assert answer.status == 200, answer.body
    return answer


def test_a_match_is_played_on_two_servers_and_followed_on_both(two: list[Server], lines: list[Line]) -> None:
    chance = Random(7)
    table = opened(lines[0], GAME, SEATS)
    feeds = [Feed(two[number % 2].port, table, number) for number in range(3)]
    told: dict[int, float] = {}
    turn = 0
    while (answer := moved(lines[turn % 2], table, chance)) is not None:
        told[answer.document["seq"]] = monotonic()
        turn += 1
    for feed in feeds:
        feed.ends()
    head = seen(lines[0], table, 0)["seq"]
    assert [feed.seqs for feed in feeds] == [list(range(head + 1))] * 3
    late = [at - told[seq] for feed in feeds for seq, at in feed.heard if seq in told]
    print(f"an event is heard {median(late) * 1000:.1f} ms after the answer to its move")  # noqa: T201 - a figure
    assert median(late) < 0.25  # who is not woken looks once a second
    files = [line("GET", f"{table.path}/replay", None, table.sits(0)).body for line in lines]
    assert files[0] == files[1]
    body = json.dumps({"match": table.match}).encode()
    verdicts = [line("POST", "/v1/audits", body, {**OPERATOR, **JSON}).document["verdict"] for line in lines]
    assert verdicts == ["verified", "verified"]


def test_a_request_is_repeated_on_the_other_server(lines: list[Line]) -> None:
    chance = Random(8)
    table = opened(lines[0], GAME, SEATS)
    for number in range(6):
        here, there = lines[number % 2], lines[1 - number % 2]
        view = next_to_act(here, table, chance)
        one = order(table, chance.choice(view["legal_moves"]), key=str(uuid4()), seq=view["seq"])
        answers = [one.put(line) for line in (here, there, here)]
        assert [answer.status for answer in answers] == [200] * 3
        assert len({answer.body for answer in answers}) == 1
    assert seen(lines[1], table, 0)["seq"] == 7


def test_of_two_who_saw_the_same_position_on_two_servers_one_moves(lines: list[Line]) -> None:
    chance, together = Random(9), Barrier(2)
    table = opened(lines[0], GAME, SEATS)

    def put(line: Line, one: Order) -> int:
        together.wait(10)
        return one.put(line).status

    with ThreadPoolExecutor(2) as pool:
        for number in range(12):
            view = next_to_act(lines[number % 2], table, chance)
            move = chance.choice(view["legal_moves"])
            orders = [order(table, move, key=str(uuid4()), seq=view["seq"]) for _ in range(2)]
            assert sorted(pool.map(put, lines, orders)) == [200, 412]


def test_whoever_waits_on_one_server_is_woken_by_the_other(two: list[Server], lines: list[Line]) -> None:
    chance = Random(10)
    table = opened(lines[0], GAME, SEATS)
    after = seen(lines[1], table, 0)["seq"]
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(lines[1], "GET", f"{table.path}/events?after={after}&wait=20", None, table.sits(0))
        sleep(0.5)
        assert not waiting.done()
        began = monotonic()
        assert moved(lines[0], table, chance) is not None
        events = waiting.result(20).document["events"]
    assert [event["seq"] for event in events] == [after + 1]
    assert monotonic() - began < 5


def test_a_server_is_killed_and_the_match_goes_on_on_the_other(store: str, lines: list[Line]) -> None:
    chance = Random(11)
    with server(store) as lost:
        gone = Line(lost.port)
        table = opened(gone, GAME, SEATS)
        for _ in range(4):
            assert moved(gone, table, chance) is not None
        view = next_to_act(gone, table, chance)
        one = order(table, view["legal_moves"][0], key=str(uuid4()), seq=view["seq"])
        answered = one.put(gone)
        for worker in lost.workers():
            os.kill(worker, SIGKILL)
        lost.kill()
        gone.close()
        lost.bury()
    again = one.put(lines[0])
    assert (again.status, again.body) == (200, answered.body)
    while moved(lines[0], table, chance) is not None:
        pass
    assert seen(lines[1], table, 0)["status"] == "finished"


def test_a_stop_ends_streams_at_once(store: str) -> None:
    with server(store) as stopping:
        line = Line(stopping.port)
        feed = Feed(stopping.port, opened(line, GAME, SEATS), 0)
        line.close()
        until = monotonic() + 10
        while not feed.heard and monotonic() < until:
            sleep(0.02)
        began = monotonic()
        assert stopping.stop() == 0
        feed.ends()
    assert feed.seqs == [0, 1]
    assert monotonic() - began < 5
