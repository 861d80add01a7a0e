"""The process that plays bots beside a service's workers."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest

from client.players import play, played
from gyoji.games.catalogue import GAMES, is_own
from gyoji_client import Gyoji
from operators import OPERATOR, OPERATOR_KEY
from servers import Server, is_running, serving
from store.databases import migrated_database
from store.logs import KEY
from waiting import until
from web.matches.test_canaries import CARD
from web.webhooks.receivers import answering, receiving

NAMED = b"Playing bots with pid: "
ALLOWED = {"GYOJI_BOTS": "random,greedy"}
SEATS: list[dict[str, Any]] = [{"name": "canary Ann"}, {"bot": "greedy"}, {"bot": "random"}]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service with bots."""
    with migrated_database(request.param, tmp_path_factory.mktemp("store")) as url:
        own = {"GYOJI_STORE": url, "GYOJI_STORE_KEY": KEY.hex(), "GYOJI_WEBHOOKS_TO": "anywhere"}
        with serving("--workers", "2", environment={**ALLOWED, **own}) as running:
            yield running


@pytest.fixture
def gyoji(server: Server) -> Iterator[Gyoji]:
    """A client with the operator's key."""
    with client(server) as asking:
        yield asking


def client(server: Server) -> Gyoji:
    """A client with the operator's key."""
    return Gyoji(f"http://127.0.0.1:{server.port}", OPERATOR_KEY)


def beside(server: Server, which: int = 0) -> int:
    """The process, when it is there: the first, or one of those after it."""
    assert until(lambda: len([line for line in list(server.raw) if NAMED in line]) > which)
    found = [line for line in list(server.raw) if NAMED in line]
    return int(found[which].partition(NAMED)[2].split(b'"')[0])


@pytest.mark.parametrize("game", [game.slug for game in GAMES if is_own(game)])
def test_a_newcomer_plays_a_whole_match_alone(server: Server, gyoji: Gyoji, game: str) -> None:
    """With the address of one seat; the bots' moves come by its stream. The log tells of nobody and of no card."""
    match = gyoji.matches.create(game, seats=SEATS)
    seat = play(match.seats[0].address)
    assert match.read()["result"] == seat.result
    assert match.audit()["verdict"] == "verified"
    log = b"".join(server.raw)
    assert CARD.findall(log) == []
    assert [needle for needle in ("canary", *[seat.token for seat in match.seats]) if needle.encode() in log] == []
    metrics = server.asked("GET", "/metrics")[1]
    assert CARD.findall(metrics) == []


def test_webhooks_tell_of_bots_moves(server: Server, gyoji: Gyoji) -> None:
    with receiving(answering(200)) as receiver:
        types = ["match.moved", "match.finished"]
        status, body = server.asked("POST", "/v1/webhooks", {"url": receiver.url(), "types": types}, OPERATOR)
        assert status == 201, body
        match = gyoji.matches.create("catte", seats=[{"bot": "random"}] * 3)
        assert until(lambda: match.read()["status"] == "finished")
        made = {("match.moved", event["seq"]) for event in played(gyoji, match.id)}
        assert len(made) > 30
        assert until(lambda: made < {message.told for message in receiver.came})
        assert until(lambda: "match.finished" in {message.told[0] for message in receiver.came})


def test_bots_go_on_when_their_process_is_killed_and_when_the_service_starts_again(tmp_path: Path) -> None:
    store = ("--workers", "1", "--store", f"sqlite:///{tmp_path}/gyoji.db")
    with serving(*store, environment=ALLOWED) as server, closing(client(server)) as gyoji:
        os.kill(beside(server), SIGKILL)
        match = gyoji.matches.create("catte", seats=[{"bot": "random"}, {"name": "Ann"}, {"bot": "random"}])
        second = beside(server, 1)
        assert until(lambda: match.read()["seq"] == 2)
        assert server.stop() == 0
        assert until(lambda: not is_running(second))
        assert not [line for line in server.raw if b"bots-ended" in line]
        token = match.seats[1].address.partition("#")[2]
    with serving(*store) as server, closing(client(server)) as gyoji:  # which allows no bots any more
        refused = server.asked("POST", "/v1/matches", {"game": "catte", "seats": SEATS}, OPERATOR)
        assert (refused[0], b"bots-not-allowed" in refused[1]) == (403, True)
        assert gyoji.matches.get(match.id).read()["seats"][0]["bot"] == "random"
        assert not [line for line in server.raw if NAMED in line]
    with serving(*store, environment=ALLOWED) as server, closing(client(server)) as gyoji:
        play(f"http://127.0.0.1:{server.port}/matches/{match.id}#{token}")
        assert gyoji.matches.get(match.id).read()["status"] == "finished"


def test_the_process_ends_when_its_master_is_killed(tmp_path: Path) -> None:
    with serving("--workers", "1", "--store", f"sqlite:///{tmp_path}/gyoji.db", environment=ALLOWED) as server:
        process = beside(server)
        server.kill()
        assert until(lambda: not is_running(process))
        server.bury()
