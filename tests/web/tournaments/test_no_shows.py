"""An entrant is not there: the others play on, with a seat less or with a stand-in, and everybody is told why."""

from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier
from time import time
from typing import Any

import orjson
import pytest
from werkzeug.test import TestResponse

from answers import checked_client
from gyoji.simulation.recount import recount
from gyoji.store import check_store
from operators import OPERATOR
from web.matches.tables import Headers, House, Plain, holding, read, refused
from web.tournaments.directing import Cup, cup, matches_of, play_out, points, refusal
from web.tournaments.test_held_rounds import events_of, move_of, statuses
from web.tournaments.test_places import place, tokens
from web.tournaments.test_rulings import rule

FOUR = ("Ann", "Ben", "Cho", "Dan")
CLOCK = {"move": 60, "bank": 300, "on_expiry": "referee"}


@pytest.fixture
def four(house: House) -> Cup:
    """A tournament by rank with one table of four, or of three."""
    points = {"by": "rank", "points": [5, 3, 2, 1]}
    return cup(house, seats=[4, 3], points=points, clock=CLOCK, tie_breaks=["wins"]).enter(*FOUR)


def settle(found: Cup, entrant: str, outcome: str, table: int = 1, by: Headers | None = None, **more: Any) -> Any:
    """A request to settle what comes of an entrant who is not there in round 1."""
    return found.ask(f"/rounds/1/tables/{table}/no-show", {"entrant": entrant, "outcome": outcome, **more}, by)


def sitters(table: Plain) -> list[str]:
    return [seat["name"] for seat in table["seats"]]


def log(found: Cup) -> list[Plain]:
    return [orjson.loads(line) for line in found.get("/log").data.splitlines()[1:-1]]


def recounted(found: Cup) -> dict[str, str]:
    """The points as whoever has nothing but the files counts them."""
    store = found.house.services.store
    files = {
        each.match: found.house.client.get(f"/v1/matches/{each.match}/replay", headers=dict(OPERATOR)).data.splitlines()
        for each in store.tournaments.played(found.tournament)
    }
    rows = recount(found.get("/log").data.splitlines(), files, ("familiars-trouble",))
    names = {entrant["entrant"]: entrant["name"] for entrant in read(found.get())["entrants"]}
    return {names[row.entrant]: str(row.points) for row in rows}


# Removed


@pytest.mark.parametrize("begin", ["at once", "held", "started"])
def test_the_others_play_with_a_seat_less(four: Cup, begin: str) -> None:
    (before,) = four.pair(held=begin != "at once")["tables"]
    if begin == "started":
        read(four.ask("/rounds/1/start"))
    gone = before["seats"][1]
    (table,) = read(settle(four, gone["entrant"], "removed"))["tables"]
    assert sitters(table) == [name for name in sitters(before) if name != gone["name"]]
    assert [seat["seat"] for seat in table["seats"]] == [0, 1, 2]
    assert table["status"] == ("paused" if begin == "held" else "playing")
    assert table["no_shows"] == [{"entrant": gone["entrant"], "name": gone["name"], "outcome": "removed"}]
    assert (log(four)[-1]["type"], log(four)[-1]["data"]) == (
        "entrant_removed",
        {"round": 1, "table": 1, "entrant": gone["entrant"], "match": table["match"]},
    )
    void = events_of(four, before["match"])
    assert [event["type"] for event in void][-2:] == ["match_voided", "seed_disclosed"]
    assert check_store(four.house.services.settings.store, bytes.fromhex("ab" * 32)) == []
    where = place(four, tokens(four)[gone["name"]])
    assert (where["status"], where["round"], where["match"], where["seats"]) == ("removed", 1, None, [])
    play_out(four.house.services, table["match"], Random(1))
    four.close(1)
    lines = [line for row in four.standings() if row["name"] == gone["name"] for line in row["lines"]]
    assert [(line["what"], line["amount"], line["why"]) for line in lines if line["figure"] == "points"] == [
        ("removed", "0", "was not there: the others played without")
    ]
    assert recounted(four) == points(four.standings())
    assert len(four.pair()["tables"][0]["seats"]) == 4


def test_a_void_match_is_replaced_by_one_with_a_seat_less(four: Cup) -> None:
    (before,) = four.pair()["tables"]
    read(four.house.client.post(f"/v1/matches/{before['match']}/void", headers=dict(OPERATOR)))
    (table,) = read(settle(four, "e2", "removed"))["tables"]
    assert (len(table["seats"]), table["status"]) == (3, "playing")


@pytest.mark.parametrize("started", [False, True])
def test_where_all_are_void_the_new_match_begins_as_the_one_before_it_stood(four: Cup, started: bool) -> None:
    (before,) = four.pair(held=True)["tables"]
    if started:
        read(four.ask("/rounds/1/start"))
    read(four.house.client.post(f"/v1/matches/{before['match']}/void", headers=dict(OPERATOR)))
    (table,) = read(four.ask("/rounds/1/tables/1/match"))["tables"]
    assert table["status"] == ("playing" if started else "paused")
    read(four.house.client.post(f"/v1/matches/{table['match']}/void", headers=dict(OPERATOR)))
    (table,) = read(settle(four, "e2", "removed"))["tables"]
    assert table["status"] == ("playing" if started else "paused")


def test_a_match_that_has_begun_keeps_its_seats(four: Cup) -> None:
    (table,) = four.pair()["tables"]
    read(move_of(four, table))
    before = four.everything()
    for language, said in (("en", "let that one forfeit"), ("ja", "没収負け")):
        answer = four.ask(
            "/rounds/1/tables/1/no-show", {"entrant": "e2", "outcome": "removed"}, None, {"Accept-Language": language}
        )
        assert refusal(answer) == "match-begun"
        assert answer.json is not None
        assert said in answer.json["because"]
    assert four.everything() == before


def test_the_game_and_the_same_deals_say_how_many_there_are(house: House) -> None:
    few = cup(house, seats=[3]).enter("Ann", "Ben", "Cho")
    few.pair()
    assert refusal(settle(few, "e1", "removed")) == "no-table-of-that-size"
    same = cup(house, seats=[4], duplicate=True).enter(*FOUR)
    same.pair()
    assert refusal(settle(same, "e1", "removed")) == "same-deals"


def test_whoever_moves_at_the_same_moment_is_first_or_finds_no_match(four: Cup) -> None:
    (table,) = four.pair()["tables"]
    path, all_there = f"/v1/matches/{table['match']}", Barrier(2)
    seats = [holding(seat["token"]) for seat in table["seats"]]
    legal = [move for by in seats for move in read(four.house.client.get(path, headers=by))["legal_moves"]]

    def ask(url: str, body: Any, by: Headers) -> int:
        client = checked_client(four.house.app)
        all_there.wait()
        return client.post(url, json=body, headers=dict(by)).status_code

    with ThreadPoolExecutor(2) as pool:
        moved = pool.submit(ask, f"{path}/moves", {"move": legal[0]}, seats[legal[0]["seat"]])
        body = {"entrant": table["seats"][3]["entrant"], "outcome": "removed"}
        removed = pool.submit(ask, f"{four.path}/rounds/1/tables/1/no-show", body, four.director)
        outcome = moved.result(60), removed.result(60)
    assert outcome in ((200, 409), (409, 200))
    assert statuses(four) == ["playing"]
    assert len(read(four.get("/rounds/1"))["tables"][0]["seats"]) == (4 if outcome[0] == 200 else 3)


def test_a_move_that_came_between_is_noticed_and_nothing_is_void(four: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the match was looked at and before it was stored: then it is looked at again, and has begun."""
    (table,) = four.pair()["tables"]
    honest = four.house.services.store.tournaments.append

    def append(*parts: Any, **more: Any) -> Any:
        monkeypatch.setattr(four.house.services.store.tournaments, "append", honest)
        read(move_of(four, table))
        return honest(*parts, **more)

    monkeypatch.setattr(four.house.services.store.tournaments, "append", append)
    assert refusal(settle(four, "e2", "removed")) == "match-begun"
    assert [each.status for each in four.house.services.store.tournaments.played(four.tournament)] == ["playing"]


# Forfeited while the others play on


def decide(found: Cup, match: str, *scores: int) -> None:
    """A referee names the result of a match; the highest score wins."""
    path = f"/v1/matches/{match}"
    seq = read(found.house.client.get(path, headers=dict(OPERATOR)))["seq"]
    ruling = {"kind": "result", "winners": [scores.index(max(scores))], "scores": scores}
    body = {"ruling": ruling, "reason": "Played on paper."}
    read(found.house.client.post(f"{path}/rulings", json=body, headers={**OPERATOR, "If-Match": f'"{seq}"'}))


def seat_of(table: Plain, entrant: str) -> Plain:
    return next(seat for seat in table["seats"] if seat["entrant"] == entrant)


def test_a_stand_in_plays_on_and_the_forfeiter_is_last(four: Cup) -> None:
    (before,) = four.pair()["tables"]
    read(move_of(four, before))
    gone = before["seats"][2]
    answer = settle(four, gone["entrant"], "forfeited", stand_in="Zoe")
    (table,) = read(answer)["tables"]
    assert (table["match"], table["status"], sitters(table)) == (before["match"], "playing", sitters(before))
    assert table["no_shows"] == [{"entrant": gone["entrant"], "name": gone["name"], "outcome": "forfeited"}]
    assert (log(four)[-1]["type"], log(four)[-1]["data"]) == (
        "entrant_forfeited",
        {"round": 1, "table": 1, "entrant": gone["entrant"]},
    )
    ruling = events_of(four, table["match"])[-1]["data"]["ruling"]
    assert ruling == {"kind": "substitute", "seat": gone["seat"], "name": "Zoe"}
    path, stands = f"/v1/matches/{table['match']}", seat_of(table, gone["entrant"])["token"]
    refused(four.house.client.get(path, headers=holding(gone["token"])), 401, "unauthenticated")
    assert read(four.house.client.get(path, headers=holding(stands)))["seats"][gone["seat"]]["name"] == "Zoe"
    where = place(four, tokens(four)[gone["name"]])
    assert (where["status"], where["match"], "token" in where["seats"][0]) == ("forfeited", table["match"], False)
    assert check_store(four.house.services.settings.store, bytes.fromhex("ab" * 32)) == []
    decide(four, table["match"], 3, 1, 9, 2)
    four.close(1)
    found = points(four.standings())
    assert [found[name] for name in sitters(table)] == ["5", "2", "0", "3"]
    (row,) = [row for row in four.standings() if row["name"] == gone["name"]]
    assert [line["why"] for line in row["lines"] if line["figure"] == "points"] == [
        "forfeited; a stand-in played on in the seat"
    ]
    assert recounted(four) == found


def test_somebody_has_to_play_on(four: Cup) -> None:
    (table,) = four.pair()["tables"]
    before = four.everything()
    assert refusal(settle(four, "e2", "forfeited")) == "stand-in-needed"
    assert four.everything() == before
    ruling = {"kind": "substitute", "seat": [seat["entrant"] for seat in table["seats"]].index("e2"), "name": "Zoe"}
    headers = {**OPERATOR, "If-Match": '"1"'}
    path = f"/v1/matches/{table['match']}/rulings"
    read(four.house.client.post(path, json={"ruling": ruling, "reason": "Late."}, headers=headers))
    read(settle(four, "e2", "forfeited"))
    assert len(events_of(four, table["match"])) == 3


def test_after_the_end_nobody_plays_on(four: Cup) -> None:
    (table,) = four.pair()["tables"]
    decide(four, table["match"], 1, 2, 3, 4)
    won = table["seats"][3]["entrant"]
    assert refusal(settle(four, won, "forfeited", stand_in="Zoe")) == "match-over"
    read(settle(four, won, "forfeited"))
    assert next(row["points"] for row in four.standings() if row["entrant"] == won) == "0"
    assert sorted(points(four.standings()).values()) == ["0", "2", "3", "5"]
    assert recounted(four) == points(four.standings())


def test_it_is_undone_until_the_round_is_closed(four: Cup) -> None:
    (table,) = four.pair()["tables"]
    decide(four, table["match"], 4, 3, 2, 1)
    before = points(four.standings())
    read(settle(four, "e3", "forfeited"))
    assert points(four.standings()) != before
    again = read(settle(four, "e3", "reinstated"))
    assert "no_shows" not in again["tables"][0]
    assert (points(four.standings()), recounted(four)) == (before, before)
    assert refusal(settle(four, "e3", "reinstated")) == "not-forfeited"
    four.close(1)
    assert refusal(settle(four, "e3", "forfeited")) == "round-closed"


@pytest.mark.parametrize(
    ("sent", "pointer"),
    [
        ({"outcome": "removed", "stand_in": "Zoe"}, "/stand_in"),
        ({"outcome": "reinstated", "bot": "random"}, "/bot"),
        ({"outcome": "forfeited", "stand_in": "Zoe", "bot": "random"}, "/bot"),
        ({"outcome": "gone"}, "/outcome"),
        ({"outcome": "forfeited", "stand_in": " \u202e"}, "/stand_in"),
    ],
)
def test_what_makes_no_sense_is_told_with_a_pointer(four: Cup, sent: Plain, pointer: str) -> None:
    four.pair()
    answer = refused(settle(four, "e2", **sent), 422, "invalid-request")
    assert [error["pointer"] for error in answer["errors"]] == [pointer]


def test_no_bot_plays_where_the_operator_allows_none(four: Cup) -> None:
    four.pair()
    refused(settle(four, "e2", "forfeited", bot="random"), 403, "bots-not-allowed")


def test_it_is_the_directors_and_of_a_table_that_is_there(house: House, four: Cup) -> None:
    (table,) = four.pair()["tables"]
    for by in (holding(table["seats"][0]["token"]), house.key("operator", scopes=["matches:rule"])):
        refused(settle(four, "e2", "removed", by=by), 403, "forbidden")
    assert settle(four, "e2", "removed", by=house.key("operator", "league")).status_code == 404
    refused(settle(four, "e2", "removed", table=2), 404, "not-found")
    assert refusal(settle(four, "e9", "removed")) == "not-at-the-table"


def test_a_request_that_comes_twice_is_done_once(four: Cup) -> None:
    four.pair()
    body, once = {"entrant": "e2", "outcome": "forfeited", "stand_in": "Zoe"}, {"Idempotency-Key": "gone"}
    first, second = (four.ask("/rounds/1/tables/1/no-show", body, headers=once) for _ in range(2))
    assert read(first) == read(second)
    assert [event["type"] for event in log(four)].count("entrant_forfeited") == 1
    seen = {"If-Match": '"5"'}
    refused(four.ask("/rounds/1/tables/1/no-show", {**body, "entrant": "e3"}, headers=seen), 412, "stale-position")


def test_two_who_decide_at_once_decide_once(four: Cup) -> None:
    (table,) = four.pair()["tables"]
    all_there = Barrier(2)

    def ask(_number: int) -> TestResponse:
        client = checked_client(four.house.app)
        all_there.wait()
        body = {"entrant": "e2", "outcome": "forfeited", "stand_in": "Zoe"}
        return client.post(f"{four.path}/rounds/1/tables/1/no-show", json=body, headers=dict(four.director))

    with ThreadPoolExecutor(2) as pool:
        answers = sorted(pool.map(ask, range(2)), key=lambda answer: answer.status_code)
    assert [answer.status_code for answer in answers] == [200, 409]
    assert refusal(answers[1]) == "already-forfeited"
    assert len(events_of(four, table["match"])) == 3


def test_another_match_is_played_by_who_was_paired(four: Cup) -> None:
    (table,) = four.pair()["tables"]
    read(settle(four, "e2", "forfeited", stand_in="Zoe"))
    read(four.house.client.post(f"/v1/matches/{table['match']}/void", headers=dict(OPERATOR)))
    assert refusal(settle(four, "e3", "forfeited")) == "match-void"
    (again,) = read(four.ask("/rounds/1/tables/1/match"))["tables"]
    assert (sitters(again), "no_shows" in again) == (sitters(table), False)
    assert matches_of(read(four.get("/rounds/1"))) == [again["match"]]


def test_a_move_that_is_sent_at_the_same_moment_is_not_made_with_a_void_token(
    four: Cup, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The token held when the request was read; the stand-in was seated before the move was stored."""
    (table,) = four.pair()["tables"]
    services, path = four.house.services, f"/v1/matches/{table['match']}"
    by = [holding(seat["token"]) for seat in table["seats"]]
    (move, *_) = [move for each in by for move in read(four.house.client.get(path, headers=each))["legal_moves"]]
    gone, store = table["seats"][move["seat"]]["entrant"], services.store.append
    monkeypatch.setattr(services.match_rows, "find", lambda _match: None)

    def append(*given: Any, **more: Any) -> Any:
        monkeypatch.setattr(services.store, "append", store)
        read(settle(four, gone, "forfeited", stand_in="Zoe"))
        return store(*given, **more)

    monkeypatch.setattr(services.store, "append", append)
    refused(
        four.house.client.post(f"{path}/moves", json={"move": move}, headers=by[move["seat"]]), 401, "unauthenticated"
    )
    assert [event["type"] for event in events_of(four, table["match"])][-1] == "ruling_made"


def test_whoever_was_seated_again_forfeits_only_with_another_stand_in(four: Cup) -> None:
    (table,) = four.pair()["tables"]
    gone = table["seats"][0]
    read(settle(four, gone["entrant"], "forfeited", stand_in="Zoe"))
    read(settle(four, gone["entrant"], "reinstated"))
    read(rule(four, table["match"], "substitute", seat=0, name=gone["name"]))
    assert refusal(settle(four, gone["entrant"], "forfeited")) == "stand-in-needed"
    read(settle(four, gone["entrant"], "forfeited", stand_in="Zoe"))


def test_a_match_that_goes_on_after_its_end_takes_a_stand_in_for_whoever_forfeited_it(four: Cup) -> None:
    (table,) = four.pair()["tables"]
    gone = table["seats"][1]
    decide(four, table["match"], 3, 1, 9, 2)
    read(settle(four, gone["entrant"], "forfeited"))
    read(rule(four, table["match"], "take_back", to=1))
    read(settle(four, gone["entrant"], "forfeited", stand_in="Zoe"))
    path = f"/v1/matches/{table['match']}"
    refused(four.house.client.get(path, headers=holding(gone["token"])), 401, "unauthenticated")
    assert [event["type"] for event in log(four)].count("entrant_forfeited") == 1


def test_a_rotation_goes_on_after_somebody_was_removed(house: House) -> None:
    found = cup(house, seats=[4], rounds=5, pairing="rotation").enter(*[f"Player {at}" for at in range(16)])
    first = found.pair()["tables"][0]
    read(settle(found, first["seats"][0]["entrant"], "removed"))
    for table in read(found.get("/rounds/1"))["tables"]:
        decide(found, table["match"], *range(len(table["seats"])))
    found.close(1)
    assert [len(table["seats"]) for table in found.pair()["tables"]] == [4] * 4


def test_a_match_whose_time_was_over_waits_for_a_referee_also_after_a_forfeit(house: House) -> None:
    found = cup(house, clock={"move": 1, "on_expiry": "referee"}).enter("Ann", "Ben", "Cho")
    (table,) = found.pair()["tables"]
    path, by = f"/v1/matches/{table['match']}", holding(table["seats"][0]["token"])
    (late,) = read(house.client.get(path, headers=by))["view"]["to_act"]
    house.services.clock = lambda: time() + 3600
    read(house.client.post(f"{path}/claims", json={}, headers=by))
    other = next(seat for seat in table["seats"] if seat["seat"] != late)
    read(settle(found, other["entrant"], "forfeited", stand_in="Zoe"))
    read(found.ask("/rounds/1/start"))
    assert statuses(found) == ["paused"]
