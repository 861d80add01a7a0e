"""Streams, waits, downloads, audits and imports have so many places, past that 503, and 429 for one caller; shares that
nobody else can take leave some to whoever comes with a credential, and to downloads."""

import re
from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from ipaddress import ip_address
from resource import RLIM_INFINITY

import orjson
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from answers import CheckedClient
from gyoji.access.callers import SeatHolder
from gyoji.app.places import address_of
from gyoji.app.preparation import prepare_store
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import PeerConnection
from gyoji.app.services import STREAMS, Services, most_streams
from gyoji.app.settings import Settings, settings_from
from gyoji.app.shares import Follower, Shares
from gyoji.published_files import CHECKOUT
from gyoji.web.app import create_app
from operators import OPERATOR
from suspending import suspending
from web.matches.tables import House, Table, read, refused
from web.matches.tables import house as house_of

JSONL = {"Content-Type": "application/jsonl"}


@pytest.fixture
def services(app: Flask) -> Services:
    """The desk of the application."""
    found: Services = app.extensions["gyoji.services"]
    return found


def test_audits_are_lent_a_quarter_of_the_threads(client: CheckedClient, services: Services) -> None:
    taken = services.settings.threads // 4
    for _ in range(taken):
        services.audits.take()
    try:
        refused = client.post("/v1/audits", data=b"{}\n", headers=JSONL)
        assert (refused.status_code, refused.get_json()["code"]) == (503, "too-many-at-once")
        assert refused.headers["Retry-After"] == "5"
        created = client.post("/v1/matches", json={"game": "catte", "seats": 3}, headers=OPERATOR).get_json()
        body = orjson.dumps({"match": created["match"]})
        stored = client.post("/v1/audits", data=body, headers={**OPERATOR, "Content-Type": "application/json"})
        assert stored.status_code == 503
        assert client.get("/healthz").status_code == 200
    finally:
        for _ in range(taken):
            services.audits.give_back()
    assert client.post("/v1/audits", data=b"{}\n", headers=JSONL).get_json()["verdict"] == "malformed"
    assert client.post("/v1/audits", data=b"{}\n", headers=JSONL).status_code == 200


def test_one_import_at_a_time(client: CheckedClient, services: Services) -> None:
    with held(services.imports, None):
        refused = client.post("/v1/replays", data=b"{}\n", headers={**JSONL, **OPERATOR})
        assert refused.status_code == 503
    assert client.post("/v1/replays", data=b"{}\n", headers={**JSONL, **OPERATOR}).status_code == 409


# --- shares of streams


def stranger(address: Hashable | None, match: str = "m") -> Follower:
    """Somebody without a credential."""
    return Follower(match, address, has_credential=False)


def guest(name: Hashable, match: str = "m") -> Follower:
    """Somebody with a credential."""
    return Follower(match, name, has_credential=True)


def taken(streams: Shares, *asking: Follower) -> list[str]:
    """What each is answered who asks, one after the other: ``""`` for a place."""
    answers = []
    for who in asking:
        try:
            streams.take(who)
        except HttpProblem as problem:
            answers.append(problem.code)
        else:
            answers.append("")
    return answers


@pytest.mark.parametrize(("files", "streams"), [(RLIM_INFINITY, 10_000), (1 << 20, 10_000), (4096, 2048), (1, 1)])
def test_places_for_streams_leave_files_to_everything_else(files: int, streams: int) -> None:
    assert most_streams(files) == streams


def test_strangers_have_half_of_the_places_whatever_they_do() -> None:
    streams = Shares(8)
    asking = [stranger(f"10.0.0.{at}", f"m{at}") for at in range(8)]
    assert taken(streams, *asking) == [""] * 4 + ["too-many-at-once"] * 4
    assert taken(streams, *[guest(at, f"m{at}") for at in range(5)]) == [""] * 4 + ["too-many-at-once"]


def test_of_that_a_match_has_half_and_an_address_a_tenth() -> None:
    one_match = [stranger(f"10.0.0.{at}") for at in range(4)]
    assert taken(Shares(8), *one_match) == ["", "", "too-many-at-once", "too-many-at-once"]
    one_address = [stranger("10.0.0.1", f"m{at}") for at in range(4)]
    assert taken(Shares(40), *one_address) == ["", "", "rate-limited", "rate-limited"]
    assert taken(Shares(8), *one_address) == ["", *["rate-limited"] * 3]
    nobody_knows = [stranger(None, f"m{at}") for at in range(5)]
    assert taken(Shares(8), *nobody_knows) == [""] * 4 + ["too-many-at-once"]


def test_a_caller_has_half_and_a_match_all_but_a_quarter() -> None:
    streams = Shares(8)
    assert taken(streams, *[guest("ann", f"m{at}") for at in range(5)]) == [""] * 4 + ["rate-limited"]
    assert taken(streams, *[guest("ben", f"m{at}") for at in range(5)]) == [""] * 4 + ["rate-limited"]
    assert taken(Shares(8), *[guest(at) for at in range(8)]) == [""] * 6 + ["too-many-at-once"] * 2


def test_strangers_of_a_match_leave_its_seats_alone() -> None:
    streams = Shares(4)
    assert taken(streams, *[stranger(f"10.0.0.{at}") for at in range(8)]).count("") == 1
    assert taken(streams, guest(0), guest(1), guest(2)) == ["", "", ""]


@pytest.mark.parametrize(("column", "most"), [(0, STREAMS), (1, Settings().threads // 2)])
def test_the_numbers_are_those_of_the_page_for_operators(column: int, most: int) -> None:
    """Those of a worker that holds no thread for a stream, and of one that does, with the threads that it has."""

    def given(who: Callable[[int], Follower]) -> str:
        return f"{taken(Shares(most), *map(who, range(STREAMS))).count(''):,}"

    page = (CHECKOUT / "docs" / "operating.md").read_text("utf-8")
    row = re.compile(r"^\| ([a-z][^|]*) \| [^|]* \| ([1-9][0-9,]*) \| ([1-9][0-9,]*) \| [^|]* \|$", re.MULTILINE)
    assert {found[1]: found.groups()[1:][column] for found in row.finditer(page)} == {
        "callers without a credential, all together": given(lambda at: stranger(at, f"m{at}")),
        "of those one match": given(stranger),
        "of those one address": given(lambda at: stranger(1, f"m{at}")),
        "one match, for callers with a credential": given(guest),
        "one credential: a seat, the spectators of a match, a key": given(lambda at: guest(1, f"m{at}")),
    }


@pytest.mark.parametrize("most", range(1, 40))
def test_what_is_given_back_can_be_taken_again(most: int) -> None:
    streams = Shares(most)
    told: list[float] = []
    streams.on_change = told.append
    everybody = [guest(at, f"m{at % 3}") for at in range(50)] + [stranger(at, f"m{at % 3}") for at in range(50)]
    first = taken(streams, *everybody)
    assert 1 <= first.count("") == sum(told) <= most
    for who, answer in zip(everybody, first, strict=True):
        if not answer:
            streams.give_back(who)
    assert sum(told) == 0
    assert taken(streams, *everybody) == first


# --- over HTTP


@pytest.fixture(params=["on a thread", "suspended"])
def place(request: pytest.FixtureRequest, settings: Settings, app: Flask, monkeypatch: pytest.MonkeyPatch) -> House:
    """The application with four places for streams, none of which is taken, and one for downloads."""
    assert settings.threads == 8
    found = house_of(app)
    if request.param == "suspended":
        monkeypatch.setattr(app, "wsgi_app", suspending(app.wsgi_app))
        monkeypatch.setattr(found.services, "streams", Shares(4))
        monkeypatch.setattr(found.services, "lent", found.services.streams)
    return found


@contextmanager
def held(streams: Shares, *who: Follower | None) -> Iterator[None]:
    """Places that somebody has meanwhile."""
    with ExitStack() as stack:
        for each in who:
            streams.take(each)
            stack.callback(streams.give_back, each)
        yield


def asked(table: Table, part: str, headers: dict[str, str], address: str = "10.0.0.1") -> TestResponse:
    """A part of the match, as it is answered to a caller at that address, which hangs up at once."""
    return table.client.get(
        table.path + part, headers=headers, environ_overrides={"REMOTE_ADDR": address, "gunicorn.socket": Closed()}
    )


class Closed:
    """A connection that the caller has closed."""

    def recv(self, _size: int, _flags: int) -> bytes:
        """Nothing more."""
        return b""


STREAM = {"Accept": "text/event-stream"}


@pytest.mark.parametrize(("part", "headers"), [("/events", STREAM), ("/events?after=1&wait=1", {})])
def test_strangers_are_refused_while_seats_are_answered(place: House, part: str, headers: dict[str, str]) -> None:
    table, other = place.table(visibility="public"), place.table(visibility="public")
    with held(place.services.lent, stranger("v4-1", table.match), stranger("v4-2", other.match)):
        for each in (table, other, place.table(visibility="public")):
            answer = asked(each, part, headers)
            refused(answer, 503, "too-many-at-once")
            assert answer.headers["Retry-After"] == "5"
        for seat in (0, 1):
            assert asked(table, part, {**headers, **table.sits(seat)}).status_code == 200
        assert asked(table, "/replay", {}).status_code == 200


def test_one_address_is_told_that_it_has_too_many(place: House) -> None:
    table, other = place.table(visibility="public"), place.table(visibility="public")
    here = ip_address("10.0.0.1")
    with held(place.services.lent, stranger(here, other.match)):
        for part, headers in (("/events", STREAM), ("/events?after=1&wait=1", {})):
            answer = asked(table, part, headers)
            refused(answer, 429, "rate-limited")
            assert answer.headers["Retry-After"] == "5"
            assert asked(table, part, headers, "10.0.0.2").status_code == 200
        assert read(asked(table, "/events?after=1", {}))["events"] == []  # who does not wait holds nothing


def test_a_seat_is_told_that_it_has_too_many(place: House) -> None:
    table = place.table()
    seat = guest(SeatHolder(table.match, 0), table.match)
    with held(place.services.lent, seat, seat):
        refused(asked(table, "/events", {**STREAM, **table.sits(0)}), 429, "rate-limited")
        assert asked(table, "/events", {**STREAM, **table.sits(1)}).status_code == 200


def test_downloads_have_a_place_of_their_own_and_then_those_of_streams(place: House) -> None:
    table = place.table(visibility="public")
    services = place.services
    everybody = [guest(at, f"m{at}") for at in range(4)]
    with held(services.lent, *everybody):
        assert asked(table, "/replay", {}).status_code == 200
    with held(services.downloads, guest("slow")):
        assert asked(table, "/replay", {}).status_code == 200
    with held(services.downloads, stranger("slow")), held(services.lent, stranger("a", "m1"), stranger("b", "m2")):
        refused(asked(table, "/replay", {}), 503, "too-many-at-once")
        assert asked(table, "/replay", table.sits(0)).status_code == 200
    with held(services.downloads, guest("slow")), held(services.lent, *everybody):
        refused(asked(table, "/replay", table.sits(0)), 503, "too-many-at-once")


def test_what_was_lent_is_given_back(place: House) -> None:
    table = place.table(visibility="public")
    for _time in range(10):
        for part, headers in (("/events", STREAM), ("/events?after=1&wait=1", {}), ("/replay", {})):
            assert asked(table, part, headers).status_code == 200
            assert table.client.head(table.path + part, headers=headers).status_code == 200


# --- whose connection it is


@pytest.mark.parametrize(
    ("proxies", "told", "expected"),
    [
        (0, None, ip_address("192.0.2.1")),
        (0, "203.0.113.9", ip_address("192.0.2.1")),
        (1, "203.0.113.9", ip_address("203.0.113.9")),
        (1, "10.9.9.9, 203.0.113.9", ip_address("203.0.113.9")),
        (2, "10.9.9.9, 203.0.113.9, 198.51.100.2", ip_address("203.0.113.9")),
        (2, "203.0.113.9", ip_address("192.0.2.1")),
        (1, None, ip_address("192.0.2.1")),
        (1, "", ip_address("192.0.2.1")),
        (1, "203.0.113.9,", ip_address("192.0.2.1")),
        (1, "unknown", "unknown"),
        (1, "x" * 5000, "x" * 100),
        (1, "::ffff:203.0.113.9", ip_address("203.0.113.9")),
        (1, "2001:db8:1:2::1", 0x20010DB800010002),
    ],
)
def test_whose_connection_it_is(proxies: int, told: str | None, expected: object) -> None:
    assert address_of(PeerConnection(None, "192.0.2.1", told or ""), proxies) == expected


def test_one_network_of_ipv6_is_one_caller_and_a_local_socket_is_nobody() -> None:
    peers = ("1::1", "1::ffff:1", "2::1")
    one, same, other = (address_of(PeerConnection(None, f"2001:db8:{peer}", ""), 0) for peer in peers)
    assert one == same != other
    assert address_of(PeerConnection(None, "", ""), 0) is None


def test_behind_a_proxy_callers_are_told_apart_by_what_it_says(settings: Settings) -> None:
    prepare_store(settings)
    behind = house_of(create_app(replace(settings, proxies=1)))
    table = behind.table(visibility="public")
    with held(behind.services.lent, stranger(ip_address("203.0.113.9"), "other")):
        for told, status in (("203.0.113.9", 429), ("198.51.100.7", 200), ("198.51.100.7, 203.0.113.9", 429)):
            assert asked(table, "/events", {**STREAM, "X-Forwarded-For": told}).status_code == status
    behind.services.store.close()


def test_the_setting() -> None:
    assert settings_from({}).proxies == 0
    assert settings_from({"GYOJI_PROXIES": "2"}).proxies == 2
