"""Matches that share their deals: set up as their group says."""

from copy import copy
from random import Random
from typing import Any, get_args

import pytest

from gyoji.games.catalogue import BY_SLUG, BY_VERSION
from gyoji.match.seeding import PolicyName
from operators import OPERATOR
from web.matches.grouping import close, join, make, secret, seen
from web.matches.tables import House, Plain, pointers, read, refused
from web.tournaments.directing import cup, matches_of, play_out

NEVER = "2999-01-01T00:00:00.000Z"
ELSEWHERE = "00000000-0000-4000-8000-000000000000"


def test_matches_of_a_group_have_the_same_deals(house: House) -> None:
    group = make(house, options={"bust_bonus": "forfeit"}, first=1)
    assert (group["status"], group["matches"], group["until"]) == ("open", [], None)
    assert group["waiting_for"] == {"close": True, "matches": [], "until": None}
    one = join(house, group)
    two = join(house, group, game="catte", seats=[{"name": "Ann"}, {"name": "Ben"}, {"name": "Cho"}], first=1)
    alone = house.table()
    hands = [
        [table.seen(table.sits(seat))["view"]["table"]["hands"][seat] for seat in range(3)] for table in (one, two)
    ]
    assert hands[0] == hands[1]
    assert secret(house, one) == secret(house, two) != secret(house, alone)
    for table in (one, two):
        created = table.feed(table.sits(0))[0]["data"]
        assert (created["deal_id"], created["seed_commitment"]) == (group["group"], group["seed_commitment"])
        assert (created["withheld_until"], created["first"], created["options"]) == ("group", 1, group["options"])
        told = table.seen(table.sits(0))
        assert (told["group"], told["withheld_until"], told["closed"]) == (group["group"], "group", False)
    now = seen(house, group)
    assert [each["match"] for each in now["matches"]] == [one.match, two.match] == now["waiting_for"]["matches"]


@pytest.mark.parametrize(
    ("setting", "wrong"),
    [
        ({"game": "towai", "seats": 3}, ["/game"]),
        ({"seats": 4}, ["/seats"]),
        ({"seats": [{"name": "Ann"}] * 4}, ["/seats"]),
        ({"first": 0}, ["/first"]),
        ({"disclosure": "auditors_only"}, ["/disclosure"]),
        ({"game": "catte", "seats": 3, "options": {"bust_bonus": "forfeit"}}, ["/options"]),
        ({"game": "catte", "seats": 3, "randomness": {"policy": "players"}}, ["/randomness"]),
        ({"game": "catte", "seats": 3, "withheld_until": NEVER}, ["/withheld_until"]),
        ({"first": 2, "disclosure": "auditors_only"}, ["/first", "/disclosure"]),
    ],
)
def test_a_match_is_set_up_as_its_group_says(house: House, setting: Plain, wrong: list[str]) -> None:
    group = make(house, first=1)
    answer = house.client.post("/v1/matches", json={"group": group["group"], **setting}, headers=OPERATOR)
    assert pointers(answer) == [(pointer, "differs-from-group") for pointer in wrong]


def test_what_may_be_said_of_a_match_of_a_group(house: House) -> None:
    group = make(house)
    said = {"game": "catte", "version": 1, "seats": 3, "options": {}, "first": 0, "randomness": {"policy": "server"}}
    assert join(house, group, **said).seen(OPERATOR)["group"] == group["group"]
    answer = house.client.post("/v1/matches", json={"group": group["group"], "options": {}}, headers=OPERATOR)
    assert pointers(answer) == [("/options", "unknown-member")]
    public = join(house, group, visibility="public", tags=["cup"], metadata={"table": 1}, if_match="required")
    assert public.seen({})["tags"] == ["cup"]


def test_options_agree_in_whatever_form_they_are_kept(house: House) -> None:
    """Lists, and those that the rules number among the options of that game."""
    options = {"errand_exchange": True, "hand_exchange": True}
    group = make(house, game="familiars-trouble", options=options)
    assert join(house, group, game="familiars-trouble", seats=3, options=options).seen(OPERATOR)["status"] == "playing"


def test_there_is_no_group_that_is_closed_or_another_accounts(house: House) -> None:
    group, foreign = make(house), make(house, house.account())
    close(house, group)
    for name in (group["group"], foreign["group"], ELSEWHERE):
        answer = house.client.post("/v1/matches", json={"group": name}, headers=OPERATOR)
        assert pointers(answer) == [("/group", "no-such-group")]
    for path in (f"/v1/groups/{foreign['group']}", f"/v1/groups/{ELSEWHERE}", "/v1/groups/x"):
        refused(house.client.get(path, headers=OPERATOR), 404, "not-found")
        refused(house.client.post(f"{path}/close", headers=OPERATOR), 404, "not-found")


def test_a_group_that_is_closed_meanwhile_takes_no_match(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    group = make(house)
    honest = house.services.store.create

    def create(*parts: Any) -> None:
        house.services.store.close_group(group["group"])
        honest(*parts)

    monkeypatch.setattr(house.services.store, "create", create)
    answer = house.client.post("/v1/matches", json={"group": group["group"]}, headers=OPERATOR)
    assert pointers(answer) == [("/group", "no-such-group")]
    assert seen(house, group)["matches"] == []


def test_a_group_that_is_full_takes_no_match(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gyoji.app.matches.creation.MOST_GROUPED", 2)
    group = make(house)
    tables = [join(house, group), join(house, group)]
    answer = house.client.post("/v1/matches", json={"group": group["group"]}, headers=OPERATOR)
    assert pointers(answer) == [("/group", "group-full")]
    assert [each["match"] for each in seen(house, group)["matches"]] == [table.match for table in tables]


def test_a_group_stays_with_its_version_of_the_rules(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    group = make(house, options={"bust_bonus": "forfeit"})
    records = copy(BY_SLUG["catte"].records)
    records.codec = copy(records.codec)
    records.codec.read_options, records.codec.write_options = (lambda given: given), (lambda _options: {})
    later = BY_SLUG["catte"]._replace(version=2, records=records)
    monkeypatch.setitem(BY_SLUG, "catte", later)
    monkeypatch.setitem(BY_VERSION, ("catte", 2), later)
    tables = [join(house, group), join(house, group, game="catte", seats=3, options={"bust_bonus": "forfeit"})]
    rows = [house.services.store.match(table.match) for table in tables]
    assert [row and row.version for row in rows] == [1, 1]
    for table in tables:
        created = table.feed(table.sits(0))[0]["data"]
        assert (created["version"], created["options"]) == (1, group["options"])
        assert created["seed_commitment"] == group["seed_commitment"]
        assert table.finish(Random(3)).get_json()["outcome"] is not None


@pytest.mark.parametrize(
    ("setting", "pointer"),
    [
        ({"seats": 7}, "/seats"),
        ({"first": 3}, "/first"),
        ({"until": "2026-02-30T00:00:00.000Z"}, "/until"),
        ({"until": "tomorrow"}, "/until"),
        ({"options": {"nothing": 1}}, "/options/nothing"),
    ],
)
def test_groups_that_cannot_be(house: House, setting: Plain, pointer: str) -> None:
    answer = house.client.post("/v1/groups", json={"game": "catte", "seats": 3, **setting}, headers=OPERATOR)
    assert [found[0] for found in pointers(answer)] == [pointer]


def test_a_time_that_there_is_not(house: House) -> None:
    answer = house.create(withheld_until="2026-13-01T00:00:00.000Z")
    assert pointers(answer) == [("/withheld_until", "no-time")]


def test_who_misspells_is_told_what_is_expected(house: House) -> None:
    wrong = {"randomness": {"policy": "sever"}, "withheld_until": "2026-01-31 12:00"}
    told = {
        language: [
            error["message"]
            for error in house.client.post(
                "/v1/matches",
                json={"game": "catte", "seats": 3, **wrong},
                headers={**OPERATOR, "Accept-Language": language},
            ).get_json()["errors"]
        ]
        for language in ("en", "ja")
    }
    for policy, time in told.values():
        assert all(word in policy for word in get_args(PolicyName))
        assert "2026-01-31T12:00:00.000Z" in time
    assert told["en"] != told["ja"]


def test_a_group_is_made_once_under_a_key(house: House) -> None:
    keyed = {**OPERATOR, "Idempotency-Key": "a-group"}
    first = make(house, keyed)
    assert make(house, keyed) == first
    other = house.client.post("/v1/groups", json={"game": "catte", "seats": 4}, headers=keyed)
    refused(other, 422, "idempotency-key-reused")
    match = house.client.post("/v1/matches", json={"game": "catte", "seats": 3}, headers=keyed)
    refused(match, 422, "idempotency-key-reused")
    table = join(house, first)
    assert [each["match"] for each in make(house, keyed)["matches"]] == [table.match]


@pytest.mark.parametrize("duplicate", [False, True])
def test_nobody_but_the_tournament_adds_to_the_groups_of_its_rounds(house: House, duplicate: bool) -> None:
    """A match beside its tables would have the same deals, and its maker the tokens of all seats."""
    six = cup(house, duplicate=duplicate).enter("Ann", "Ben", "Cho", "Dan", "Eve", "Fay")
    matches = matches_of(six.pair())
    rows = [row for match in matches if (row := house.services.store.match(match)) is not None]
    for row in rows:
        answer = house.client.post("/v1/matches", json={"group": row.group}, headers=OPERATOR)
        assert pointers(answer) == [("/group", "no-such-group")]
        refused(house.client.post(f"/v1/groups/{row.group}/close", headers=OPERATOR), 403, "forbidden")
        assert seen(house, {"group": row.group})["status"] == "open"
    for match in matches:
        play_out(house.services, match, Random(match))
    assert read(six.ask("/rounds/1/close"))["closed"]
    assert {seen(house, {"group": row.group})["status"] for row in rows} == {"disclosed"}
