"""A match as it is followed by server-sent events: when it is over, and live from a server."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from http.client import HTTPConnection, HTTPResponse
from itertools import count
from random import Random
from threading import Event, Thread, Timer
from time import monotonic, sleep
from typing import Any

import pytest
from flask import Flask
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder, run_wsgi_app

from gyoji.api.parameters import MOST_SEQ
from gyoji.app.matches import feeds
from gyoji.app.shares import Shares
from gyoji.app.suspension import SUSPEND, Suspended
from gyoji.store.interface import Unavailable
from operators import OPERATOR
from servers import SERVER, Server, serving
from suspending import suspending
from waiting import until
from web.conftest import Lines
from web.matches.tables import House, Plain, Table, Wire, read, refused
from web.test_metrics import Since

STREAM = {"Accept": "text/event-stream"}


@pytest.fixture(params=["on a thread", "suspended"])
def way(request: pytest.FixtureRequest, app: Flask, monkeypatch: pytest.MonkeyPatch) -> str:
    """How the server goes on with who waits for news."""
    if request.param == "suspended":
        monkeypatch.setattr(app, "wsgi_app", suspending(app.wsgi_app))
    else:
        monkeypatch.setattr(app.extensions["gyoji.services"], "lent", Shares(20))
    return str(request.param)


def seqs(events: list[Plain]) -> list[int]:
    """Their numbers."""
    return [event["seq"] for event in events]


Message = tuple[str, str, Plain]
"""Id, event and data."""


def messages(text: bytes) -> list[Message]:
    """The messages of a stream; comments and what is not yet whole are left out (HTML, server-sent events)."""
    found = []
    for block in text.decode().split("\n\n")[:-1]:
        fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
        if fields:
            found.append((fields["id"], fields["event"], json.loads(fields["data"])))
    return found


@pytest.mark.usefixtures("way")
def test_a_stream_tells_what_the_pages_tell(house: House, over: Table, sealed: Table) -> None:
    for finished, headers in ((over, over.sits(0)), (sealed, sealed.sits(0)), (sealed, house.spectator(sealed))):
        answer = finished.get("/events", {**headers, **STREAM})
        assert answer.mimetype == "text/event-stream"
        told = messages(answer.data)
        assert [data for _id, _event, data in told] == finished.feed(headers)
        assert all((id_, event) == (str(data["seq"]), data["type"]) for id_, event, data in told)


@pytest.mark.usefixtures("way")
def test_a_stream_has_an_address_of_its_own(house: House, over: Table, table: Table) -> None:
    """With what the feed gives to whoever asks it for a stream."""
    head = over.seen(over.sits(0))["seq"]
    for headers in (over.sits(0), house.spectator(over), dict(OPERATOR)):
        for query, more in (("", {}), ("?after=3", {}), ("", {"Last-Event-ID": "7"}), ("", {"Last-Event-ID": "500"})):
            asked = over.get(f"/stream{query}", {**headers, **more})
            assert asked.mimetype == "text/event-stream"
            assert asked.data == over.get(f"/events{query}", {**headers, **more, **STREAM}).data
    assert over.get("/stream", {**over.sits(0), "Last-Event-ID": str(head)}).status_code == 204
    refused(over.get("/stream", {**over.sits(0), "Accept": "application/json"}), 406, "not-acceptable")
    refused(over.get("/stream", table.sits(0)), 404, "not-found")


@pytest.mark.usefixtures("way")
def test_a_stream_is_resumed_after_the_last_event_seen(over: Table) -> None:
    head = over.seen(over.sits(0))["seq"]
    everything = messages(over.get("/events", {**over.sits(0), **STREAM}).data)
    for last in (0, 1, 20, head - 1):
        resumed = over.get("/events", {**over.sits(0), **STREAM, "Last-Event-ID": str(last)})
        assert messages(resumed.data) == everything[last + 1 :]
        asked = over.get(f"/events?after={last}", {**over.sits(0), **STREAM})
        assert messages(asked.data) == everything[last + 1 :]
        both = over.get("/events?after=3", {**over.sits(0), **STREAM, "Last-Event-ID": str(last)})
        assert messages(both.data) == everything[last + 1 :]


@pytest.mark.usefixtures("way")
def test_nothing_is_left_to_come(over: Table) -> None:
    """204 tells an EventSource to stay away (HTML, server-sent events)."""
    head = over.seen(over.sits(0))["seq"]
    answer = over.get("/events", {**over.sits(0), **STREAM, "Last-Event-ID": str(head)})
    assert (answer.status_code, answer.data) == (204, b"")


@pytest.mark.usefixtures("way")
def test_after_an_event_that_is_not_there_the_stream_begins_anew(over: Table) -> None:
    """With ``reset``, which takes the id away that an EventSource would resume with, and then with everything. It tells
    no number that no event can have."""
    head = over.seen(over.sits(0))["seq"]
    everything = over.get("/events", {**over.sits(0), **STREAM}).data.removeprefix(b": gyoji\n\n")
    for last in (head + 1, 500, 9999999999):
        answer = over.get("/events", {**over.sits(0), **STREAM, "Last-Event-ID": str(last)})
        reset, _end, rest = answer.data.partition(b"\n\n")
        assert (answer.status_code, rest) == (200, everything)
        assert reset == b'event: reset\nid:\ndata: {"type":"reset","asked":%d,"last":%d}' % (min(last, MOST_SEQ), head)
    assert over.get("/events?after=500", {**over.sits(0), **STREAM}).data.partition(b"\n\n")[2] == everything


@pytest.mark.usefixtures("way")
def test_a_stream_ends_where_the_store_does_not_answer(
    house: House, table: Table, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And says why in the log and the metrics; whoever comes back is told."""

    def gone(_match: str) -> None:
        raise Unavailable("postgres://club:hunter2@db", "timeout")

    since = Since(house.client)
    lines()
    monkeypatch.setattr(house.app.extensions["gyoji.services"].store, "head", gone)
    assert table.get("/events", {**table.sits(0), **STREAM}).data == b": gyoji\n\n"
    request, ended = lines()
    assert (request["status"], ended["event"], ended["cause"]) == (200, "stream-ended", "timeout")
    assert "hunter2" not in str(ended)
    assert since.more(("unavailable_total", {"cause": "timeout"})) == [1]


@pytest.mark.parametrize("last", ["x", "-1", "1.5", "12345678901", "²"])
def test_ids_of_no_event(over: Table, last: str) -> None:
    headers = {**over.sits(0), **STREAM, "Last-Event-ID": last.encode().decode("latin-1")}
    refused(over.get("/events", headers), 400, "malformed-header")


class Read(Thread):
    """A stream of the application itself, read as it comes, until its wire is cut."""

    def __init__(self, table: Table, headers: Mapping[str, str]) -> None:
        super().__init__(daemon=True)
        self.wire = CutLater()
        self.found: list[bytes] = []
        builder = EnvironBuilder(f"{table.path}/events?after=1", headers=Headers({**headers, **STREAM}))
        self._environ = builder.get_environ() | {"gunicorn.socket": self.wire}
        self._application = table.client.application
        self.start()

    def run(self) -> None:
        body, _status, _headers = run_wsgi_app(self._application, self._environ)
        for piece in body:
            self.found.append(piece)
        getattr(body, "close", lambda: None)()

    def told(self) -> list[Message]:
        """What it has been told up to now."""
        return messages(b"".join(list(self.found)))

    def close(self) -> None:
        """Hang up."""
        self.wire.is_cut = True
        self.join(10)
        assert not self.is_alive()


class CutLater:
    """A connection with nothing to say until it is cut."""

    is_cut = False

    def recv(self, _size: int, _flags: int) -> bytes:
        """What has come in."""
        if self.is_cut:
            return b""
        raise BlockingIOError


def test_all_who_listen_are_told_what_each_may_know(house: House, table: Table, way: str) -> None:
    """Also when their events are read once for all of them; who follows nothing any more is forgotten."""
    spectator = house.spectator(table)
    readers = [table.sits(0), table.sits(0), table.sits(1), spectator, dict(OPERATOR)]
    reads = [Read(table, headers) for headers in readers]
    for number in (1, 2, 3):
        table.move()
        assert until(lambda number=number: all(len(each.told()) == number for each in reads))  # type: ignore[misc]
    for read_, headers in zip(reads, readers, strict=True):
        assert [data for _id, _event, data in read_.told()] == table.feed(headers, after=1)
        read_.close()
    assert house.services.news._followed == {}
    places = house.services.streams if way == "suspended" else house.services.lent
    assert not places._open


def test_what_a_credential_may_know_is_decided_when_it_is_sent(house: House, table: Table, way: str) -> None:
    seat, other = Read(table, table.sits(0)), Read(table, table.sits(1))
    table.move()
    assert until(lambda: len(seat.told()) == len(other.told()) == 1)
    assert table.client.delete(f"{table.path}/seats/0/token", headers=dict(table.operator)).status_code == 204
    move = table.seen(table.operator)["legal_moves"] or table.seen(table.sits(1))["legal_moves"]
    assert table.put(move[0], table.operator).status_code == 200
    assert until(lambda: len(other.told()) == 2)
    seat.join(10)
    assert not seat.is_alive()  # it has ended by itself
    assert len(seat.told()) == 1
    other.close()


def test_a_thousand_listeners_cost_one_look_and_idle_ones_none(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, asked = house.services.store, Counter[str]()
    streams: list[Suspended] = []
    for _ in range(1000):
        builder = EnvironBuilder(f"{table.path}/events?after=1", headers=Headers({**table.sits(0), **STREAM}))
        run_wsgi_app(house.app, builder.get_environ() | {SUSPEND: streams.append})
    wakes: list[Callable[[], None]] = []

    def subscribe(_match: str, wake: Callable[[], None]) -> Callable[[], None]:
        wakes.append(wake)
        return wakes.clear

    monkeypatch.setattr(store, "subscribe", subscribe)
    woken: list[int] = []
    for at, stream in enumerate(streams):
        stream.subscribe(partial(woken.append, at))
        assert [stream.pull(), stream.pull(), stream.pull()] == [b": gyoji\n\n", b": still here\n\n", b""]
    (wake,) = wakes
    for name in ("head", "match", "entries"):
        monkeypatch.setattr(store, name, counted(asked, name, getattr(store, name)))
    assert {stream.pull() for stream in streams} == {b""}
    assert not asked
    table.move()
    asked.clear()
    assert {stream.pull() for stream in streams} == {b""}
    assert not asked  # nobody has woken them
    wake()
    assert woken == list(range(1000))
    (told,) = {stream.pull() for stream in streams}
    assert [id_ for id_, _event, _data in messages(told or b"")] == ["2"]
    assert {stream.pull() for stream in streams} == {b""}
    assert asked == {"head": 1, "match": 1, "entries": 1}
    for stream in streams:
        stream.close()
    assert not wakes
    assert not house.services.streams._open


def counted(asked: Counter[str], name: str, ask: Callable[..., Any]) -> Callable[..., Any]:
    """The same, with its calls counted."""

    def counting(*arguments: Any, **named: Any) -> Any:
        asked[name] += 1
        return ask(*arguments, **named)

    return counting


@pytest.mark.usefixtures("way")
def test_a_wait_is_one_request(house: House, table: Table, lines: Lines) -> None:
    """In the log, with all the time that it took, and in the metrics; by whichever way the server waits."""
    since = Since(house.client)
    lines()
    began = monotonic()
    headers = {**table.sits(0), "X-Request-ID": "one", "traceparent": f"00-{'a' * 32}-{'b' * 16}-01"}
    answer = table.get("/events?after=1&wait=1", headers)
    assert monotonic() - began >= 1
    assert (read(answer), answer.headers["X-Request-ID"]) == ({"events": [], "next": None}, "one")
    (line,) = lines()
    assert (line["request_id"], line["trace_id"], line["status"]) == ("one", "a" * 32, 200)
    assert line["duration_ms"] >= 1000
    route = "/v1/matches/<match>/events"
    assert since.more(
        ("http_requests_total", {"method": "GET", "route": route, "status": "200"}),
        ("http_request_seconds_count", {"route": route}),
        ("http_request_seconds_bucket", {"route": route, "le": "0.5"}),
        ("http_requests_in_flight", {}),
        ("streams_open", {}),
    ) == [1, 1, 0, 0, 0]
    later = Timer(0.3, table.move)
    later.start()
    began = monotonic()
    assert seqs(read(table.get("/events?after=1&wait=20", table.sits(0)))["events"]) == [2]
    assert monotonic() - began < 15
    later.join()


@pytest.mark.usefixtures("way")
def test_a_wait_of_a_store_that_stops_to_answer_says_so(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = house.services.store
    match, calls = store.match, count(1)

    def gone(asked: str) -> Any:
        if next(calls) > 2:  # of the request, and of its first look
            raise Unavailable("gone", "timeout")
        return match(asked)

    monkeypatch.setattr(store, "match", gone)
    refused(table.get("/events?after=1&wait=1", table.sits(0)), 503, "unavailable")


@pytest.mark.usefixtures("way")
def test_a_stop_ends_whoever_waits(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    stop = Event()
    monkeypatch.setattr(feeds, "STOP", stop)
    stream = Read(table, table.sits(0))
    assert until(lambda: stream.found)
    stop.set()
    began = monotonic()
    assert read(table.get("/events?after=1&wait=30", table.sits(0))) == {"events": [], "next": None}
    assert monotonic() - began < 5
    stream.close()


# --- live, from a server


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server with one worker; under granian that lends two threads to streams."""
    with serving("--workers", "1", "--threads", "4") as running:
        yield running


class Away:
    """A match on a server."""

    def __init__(self, server: Server, **setting: Any) -> None:
        self.server = server
        status, body = server.asked("POST", "/v1/matches", {"game": "catte", "seats": 3, **setting}, OPERATOR)
        assert status == 201, body
        made = json.loads(body)
        self.path = made["links"]["self"]
        self.seats = [{"Authorization": f"Bearer {seat['token']}"} for seat in made["seats"]]

    def asked(self, method: str, part: str, headers: Mapping[str, str], body: Any = None) -> Any:
        """An answer that is no refusal, understood; asked for again while streams of another test still let go."""
        until = monotonic() + 10
        status, answer = self.server.asked(method, self.path + part, body, headers)
        while status in (429, 503) and monotonic() < until:
            sleep(0.2)
            status, answer = self.server.asked(method, self.path + part, body, headers)
        assert status < 300, answer
        return json.loads(answer) if answer else None

    def move(self, chance: Random | None = None) -> Plain:
        """One legal move, made by its seat; what it was answered with."""
        seat = self.asked("GET", "", self.seats[0])["view"]["to_act"][0]
        legal = self.asked("GET", "", self.seats[seat])["legal_moves"]
        move = legal[0] if chance is None else chance.choice(legal)
        made: Plain = self.asked("POST", "/moves", self.seats[seat], {"move": move})
        return made

    def listening(self, headers: Mapping[str, str]) -> "Listener":
        """A stream of the match, as soon as the server has found out that others are listened to no more."""
        until = monotonic() + 20
        while (listener := self.asking(headers)).response.status in (429, 503):
            listener.close()
            assert monotonic() < until
        return listener

    def asking(self, headers: Mapping[str, str]) -> "Listener":
        """The answer to one request for a stream."""
        return Listener(self.server.connection(), f"{self.path}/events", {**headers, **STREAM})


class Listener:
    """A stream that is being read."""

    def __init__(self, connection: HTTPConnection, path: str, headers: Mapping[str, str]) -> None:
        self.connection = connection
        connection.request("GET", path, headers=dict(headers))
        self.response: HTTPResponse = connection.getresponse()

    def hears(self, count: int) -> list[Message]:
        """The next messages, as many as that."""
        found: list[Message] = []
        block: list[bytes] = []
        while len(found) < count:
            line = self.response.readline()
            assert line, "the stream has ended"
            block.append(line)
            if line == b"\n":
                found += messages(b"".join(block))
                block = []
        return found

    def rest(self) -> list[Message]:
        """Everything until the stream ends."""
        return messages(self.response.read())

    def close(self) -> None:
        """Hang up: the socket is closed when both have let go of it."""
        self.response.close()
        self.connection.close()


def test_a_stream_is_live(server: Server) -> None:
    match = Away(server)
    listener = match.listening(match.seats[0])
    assert listener.response.getheader("Content-Type") == "text/event-stream"
    assert [id_ for id_, _event, _data in listener.hears(2)] == ["0", "1"]
    for seq in (2, 3, 4):
        match.move()
        ((id_, event, data),) = listener.hears(1)
        assert (id_, event, data["seq"]) == (str(seq), "move_played", seq)
    listener.close()


def test_a_running_match_begins_anew_too_and_goes_on(server: Server) -> None:
    match = Away(server)
    listener = match.listening({**match.seats[0], "Last-Event-ID": "500"})
    lines = [listener.response.readline() for _line in range(4)]
    assert lines == [b"event: reset\n", b"id:\n", b'data: {"type":"reset","asked":500,"last":1}\n', b"\n"]
    assert [id_ for id_, _event, _data in listener.hears(2)] == ["0", "1"]
    match.move()
    assert [id_ for id_, _event, _data in listener.hears(1)] == ["2"]
    listener.close()


def test_a_stream_that_breaks_is_resumed_without_loss_or_doubling_and_ends_with_the_match(server: Server) -> None:
    match = Away(server, game="familiars-trouble")
    chance, over = Random(8), False
    heard: list[Message] = []
    while not over:
        last = {"Last-Event-ID": heard[-1][0]} if heard else {}
        listener = match.listening({**match.seats[1], **last})
        for _ in range(20):
            made = match.move(chance)
            if made["outcome"] is not None:
                over = True
                break
            heard += listener.hears(made["seq"] - (int(heard[-1][0]) if heard else -1))
            if chance.random() < 0.2:  # moves are made while nobody listens
                listener.close()
                match.move(chance)
                break
        if over:
            heard += listener.rest()  # ends by itself
        listener.close()
        over = over or match.asked("GET", "", match.seats[0])["status"] == "finished"
    head = match.asked("GET", "", match.seats[1])["seq"]
    if int(heard[-1][0]) < head:
        listener = match.listening({**match.seats[1], "Last-Event-ID": heard[-1][0]})
        heard += listener.rest()
        listener.close()
    assert [id_ for id_, _event, _data in heard] == [str(seq) for seq in range(head + 1)]
    assert [event for _id, event, _data in heard][-2:] == ["match_finished", "seed_disclosed"]
    again = match.listening({**match.seats[1], "Last-Event-ID": str(head)})
    assert (again.response.status, again.response.read()) == (204, b"")
    again.close()


def test_a_revoked_token_hears_no_more(server: Server) -> None:
    match = Away(server)
    listener, other = match.listening(match.seats[0]), match.listening(match.seats[1])
    for each in (listener, other):
        each.hears(2)
    match.asked("DELETE", "/seats/0/token", OPERATOR)
    move = match.asked("GET", "", OPERATOR)["view"]["table"]["hands"][0][0]
    match.asked("POST", "/moves", OPERATOR, {"move": {"type": "play", "seat": 0, "card": move}})
    assert listener.rest() == []
    assert [id_ for id_, _event, _data in other.hears(1)] == ["2"]
    listener.close()
    other.close()


def test_streams_leave_threads_to_everything_else() -> None:
    """Where they hold none, hundreds do; where each holds one, half of the threads are lent, and past that 503."""
    with serving("--workers", "1", "--threads", "4") as server:
        _leave_threads(server)


def _leave_threads(server: Server) -> None:
    match = Away(server)
    count = 2 if SERVER == "granian" else 200
    listeners = [match.listening(match.seats[number % 2]) for number in range(count)]
    for listener in listeners:
        listener.hears(2)
    waits = [] if SERVER == "granian" else [Waiting(match, number % 3) for number in range(20)]
    if SERVER == "granian":
        third = match.asking(match.seats[2])
        assert (third.response.status, third.response.getheader("Retry-After")) == (503, "5")
        assert json.loads(third.response.read())["code"] == "too-many-at-once"
        third.close()
    began = monotonic()
    for _ in range(10):
        assert server.asked("GET", "/healthz")[0] == server.asked("GET", "/v1/games")[0] == 200
    assert match.move()["seq"] == 2  # there are threads left for everything else
    assert monotonic() - began < 10
    listeners.pop().close()  # whoever hangs up makes room, though there is no news that could not be sent
    began = monotonic()
    again = match.listening(match.seats[2])
    assert monotonic() - began < (15 if SERVER == "granian" else 5)  # there with the next sign of life, after ten
    again.close()
    for listener in listeners:
        assert [id_ for id_, _event, _data in listener.hears(1)] == ["2"]
        listener.close()
    assert [wait.events() for wait in waits] == [[2]] * len(waits)


class Waiting(Thread):
    """Somebody who waits for news after the deal."""

    def __init__(self, match: Away, seat: int) -> None:
        super().__init__(daemon=True)
        self._match, self._seat, self._page = match, seat, Plain()
        self.start()

    def run(self) -> None:
        self._page = self._match.asked("GET", "/events?after=1&wait=30", self._match.seats[self._seat])

    def events(self) -> list[int]:
        """The events that came."""
        self.join(60)
        return seqs(self._page["events"])


def test_waiting_for_news(server: Server) -> None:
    match = Away(server)
    began = monotonic()
    assert match.asked("GET", "/events?after=1&wait=1", match.seats[0]) == {"events": [], "next": None}
    assert monotonic() - began >= 1
    there = match.asked("GET", "/events?after=0&wait=30", match.seats[0])
    assert seqs(there["events"]) == [1]
    later = Timer(0.3, match.move)
    later.start()
    began = monotonic()
    page = match.asked("GET", "/events?after=1&wait=20", match.seats[0])
    later.join()
    assert (seqs(page["events"]), page["next"]) == ([2], None)
    assert monotonic() - began < 15


def test_whoever_waits_is_asked_again_who_it_is(server: Server) -> None:
    match = Away(server)
    later = Timer(0.3, match.asked, ("DELETE", "/seats/0/token", OPERATOR))
    later.start()
    status, _body = server.asked("GET", f"{match.path}/events?after=1&wait=1", headers=match.seats[0])
    later.join()
    assert status == 401


@pytest.mark.usefixtures("way")
def test_whoever_waits_makes_room_when_it_hangs_up(table: Table) -> None:
    wire, began = Wire(3), monotonic()
    answer = table.client.get(
        f"{table.path}/events?after=1&wait=30", headers=table.sits(0), environ_overrides={"gunicorn.socket": wire}
    )
    assert read(answer) == {"events": [], "next": None}
    assert monotonic() - began < 15


def test_a_stop_ends_streams_at_once() -> None:
    with serving("--workers", "1", "--threads", "4") as running:
        match = Away(running)
        listener = match.listening(match.seats[0])
        listener.hears(2)
        began = monotonic()
        assert running.stop() == 0
        assert listener.rest() == []
        assert monotonic() - began < 10
        listener.close()
