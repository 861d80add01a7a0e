"""Who gets the token of a seat sees its hand: every way to one is the maker's, or is written down as an unsealing."""

from collections.abc import Callable
from os import getpid
from random import Random
from typing import Any

import pytest
from werkzeug.test import TestResponse

from answers import contract, resolved
from gyoji.access.keys import digest, key_id
from gyoji.api.rights import Scope
from web.conftest import Lines
from web.matches.grouping import make, seen
from web.matches.refereeing import ONCE
from web.matches.tables import Headers, House, Plain, Table, holding, pointers, read, refused
from web.tournaments.directing import Cup, cup, matches_of, play_out

ELSEWHERE = "00000000-0000-4000-8000-000000000000"


def id_of(by: Headers) -> str:
    """The id of a key, by what its holder sends."""
    return key_id(digest(by["Authorization"].removeprefix("Bearer ")))


USUAL = [scope for scope in Scope if scope is not Scope.UNSEAL]


@pytest.fixture
def by(house: House) -> Headers:
    """An operator's key that may do everything but unseal, whose every use is written down anyway."""
    return house.key("operator", scopes=USUAL)


def added(house: House, group: Plain, by: Headers) -> Table:
    """Another match of the group."""
    return house.seated(house.client.post("/v1/matches", json={"group": group["group"]}, headers=dict(by)), by)


def unsealed(lines: Lines) -> list[tuple[str, str]]:
    """Which key, and which match: what has been written down of unsealings since the last look."""
    return [(line["unsealed"], line["match"]) for line in lines() if "unsealed" in line]


def hands(table: Table) -> Any:
    """Every seat's hand, read with its token."""
    return [table.seen(table.sits(seat))["view"]["table"]["hands"][seat] for seat in range(len(table.tokens))]


# Groups


def test_who_may_only_create_matches_joins_no_group(house: House, by: Headers) -> None:
    """Seen to fail on 201a27e: 201, with the tokens of a table whose hands are those of the running one."""
    group = make(house, by)
    running = added(house, group, by)
    other = house.key("operator", scopes=[scope for scope in USUAL if scope is not Scope.GROUPS])
    for name in (group["group"], ELSEWHERE):
        for more in ({}, {"game": "catte", "seats": 3}, {"game": "towai", "seats": 3}):
            answer = house.client.post("/v1/matches", json={"group": name, **more}, headers=other)
            refused(answer, 403, "forbidden")
    assert [each["match"] for each in seen(house, group, by)["matches"]] == [running.match]


def test_a_match_of_a_group_that_another_key_made_is_written_down(house: House, lines: Lines, by: Headers) -> None:
    """What its tokens show is what the running match hides."""
    group = make(house, by)
    running = added(house, group, by)
    assert unsealed(lines) == []
    other = house.key("operator", scopes=["matches:create", "groups:manage"])
    late = added(house, group, other)
    assert unsealed(lines) == [(id_of(other), late.match)]
    assert hands(late) == hands(running)
    answer = house.client.post("/v1/matches", json={"group": group["group"], "first": 2}, headers=other)
    assert pointers(answer) == [("/first", "differs-from-group")]
    assert unsealed(lines) == []


def test_the_maker_of_a_group_adds_matches_to_it(house: House, lines: Lines, by: Headers) -> None:
    group = make(house, by)
    for _time in range(2):
        added(house, group, by)
    assert unsealed(lines) == []


def test_nobody_is_the_maker_of_a_group_of_an_earlier_release(
    house: House, lines: Lines, by: Headers, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = house.services.store.create_group
    with monkeypatch.context() as of_old:
        of_old.setattr(
            house.services.store, "create_group", lambda group, request: honest(group._replace(maker=None), request)
        )
        group = make(house, by)
    table = added(house, group, by)
    assert unsealed(lines) == [(id_of(by), table.match)]


# Every answer that may hold a token


Given = tuple[str, TestResponse]
"""A match of which a token was given out, and the answer."""


def created_again(house: House, by: Headers) -> Given:
    """The answer to a new match, once more."""
    sent = {**by, ONCE: "unsealing-create"}
    match = read(house.create(sent))["match"]
    return match, house.create(sent)


def forked_again(house: House, by: Headers) -> Given:
    """The answer to a fork, once more."""
    sent, path = {**by, ONCE: "unsealing-fork"}, f"{house.finished().path}/fork"
    match = read(house.client.post(path, json={"seq": 3}, headers=sent))["match"]
    return match, house.client.post(path, json={"seq": 3}, headers=sent)


def renewed(house: House, by: Headers) -> Given:
    """A new token, which voids that of the player."""
    table = house.table(by)
    return table.match, house.client.post(f"{table.path}/seats/1/token", headers=dict(by))


def substituted(house: House, by: Headers) -> Given:
    """A substitute."""
    table = house.table(by)
    return table.match, substitute(table, {**by, "If-Match": '"1"'})


def substitute(table: Table, headers: Headers) -> TestResponse:
    """Somebody else takes over seat 1."""
    body = {"ruling": {"kind": "substitute", "seat": 1, "name": "Zoe"}, "reason": "Ann went home."}
    return table.client.post(f"{table.path}/rulings", json=body, headers=dict(headers))


def three(house: House, by: Headers) -> Cup:
    """A tournament with a table."""
    return cup(house, by).enter("Ann", "Ben", "Cho")


def paired_again(house: House, by: Headers) -> Given:
    """The answer to a round, once more."""
    found, once = three(house, by), {ONCE: "unsealing-round"}
    (match,) = matches_of(read(found.ask("/rounds", {}, headers=once)))
    return match, found.ask("/rounds", {}, headers=once)


def round_read(house: House, by: Headers) -> Given:
    """The tokens of a round as they are in force."""
    found = three(house, by)
    (match,) = matches_of(found.pair())
    return match, found.get("/rounds/1?tokens=1")


def entrants_read(house: House, by: Headers) -> Given:
    """The tokens of the entrants, who sit at a table."""
    found = three(house, by)
    (match,) = matches_of(found.pair())
    return match, found.get("/entrants")


def replaced_beside(house: House, by: Headers) -> Given:
    """Another match at the second table: the answer has the tokens of the first, too."""
    found = three(house, by).enter("Dan", "Eve", "Fay")
    first, second = matches_of(found.pair())
    read(house.client.post(f"/v1/matches/{second}/void", headers=dict(by)))
    return first, found.ask("/rounds/1/tables/2/match")


def stood_in(house: House, by: Headers) -> Given:
    """Somebody plays on for an entrant who has forfeited."""
    found = three(house, by)
    (match,) = matches_of(found.pair())
    body = {"entrant": "e1", "outcome": "forfeited", "stand_in": "Zoe"}
    return match, found.ask("/rounds/1/tables/1/no-show", body)


def round_closed(house: House, by: Headers) -> Given:
    """The end of a round: its answer has the shape of a round, and no token in it."""
    found = three(house, by)
    (match,) = matches_of(found.pair())
    play_out(house.services, match, Random(1))
    return match, found.ask("/rounds/1/close")


GIVING: dict[str, Callable[[House, Headers], Given]] = {
    "createMatch": created_again,
    "forkMatch": forked_again,
    "renewSeatToken": renewed,
    "makeRuling": substituted,
    "pairRound": paired_again,
    "readRound": round_read,
    "readEntrantTokens": entrants_read,
    "replaceMatch": replaced_beside,
    "settleNoShow": stood_in,
}
"""By operation: a token that is not given to the maker of the match at its making."""


def round_paused(house: House, by: Headers) -> Given:
    """The pause of a round, and its start: their answers have the shape of a round, and no token in it."""
    found = three(house, by)
    (match,) = matches_of(found.pair())
    return match, found.ask("/rounds/1/pause")


def round_started(house: House, by: Headers) -> Given:
    """The start of a round that was paired with its clocks held."""
    found = three(house, by)
    (match,) = matches_of(found.pair(held=True))
    return match, found.ask("/rounds/1/start")


NONE_GIVEN = {"closeRound": round_closed, "pauseRound": round_paused, "startRound": round_started}
NO_WAY_TO_A_SEAT = {"readRegistration", "setRegistration"}
"""A joining token enters somebody new; it leads to no seat of anybody who plays."""
TO_NO_KEY = {"findPlace", "checkIn", "join"}
"""What is answered to whoever holds an entrant's token; a key has no part in it."""


def test_every_answer_that_may_hold_a_token_is_tried() -> None:
    holding_tokens = {
        operation["operationId"]
        for methods in contract()["paths"].values()
        for operation in methods.values()
        if any(_holds(answer, set()) for status, answer in operation["responses"].items() if status[0] == "2")
    }
    assert {*GIVING, *NONE_GIVEN, *NO_WAY_TO_A_SEAT, *TO_NO_KEY} == holding_tokens


def _holds(node: Any, been: set[str]) -> bool:
    """Whether a shape has a member ``token`` somewhere."""
    if isinstance(node, list):
        return any(_holds(each, been) for each in node)
    if not isinstance(node, dict):
        return False
    if "$ref" in node:
        name = node["$ref"]
        return name not in been and _holds(resolved(node), been | {name})
    return "token" in node.get("properties", {}) or any(_holds(each, been) for each in node.values())


@pytest.mark.parametrize("operation", GIVING)
def test_a_token_that_is_given_out_is_written_down_as_an_unsealing(
    house: House, lines: Lines, by: Headers, operation: str
) -> None:
    """Seen to fail on 201a27e, where no line said anything of it."""
    match, answer = GIVING[operation](house, by)
    read(answer)
    assert "gyoji_seat_" in answer.text or "gyoji_ent_" in answer.text
    assert unsealed(lines) == [(id_of(by), match)]


@pytest.mark.parametrize("operation", NONE_GIVEN)
def test_what_gives_no_token_is_not_written_down(house: House, lines: Lines, by: Headers, operation: str) -> None:
    _match, answer = NONE_GIVEN[operation](house, by)
    assert "gyoji_seat_" not in answer.text
    assert unsealed(lines) == []


def test_the_maker_gets_tokens_at_the_making_and_nothing_is_written_down(
    house: House, lines: Lines, by: Headers
) -> None:
    house.table(by)
    read(house.client.post(f"{house.finished().path}/fork", json={"seq": 3}, headers=dict(by)))
    found = three(house, by)
    (match,) = matches_of(found.pair())
    read(house.client.post(f"/v1/matches/{match}/void", headers=dict(by)))
    lines()
    read(found.ask("/rounds/1/tables/1/match"))
    read(found.get("/rounds/1"))
    assert unsealed(lines) == []


def test_a_round_leaves_a_line_for_each_of_its_matches(house: House, lines: Lines, by: Headers) -> None:
    found = three(house, by).enter("Dan", "Eve", "Fay")
    first, second = matches_of(found.pair())
    assert house.client.delete(f"/v1/matches/{first}/seats/0/token", headers=dict(by)).status_code == 204
    lines()
    read(found.get("/rounds/1?tokens=1"))
    of_request, of_second = lines()
    assert (of_request["event"], of_request["unsealed"], of_request["match"]) == ("request", id_of(by), first)
    assert of_second.pop("timestamp").endswith("Z")
    assert of_second.pop("pid") == getpid()
    assert of_second == {
        "event": "unsealed",
        "level": "info",
        "request_id": of_request["request_id"],
        "unsealed": id_of(by),
        "match": second,
    }


def test_without_a_token_in_force_nothing_is_given_out(house: House, lines: Lines, by: Headers) -> None:
    found = three(house, by)
    (match,) = matches_of(found.pair())
    for seat in range(3):
        assert house.client.delete(f"/v1/matches/{match}/seats/{seat}/token", headers=dict(by)).status_code == 204
    assert "gyoji_seat_" not in found.get("/rounds/1?tokens=1").text
    assert unsealed(lines) == []


@pytest.mark.parametrize("holder", ["spectator", "director"])
def test_tokens_of_others_than_seats_are_written_down_too(house: House, lines: Lines, by: Headers, holder: str) -> None:
    table = house.table(by, randomness={"policy": "director"})
    read(house.client.post(f"{table.path}/seats/{holder}/token", headers=dict(by)))
    assert unsealed(lines) == [(id_of(by), table.match)]


def test_a_referee_who_seats_a_substitute_is_written_down_each_time(house: House, lines: Lines, by: Headers) -> None:
    """Its key may not unseal, and holds the token of a seat nevertheless."""
    table = house.table(by)
    referee = house.key("referee", scopes=[], matches=(table.match,))
    sent = {**referee, "If-Match": '"1"', ONCE: "k"}
    for _time in range(2):
        told = read(substitute(table, sent))
        assert table.seen(holding(told["token"]))["viewer"]["seat"] == 1
        assert unsealed(lines) == [(id_of(referee), table.match)]
    read(house.client.post(f"{table.path}/seats/1/token", headers=dict(by)))
    lines()
    assert "token" not in read(substitute(table, sent))
    assert unsealed(lines) == []


def test_what_is_disclosed_is_unsealed_no_more(house: House, lines: Lines, by: Headers) -> None:
    """A token of a match that everybody may look into opens nothing; one that is for auditors still does."""
    table, kept = house.finished(), house.finished(disclosure="auditors_only")
    for each, expected in ((table, []), (kept, [(id_of(by), kept.match)])):
        lines()
        read(house.client.post(f"{each.path}/seats/1/token", headers=dict(by)))
        assert unsealed(lines) == expected


def test_what_is_refused_gives_nothing_out(house: House, lines: Lines, by: Headers) -> None:
    table, other = house.table(by), house.key("operator", scopes=["matches:create", "matches:read"])
    refused(house.client.post(f"{table.path}/seats/1/token", headers=other), 403, "forbidden")
    refused(house.client.post(f"{table.path}/seats/9/token", headers=dict(by)), 404, "not-found")
    refused(substitute(table, {**by, "If-Match": '"0"'}), 412, "stale-position")
    assert unsealed(lines) == []
