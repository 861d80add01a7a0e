"""Whoever pairs ahead says what that rests on; a round that nobody has begun is taken back, as a whole or not."""

from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier
from typing import Any

import orjson
import pytest
from werkzeug.test import TestResponse

from answers import checked_client
from gyoji.store import check_store
from operators import OPERATOR
from web.matches.tables import Headers, House, holding, read, refused
from web.tournaments.directing import Cup, cup, matches_of, play_out, refusal, sitting

ONCE = "Idempotency-Key"


def at(six: Cup) -> dict[str, str]:
    """The tournament as it stands."""
    return {"If-Match": six.get().headers["ETag"]}


def take_back(six: Cup, number: int, headers: Headers | None = None) -> TestResponse:
    """A request to take a round back, of the tournament as it stands unless said otherwise."""
    return six.ask(f"/rounds/{number}/take-back", headers=at(six) if headers is None else headers)


def together(six: Cup, headers: list[dict[str, str]]) -> list[int]:
    """What those get who pair ahead at the same moment."""
    all_there = Barrier(len(headers))

    def pair(sent: dict[str, str]) -> int:
        client = checked_client(six.house.app)
        all_there.wait()
        return client.post(f"{six.path}/rounds", json={"early": True}, headers={**OPERATOR, **sent}).status_code

    with ThreadPoolExecutor(len(headers)) as pool:
        return sorted(pool.map(pair, headers))


# Pairing ahead


@pytest.mark.parametrize("sent", [{}, {"If-Match": "*"}])
def test_whoever_pairs_ahead_says_what_it_rests_on(six: Cup, sent: dict[str, str]) -> None:
    """Seen to fail on 201a27e, where four at once paired four rounds."""
    six.pair()
    before = six.everything()
    refused(six.ask("/rounds", {"early": True}, headers=sent), 428, "precondition-required")
    assert six.everything() == before
    assert read(six.ask("/rounds", {"early": True, "dry_run": True}, headers=sent))["round"] == 2
    assert six.everything() == before


def test_four_at_once_pair_one_round(six: Cup) -> None:
    six.pair()
    assert together(six, [{}] * 4) == [428] * 4
    assert together(six, [at(six)] * 4) == [201, 412, 412, 412]
    assert together(six, [{ONCE: "ahead"}] * 4) == [201] * 4
    assert [each["round"] for each in read(six.get())["paired"]] == [1, 2, 3]
    assert check_store(six.house.services.settings.store, bytes.fromhex("ab" * 32)) == []


def test_whoever_waits_for_the_results_need_not_say_it(six: Cup) -> None:
    """Of rounds that are not paired ahead there is no second one: the matches of the first are still played."""
    assert six.ask("/rounds", {}).status_code == 201
    assert refusal(six.ask("/rounds", {})) == "matches-running"


# Taking back


def test_a_round_that_nobody_has_begun_is_taken_back(six: Cup) -> None:
    six.play()
    first = read(six.get("/standings"))
    paired = six.pair()
    answer = take_back(six, 2)
    told = read(answer)
    assert ([each["round"] for each in told["paired"]], answer.headers["ETag"]) == ([1], f'"{told["seq"]}"')
    refused(six.get("/rounds/2"), 404, "not-found")
    assert read(six.get("/standings"))["rows"] == first["rows"]
    events = [orjson.loads(line) for line in six.get("/log").data.splitlines()[1:-1]]
    assert (events[-1]["type"], events[-1]["data"]) == ("round_taken_back", {"round": 2})
    again = six.pair()
    assert (again["round"], sitting(again), again["seed"]) == (2, sitting(paired), paired["seed"])
    assert not set(matches_of(again)) & set(matches_of(paired))
    assert check_store(six.house.services.settings.store, bytes.fromhex("ab" * 32)) == []


def test_its_matches_are_void_and_tell_everything(six: Cup) -> None:
    paired = six.pair()
    read(take_back(six, 1))
    for table in paired["tables"]:
        path, seat = f"/v1/matches/{table['match']}", holding(table["seats"][0]["token"])
        seen = read(six.house.client.get(path, headers=OPERATOR))
        assert (seen["status"], seen["closed"], seen["result"]) == ("voided", True, None)
        events = read(six.house.client.get(f"{path}/events", headers=OPERATOR))["events"]
        assert [event["type"] for event in events[2:]] == ["match_voided", "seed_disclosed"]
        assert events[2]["data"]["reason"] == "cancelled"
        audit = six.house.client.post("/v1/audits", json={"match": table["match"]}, headers=OPERATOR)
        assert read(audit)["verdict"] == "verified"
        move = {"move": {"type": "play", "seat": 0, "card": "B1"}}
        refused(six.house.client.post(f"{path}/moves", json=move, headers=seat), 409, "match-finished")
        ruling = {"ruling": {"kind": "points", "seat": 0, "points": 1}, "reason": "Late."}
        answer = six.house.client.post(f"{path}/rulings", json=ruling, headers={**OPERATOR, "If-Match": '"3"'})
        assert refused(answer, 409, "ruling-refused")["reason"] == "match-replaced"


def begun_by_a_move(six: Cup, match: str) -> None:
    play_out(six.house.services, match, Random(1))


def begun_by_a_ruling(six: Cup, match: str) -> None:
    ruling = {"ruling": {"kind": "pause"}, "reason": "Fire alarm."}
    read(six.house.client.post(f"/v1/matches/{match}/rulings", json=ruling, headers={**OPERATOR, "If-Match": '"1"'}))


@pytest.mark.parametrize("begin", [begun_by_a_move, begun_by_a_ruling])
def test_a_round_that_somebody_has_begun_stays(six: Cup, begin: Any) -> None:
    paired = six.pair()
    begin(six, matches_of(paired)[1])
    before = six.everything()
    for language, said in (("en", "1-2"), ("ja", "1-2")):
        answer = take_back(six, 1, {**at(six), "Accept-Language": language})
        assert refusal(answer) == "round-begun"
        assert answer.json is not None
        assert said in answer.json["because"]
        assert "1-1" not in answer.json["because"]
    assert six.everything() == before
    assert read(six.house.client.get(f"/v1/matches/{matches_of(paired)[0]}", headers=OPERATOR))["status"] == "playing"


def test_a_void_match_has_not_begun(six: Cup) -> None:
    """It counts for nobody, however far it had come; so does one that took its place."""
    paired = six.pair()
    read(six.house.client.post(f"/v1/matches/{matches_of(paired)[0]}/void", headers=OPERATOR))
    read(six.ask("/rounds/1/tables/1/match"))
    read(six.house.client.post(f"/v1/matches/{matches_of(paired)[1]}/void", headers=OPERATOR))
    assert read(take_back(six, 1))["paired"] == []
    played = six.house.services.store.tournaments.played(six.tournament)
    assert [(each.status, each.closed) for each in played] == [("voided", True)] * 3


def test_only_the_latest_round_is_taken_back(six: Cup) -> None:
    six.pair()
    read(six.ask("/rounds", {"early": True}, headers=at(six)))
    assert refusal(take_back(six, 1)) == "not-the-latest"
    read(take_back(six, 2))
    read(take_back(six, 1))
    refused(take_back(six, 1), 404, "not-found")
    six.play()
    assert refusal(take_back(six, 1)) == "round-closed"
    read(six.ask("/close"))
    assert refusal(take_back(six, 1)) == "tournament-closed"


def test_it_says_which_round_is_meant(six: Cup) -> None:
    """A request that comes twice must not take back the round that was paired meanwhile."""
    six.pair()
    for sent in ({}, {"If-Match": "*"}):
        refused(take_back(six, 1, sent), 428, "precondition-required")
    seen = at(six)
    read(take_back(six, 1, seen))
    six.pair()
    refused(take_back(six, 1, seen), 412, "stale-position")
    once = {ONCE: "back-1"}
    first = take_back(six, 1, once)
    assert read(first)["paired"] == []
    six.pair()
    assert len(read(take_back(six, 1, once))["paired"]) == 1


def test_it_is_the_directors(house: House, six: Cup) -> None:
    paired = six.pair()
    for by in (house.key("operator", scopes=["matches:rule", "matches:void"]), house.key("operator", "league")):
        answer = six.ask("/rounds/1/take-back", by=by, headers={"If-Match": "*"})
        assert answer.status_code in (403, 404)
    token = paired["tables"][0]["seats"][0]["token"]
    refused(six.ask("/rounds/1/take-back", by=holding(token)), 403, "forbidden")


def test_whoever_moves_at_the_same_moment_is_first_or_finds_no_match(six: Cup) -> None:
    """The round with all that it voids is one transaction."""
    paired = six.pair()
    first, *_others = paired["tables"]
    seats = [holding(seat["token"]) for seat in first["seats"]]
    path, seen, all_there = f"/v1/matches/{first['match']}", at(six), Barrier(2)
    legal = [move for by in seats for move in read(six.house.client.get(path, headers=by))["legal_moves"]]

    def move() -> int:
        client = checked_client(six.house.app)
        all_there.wait()
        by = seats[legal[0]["seat"]]
        return client.post(f"{path}/moves", json={"move": legal[0]}, headers=by).status_code

    def back() -> int:
        client = checked_client(six.house.app)
        all_there.wait()
        return client.post(f"{six.path}/rounds/1/take-back", headers={**OPERATOR, **seen}).status_code

    with ThreadPoolExecutor(2) as pool:
        moved, taken = pool.submit(move), pool.submit(back)
        outcome = (moved.result(60), taken.result(60))
    assert outcome in ((200, 409), (409, 200))
    statuses = {each.status for each in six.house.services.store.tournaments.played(six.tournament)}
    assert statuses == ({"voided"} if outcome[1] == 200 else {"playing"})


def test_a_move_that_came_between_is_noticed_and_nothing_is_void(six: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the round was looked at and before it was stored: then it is looked at again, and has begun."""
    match = matches_of(six.pair())[1]
    honest = six.house.services.store.tournaments.append

    def append(*parts: Any, **more: Any) -> Any:
        monkeypatch.setattr(six.house.services.store.tournaments, "append", honest)
        play_out(six.house.services, match, Random(1))
        return honest(*parts, **more)

    monkeypatch.setattr(six.house.services.store.tournaments, "append", append)
    assert refusal(take_back(six, 1)) == "round-begun"
    played = six.house.services.store.tournaments.played(six.tournament)
    assert sorted(each.status for each in played) == ["finished", "playing"]


def test_with_the_same_deals_for_all_nothing_is_told_but_together(house: House) -> None:
    """One group for the whole round: it is closed, and disclosed, with the round."""
    found = cup(house, duplicate=True).enter("Ann", "Ben", "Cho", "Dan", "Eve", "Fay")
    found.pair()
    read(take_back(found, 1))
    assert {each.closed for each in house.services.store.tournaments.played(found.tournament)} == {True}


def test_who_withdrew_meanwhile_has_withdrawn_before_the_round(six: Cup) -> None:
    six.pair()
    read(six.ask("/entrants/e2/withdrawal"))
    told = read(take_back(six, 1))
    assert told["entrants"][1]["withdrawn"] == 0
    again = six.pair(tables=[["e1", "e3", "e4"]], byes=["e5", "e6"])
    assert sitting(again) == [["e1", "e3", "e4"]]
