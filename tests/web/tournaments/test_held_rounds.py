"""Rounds that are paired held: their clocks run when the director starts them, and all of them pause together."""

from random import Random
from typing import Any

import orjson
import pytest

from gyoji.store import check_store
from web.matches.tables import House, Plain, holding, read, refused
from web.tournaments.directing import Cup, cup, matches_of, play_out, refusal

CLOCK = {"move": 60, "bank": 300, "on_expiry": "referee"}


@pytest.fixture
def evening(house: House) -> Cup:
    """Six players at tables of three, with clocks."""
    return cup(house, clock=CLOCK).enter("Ann", "Ben", "Cho", "Dan", "Eve", "Fay")


def seen(found: Cup, match: str) -> Plain:
    """The match as its director sees it."""
    document: Plain = read(found.house.client.get(f"/v1/matches/{match}", headers=dict(found.director)))
    return document


def statuses(found: Cup, number: int = 1) -> list[str]:
    """How the matches of a round stand."""
    return [table["status"] for table in read(found.get(f"/rounds/{number}"))["tables"]]


def events_of(found: Cup, match: str) -> list[Plain]:
    """All events of a match."""
    events: list[Plain] = read(found.house.client.get(f"/v1/matches/{match}/events", headers=dict(found.director)))[
        "events"
    ]
    return events


def move_of(found: Cup, table: Plain) -> Any:
    """Whoever is to act plays the first move that is legal."""
    for seat in table["seats"]:
        path, by = f"/v1/matches/{table['match']}", holding(seat["token"])
        legal = read(found.house.client.get(path, headers=by))["legal_moves"]
        if legal:
            return found.house.client.post(f"{path}/moves", json={"move": legal[0]}, headers=by)
    first = table["seats"][0]["token"]
    move = {"type": "play", "seat": 0, "card": "B1"}
    return found.house.client.post(f"/v1/matches/{table['match']}/moves", json={"move": move}, headers=holding(first))


def test_the_clocks_of_a_held_round_stand_until_it_is_started(evening: Cup) -> None:
    paired = evening.pair(held=True)
    assert statuses(evening) == ["paused", "paused"]
    for table in paired["tables"]:
        shown = seen(evening, table["match"])
        assert [seat["running"] for seat in shown["clock"]["seats"]] == [False] * 3
        refused(move_of(evening, table), 409, "match-not-running")
    started = read(evening.ask("/rounds/1/start"))
    assert [table["status"] for table in started["tables"]] == ["playing", "playing"]
    for table in paired["tables"]:
        assert any(seat["running"] for seat in seen(evening, table["match"])["clock"]["seats"])
        assert move_of(evening, table).status_code == 200


def test_each_is_a_ruling_in_the_log_that_auditors_know(evening: Cup) -> None:
    (first, _) = matches_of(evening.pair(held=True))
    read(evening.ask("/rounds/1/start"))
    events = events_of(evening, first)
    assert [event["type"] for event in events] == [
        "match_created", "dealt", "ruling_made", "match_paused", "ruling_made", "match_resumed"
    ]  # fmt: skip
    rulings = [event["data"] for event in events if event["type"] == "ruling_made"]
    assert [ruling["ruling"] for ruling in rulings] == [{"kind": "pause"}, {"kind": "resume"}]
    assert [ruling["reason"] for ruling in rulings] == [
        "The round has not started yet.", "The director has started the clocks."
    ]  # fmt: skip
    for match in matches_of(read(evening.get("/rounds/1"))):
        play_out(evening.house.services, match, Random(1))
    evening.close(1)
    audit = read(evening.house.client.post("/v1/audits", json={"match": first}, headers=dict(evening.director)))
    assert audit["verdict"] == "verified_with_rulings"
    assert check_store(evening.house.services.settings.store, bytes.fromhex("ab" * 32)) == []


def test_a_japanese_director_holds_in_japanese(evening: Cup) -> None:
    answer = evening.ask("/rounds", {"held": True}, headers={"Accept-Language": "ja"})
    (first, _) = matches_of(read(answer))
    assert events_of(evening, first)[2]["data"]["reason"] == "ラウンドの開始を待っています。"


def test_all_pause_and_all_go_on(evening: Cup) -> None:
    first, second = matches_of(evening.pair())
    play_out(evening.house.services, first, Random(1))
    before = read(evening.get("/rounds/1"))["seq"]
    paused = read(evening.ask("/rounds/1/pause"))
    assert [table["status"] for table in paused["tables"]] == ["finished", "paused"]
    again = read(evening.ask("/rounds/1/pause"))
    assert again == paused
    assert len(events_of(evening, second)) == 4
    read(evening.ask("/rounds/1/start"))
    assert statuses(evening) == ["finished", "playing"]
    assert read(evening.get("/rounds/1"))["seq"] == before  # the log of the tournament says nothing of it


def test_a_match_whose_time_was_over_waits_for_its_referee(evening: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    paired = evening.pair(held=True)
    read(evening.ask("/rounds/1/start"))
    late, other = matches_of(paired)
    services = evening.house.services
    at = services.clock()
    monkeypatch.setattr(services, "clock", lambda: at + 1000)
    claim = evening.house.client.post(f"/v1/matches/{late}/claims", json={}, headers=dict(evening.director))
    assert read(claim)["status"] == "paused"
    read(evening.ask("/rounds/1/pause"))
    assert statuses(evening) == ["paused", "paused"]
    read(evening.ask("/rounds/1/start"))
    assert seen(evening, late)["status"] == "paused"
    assert seen(evening, other)["status"] == "playing"


def test_a_held_round_is_taken_back_and_a_begun_one_is_not(evening: Cup) -> None:
    for start in (False, True):
        evening.pair(held=True)
        if start:
            read(evening.ask("/rounds/1/start"))
        at = {"If-Match": evening.get().headers["ETag"]}
        assert read(evening.ask("/rounds/1/take-back", headers=at))["paired"] == []
    paired = evening.pair(held=True)
    read(evening.ask("/rounds/1/start"))
    assert move_of(evening, paired["tables"][1]).status_code == 200
    at = {"If-Match": evening.get().headers["ETag"]}
    assert refusal(evening.ask("/rounds/1/take-back", headers=at)) == "round-begun"


def test_a_match_in_place_of_a_void_one_waits_with_its_round(evening: Cup) -> None:
    first, _ = matches_of(evening.pair(held=True))
    read(evening.house.client.post(f"/v1/matches/{first}/void", headers=dict(evening.director)))
    replaced = read(evening.ask("/rounds/1/tables/1/match"))
    assert [table["status"] for table in replaced["tables"]] == ["paused", "paused"]
    read(evening.ask("/rounds/1/start"))
    second = matches_of(read(evening.get("/rounds/1")))[0]
    read(evening.house.client.post(f"/v1/matches/{second}/void", headers=dict(evening.director)))
    assert [table["status"] for table in read(evening.ask("/rounds/1/tables/1/match"))["tables"]] == ["playing"] * 2


def test_a_closed_round_stays_as_it_is(evening: Cup) -> None:
    evening.play()
    for part in ("start", "pause"):
        assert refusal(evening.ask(f"/rounds/1/{part}")) == "round-closed"
        refused(evening.ask(f"/rounds/2/{part}"), 404, "not-found")


def test_it_happens_once_and_only_where_the_tournament_stands(evening: Cup) -> None:
    first, _ = matches_of(evening.pair(held=True))
    once = {"Idempotency-Key": "start"}
    answers = [read(evening.ask("/rounds/1/start", headers=once)) for _ in range(2)]
    assert answers[0] == answers[1]
    assert len(events_of(evening, first)) == 6
    refused(evening.ask("/rounds/1/pause", headers={"If-Match": '"1"'}), 412, "stale-position")
    assert len(events_of(evening, first)) == 6


def test_none_pauses_where_one_cannot_be_stored(evening: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    matches = matches_of(evening.pair())
    store = evening.house.services.store
    rule, moved = store.tournaments._ruled_steps, list[Any]()

    def meanwhile(ruled: Any) -> Any:
        if not moved:
            moved.append(move_of(evening, {**read(evening.get("/rounds/1?tokens=1"))["tables"][1]}))
        return rule(ruled)

    monkeypatch.setattr(store.tournaments, "_ruled_steps", meanwhile)
    read(evening.ask("/rounds/1/pause"))
    assert moved[0].status_code == 200
    assert [[event["type"] for event in events_of(evening, match)][-2:] for match in matches] == [
        ["ruling_made", "match_paused"]
    ] * 2
    assert len(events_of(evening, matches[0])) == 4  # decided again, and stored once


def test_where_somebody_moves_again_and_again_they_pause_one_after_another(
    evening: Cup, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a large round all are never stored at once before one of the players has moved."""
    tables = evening.pair()["tables"]
    kept = evening.house.services.store.tournaments
    append = kept.append

    def moved_first(*given: Any, **more: Any) -> Any:
        if len(more["ruled"]) > 1:
            read(move_of(evening, tables[1]))
        return append(*given, **more)

    monkeypatch.setattr(kept, "append", moved_first)
    read(evening.ask("/rounds/1/pause", None, None, {"Idempotency-Key": "once"}))
    assert statuses(evening) == ["paused", "paused"]
    for table, moves in zip(tables, (0, 3), strict=True):
        kinds = [event["type"] for event in events_of(evening, table["match"])[2:]]
        assert (len(kinds), kinds[-2:], kinds.count("match_paused")) == (moves + 2, ["ruling_made", "match_paused"], 1)
    stood = [events_of(evening, table["match"]) for table in tables]
    read(evening.ask("/rounds/1/pause", None, None, {"Idempotency-Key": "once"}))
    assert [events_of(evening, table["match"]) for table in tables] == stood


def test_the_desk_says_held_and_not_begun(evening: Cup) -> None:
    evening.pair(held=True)
    path = f"/tournaments/{evening.tournament}/tables"

    def told() -> list[tuple[Any, ...]]:
        document = orjson.loads(evening.house.client.get(path, headers=dict(evening.director)).data)
        return [(table["status"], table["flag"], table["begun"]) for table in document["tables"]]

    assert told() == [("paused", "held", False)] * 2
    read(evening.ask("/rounds/1/start"))
    assert told() == [("playing", None, False)] * 2
    read(evening.ask("/rounds/1/pause"))
    assert told() == [("paused", "paused", True)] * 2
