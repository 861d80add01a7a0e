"""What callers can ask for is bounded: in memory, in time, in threads; and a stop keeps nobody waiting."""

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPResponse
from itertools import count
from pathlib import Path
from random import Random
from threading import Thread
from time import monotonic, sleep
from uuid import UUID

import pytest

from gyoji.store import open_store
from gyoji.store.database import sqlite
from gyoji.store.interface import Match, Store
from operators import OPERATOR
from players import NO_ANSWER, Answer, Line, Table, next_to_act, opened, order
from servers import Server, answer_of, serving
from store.databases import KINDS, migrated_database
from store.logs import KEY, made_log, made_match

MIB = 1024 * 1024
LINES = "application/jsonl"
JSON = "application/json"


@pytest.fixture
def server() -> Iterator[Server]:
    """A server of one worker, which has answered."""
    with serving("--workers", "1") as server:
        assert server.asked("GET", "/healthz")[0] == 200
        yield server


def memory(process: int) -> int:
    """Bytes that a process has ever held in memory at once."""
    lines = Path(f"/proc/{process}/status").read_text("ascii").splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) * 1024


def head(path: str, media: str, *headers: str) -> bytes:
    """The beginning of a request that brings something."""
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: x",
        f"Content-Type: {media}",
        f"Authorization: {OPERATOR['Authorization']}",
    ]
    return "\r\n".join([*lines, *headers, "", ""]).encode()


def pour(sock: socket.socket, pieces: Iterator[bytes], seconds: float) -> int:
    """Send until the other side has had enough, or for so many seconds; how many bytes went."""
    sock.settimeout(1)
    sent, until = 0, monotonic() + seconds
    with suppress(OSError):
        for piece in pieces:
            sock.sendall(piece)
            sent += len(piece)
            if monotonic() > until:
                break
    return sent


def settled(server: Server, path: str) -> int:
    """The worker's memory after a small request: what only the first one imports is not the weight of a body."""
    assert server.asked("POST", path, b"{}", {"Content-Type": LINES})[0] in (200, 401)
    (worker,) = server.workers()
    return memory(worker)


def chunks() -> Iterator[bytes]:
    """Chunks without end."""
    while True:
        yield b"10000\r\n" + bytes(0x10000) + b"\r\n"


@pytest.mark.parametrize("path", ["/v1/replays", "/v1/audits"])
@pytest.mark.parametrize("media", [LINES, JSON])
def test_a_hundred_megabytes_are_refused_unread(server: Server, path: str, media: str) -> None:
    before = settled(server, path)
    for _ in range(5):
        with server.socket() as sock:
            began = monotonic()
            sock.sendall(head(path, media, f"Content-Length: {100 * MIB}"))
            status, body = answer_of(sock)
            assert monotonic() - began < 1
            assert status in ((413,) if media == LINES or path == "/v1/audits" else (413, 415))
            assert json.loads(body)["code"] in ("too-large", "unsupported-media-type")
            sent = pour(sock, iter([bytes(MIB)] * 100), 10)
            assert sent < 16 * MIB
    assert settled(server, path) - before < 4 * MIB


@pytest.mark.parametrize("path", ["/v1/replays", "/v1/audits"])
def test_an_endless_body_is_refused_unread(server: Server, path: str) -> None:
    before = settled(server, path)
    for _ in range(5):
        with server.socket() as sock:
            began = monotonic()
            sock.sendall(head(path, LINES, "Transfer-Encoding: chunked"))
            status, body = answer_of(sock)
            assert (status, json.loads(body)["code"]) == (411, "length-required")
            assert monotonic() - began < 2
            assert pour(sock, chunks(), 10) < 16 * MIB
    assert settled(server, path) - before < 4 * MIB


@pytest.mark.parametrize("path", ["/v1/replays", "/v1/audits"])
def test_the_largest_body_is_not_held_in_memory(server: Server, path: str) -> None:
    """16 MiB that are one long line and no replay."""
    (worker,) = server.workers()
    before = memory(worker)
    for _ in range(3):
        began = monotonic()
        status, body = server.asked("POST", path, b"[" * (16 * MIB), {**OPERATOR, "Content-Type": LINES})
        assert (status, json.loads(body)["verdict"]) == (200 if path == "/v1/audits" else 409, "malformed")
        assert monotonic() - began < 3
    assert memory(worker) - before < 24 * MIB


def test_a_body_that_trickles_in_is_cut(server: Server) -> None:
    """A body is waited for for twenty seconds, and no longer."""
    began = monotonic()
    with server.socket() as sock:
        sock.sendall(head("/v1/replays", LINES, f"Content-Length: {MIB}"))
        with suppress(OSError):
            while monotonic() - began < 40:
                sock.sendall(b"x")
                sleep(0.2)
    assert 15 < monotonic() - began < 30
    assert server.asked("GET", "/healthz")[0] == 200


MATCHES = 10_000


def _filled(store: Store) -> None:
    """So many matches of the operator's, all but one of them begun in the same few milliseconds."""
    for number in range(MATCHES):
        match = str(UUID(int=number, version=4))
        entries = made_log(match, 1)
        opening = entries[0].openings[0]._replace(payload={"/names": None})
        created = f"2026-01-01T00:00:00.{number // 1000:03}Z"
        row: Match = made_match(entries[0], match, created=created, owner="operator")
        store.create(row, [entries[0]._replace(openings=(opening,))])


@pytest.mark.parametrize("kind", KINDS)
def test_ten_thousand_matches_are_listed_in_pages(kind: str, tmp_path: Path) -> None:
    with migrated_database(kind, tmp_path) as url:
        with pytest.MonkeyPatch.context() as quickly:
            quickly.setattr(sqlite, "DURABILITY", ("wal", "OFF"))
            store = open_store(url, KEY)
            _filled(store)
            store.close()
        with serving("--workers", "1", environment={"GYOJI_STORE": url, "GYOJI_STORE_KEY": KEY.hex()}) as server:
            line = Line(server.port)
            seen, took = _all_pages(line)
            line.close()
    print(f"{kind}: {len(took)} pages, the slowest took {max(took) * 1000:.0f} ms")  # noqa: T201 - the figures of the run
    assert seen == [str(UUID(int=number, version=4)) for number in reversed(range(MATCHES))]
    assert max(took) < 1


def _all_pages(line: Line) -> tuple[list[str], list[float]]:
    """The ids of all matches in the order of the list, and how long each page took."""
    seen, took = [], []
    path: str | None = "/v1/matches?limit=200"
    while path is not None:
        began = monotonic()
        answer = line("GET", path, None, OPERATOR)
        took.append(monotonic() - began)
        assert answer.status == 200, answer
        seen += [match["match"] for match in answer.document["matches"]]
        link = answer.headers.get("Link")
        path = None if link is None else link[1 : link.index(">")]
    return seen, took


def followed(server: Server, table: Table, seat: int = 0) -> tuple[HTTPConnection, HTTPResponse]:
    """A stream of a match for a seat, and the answer that it comes in."""
    connection = server.connection()
    headers = {**table.sits(seat), "Accept": "text/event-stream"}
    connection.request("GET", f"{table.path}/events", headers=headers)
    return connection, connection.getresponse()


def test_streams_hold_no_thread() -> None:
    with serving("--server", "gunicorn", "--workers", "1", "--threads", "2") as server:
        line = Line(server.port)
        tables = [opened(line, "towai", 2) for _ in range(8)]
        table = tables[0]
        streams = [followed(server, each, seat) for each in tables for seat in (0, 1)]
        assert [answer.status for _, answer in streams] == [200] * 16
        for path in ("/healthz", "/readyz", table.path):
            assert line("GET", path, None, table.sits(0)).status == 200
        for connection, _ in streams:
            connection.close()
        assert _streams_again(server, table) < 25
        line.close()


def test_where_streams_hold_threads_they_get_half_of_them() -> None:
    with serving("--server", "granian", "--workers", "1", "--threads", "8") as server:
        line = Line(server.port)
        tables = [opened(line, "towai", 2) for _ in range(4)]
        table = tables[0]
        streams = [followed(server, each, seat) for each in tables for seat in (0, 1)]
        assert sorted(answer.status for _, answer in streams) == [200] * 4 + [503] * 4
        refused = [answer for _, answer in streams if answer.status == 503]
        assert all(int(answer.headers["Retry-After"]) > 0 for answer in refused)
        assert [json.loads(answer.read())["code"] for answer in refused] == ["too-many-at-once"] * 4
        for path in ("/healthz", "/readyz", table.path):
            assert line("GET", path, None, table.sits(0)).status == 200
        for connection, _ in streams:
            connection.close()
        assert _streams_again(server, table) < 25
        line.close()


def _streams_again(server: Server, table: Table) -> float:
    """How long it takes until the service has noticed that nobody listens."""
    began = monotonic()
    while monotonic() - began < 60:
        connection, answer = followed(server, table)
        status = answer.status
        connection.close()
        if status == 200:
            break
        sleep(0.2)
    return monotonic() - began


class Farewell(Exception):
    """The service has said that it hears no more on this connection."""


class Player(Thread):
    """Plays without a pause, until the service says good-bye or lets nobody in."""

    def __init__(self, server: Server) -> None:
        super().__init__(daemon=True)
        self.told: set[tuple[str, int]] = set()
        self.faults: list[str] = []
        self._line = Line(server.port)
        self._table = opened(self._line, "towai", 3)

    def run(self) -> None:
        """One move after the other."""
        chance = Random(1)
        with suppress(Farewell):
            for number in count():
                view = next_to_act(self._ask, self._table, chance)
                if view is None:
                    self._table = opened(self._ask, "towai", 3)
                    continue
                move = order(self._table, chance.choice(view["legal_moves"]), key=str(number))
                move.put(self._ask)
        self._line.close()

    def _ask(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        try:
            answer = self._line(method, path, body, headers)
        except NO_ANSWER as failure:
            self.faults.append(repr(failure))
            raise Farewell from failure
        if path.endswith("/moves"):
            self._note(answer)
        if answer.headers.get("Connection") == "close":
            raise Farewell
        return answer

    def _note(self, answer: Answer) -> None:
        if answer.status != 200:
            self.faults.append(f"{answer.status} {answer.body[:200]!r}")
            return
        self.told.add((self._table.match, answer.document["seq"]))


def _moves(url: str) -> set[tuple[str, int]]:
    """Every move that is stored."""
    store = open_store(url, None)
    found = {
        (match, entry.seq)
        for match in store.every_match()
        for entry in store.entries(match)
        if json.loads(entry.body)["type"] in ("move_played", "choice_made")
    }
    store.close()
    return found


def test_a_stop_under_load_ends_streams_and_finishes_what_is_open(tmp_path: Path) -> None:
    """Every request is answered, no move is stored without its player being told, and nobody new is let in."""
    url = f"sqlite:///{tmp_path}/gyoji.db"
    with serving("--workers", "2", "--threads", "8", "--store", url) as server:
        players = [Player(server) for _ in range(6)]
        table = opened(line := Line(server.port), "towai", 2)
        line.close()
        streams = [followed(server, table, seat) for seat in (0, 1, 0)]
        assert [answer.status for _, answer in streams] == [200] * 3
        for player in players:
            player.start()
        sleep(2)
        began = monotonic()
        server.process.terminate()
        ends = [answer.read() for _, answer in streams]
        ended = monotonic() - began
        with pytest.raises((ConnectionRefusedError, ConnectionResetError)):  # reset: while the address is given up
            server.asked("GET", "/healthz")
        assert server.process.wait(30) == 0
        stopped = monotonic() - began
        server.stop()
        for connection, _ in streams:
            connection.close()
        for player in players:
            player.join(10)
    told = set().union(*[player.told for player in players])
    print(f"{len(told)} moves; streams ended after {ended:.2f} s, the service after {stopped:.2f} s")  # noqa: T201 - the figures of the run
    assert ended < 1
    assert stopped < 2
    assert all(end.startswith(b": gyoji\n\nid: 0\n") and end.endswith(b"\n\n") for end in ends)
    assert [player.faults for player in players] == [[]] * 6
    assert told == _moves(url)
