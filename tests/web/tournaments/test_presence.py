"""Checking in over HTTP: by the entrant's token, or by whoever runs the tournament; only who is here is paired."""

from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import orjson
import pytest

from operators import OPERATOR
from web.matches.tables import House, Plain, read, refused
from web.tournaments.directing import Cup, cup, play_out, refusal, sitting


@pytest.fixture
def checking(house: House) -> Cup:
    """A tournament with five players, of whom nobody is here yet."""
    return cup(house, check_in=True, visibility="public").enter("Ann", "Ben", "Cho", "Dan", "Eve")


def tokens(found: Cup) -> dict[str, str]:
    return {each["name"]: each["token"] for each in read(found.get("/entrants"))["entrants"]}


def check_in(found: Cup, token: str, *, present: bool = True) -> Any:
    """What the holder of an entrant's token says; nobody else is asked who it is."""
    return found.ask("/check-ins", {"token": token, "present": present}, by={})


def set_presence(found: Cup, *entrants: str, present: bool = True) -> Plain:
    for entrant in entrants:
        answer: Plain = read(found.ask(f"/entrants/{entrant}/presence", {"present": present}))
    return answer


def present(found: Cup) -> list[str]:
    return [each["entrant"] for each in read(found.get())["entrants"] if each["present"]]


def events(found: Cup) -> list[Plain]:
    return [orjson.loads(line) for line in found.get("/log").data.splitlines()[1:-1]]


def test_an_entrant_checks_in_and_leaves(checking: Cup) -> None:
    held = tokens(checking)
    where = read(check_in(checking, held["Ben"]))
    assert (where["entrant"], where["status"], where["present"]) == ("e2", "waiting", True)
    assert present(checking) == ["e2"]
    seq = read(checking.get())["seq"]
    assert read(check_in(checking, held["Ben"]))["present"] is True
    assert read(checking.get())["seq"] == seq, "what is known already is no event"
    assert read(check_in(checking, held["Ben"], present=False))["present"] is False
    assert present(checking) == []
    said = [(event["type"], event["data"], event["actor"]) for event in events(checking)[-2:]]
    assert said == [
        ("entrant_present", {"entrant": "e2"}, {"role": "entrant"}),
        ("entrant_absent", {"entrant": "e2"}, {"role": "entrant"}),
    ]


def test_the_director_says_who_is_here(checking: Cup) -> None:
    after = set_presence(checking, "e1", "e3")
    assert [each["present"] for each in after["entrants"]] == [True, False, True, False, False]
    assert set_presence(checking, "e3", present=False)["seq"] == after["seq"] + 1
    assert events(checking)[-1]["actor"]["role"] == "operator"
    refused(checking.ask("/entrants/e9/presence", {"present": True}), 404, "not-found")
    refused(checking.ask("/entrants/e1/presence", {}), 422, "invalid-request")
    stale = checking.ask("/entrants/e1/presence", {"present": False}, headers={"If-Match": '"1"'})
    refused(stale, 412, "stale-position")


def test_only_who_is_here_is_paired(checking: Cup) -> None:
    assert refusal(checking.ask("/rounds", {})) == "too-few-present"
    set_presence(checking, "e1", "e2", "e4")
    held = tokens(checking)
    tried = checking.pair(dry_run=True)
    assert (sorted(sitting(tried)[0]), tried["byes"], tried["absent"]) == (["e1", "e2", "e4"], [], ["e3", "e5"])
    paired = checking.pair()
    assert (sitting(paired), paired["absent"]) == (sitting(tried), ["e3", "e5"])
    assert read(checking.get("/rounds/1"))["absent"] == ["e3", "e5"]
    assert read(checking.get())["paired"][0]["absent"] == 2
    where = read(checking.ask("/places", {"token": held["Cho"]}, by={}))
    assert (where["status"], where["round"], where["seats"], where["present"]) == ("absent", 1, [], False)
    play_out(checking.house.services, paired["tables"][0]["match"], Random(1))
    checking.close(1)
    lines = {row["name"]: row["lines"] for row in checking.standings()}
    (line,) = [line for line in lines["Cho"] if line["figure"] == "points"]
    assert (line["what"], line["amount"], line["round"]) == ("absent", "0", 1)
    assert (
        "欠席"
        in checking.get("/standings", headers={"Accept-Language": "ja"}).get_json()["rows"][-1]["lines"][0]["why"]
    )
    read(check_in(checking, held["Cho"]))
    read(check_in(checking, held["Dan"], present=False))
    after = checking.pair()
    assert (sorted(sitting(after)[0]), after["absent"]) == (["e1", "e2", "e3"], ["e4", "e5"])


def test_by_hand_nobody_is_left_out_and_nobody_absent_is_named(checking: Cup) -> None:
    set_presence(checking, "e1", "e2", "e3", "e4")
    answer = checking.ask("/rounds", {"tables": [["e1", "e2", "e5"]], "byes": ["e4"]})
    assert refusal(answer) == "impossible-tables"
    assert [(fault["code"], fault["entrant"]) for fault in answer.get_json()["faults"]] == [
        ("absent", "e5"),
        ("missing", "e3"),
    ]
    paired = checking.pair(tables=[["e1", "e2", "e3"]], byes=["e4"])
    assert (paired["byes"], paired["absent"]) == (["e4"], ["e5"])


def test_teams_check_in_too(house: House) -> None:
    found = cup(house, game="familiars-trouble", seats=[3], duplicate=True, check_in=True)
    teams = [{"name": name, "members": [f"{name}{seat}" for seat in "abc"]} for name in ("Owls", "Cats", "Rats")]
    read(found.ask("/entrants", {"entrants": teams}))
    for name in ("Owls", "Rats"):
        read(check_in(found, tokens(found)[name]))
    paired = found.pair()
    assert [seats[0] for seats in sitting(paired)] == ["e1", "e3"]
    assert (paired["byes"], paired["absent"]) == ([], ["e2"])


def test_a_tournament_without_it_says_nothing_of_it(house: House) -> None:
    found = cup(house, visibility="public").enter("Ann", "Ben", "Cho")
    held = tokens(found)["Ann"]
    assert refusal(check_in(found, held)) == "no-check-in"
    assert refusal(found.ask("/entrants/e1/presence", {"present": True})) == "no-check-in"
    found.pair()
    said = found.get().text + found.get("/log").text + found.get("/rounds/1").text + found.get("/standings").text
    assert not [word for word in ("check_in", "present", "absent") if f'"{word}"' in said]


def test_nobody_checks_in_for_somebody_else(checking: Cup) -> None:
    other = cup(checking.house, check_in=True).enter("Ann")
    for token in (tokens(other)["Ann"], f"gyoji_ent_{'A' * 71}"):
        refused(check_in(checking, token), 401, "unauthenticated")
    refused(checking.ask("/check-ins", {"token": "e1", "present": True}, by={}), 422, "invalid-request")
    refused(checking.ask("/entrants/e1/presence", {"present": True}, by={}), 401, "unauthenticated")
    league = checking.house.key("operator", "league")
    refused(checking.ask("/entrants/e1/presence", {"present": True}, by=league), 403, "forbidden")
    assert present(checking) == []


def test_who_has_withdrawn_and_what_is_over(checking: Cup) -> None:
    held = tokens(checking)["Ann"]
    read(checking.ask("/entrants/e1/withdrawal"))
    assert refusal(check_in(checking, held)) == "already-withdrawn"
    read(checking.ask("/close"))
    assert refusal(check_in(checking, tokens(checking)["Ben"])) == "tournament-closed"


def test_all_check_in_at_once_while_the_round_is_paired(house: House) -> None:
    """Whatever the order, everybody is at a table, rests, or is named as absent, and the log says which."""
    found = cup(house, check_in=True).enter(*[f"Player {number}" for number in range(12)])
    held = [*tokens(found).values()]
    set_presence(found, "e1", "e2", "e3")
    services, client = house.services, house.app.test_client
    assert services is not None

    def post(part: str, body: Any, headers: Any) -> int:
        return client().post(found.path + part, json=body, headers=headers).status_code

    with ThreadPoolExecutor(6) as threads:
        checked = [threads.submit(post, "/check-ins", {"token": token, "present": True}, {}) for token in held[3:]]
        round_ = threads.submit(post, "/rounds", {}, dict(OPERATOR))
        assert [each.result() for each in checked] == [200] * 9
        assert round_.result() == 201
    paired = read(found.get("/rounds/1"))
    placed = [*(entrant for table in sitting(paired) for entrant in table), *paired["byes"], *paired.get("absent", [])]
    assert sorted(placed) == sorted(f"e{number}" for number in range(1, 13))
    before = {"e1", "e2", "e3"}
    for event in events(found):
        if event["type"] == "round_paired":
            break
        if event["type"] == "entrant_present":
            before.add(event["data"]["entrant"])
    assert set(placed) - set(paired.get("absent", [])) == before
    assert len(present(found)) == 12
