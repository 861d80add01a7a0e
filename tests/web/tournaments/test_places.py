"""The token of an entrant: one for the whole event, which leads to wherever the entrant sits."""

from random import Random

import pytest

from gyoji.access.entrant_tokens import EntrantClaim, issue_entrant_token, read_entrant_token
from operators import OPERATOR
from web.matches.tables import House, Plain, holding, read, refused
from web.tournaments.directing import Cup, cup, matches_of, play_out
from web.tournaments.test_rulings import rule


def tokens(found: Cup) -> dict[str, str]:
    """The token of each entrant, by name."""
    return {each["name"]: each["token"] for each in read(found.get("/entrants"))["entrants"]}


def place(found: Cup, token: str) -> Plain:
    """Where the holder of a token sits; nobody else is asked who it is."""
    where: Plain = read(found.ask("/places", {"token": token}, by={}))
    return where


def at(where: Plain) -> tuple[str, int | None, int | None]:
    """A place in short: the status, the round and the table."""
    return where["status"], where["round"], where["table"]


def test_one_token_leads_through_the_whole_event(house: House) -> None:
    found = cup(house, seats=[3], rounds=2).enter("Ann", "Ben", "Cho", "Dan")
    held = tokens(found)
    assert at(place(found, held["Ann"])) == ("waiting", None, None)
    for number in (1, 2):
        paired = found.pair()
        rests = {entrant["entrant"]: entrant["name"] for entrant in read(found.get())["entrants"]}[paired["byes"][0]]
        assert at(place(found, held[rests])) == ("bye", number, None)
        assert place(found, held[rests])["seats"] == []
        (table,) = paired["tables"]
        for seat in table["seats"]:
            where = place(found, held[seat["name"]])
            assert at(where) == ("playing", number, 1)
            assert (where["match"], where["entrant"]) == (table["match"], seat["entrant"])
            assert where["seats"] == [{"seat": seat["seat"], "name": seat["name"], "token": seat["token"]}]
        play_out(found.house.services, table["match"], Random(number))
        assert at(place(found, held[table["seats"][0]["name"]])) == ("over", number, 1)
        found.close(number)
    assert tokens(found) == held
    read(found.ask("/close"))
    assert at(place(found, held["Ann"])) == ("closed", None, None)


def test_a_seat_that_was_revoked_or_renewed_has_the_token_in_force(house: House) -> None:
    found = cup(house).enter("Ann", "Ben", "Cho")
    (table,) = found.pair()["tables"]
    ann, ben = (tokens(found)[table["seats"][seat]["name"]] for seat in (0, 1))
    match = f"/v1/matches/{table['match']}"
    assert house.client.delete(f"{match}/seats/0/token", headers=OPERATOR).status_code == 204
    renewed = read(house.client.post(f"{match}/seats/1/token", headers=OPERATOR))
    assert "token" not in place(found, ann)["seats"][0]
    assert place(found, ben)["seats"][0]["token"] == renewed["token"]


def test_a_seat_that_somebody_else_has_taken_over_is_the_entrants_no_more(house: House) -> None:
    """The tokens in force are the substitute's: who sat there before must not see that hand, nor move for it."""
    found = cup(house).enter("Ann", "Ben", "Cho")
    (table,) = found.pair()["tables"]
    gone, stays = (tokens(found)[table["seats"][seat]["name"]] for seat in (0, 1))
    body = {"ruling": {"kind": "substitute", "seat": 0, "name": "Zoe"}, "reason": "Went home."}
    headers = {**OPERATOR, "If-Match": '"1"'}
    read(house.client.post(f"/v1/matches/{table['match']}/rulings", json=body, headers=headers))
    assert "token" not in place(found, gone)["seats"][0]
    assert "token" in place(found, stays)["seats"][0]


def test_whoever_is_seated_again_has_the_token_in_force(house: House) -> None:
    """Not one before that, nor whose seat was given to somebody who has no name."""
    found = cup(house).enter("Ann", "Ben", "Cho")
    (table,) = found.pair()["tables"]
    seat = table["seats"][0]
    own = tokens(found)[seat["name"]]
    read(rule(found, table["match"], "substitute", seat=0))
    assert "token" not in place(found, own)["seats"][0]
    read(rule(found, table["match"], "substitute", seat=0, name="Zoe"))
    assert "token" not in place(found, own)["seats"][0]
    again = read(rule(found, table["match"], "substitute", seat=0, name=seat["name"]))["token"]
    assert place(found, own)["seats"][0]["token"] == again
    read(
        found.ask("/rounds/1/tables/1/no-show", {"entrant": seat["entrant"], "outcome": "forfeited", "stand_in": "Zoe"})
    )
    assert "token" not in place(found, own)["seats"][0]
    read(found.ask("/rounds/1/tables/1/no-show", {"entrant": seat["entrant"], "outcome": "reinstated"}))
    assert "token" not in place(found, own)["seats"][0]


def test_the_earliest_match_that_runs_comes_first(house: House) -> None:
    found = cup(house, seats=[3], rounds=3).enter("Ann", "Ben", "Cho")
    found.pair()
    second = found.pair(early=True)
    ann = tokens(found)["Ann"]
    assert at(place(found, ann)) == ("playing", 1, 1)
    first = read(found.get("/rounds/1"))
    (match,) = matches_of(first)
    play_out(house.services, match, Random(1))
    assert place(found, ann)["match"] == matches_of(second)[0]


def test_who_has_withdrawn_plays_on_and_then_no_more(house: House) -> None:
    found = cup(house, rounds=3).enter("Ann", "Ben", "Cho", "Dan", "Eve", "Fay")
    paired = found.pair()
    ann = tokens(found)["Ann"]
    read(found.ask("/entrants/e1/withdrawal"))
    assert place(found, ann)["status"] == "playing"
    for match in matches_of(paired):
        play_out(house.services, match, Random(1))
    assert at(place(found, ann)) == ("withdrawn", None, None)


def test_a_team_has_the_tokens_of_all_its_seats(house: House) -> None:
    found = cup(house, game="familiars-trouble", seats=[3])
    read(found.ask("/entrants", {"entrants": [{"name": "Owls", "members": ["Ann", "Ben", "Cho"]}]}))
    (table,) = found.pair()["tables"]
    where = place(found, tokens(found)["Owls"])
    assert [seat["token"] for seat in where["seats"]] == [seat["token"] for seat in table["seats"]]
    assert [seat["name"] for seat in where["seats"]] == ["Ann", "Ben", "Cho"]


def test_tokens_of_entrants_are_for_whoever_runs_the_tournament(house: House) -> None:
    public = cup(house, visibility="public").enter("Ann", "Ben", "Cho")
    for by, status in (({}, 401), (house.key("operator", "league"), 403)):
        refused(public.get("/entrants", by), status, "unauthenticated" if status == 401 else "forbidden")
    assert "gyoji_ent" not in public.get().text + public.get("/log").text + public.get("/standings").text


def test_a_token_of_an_entrant_opens_nothing_else(house: House) -> None:
    found = cup(house).enter("Ann", "Ben", "Cho")
    (match,) = matches_of(found.pair())
    ann = tokens(found)["Ann"]
    refused(house.client.get(f"/v1/matches/{match}", headers=holding(ann)), 401, "unauthenticated")
    refused(found.get("", holding(ann)), 401, "unauthenticated")


def test_tokens_of_elsewhere_and_nobody_are_all_refused_alike(house: House) -> None:
    here, there = (cup(house).enter("Ann", "Ben", "Cho") for _ in range(2))
    key = house.services.store.token_key()
    stranger = issue_entrant_token(key, EntrantClaim(here.tournament, 9))
    forged = issue_entrant_token(bytes(32), EntrantClaim(here.tournament, 1))
    wrong = [tokens(there)["Ann"], stranger, forged, tokens(here)["Ann"][:-2] + "__"]
    answers = [found.ask("/places", {"token": token}, by={}) for found in (here,) for token in wrong]
    nowhere = Cup(house, "00000000-0000-4000-8000-000000000000", OPERATOR)
    answers.append(nowhere.ask("/places", {"token": tokens(here)["Ann"]}, by={}))
    refused(here.ask("/places", {"token": "gyoji_ent_"}, by={}), 422, "invalid-request")
    for answer in answers:
        refused(answer, 401, "unauthenticated")
    assert len({answer.get_json()["detail"] for answer in answers}) == 1


@pytest.mark.parametrize("number", [1, 1024])
def test_a_token_reads_as_it_was_made(number: int) -> None:
    claim = EntrantClaim("8cf50095-7cdb-4b9b-a222-158d440d2c12", number)
    token = issue_entrant_token(bytes(range(32)), claim)
    assert read_entrant_token(bytes(range(32)), token) == claim
    for place_ in range(len(token)):
        changed = token[:place_] + ("A" if token[place_] != "A" else "B") + token[place_ + 1 :]
        assert read_entrant_token(bytes(range(32)), changed) is None
