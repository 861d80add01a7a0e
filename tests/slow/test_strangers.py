"""Strangers who want every stream, wait and download of a public match: who has a credential is answered at once."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from itertools import cycle
from threading import Event, Lock, Thread
from time import monotonic, sleep

from players import NO_ANSWER, Line, Table, opened
from servers import Server, serving

STRANGERS = 48
ADDRESSES = 2
"""Of this machine, from which they come."""

FEW_FILES = ("sh", "-c", 'ulimit -n 320; exec "$@"', "sh")
"""Lets a worker open so few files that strangers want more streams than they may have: it has 160 places."""

SECONDS = 20.0
AT_ONCE = 3.0
"""Seconds within which a seat hears the first event of a stream, has its replay, and is told by a ``wait`` of one
second that there is nothing new."""

STREAM = {"Accept": "text/event-stream"}
ASKED: tuple[tuple[str, dict[str, str]], ...] = (("/events", STREAM), ("/events?after=1&wait=30", {}), ("/replay", {}))


@contextmanager
def flooded(server: Server, table: Table) -> Iterator[Counter[int]]:
    """Strangers who hold whatever they get and ask again for what they do not get; what they were answered."""
    met, lock, stop = Counter[int](), Lock(), Event()

    def ask(number: int) -> None:
        asking = cycle(ASKED[number % 3 :] + ASKED[: number % 3])
        while not stop.is_set():
            part, headers = next(asking)
            source = (f"127.0.0.{2 + number % ADDRESSES}", 0)
            connection = HTTPConnection("127.0.0.1", server.port, timeout=60, source_address=source)
            with suppress(*NO_ANSWER):
                connection.request("GET", table.path + part, headers=dict(headers))
                connection.sock.settimeout(1)
                answer = connection.getresponse()
                with lock:
                    met[answer.status] += 1
                if answer.status == 200 and headers:
                    stop.wait(SECONDS)
            connection.close()
            stop.wait(0.05)

    threads = [Thread(target=ask, args=(number,)) for number in range(STRANGERS)]
    for thread in threads:
        thread.start()
    try:
        sleep(2)
        yield met
    finally:
        stop.set()
        for thread in threads:
            thread.join(60)


def streamed(server: Server, table: Table, headers: Mapping[str, str]) -> tuple[int, float]:
    """The status of a stream, and the seconds until its first event came."""
    began, connection = monotonic(), server.connection()
    connection.request("GET", f"{table.path}/events", headers={**headers, **STREAM})
    answer = connection.getresponse()
    while answer.status == 200 and not answer.readline().startswith(b"data: "):
        pass
    answer.close()
    connection.close()
    return answer.status, monotonic() - began


def asked(server: Server, path: str, headers: Mapping[str, str]) -> tuple[int, float]:
    """The status of an answer, and the seconds until all of it was there."""
    began = monotonic()
    return server.asked("GET", path, headers=headers)[0], monotonic() - began


def test_a_seat_has_its_stream_wait_and_replay_among_strangers() -> None:
    """With the threads and workers that the service has by default."""
    with serving(within=FEW_FILES) as server:
        line = Line(server.port)
        table = opened(line, "towai", 4, visibility="public")
        line.close()
        took: dict[str, list[tuple[int, float]]] = {"stream": [], "wait": [], "replay": []}
        with flooded(server, table) as met:
            until, seats = monotonic() + SECONDS, cycle(range(4))
            while monotonic() < until:
                seat = table.sits(next(seats))
                took["stream"].append(streamed(server, table, seat))
                took["wait"].append(asked(server, f"{table.path}/events?after=1&wait=1", seat))
                took["replay"].append(asked(server, f"{table.path}/replay", seat))
    statuses = Counter([status for answers in took.values() for status, _seconds in answers])
    slowest = {what: round(max(seconds for _status, seconds in answers), 2) for what, answers in took.items()}
    print(f"seats: {dict(statuses)}, seconds at most {slowest}; strangers: {dict(met)}")  # noqa: T201 - the figures of the run
    assert met[429] + met[503] > met[200]
    assert set(statuses) == {200}
    assert max(slowest.values()) < AT_ONCE
