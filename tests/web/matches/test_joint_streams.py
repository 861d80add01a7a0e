"""One stream of all matches of a caller: what is in it for whom, and from where it goes on; live from servers."""

import json
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPResponse
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any

import pytest
from structlog.testing import capture_logs
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder, run_wsgi_app

from gyoji.access.keys import digest, key_id
from gyoji.app.matches import joint_stream
from gyoji.app.suspension import SUSPEND, Suspended
from gyoji.store.database import appends as sequence
from gyoji.store.interface import Unavailable
from operators import OPERATOR
from servers import SERVER, Server, serving
from store.databases import KINDS, migrated_database
from waiting import until
from web.matches.tables import House, Plain, Table, read, refused, wishes

Caller = Mapping[str, str]
PATH = "/v1/stream"


class Message(dict[str, str]):
    """A message of a stream: its fields by name."""

    @property
    def event(self) -> Plain:
        """What it tells."""
        told: Plain = json.loads(self["data"])
        return told


def messages(text: bytes) -> list[Message]:
    """The messages of a stream, without comments and what is not whole (HTML, server-sent events)."""
    blocks = [block.split("\n") for block in text.decode().split("\n\n")[:-1]]
    found = [Message(line.split(": ", 1) for line in block if not line.startswith(":")) for block in blocks]
    return [message for message in found if message]


class Stream:
    """A stream of the application itself, suspended, which is pulled by hand."""

    def __init__(self, house: House, by: Caller, last: str | None = None) -> None:
        taken: list[Suspended] = []
        more = {} if last is None else {"Last-Event-ID": last}
        builder = EnvironBuilder(PATH, headers=Headers({**by, **more}))
        body, self.status, self.headers = run_wsgi_app(house.app, builder.get_environ() | {SUSPEND: taken.append})
        self.refusal = b"".join(body)
        self.woken = 0
        self.has_ended = False
        self.ids: list[str] = []
        self.found: list[Message] = []
        for self.suspended in taken:
            self.suspended.subscribe(self._wake)
            self.begun = self._read(self.suspended.pull() or b"")

    def _read(self, piece: bytes) -> list[Message]:
        """The messages that say something; of all of them the ids."""
        read = messages(piece)
        self.ids += [message["id"] for message in read if "id" in message]
        return [message for message in read if "data" in message]

    def _wake(self) -> None:
        self.woken += 1

    def pull(self) -> list[Message]:
        """All that has come up to now."""
        quiet = 0
        while quiet < 2 and not self.has_ended:
            piece = self.suspended.pull()
            self.has_ended = piece is None
            self.found += self._read(piece or b"")
            quiet = 0 if piece else quiet + 1
        return self.found

    def events(self, count: int) -> list[Plain]:
        """So many events, as soon as they are there."""
        assert until(lambda: len(self.pull()) >= count), f"{len(self.found)} of {count} events came"
        assert len(self.found) == count
        return [message.event for message in self.found]

    def close(self) -> None:
        """Hang up."""
        self.suspended.close()

    @property
    def last(self) -> str:
        """The id that an ``EventSource`` would go on with."""
        return self.ids[-1]


@pytest.fixture
def listen(house: House) -> Iterator[Callable[..., Stream]]:
    """Open streams, which are closed at the end."""
    streams: list[Stream] = []

    def opened(by: Caller, last: str | None = None) -> Stream:
        streams.append(Stream(house, by, last))
        assert streams[-1].status.startswith("200"), streams[-1].refusal
        return streams[-1]

    yield opened
    for stream in streams:
        stream.close()


Listen = Callable[..., Stream]


def feeds(by: Caller, *tables: Table) -> dict[tuple[str, int], Plain]:
    """What the feeds of these matches tell a caller, by match and number."""
    return {(table.match, event["seq"]): event for table in tables for event in table.feed(by)}


def test_it_tells_of_every_match_what_its_feed_tells_and_of_new_ones(house: House, listen: Listen) -> None:
    club = house.account()
    before = house.table(by=club)
    house.table()  # of another account
    stream = listen(club)
    before.move()
    made = house.table(by=club, game="towai")
    made.move()
    before.move()
    told = stream.events(5)
    assert [(event["match"], event["seq"]) for event in told] == [
        *((before.match, 2), (made.match, 0), (made.match, 1), (made.match, 2)),
        (before.match, 3),
    ]
    known = feeds(club, before, made)
    assert all(event == known[event["match"], event["seq"]] for event in told)
    assert [message["event"] for message in stream.found] == [event["type"] for event in told]


def everybody(house: House, table: Table) -> dict[str, Caller]:
    """Every kind of caller who has a stream, bound to one match."""
    callers: dict[str, Caller] = {f"seat {seat}": table.sits(seat) for seat in range(len(table.tokens))}
    bound = (table.match,)
    return {
        **callers,
        "spectator": house.spectator(table),
        "operator": house.key("operator", "operator", ("matches:read",)),
        "unsealing operator": dict(OPERATOR),
        "referee": house.key("referee", scopes=(), matches=bound),
        "unsealing referee": house.key("referee", scopes=("matches:unseal",), matches=bound),
        "auditor": house.key("auditor", scopes=(), matches=bound),
    }


@pytest.mark.parametrize("disclosure", ["public_on_close", "auditors_only"])
def test_nobody_is_told_more_than_by_the_feed(house: House, listen: Listen, disclosure: str) -> None:
    """From hidden choices to the end: to each as it may know it when it happens."""
    table = house.table(game="tomorrow-never-meows", options={"concealed": True}, disclosure=disclosure)
    callers = everybody(house, table)
    streams = {name: listen(by) for name, by in callers.items()}
    for number, wish in enumerate(wishes(table), 1):
        assert table.put(wish, table.sits(wish["seat"])).status_code == 200
        for name, stream in streams.items():
            assert stream.events(number) == table.feed(callers[name], after=1), name
    for number in range(4, 7):
        table.move()
        for name, stream in streams.items():
            assert stream.events(number) == table.feed(callers[name], after=1), name
    assert table.client.post(f"{table.path}/void", headers=OPERATOR).status_code == 200
    for name, stream in streams.items():
        assert until(lambda stream=stream: stream.pull()[-1]["event"] == "seed_disclosed")  # type: ignore[misc]
        assert stream.pull()[-1].event == table.feed(callers[name])[-1]


def test_what_is_not_the_callers_is_not_in_it(house: House, listen: Listen) -> None:
    """Not the matches of others, public ones neither, which it may read all the same."""
    mine, others = house.table(), house.table(by=house.account(), visibility="public")
    seat, bound = listen(mine.sits(0)), listen(house.key("referee", matches=(mine.match,)))
    stranger = listen(house.key("auditor", matches=(others.match,)))
    others.move()
    mine.move()
    for stream in (seat, bound):
        assert [event["match"] for event in stream.events(1)] == [mine.match]
    assert [event["match"] for event in stranger.events(1)] == [others.match]


def test_a_key_bound_to_a_tournament_hears_of_its_matches(house: House, listen: Listen) -> None:
    club = house.account()

    def asked(path: str, document: Plain) -> Plain:
        found: Plain = read(house.client.post(path, json=document, headers={**club, "If-Match": "*"}))
        return found

    cup = asked("/v1/tournaments", {"game": "catte", "name": "Cup", "seats": [3], "rounds": 2})["tournament"]
    asked(f"/v1/tournaments/{cup}/entrants", {"entrants": [{"name": name} for name in ("Ann", "Ben", "Cho")]})
    stream = listen(house.key("referee", scopes=(), tournaments=(cup,)))
    house.table(by=club)
    (at,) = asked(f"/v1/tournaments/{cup}/rounds", {})["tables"]
    assert [(event["match"], event["seq"]) for event in stream.events(2)] == [(at["match"], 0), (at["match"], 1)]


def test_it_goes_on_behind_the_last_id(house: House, listen: Listen) -> None:
    club = house.account()
    one, other = house.table(by=club), house.table(by=club)
    stream = listen(club)
    ids = [stream.last]
    for table in (one, other, one, one, other):
        table.move()
        stream.events(len(ids))
        ids.append(stream.last)
    assert len(set(ids)) == len(ids)
    for at, last in enumerate(ids):
        resumed = listen(club, last)
        assert resumed.events(len(ids) - 1 - at) == [message.event for message in stream.found[at:]]
    resumed = listen(club, ids[2])
    one.move()  # while it catches up
    assert [message.event for message in stream.found[2:]] == resumed.events(4)[:3]
    assert stream.events(6)[-1] == resumed.events(4)[-1]


def test_an_id_that_is_not_known_is_answered_with_reset(house: House, listen: Listen) -> None:
    """And the stream goes on with what happens from now on."""
    table = house.table()
    for last in ("7", "x", "²".encode().decode("latin-1"), "A" * 32, listen(OPERATOR).last[:-4] + "AAAA"):
        stream = listen(table.sits(0), last)
        (reset,) = stream.begun
        assert (reset["event"], reset.event) == ("reset", {"type": "reset"})
        table.move()
        assert len(stream.events(1)) == 1


def test_an_id_that_is_too_old_is_answered_with_reset(
    house: House, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what was stored behind it the numbers may be forgotten."""
    table = house.table()
    last = listen(table.sits(0)).last
    for _ in range(3):
        table.move()
    assert len(listen(table.sits(0), last).events(3)) == 3
    monkeypatch.setattr(sequence, "KEPT", 2)
    assert [message["event"] for message in listen(table.sits(0), last).begun] == ["reset"]


def test_a_store_that_has_gone_back_is_answered_with_reset(house: House, listen: Listen) -> None:
    """Its numbers are given anew."""
    table = house.table()
    stream = listen(table.sits(0))
    followed = stream.suspended._followed  # type: ignore[attr-defined]
    earlier = followed._replace(found=followed.found._replace(generation=1))
    stream.suspended._followed = earlier  # type: ignore[attr-defined]
    stream.suspended._inbox.put(())  # type: ignore[attr-defined] # as whoever reads the appends does then
    assert [message["event"] for message in stream.pull()] == ["reset"]
    table.move()
    assert until(lambda: len(stream.pull()) == 2)
    assert stream.found[1].event["seq"] == 2


def test_an_id_says_nothing_of_others(house: House, listen: Listen) -> None:
    """Neither how much they do nor, by the minute, when."""
    table = house.table()
    stream = listen(table.sits(0))
    last = stream.last
    for _ in range(3):
        house.table()
    assert stream.pull() == []
    assert stream.ids == [last]
    assert not any(part.isdecimal() for part in (last, last[:8]))


def test_who_hears_nothing_for_long_is_told_where_to_go_on(
    house: House, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or else it would have to look through all that others have done since."""
    table = house.table()
    stream = listen(table.sits(0))
    begun = stream.last
    house.table()
    monkeypatch.setattr(joint_stream, "STANDS_APART", 0.0)
    stream.suspended._stand_at = 0.0  # type: ignore[attr-defined]
    assert until(lambda: stream.pull() == [] and stream.last != begun)
    table.move()
    assert len(stream.events(1)) == 1
    assert listen(table.sits(0), stream.ids[1]).events(1) == stream.events(1)


def test_a_void_credential_ends_a_stream_in_which_nothing_happens(
    house: House, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.table()
    monkeypatch.setattr(joint_stream, "STANDS_APART", 0.0)
    stream, other = listen(table.sits(0)), listen(table.sits(1))
    assert table.client.delete(f"{table.path}/seats/0/token", headers=OPERATOR).status_code == 204
    assert until(lambda: stream.pull() == [] and stream.has_ended)
    assert other.pull() == []
    assert not other.has_ended


def test_who_has_missed_too_much_reads_it_from_the_store(
    house: House, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joint_stream, "MOST_WAITING", 2)
    table = house.table()
    stream, other = listen(table.sits(0)), listen(table.sits(1))
    for number in range(1, 8):
        table.move()
        other.events(number)
    assert stream.events(7) == table.feed(table.sits(0), after=1)
    table.move()
    assert stream.events(8) == table.feed(table.sits(0), after=1)


def test_looks_into_the_store_are_short(house: House, listen: Listen, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much others have done meanwhile."""
    monkeypatch.setattr(joint_stream, "SCANNED", 3)
    monkeypatch.setattr(joint_stream, "MOST_AT_ONCE", 2)
    table = house.table()
    last = listen(table.sits(0)).last
    for _ in range(4):
        house.table().move()
        table.move()
        table.move()
    assert listen(table.sits(0), last).events(8) == table.feed(table.sits(0), after=1)


def test_a_credential_that_is_void_hears_no_more(house: House, listen: Listen) -> None:
    table = house.table()
    key = house.key("referee", scopes=(), matches=(table.match,))
    by_key, by_token, other = listen(key), listen(table.sits(0)), listen(table.sits(1))
    table.move()
    for stream in (by_key, by_token, other):
        assert len(stream.events(1)) == 1
    revoked = key_id(digest(key["Authorization"].removeprefix("Bearer ")))
    assert house.services.store.revoke_key(revoked, "2026-01-02T00:00:00.000Z")
    assert table.client.delete(f"{table.path}/seats/0/token", headers=OPERATOR).status_code == 204
    move = table.seen(OPERATOR)["view"]["to_act"][0]
    legal = table.seen(table.sits(move))["legal_moves"] if move else [{"type": "play", "seat": 0, "card": "?"}]
    if move == 0:
        legal = [{**legal[0], "card": table.seen(OPERATOR)["view"]["table"]["hands"][0][0]}]
    assert table.put(legal[0], OPERATOR).status_code == 200
    assert len(other.events(2)) == 2
    for stream in (by_key, by_token):
        assert until(lambda stream=stream: stream.pull() and stream.has_ended)  # type: ignore[misc]
        assert len(stream.found) == 1


def test_every_match_that_is_unsealed_is_in_the_log(house: House) -> None:
    """Once a stream, and only what was hidden from the caller."""
    table, other = house.table(), house.table()
    with capture_logs() as logged:
        stream, plain = Stream(house, OPERATOR), Stream(house, house.key("operator", "operator", ("matches:read",)))
        for each in (table, table, other):
            each.move()
        stream.events(3)
        plain.events(3)
        stream.close()
        plain.close()
    unsealed = [(line["unsealed"], line["match"]) for line in logged if line["event"] == "unsealed"]
    assert unsealed == [("operator", table.match), ("operator", other.match)]


def test_it_takes_a_place_of_its_caller_and_of_no_match(house: House) -> None:
    table = house.table()
    places = house.services.streams
    before = sum(places._open.values())
    stream = Stream(house, table.sits(0))
    assert {share[0] if isinstance(share, tuple) else share for share in places._open} >= {"caller", "all"}
    assert not any(isinstance(share, tuple) and share[0] == "match" for share in places._open)
    stream.close()
    stream.close()
    assert sum(places._open.values()) == before


def test_who_may_not(house: House, table: Table) -> None:
    refused(house.client.get(PATH), 401, "unauthenticated")
    refused(house.client.get(PATH, headers=house.key("operator", scopes=("matches:play",))), 403, "forbidden")
    refused(house.client.get(PATH, headers={**table.sits(0), "Accept": "application/json"}), 406, "not-acceptable")


def test_it_ends_where_the_store_does_not_answer(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Stream(house, OPERATOR)

    def gone(*_given: Any) -> Any:
        raise Unavailable("gone", "timeout")

    monkeypatch.setattr(house.services.store.appends, "follow", gone)
    stream.suspended._inbox.put(())  # type: ignore[attr-defined] # as the watcher does that cannot look
    stream.pull()
    assert stream.has_ended
    stream.close()


def test_nobody_who_follows_is_remembered_when_it_has_gone(house: House) -> None:
    database = house.services.store._database.follow.__self__  # type: ignore[attr-defined]
    followers = database._subscriptions._appends
    streams = [Stream(house, OPERATOR), Stream(house, house.account())]
    assert followers
    for stream in streams:
        stream.close()
    assert not followers
    assert followers._by_topic == {}


# --- live, from servers, on both stores


class Live:
    """A stream from a server, read as it comes."""

    def __init__(self, server: Server, by: Caller, last: str | None = None) -> None:
        self.connection = server.connection()
        more = {} if last is None else {"Last-Event-ID": last}
        self.connection.request("GET", PATH, headers={**by, **more})
        self.response: HTTPResponse = self.connection.getresponse()
        assert self.response.status == 200
        self.found: list[Message] = []
        self._text = b""
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        try:
            while piece := self.response.read1(65536):
                self._text += piece
                self.found = messages(self._text)
        except (OSError, ValueError, AttributeError):  # hung up
            return

    def events(self, count: int) -> list[tuple[str, int]]:
        """So many events, as soon as they are there: match and number."""
        assert until(lambda: len(self._told()) >= count)
        return [(message.event["match"], message.event["seq"]) for message in self._told()]

    def _told(self) -> list[Message]:
        return [message for message in self.found if "data" in message]

    @property
    def last(self) -> str:
        """The id to go on with."""
        assert until(lambda: self.found)
        return [message["id"] for message in self.found if "id" in message][-1]

    def close(self) -> None:
        """Hang up."""
        sock = self.connection.sock
        if sock is not None:
            sock.close()
        self.response.close()
        self.connection.close()


THREADS = "4" if SERVER == "gunicorn" else "16"
"""Under granian a stream holds a thread for ten seconds more when its client has hung up."""


@pytest.fixture(params=KINDS)
def servers(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[Server]]:
    """Two servers on a PostgreSQL database, or one with two workers on a file."""
    with migrated_database(request.param, tmp_path) as url:
        environment = {"GYOJI_STORE_KEY": "c0de" * 16}
        own = ("--store", url, "--workers", "1" if request.param == "postgresql" else "2", "--threads", THREADS)
        with serving(*own, environment=environment) as one:
            if request.param == "sqlite":
                yield [one, one]
                return
            with serving(*own, environment=environment) as other:
                yield [one, other]


def asked(server: Server, method: str, path: str, by: Caller, body: Any = None) -> Plain:
    """What a server answers that does not refuse."""
    status, answer = server.asked(method, path, body, by)
    assert status < 300, answer
    found: Plain = json.loads(answer)
    return found


def test_it_is_live_and_resumed_whichever_server_stores(servers: list[Server]) -> None:
    here, there = servers
    made = asked(there, "POST", "/v1/matches", OPERATOR, {"game": "catte", "seats": 3})
    first, path = made["match"], made["links"]["self"]
    seats = [{"Authorization": f"Bearer {seat['token']}"} for seat in made["seats"]]
    everything, one_seat = Live(here, OPERATOR), Live(here, seats[1])
    begun = everything.last, one_seat.last

    def move() -> None:
        seat = asked(there, "GET", path, seats[0])["view"]["to_act"][0]
        legal = asked(there, "GET", path, seats[seat])["legal_moves"]
        asked(there, "POST", f"{path}/moves", seats[seat], {"move": legal[0]})

    began = monotonic()
    move()
    assert everything.events(1) == one_seat.events(1) == [(first, 2)]
    second = asked(there, "POST", "/v1/matches", OPERATOR, {"game": "towai", "seats": 3})["match"]
    assert everything.events(3) == [(first, 2), (second, 0), (second, 1)]
    move()
    expected = [(first, 2), (second, 0), (second, 1), (first, 3)]
    assert everything.events(4) == expected
    assert one_seat.events(2) == [(first, 2), (first, 3)]
    assert monotonic() - began < 20
    for at, stream in enumerate((everything, one_seat)):
        stream.close()
        again = Live(there, OPERATOR if at == 0 else seats[1], begun[at])
        assert again.events(4 if at == 0 else 2) == (expected if at == 0 else [(first, 2), (first, 3)])
        again.close()


def test_hundreds_leave_threads_to_everything_else() -> None:
    """One worker of four threads; and all of them end at once when it stops."""
    with serving("--server", "gunicorn", "--workers", "1", "--threads", "4") as server:
        streams = [Live(server, OPERATOR) for _ in range(100)]
        assert all(stream.last for stream in streams)
        made = asked(server, "POST", "/v1/matches", OPERATOR, {"game": "catte", "seats": 3})
        for stream in streams:
            assert stream.events(2) == [(made["match"], 0), (made["match"], 1)]
        began = monotonic()
        assert server.stop() == 0
        assert monotonic() - began < 15
        for stream in streams:
            stream._reader.join(10)
            assert not stream._reader.is_alive()
            stream.close()
