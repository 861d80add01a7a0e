"""A match as it is followed by server-sent events: when it is over, and live from a server."""

import json
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection, HTTPResponse
from random import Random
from threading import Timer
from time import monotonic, sleep
from typing import Any

import pytest

from gyoji.app.thread_budget import UNCUT_SOCKETS
from gyoji.store.interface import Unavailable
from operators import OPERATOR
from servers import Server, serving
from web.conftest import Lines
from web.matches.tables import House, Plain, Table, read, refused
from web.test_metrics import Since

STREAM = {"Accept": "text/event-stream"}


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


def test_a_stream_tells_what_the_pages_tell(house: House, over: Table, sealed: Table) -> None:
    for finished, headers in ((over, over.sits(0)), (sealed, sealed.sits(0)), (sealed, house.spectator(sealed))):
        answer = finished.get("/events", {**headers, **STREAM})
        assert answer.mimetype == "text/event-stream"
        told = messages(answer.data)
        assert [data for _id, _event, data in told] == finished.feed(headers)
        assert all((id_, event) == (str(data["seq"]), data["type"]) for id_, event, data in told)


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


def test_nothing_is_left_to_come(over: Table) -> None:
    """204 tells an EventSource to stay away (HTML, server-sent events)."""
    head = over.seen(over.sits(0))["seq"]
    answer = over.get("/events", {**over.sits(0), **STREAM, "Last-Event-ID": str(head)})
    assert (answer.status_code, answer.data) == (204, b"")


def test_after_an_event_that_is_not_there_the_stream_begins_anew(over: Table) -> None:
    """With ``reset``, which takes the id away that an EventSource would resume with, and then with everything."""
    head = over.seen(over.sits(0))["seq"]
    everything = over.get("/events", {**over.sits(0), **STREAM}).data.removeprefix(b": gyoji\n\n")
    for last in (head + 1, 500, 9999999999):
        answer = over.get("/events", {**over.sits(0), **STREAM, "Last-Event-ID": str(last)})
        reset, _end, rest = answer.data.partition(b"\n\n")
        assert (answer.status_code, rest) == (200, everything)
        assert reset == b'event: reset\nid:\ndata: {"asked":%d,"last":%d}' % (last, head)
    assert over.get("/events?after=500", {**over.sits(0), **STREAM}).data.partition(b"\n\n")[2] == everything


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


# --- live, from a server


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server whose one worker lends two threads to streams."""
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
    assert lines == [b"event: reset\n", b"id:\n", b'data: {"asked":500,"last":1}\n', b"\n"]
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


def test_streams_hold_half_of_the_threads_at_most(server: Server) -> None:
    match = Away(server)
    listeners = [match.listening(match.seats[seat]) for seat in (0, 1)]
    for listener in listeners:
        listener.hears(2)
    third = match.asking(match.seats[2])
    assert (third.response.status, third.response.getheader("Retry-After")) == (503, "5")
    assert json.loads(third.response.read())["code"] == "too-many-at-once"
    third.close()
    assert match.move()["seq"] == 2  # there are threads left for everything else
    listeners.pop().close()  # whoever hangs up makes room at once, though there is no news that could not be sent
    began = monotonic()
    again = match.listening(match.seats[2])
    assert monotonic() - began < 5
    again.close()
    listeners.pop().close()


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


class Wire:
    """A connection with nothing to say until it is closed; it takes down whether it may hold its thread for long."""

    def __init__(self, looks: int) -> None:
        self.looks = looks
        self.patient: list[bool] = []

    def recv(self, _size: int, _flags: int) -> bytes:
        """What has come in: nothing yet, and after so many looks the end."""
        self.patient.append(self in UNCUT_SOCKETS)
        if len(self.patient) == self.looks:
            return b""
        raise BlockingIOError


def test_whoever_waits_is_not_cut_for_taking_long_and_makes_room_when_it_hangs_up(table: Table) -> None:
    wire, began = Wire(3), monotonic()
    answer = table.client.get(
        f"{table.path}/events?after=1&wait=30", headers=table.sits(0), environ_overrides={"gunicorn.socket": wire}
    )
    assert read(answer) == {"events": [], "next": None}
    assert wire.patient == [True] * 3
    assert wire not in UNCUT_SOCKETS
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
