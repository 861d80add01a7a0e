"""Whole matches, played by clients over HTTP."""

import asyncio
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import takewhile
from threading import Thread
from typing import Any

import pytest

from client.players import QUICK, play, play_matches, played
from client.proxy import CuttingProxy
from gyoji.published_files import CHECKOUT
from gyoji_client import (
    AsyncGyoji,
    AsyncSeat,
    Gyoji,
    IllegalMove,
    InvalidRequest,
    Match,
    MatchFinished,
    NotFound,
    ReplayRefused,
    Retries,
    Seat,
    StalePosition,
    Unauthenticated,
    Unreachable,
)
from operators import OPERATOR_KEY
from servers import Server

README = CHECKOUT / "clients" / "python" / "README.md"

SEATS = {"catte": 3, "familiars-trouble": 3, "tomorrow-never-meows": 3, "towai": 3}


@pytest.mark.parametrize("game", SEATS)
def test_a_match_is_played_by_a_client_for_each_seat(gyoji: Gyoji, game: str) -> None:
    match = gyoji.matches.create(game, seats=[{"name": name} for name in "ABC"[: SEATS[game]]])
    with ThreadPoolExecutor(len(match.seats)) as pool:
        seats = list(pool.map(play, [seat.address for seat in match.seats]))
    stands = match.read()
    assert stands["status"] == "finished"
    assert [seat.result for seat in seats] == [stands["result"]] * len(seats)
    moves = Counter(event["actor"]["seat"] for event in played(gyoji, match.id))
    assert moves == {number: len(seat.receipts) for number, seat in enumerate(seats)}
    assert match.audit()["verdict"].startswith("verified")
    assert gyoji.audit(match.replay())["verdict"].startswith("verified")


def test_the_same_with_asyncio(url: str) -> None:
    async def play_seat(address: str) -> AsyncSeat:
        async with AsyncSeat(address) as seat:
            async for turn in seat.turns():
                try:
                    await turn.play(turn.legal_moves[0])
                except StalePosition:
                    continue
            return seat

    async def play_match() -> None:
        async with AsyncGyoji(url, OPERATOR_KEY) as gyoji:
            match = await gyoji.matches.create("catte", seats=3)
            seats = await asyncio.gather(*[play_seat(seat.address) for seat in match.seats])
            stands = await match.read()
            assert (stands["status"], [seat.result for seat in seats]) == ("finished", [stands["result"]] * 3)
            newest = [each["match"] async for each in gyoji.matches.list(game="catte")]
            assert newest[0] == match.id

    asyncio.run(play_match())


def test_behind_a_proxy_that_cuts_every_move_is_made_once(gyoji: Gyoji, service: Server) -> None:
    """One answer in five is cut, and one stream in three; then a client does not know whether its move was taken."""
    with closing(CuttingProxy(service.port, seed=18)) as proxy:
        play_matches([*SEATS], proxy, gyoji)


def test_a_replay_that_is_not_stored_says_what_the_audit_found(gyoji: Gyoji) -> None:
    match = gyoji.matches.create("catte", seats=3)
    with pytest.raises(ReplayRefused) as refused:
        gyoji.store_replay(match.replay())
    assert refused.value.verdict == "verified_partial"


def test_one_feed_tells_of_all_matches_each_event_once(gyoji: Gyoji, service: Server) -> None:
    """Also where the line is cut again and again."""
    with (
        closing(CuttingProxy(service.port, seed=697)) as proxy,
        Gyoji(proxy.url, OPERATOR_KEY, retries=QUICK) as behind,
    ):
        feed, told = behind.matches.feed(), list[Any]()
        following = Thread(target=lambda: told.extend(takewhile(lambda event: event["match"] != ended, feed)))
        ended = ""
        following.start()
        while not told:  # what happens before the stream is there is not in it
            gyoji.matches.create("catte", seats=3)
        matches = [gyoji.matches.create("catte", seats=3) for _match in range(3)]
        with ThreadPoolExecutor(9) as pool:
            list(pool.map(play, [seat.address for match in matches for seat in match.seats]))
        ended = gyoji.matches.create("catte", seats=3).id
        following.join(60)
        assert not following.is_alive()
    assert proxy.cut == 5
    for match in matches:
        assert [event for event in told if event["match"] == match.id] == list(match.feed())


def to_move(match: Match) -> Seat:
    """The seat that may move."""
    seats = [Seat(seat.address) for seat in match.seats]
    return next(seat for seat in seats if seat.read()["legal_moves"])


def test_a_refused_move_says_which_rule_and_what_instead(gyoji: Gyoji) -> None:
    codes = [code for kind in gyoji.games.describe("catte")["cards"] for code in kind["codes"]]
    with closing(to_move(gyoji.matches.create("catte", seats=3))) as seat:
        turn = next(seat.turns())
        legal = turn.legal_moves[0]
        hand = turn.view["table"]["hands"][legal["seat"]]
        assert turn.would_be_legal(legal)
        with pytest.raises(IllegalMove) as caught:
            turn.play({**legal, "card": next(code for code in codes if code not in hand)})
    refused = caught.value
    assert (refused.code, refused.status, refused.reason, refused.rule) == (
        "illegal-move",
        409,
        "card-not-in-hand",
        None,
    )
    assert refused.legal_moves == list(turn.legal_moves)
    assert "does not hold" in refused.because
    assert str(refused) == refused.detail
    assert refused.request_id


def test_a_move_that_was_decided_on_an_older_position_is_stale(gyoji: Gyoji) -> None:
    match = gyoji.matches.create("catte", seats=3)
    stands = match.read()
    with closing(to_move(match)) as seat:
        move = seat.read()["legal_moves"][0]
        with pytest.raises(StalePosition):
            seat.play(move, seq=stands["seq"] - 1)
        assert seat.play(move, seq=stands["seq"])["seq"] > stands["seq"]


def test_what_is_refused_has_a_class_of_its_own(gyoji: Gyoji, url: str) -> None:
    with pytest.raises(NotFound):
        gyoji.matches.get("00000000-0000-4000-8000-000000000000").read()
    with Gyoji(url) as stranger, pytest.raises(Unauthenticated):
        stranger.matches.create("catte", seats=3)
    with pytest.raises(InvalidRequest, match="/seats: ") as caught:
        gyoji.matches.create("catte", seats=99)
    assert [error["pointer"] for error in caught.value.errors] == ["/seats"]
    match = gyoji.matches.create("catte", seats=3)
    match.void()
    with pytest.raises(MatchFinished):
        Seat(match.seats[0].address).play({"type": "play", "seat": 0, "card": "K1"})


def test_a_service_that_is_not_there_is_unreachable() -> None:
    with Gyoji("http://127.0.0.1:9", retries=Retries(most=1, first=0.01)) as nobody, pytest.raises(Unreachable):
        nobody.games.list()


def test_an_address_without_a_token_is_no_seat() -> None:
    for address in ("http://127.0.0.1/matches/x", "http://127.0.0.1/#token=y"):
        with pytest.raises(ValueError, match="address of a seat"):
            Seat(address)


def test_the_stateless_calls(gyoji: Gyoji) -> None:
    assert {"catte", "towai"} <= {game["game"] for game in gyoji.games.list()}
    position = gyoji.games.start("catte", 3, seed="ab" * 64)
    moves = position["legal_moves"]
    after = gyoji.games.adjudicate("catte", position["state"], moves[0])
    assert after["state"]["ply"] == position["state"]["ply"] + 1
    assert gyoji.games.legal_moves("catte", position["state"])["legal_moves"] == moves
    assert gyoji.games.scores("catte", position["state"])["scores"] == position["scores"]
    assert gyoji.games.view("catte", position["state"], None)["legal_moves"] == []
    assert gyoji.games.rule("catte", gyoji.games.rules("catte")[0]["rule"])["heading"]["ja"]
    assert gyoji.games.describe("catte")["game"] == "catte"


EXAMPLES = re.findall(r"```python example\n(.*?)```", README.read_text("utf-8"), re.DOTALL)


def test_the_examples_of_the_readme_run(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As they stand; the first in a match whose other seats are played as well."""
    assert len(EXAMPLES) == 2
    first, second = EXAMPLES
    names: dict[str, Any] = {"URL": url, "KEY": OPERATOR_KEY}
    begin, follow = first.split("seat = ", 1)
    exec(begin, names)  # noqa: S102 - our own page
    with ThreadPoolExecutor(2) as pool:
        others = [pool.submit(play, seat.address) for seat in names["match"].seats[1:]]
        exec(f"seat = {follow}", names)  # noqa: S102
        result = others[0].result().result
    exec(second, names)  # noqa: S102
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == str(result)
    assert printed[1].endswith(" verified")


def test_a_tournament_is_directed_by_a_client(gyoji: Gyoji) -> None:
    cup = gyoji.tournaments.create("Autumn cup", "catte", seats=[3], rounds=1, pairing="draw")
    cup.enter(*[{"name": name} for name in ("Aiko", "Ben", "Chidi")])
    paired = cup.pair()
    tokens = [seat["token"] for seat in paired["tables"][0]["seats"]]
    match = paired["tables"][0]["match"]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(play, [f"{gyoji.service.url}/matches/{match}#token={token}" for token in tokens]))
    cup.close_round(1)
    assert [table["match"] for table in cup.round(1)["tables"]] == [match]
    assert len(cup.standings()["rows"]) == 3
    cup.correct("e1", "1", "Fair play")
    cup.withdraw("e2")
    cup.close()
    assert cup.read()["status"] == "closed"
    assert gyoji.tournaments.get(cup.id).log().startswith(b'{"format":"gyoji-tournament/1"')
