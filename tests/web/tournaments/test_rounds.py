"""Rounds: all matches at once or none; what cannot be is told and changes nothing; closing discloses."""

from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier
from typing import Any

import orjson
import pytest

from answers import checked_client
from gyoji.store import check_store
from gyoji.store.database import statements
from operators import OPERATOR
from web.matches.tables import House, Plain, holding, pointers, read, refused
from web.tournaments.directing import Cup, cup, matches_of, play_out, refusal, sitting


def test_a_round_is_paired_with_all_its_matches(six: Cup) -> None:
    paired = six.pair()
    assert (paired["round"], paired["byes"], paired["closed"]) == (1, [], False)
    assert sorted(seat for table in sitting(paired) for seat in table) == ["e1", "e2", "e3", "e4", "e5", "e6"]
    for table in paired["tables"]:
        assert (table["status"], table["result"]) == ("playing", None)
        for seat in table["seats"]:
            seen = read(six.house.client.get(f"/v1/matches/{table['match']}", headers=holding(seat["token"])))
            assert seen["viewer"] == {"role": "seat", "seat": seat["seat"]}
            assert seen["seats"][seat["seat"]]["name"] == seat["name"]
            assert (seen["tournament"], seen["withheld_until"]) == (six.tournament, "group")
    assert (
        len(
            {
                read(six.house.client.get(f"/v1/matches/{match}", headers=OPERATOR))["group"]
                for match in matches_of(paired)
            }
        )
        == 2
    )


def test_tokens_are_for_whoever_runs_the_tournament(house: House) -> None:
    public = cup(house, visibility="public").enter("Ann", "Ben", "Cho")
    paired = public.pair()
    assert read(public.get("/rounds/1?tokens=1")) == paired
    for by in ({}, house.key("operator", "league"), holding(paired["tables"][0]["seats"][0]["token"])):
        refused(public.get("/rounds/1?tokens=1", by), 403, "forbidden")
        assert "gyoji_seat" not in public.get("/rounds/1", by).text
    assert "gyoji_seat" not in public.get("/rounds/1").text + public.get("/log").text + public.get().text
    match = f"/v1/matches/{paired['tables'][0]['match']}"
    renewed = read(house.client.post(f"{match}/seats/1/token", headers=OPERATOR))
    assert house.client.delete(f"{match}/seats/2/token", headers=OPERATOR).status_code == 204
    seats = read(public.get("/rounds/1?tokens=1"))["tables"][0]["seats"]
    assert (seats[1]["token"], "token" in seats[2]) == (renewed["token"], False)


def test_a_dry_run_stores_nothing_and_says_what_would_be(six: Cup) -> None:
    before = six.everything()
    proposed = read(six.ask("/rounds", {"dry_run": True}))
    assert [table["match"] for table in proposed["tables"]] == [None, None]
    assert six.everything() == before
    assert sitting(six.pair()) == sitting(proposed)


def test_who_is_left_over_has_a_bye(house: House) -> None:
    odd = cup(house, pairing="draw").enter("Ann", "Ben", "Cho", "Dan")
    first = odd.play(1)
    assert len(first["byes"]) == 1
    second = odd.pair()
    assert len(second["byes"]) == 1
    assert first["byes"] != second["byes"]


def test_tables_made_by_hand(six: Cup) -> None:
    tables = [["e6", "e1", "e4"], ["e2", "e5", "e3"]]
    paired = six.pair(tables=tables)
    assert (sitting(paired), paired["pairing"]) == (tables, "hand")


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ({"tables": []}, ["no-tables", *["missing"] * 6]),
        ({"tables": [["e1", "e2"], ["e3", "e4", "e5", "e6"]]}, ["wrong-size", "wrong-size"]),
        ({"tables": [["e1", "e2", "e3"], ["e4", "e5", "e9"]]}, ["unknown", "missing"]),
        ({"tables": [["e1", "e2", "e3"], ["e3", "e5", "e6"]]}, ["twice", "missing"]),
        ({"tables": [["e1", "e2", "e3"]], "byes": ["e4", "e5"]}, ["missing"]),
        ({"tables": [["e1", "e2", "e3"], ["e4", "e5", "e6"]], "byes": ["e1"]}, ["twice"]),
    ],
)
def test_tables_that_cannot_be_are_refused_with_every_fault(six: Cup, body: Plain, faults: list[str]) -> None:
    before = six.everything()
    for language in ("en", "ja"):
        answer = six.ask("/rounds", body, headers={"Accept-Language": language})
        assert refusal(answer) == "impossible-tables"
        assert answer.json is not None
        assert [fault["code"] for fault in answer.json["faults"]] == faults
        assert all(fault["why"] in answer.json["because"] for fault in answer.json["faults"])
    assert six.everything() == before


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"tables": [["e1", "e2", "e3"]], "pairing": "draw"}, [("/pairing", "not-allowed")]),
        ({"byes": ["e1"]}, [("/byes", "not-allowed")]),
        ({"tables": [["ann"]]}, [("/tables/0/0", "not-allowed")]),
        ({"table": []}, [("/table", "unknown-member")]),
        ({"early": "yes"}, [("/early", "wrong-type")]),
    ],
)
def test_a_body_of_another_shape(six: Cup, body: Plain, wrong: list[tuple[str, str]]) -> None:
    before = six.everything()
    assert pointers(six.ask("/rounds", body)) == wrong
    assert six.everything() == before


def test_what_cannot_be_paired(house: House, six: Cup) -> None:
    assert refusal(cup(house).ask("/rounds", {})) == "too-few-entrants"
    assert refusal(cup(house, pairing="hand").enter("Ann", "Ben", "Cho").ask("/rounds", {})) == "tables-needed"
    assert (
        refusal(cup(house, rounds=1).enter("Ann", "Ben", "Cho", "Dan").ask("/rounds", {"pairing": "rotation"}))
        == "no-rotation"
    )
    short = cup(house, rounds=1).enter("Ann", "Ben", "Cho")
    short.play()
    assert refusal(short.ask("/rounds", {})) == "all-rounds-paired"
    six.pair()
    before = six.everything()
    answer = six.ask("/rounds", {})
    assert refusal(answer) == "matches-running"
    assert answer.json is not None
    assert "1-1, 1-2" in answer.json["because"]
    assert refusal(six.ask("/rounds/1/close")) == "matches-running"
    assert refusal(six.ask("/close")) == "rounds-open"
    assert six.everything() == before


def test_what_is_not_there_is_not_found(six: Cup) -> None:
    six.pair()
    for part in ("/rounds/2", "/rounds/0", "/rounds/x", "/rounds/01"):
        refused(six.get(part), 404, "not-found")
        refused(six.ask(f"{part}/close"), 404, "not-found")
    for part in ("/rounds/1/tables/3/match", "/rounds/1/tables/0/match", "/rounds/2/tables/1/match"):
        refused(six.ask(part), 404, "not-found")


def test_the_next_round_may_come_while_late_matches_are_played(six: Cup) -> None:
    first = six.pair()
    play_out(six.house.services, matches_of(first)[0], Random(1))
    second = six.pair(early=True)
    assert second["round"] == 2
    running = read(six.get("/standings"))["running"]
    assert running == [{"round": 1, "table": 2}, {"round": 2, "table": 1}, {"round": 2, "table": 2}]
    late = play_out(six.house.services, matches_of(first)[1], Random(2))
    names = [seat["name"] for seat in first["tables"][1]["seats"]]
    found = {row["name"]: row["points"] for row in six.standings()}
    assert [found[name] for name in names] == [str(score) for score in late]


def dealt(house: House, match: str) -> Any:
    """What the match was dealt: the event of the log with all that it hides."""
    (entry,) = house.services.store.entries(match, 0, 1)
    return orjson.loads(entry.body)["data"], [opening.payload for opening in entry.openings]


def told(house: House, *matches: str) -> list[bool]:
    """Whether each match is disclosed."""
    return [read(house.client.get(f"/v1/matches/{match}", headers=OPERATOR))["closed"] for match in matches]


def test_duplicate_tables_have_equal_deals_and_disclose_together(house: House) -> None:
    twins = cup(house, duplicate=True).enter("Ann", "Ben", "Cho", "Dan", "Eve", "Fay")
    one, two = matches_of(twins.pair())
    assert dealt(house, one) == dealt(house, two)
    rows = [house.services.store.match(match) for match in (one, two)]
    assert len({row.group for row in rows if row is not None}) == 1
    play_out(house.services, one, Random(1))
    assert told(house, one, two) == [False, False]
    play_out(house.services, two, Random(2))
    assert told(house, one, two) == [False, False]
    twins.close(1)
    assert told(house, one, two) == [True, True]
    next_one, next_two = matches_of(twins.pair())
    assert dealt(house, next_one) == dealt(house, next_two)
    assert dealt(house, next_one) != dealt(house, one)


def test_tables_of_their_own_have_deals_of_their_own(six: Cup) -> None:
    one, two = matches_of(six.pair())
    assert dealt(six.house, one) != dealt(six.house, two)


def test_closing_a_round_discloses_it_and_nothing_before(six: Cup) -> None:
    paired = six.pair()
    for match in matches_of(paired):
        play_out(six.house.services, match, Random(match))
    assert told(six.house, *matches_of(paired)) == [False, False]
    closed = six.close(1)
    assert closed["closed"]
    assert [table["result"]["by"] for table in closed["tables"]] == ["play", "play"]
    assert told(six.house, *matches_of(paired)) == [True, True]
    assert refusal(six.ask("/rounds/1/close")) == "round-closed"


def void(cup: Cup, match: str) -> None:
    read(cup.house.client.post(f"/v1/matches/{match}/void", headers=OPERATOR))


def test_a_void_match_is_replaced_with_new_deals(six: Cup) -> None:
    paired = six.pair()
    one, two = matches_of(paired)
    assert refusal(six.ask("/rounds/1/tables/1/match")) == "not-voided"
    void(six, one)
    replaced = read(six.ask("/rounds/1/tables/1/match"))
    again = matches_of(replaced)[0]
    assert again not in (one, two)
    assert matches_of(replaced)[1] == two
    assert sitting(replaced) == sitting(paired)
    assert replaced["tables"][0]["status"] == "playing"
    assert dealt(six.house, again) != dealt(six.house, one)
    before = six.house.services.store.match(one)
    assert before is not None
    assert before.group is not None
    group = six.house.services.store.group(before.group)
    assert group is not None
    assert group.closed
    play_out(six.house.services, again, Random(1))
    play_out(six.house.services, two, Random(1))
    six.close(1)
    assert refusal(six.ask("/rounds/1/tables/1/match")) == "round-closed"
    assert {row["points"] for row in six.standings()} != {"0"}


def test_of_duplicate_tables_a_void_match_is_replaced_with_the_same_deals(house: House) -> None:
    twins = cup(house, duplicate=True).enter("Ann", "Ben", "Cho", "Dan", "Eve", "Fay")
    one, two = matches_of(twins.pair())
    void(twins, one)
    again = matches_of(read(twins.ask("/rounds/1/tables/1/match")))[0]
    assert dealt(house, again) == dealt(house, two)
    for match in (again, two):
        play_out(house.services, match, Random(match))
    twins.close(1)
    assert told(house, one, two, again) == [True, True, True]


def test_a_database_that_fails_while_a_round_is_made_leaves_no_part_of_it(
    six: Cup, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = six.everything()
    with monkeypatch.context() as broken:
        broken.setattr(
            statements, "ADD_PENDING_LEAF", statements.ADD_PENDING_LEAF.replace("tree_pending", "no_such_table")
        )
        refused(six.ask("/rounds", {}, headers={"Idempotency-Key": "k"}), 503, "unavailable")
    assert six.everything() == before
    assert len(read(six.ask("/rounds", {}, headers={"Idempotency-Key": "k"}))["tables"]) == 2


def test_of_two_directors_one_pairs_and_the_other_is_told(six: Cup) -> None:
    together, seen = Barrier(2), six.get().headers["ETag"]
    matches = len(list(six.house.services.store.every_match()))

    def pair(_at: int) -> int:
        client = checked_client(six.house.app)
        together.wait()
        return client.post(f"{six.path}/rounds", json={}, headers={**OPERATOR, "If-Match": seen}).status_code

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(pair, range(2))) == [201, 412]
    assert len(list(six.house.services.store.every_match())) == matches + 2
    assert check_store(six.house.services.settings.store, bytes.fromhex("ab" * 32)) == []


def test_a_repeated_request_is_answered_as_before(six: Cup) -> None:
    keyed = {"Idempotency-Key": "round-1"}
    paired = six.ask("/rounds", {}, headers=keyed)
    again = six.ask("/rounds", {}, headers=keyed)
    assert (again.status_code, again.json) == (201, paired.json)
    refused(six.ask("/rounds", {"early": True}, headers=keyed), 422, "idempotency-key-reused")
    for match in matches_of(read(again)):
        play_out(six.house.services, match, Random(1))
    closed = six.ask("/rounds/1/close", headers={"Idempotency-Key": "close-1"})
    assert read(six.ask("/rounds/1/close", headers={"Idempotency-Key": "close-1"})) == read(closed)


def test_who_withdraws_is_paired_no_more(six: Cup) -> None:
    six.play()
    assert read(six.ask("/entrants/e2/withdrawal"))["entrants"][1]["withdrawn"] == 1
    assert refusal(six.ask("/entrants/e2/withdrawal")) == "already-withdrawn"
    refused(six.ask("/entrants/e9/withdrawal"), 404, "not-found")
    second = six.pair()
    assert len(second["tables"]) == 1
    assert len(second["byes"]) == 2
    assert "e2" not in [*second["byes"], *sitting(second)[0]]


def test_teams_of_a_cooperative_game_sit_at_tables_of_their_own(house: House) -> None:
    teams = cup(house, game="familiars-trouble", duplicate=True, points={"by": "wins", "win": 1, "draw": 0, "loss": 0})
    entrants = [{"name": "Cats", "members": ["Ann", "Ben", "Cho"]}, {"name": "Owls", "members": ["Dan", "Eve", "Fay"]}]
    assert pointers(teams.ask("/entrants", {"entrants": [{"name": "Owls", "members": "Dan"}]}))
    assert refusal(teams.ask("/entrants", {"entrants": [{"name": "Solo"}]})) == "team-size"
    read(teams.ask("/entrants", {"entrants": entrants}))
    paired = teams.pair()
    assert sitting(paired) == [["e1"] * 3, ["e2"] * 3]
    assert [seat["name"] for seat in paired["tables"][0]["seats"]] == ["Ann", "Ben", "Cho"]
    one, two = matches_of(paired)
    assert dealt(house, one) == dealt(house, two)


def test_who_comes_back_plays_the_rounds_that_are_paired_from_then_on(house: House) -> None:
    found = cup(house, seats=[3], pairing="draw", bye=0).enter("Ann", "Ben", "Cho", "Dan")
    found.play(1)
    read(found.ask("/entrants/e2/withdrawal"))
    found.play(2)
    assert refusal(found.ask("/entrants/e1/re-entry")) == "not-withdrawn"
    assert read(found.ask("/entrants/e2/re-entry"))["entrants"][1]["withdrawn"] is None
    refused(found.ask("/entrants/e9/re-entry"), 404, "not-found")
    third = found.play(3)
    seated = [entrant for table in sitting(third) for entrant in table]
    assert sorted([*seated, *third["byes"]]) == ["e1", "e2", "e3", "e4"]
    (row,) = [row for row in found.standings() if row["entrant"] == "e2"]
    assert row["withdrawn"] is False
    assert {line["round"] for line in row["lines"] if line["figure"] == "points"} == {1, 3}
