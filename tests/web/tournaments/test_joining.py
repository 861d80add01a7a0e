"""Joining by a link that the director gives out: while registration is open, whoever has it enters by themselves."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest
from werkzeug.test import TestResponse

from gyoji.access.entrant_tokens import (
    EntrantClaim,
    JoiningClaim,
    issue_entrant_token,
    issue_joining_token,
    read_entrant_token,
    read_joining_token,
)
from operators import OPERATOR
from web.matches.tables import Headers, House, Plain, holding, read, refused
from web.tournaments.directing import Cup, cup, refusal, sitting

KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324"


def registration(found: Cup, *, is_open: bool = True, **how: Any) -> Plain:
    """Registration, opened or closed."""
    answer: Plain = read(found.ask("/registration", {"open": is_open, **how}))
    return answer


def join(found: Cup, token: str, name: str, headers: Headers | None = None, **more: Any) -> TestResponse:
    """Somebody who joins; nobody else is asked who it is."""
    return found.ask("/registrations", {"token": token, "name": name, **more}, by={}, headers=headers)


def names(found: Cup) -> list[str]:
    return [each["name"] for each in read(found.get())["entrants"]]


def events(found: Cup) -> list[Plain]:
    return [orjson.loads(line) for line in found.get("/log").data.splitlines()[1:-1]]


def test_whoever_has_the_link_enters_and_has_a_personal_link_at_once(house: House) -> None:
    found = cup(house, rounds=2)
    assert read(found.get("/registration"))["token"] is None
    opened = registration(found)
    assert (opened["open"], opened["seq"]) == (True, 1)
    joined = [read(join(found, opened["token"], name)) for name in ("Aki", "Ｂｅｎ", "Cho")]
    assert [each["entrant"] for each in joined] == ["e1", "e2", "e3"]
    kept = {each["entrant"]: each["token"] for each in read(found.get("/entrants"))["entrants"]}
    assert {each["entrant"]: each["token"] for each in joined} == kept
    (table,) = found.pair()["tables"]
    where = read(found.ask("/places", {"token": joined[0]["token"]}, by={}))
    assert (where["status"], where["match"], where["name"]) == ("playing", table["match"], "Aki")
    said = [(event["type"], event["actor"]["role"]) for event in events(found)[:3]]
    assert said == [
        ("tournament_created", "operator"),
        ("registration_opened", "operator"),
        ("entrant_added", "entrant"),
    ]


def test_the_answer_to_a_join_is_good_and_keeps_no_secret_of_others(house: House) -> None:
    found = cup(house).enter("Ann")
    token = registration(found)["token"]
    answer = join(found, token, "Ben")
    assert (answer.status_code, sorted(answer.get_json())) == (201, ["entrant", "name", "token", "tournament"])
    assert answer.get_json()["token"] != read(found.get("/entrants"))["entrants"][0]["token"]
    asked = read(found.ask("/invitations", {"token": token}, by={}))
    assert asked == {
        "tournament": found.tournament,
        "title": "Spring cup",
        "game": "catte",
        "open": True,
        "teams": False,
        "seats": [3],
    }


def test_nobody_enters_while_registration_is_closed(house: House) -> None:
    found = cup(house)
    token = registration(found)["token"]
    assert registration(found, is_open=False)["token"] == token
    answer = join(found, token, "Ann", headers={"Accept-Language": "ja"})
    assert refusal(answer) == "registration-closed"
    assert "締め切られて" in answer.get_json()["because"]
    assert read(found.ask("/invitations", {"token": token}, by={}))["open"] is False
    assert names(found) == []
    found.enter("Ann")
    assert registration(found)["token"] == token, "the posters hold again"
    read(join(found, token, "Ben"))
    assert read(found.get())["registration"] == "open"


def test_a_link_that_is_replaced_does_not_hold_any_more(house: House) -> None:
    found = cup(house)
    first = registration(found)["token"]
    seq = read(found.get())["seq"]
    assert registration(found)["seq"] == seq, "it is open already"
    second = registration(found, renew=True)["token"]
    refused(join(found, first, "Ann"), 401, "unauthenticated")
    refused(found.ask("/invitations", {"token": first}, by={}), 401, "unauthenticated")
    read(join(found, second, "Ann"))


def test_late_registration_between_rounds(house: House) -> None:
    found = cup(house, rounds=2).enter("Ann", "Ben", "Cho")
    token = registration(found)["token"]
    found.play()
    read(join(found, token, "Dan"))
    paired = found.pair()
    assert sorted([*sitting(paired)[0], *paired["byes"]]) == ["e1", "e2", "e3", "e4"]
    assert refusal(join(found, token, "Eve")) == "all-rounds-paired"
    assert refusal(found.ask("/registration", {"open": True, "renew": True})) == "all-rounds-paired"


def test_the_same_name_is_refused_as_ever(house: House) -> None:
    found = cup(house).enter("Ann")
    token = registration(found)["token"]
    for name in ("Ann", "Ａｎｎ", "Ann\u200b"):
        assert refusal(join(found, token, name)) == "name-taken"
    assert names(found) == ["Ann"]
    refused(join(found, token, ""), 422, "invalid-request")
    assert refusal(join(found, token, "Ben", members=["x"])) == "no-teams"


def test_teams_join_with_their_members(house: House) -> None:
    found = cup(house, game="familiars-trouble", seats=[3])
    token = registration(found)["token"]
    assert read(found.ask("/invitations", {"token": token}, by={}))["teams"] is True
    assert refusal(join(found, token, "Owls", members=["Ann", "Ben"])) == "team-size"
    read(join(found, token, "Owls", members=["Ann", "Ben", "Cho"]))
    assert read(found.get())["entrants"][0]["members"] == ["Ann", "Ben", "Cho"]


def test_a_join_that_is_sent_again_is_made_once(house: House) -> None:
    found = cup(house)
    token = registration(found)["token"]
    answers = [read(join(found, token, "Ann", headers={"Idempotency-Key": KEY})) for _ in range(2)]
    assert answers[0] == answers[1]
    assert names(found) == ["Ann"]
    other = join(found, token, "Ben", headers={"Idempotency-Key": KEY})
    refused(other, 422, "idempotency-key-reused")
    assert "gyoji_ent" not in other.text


@pytest.mark.parametrize("guess", ["1", "Ann", "a" * 21])
def test_a_key_that_could_be_guessed_is_refused(house: House, guess: str) -> None:
    """With it and the name anybody else would be answered with the personal token of that entrant."""
    found = cup(house)
    token = registration(found)["token"]
    refused(join(found, token, "Ann", headers={"Idempotency-Key": guess}), 400, "malformed-header")
    assert names(found) == []


def test_the_joining_token_gives_nothing_else(house: House) -> None:
    found = cup(house).enter("Ann", "Ben", "Cho")
    token = registration(found)["token"]
    (table,) = found.pair()["tables"]
    for part in ("", "/standings", "/entrants", "/registration", "/rounds/1?tokens=1", "/log"):
        refused(found.get(part, holding(token)), 401, "unauthenticated")
    refused(house.client.get(f"/v1/matches/{table['match']}", headers=holding(token)), 401, "unauthenticated")
    for part in ("/places", "/check-ins"):
        refused(found.ask(part, {"token": token, "present": True}, by={}), 422, "invalid-request")
    personal = read(found.get("/entrants"))["entrants"][0]["token"]
    refused(join(found, personal, "Dan"), 422, "invalid-request")


def test_tokens_of_elsewhere_and_nobody_are_all_refused_alike(house: House) -> None:
    here, there, never = (cup(house) for _ in range(3))
    own, foreign = registration(here)["token"], registration(there)["token"]
    key = house.services.store.token_key()
    wrong = [
        (here, foreign),
        (here, issue_joining_token(bytes(32), JoiningClaim(here.tournament, 1))),
        (here, issue_joining_token(key, JoiningClaim(here.tournament, 2))),
        (here, own[:-2] + "__"),
        (never, issue_joining_token(key, JoiningClaim(never.tournament, 1))),
        (Cup(house, "00000000-0000-4000-8000-000000000000", OPERATOR), own),
    ]
    answers = [join(found, token, "Ann") for found, token in wrong]
    answers += [found.ask("/invitations", {"token": token}, by={}) for found, token in wrong]
    for answer in answers:
        refused(answer, 401, "unauthenticated")
    assert len({answer.get_json()["detail"] for answer in answers}) == 1
    assert names(here) == names(there) == names(never) == []


def test_a_token_of_one_kind_is_none_of_the_other() -> None:
    """Though the rest of their bytes is the same."""
    key, tournament = bytes(range(32)), "8cf50095-7cdb-4b9b-a222-158d440d2c12"
    joining = issue_joining_token(key, JoiningClaim(tournament, 1))
    own = issue_entrant_token(key, EntrantClaim(tournament, 1))
    assert read_joining_token(key, joining) == (tournament, 1)
    assert read_entrant_token(key, "gyoji_ent_" + joining.removeprefix("gyoji_join_")) is None
    assert read_joining_token(key, "gyoji_join_" + own.removeprefix("gyoji_ent_")) is None


def test_the_link_is_for_whoever_runs_the_tournament(house: House) -> None:
    public = cup(house, visibility="public")
    token = registration(public)["token"]
    for by, status in (({}, 401), (house.key("operator", "league"), 403)):
        code = "unauthenticated" if status == 401 else "forbidden"
        refused(public.get("/registration", by), status, code)
        refused(public.ask("/registration", {"open": False}, by=by), status, code)
    assert token not in public.get().text + public.get("/log").text + public.get("/standings").text


def test_a_tournament_that_never_was_open_says_nothing_of_it(house: House) -> None:
    found = cup(house).enter("Ann")
    assert "regist" not in found.get().text + found.get("/log").text
    assert registration(found, is_open=False)["open"] is False
    assert "regist" not in found.get().text + found.get("/log").text
    read(found.ask("/close"))
    assert refusal(found.ask("/registration", {"open": True})) == "tournament-closed"


def _at_once(found: Cup, asked: list[tuple[str, Any, Headers]]) -> list[TestResponse]:
    """Requests that are sent at the same time, each by a client of its own."""

    def post(part: str, body: Any, headers: Headers) -> TestResponse:
        return found.house.app.test_client().post(found.path + part, json=body, headers=dict(headers))

    with ThreadPoolExecutor(len(asked)) as threads:
        return [sent.result() for sent in [threads.submit(post, *each) for each in asked]]


def test_of_several_who_join_with_the_same_name_at_once_one_enters(house: House) -> None:
    found = cup(house)
    token = registration(found)["token"]
    asked: list[tuple[str, Any, Headers]] = [
        ("/registrations", {"token": token, "name": "Ann"}, {"Idempotency-Key": f"{KEY}-{number}"})
        for number in range(6)
    ]
    answers = _at_once(found, asked)
    good = [answer for answer in answers if answer.status_code == 201]
    assert len(good) == 1
    assert {refusal(answer) for answer in answers if answer.status_code != 201} == {"name-taken"}
    assert names(found) == ["Ann"]


def test_the_same_request_that_comes_twice_at_once_is_answered_alike(house: House) -> None:
    found = cup(house)
    token = registration(found)["token"]
    asked: list[tuple[str, Any, Headers]] = [
        ("/registrations", {"token": token, "name": "Ann"}, {"Idempotency-Key": KEY})
    ] * 4
    answers = _at_once(found, asked)
    assert [answer.status_code for answer in answers] == [201] * 4
    assert len({answer.get_json()["token"] for answer in answers}) == 1
    assert names(found) == ["Ann"]


def test_registration_is_closed_while_others_join(house: House) -> None:
    """Whoever was answered 201 has entered before it was closed, and nobody after."""
    found = cup(house)
    token = registration(found)["token"]
    joining: list[tuple[str, Any, Headers]] = [
        ("/registrations", {"token": token, "name": f"Player {number}"}, {}) for number in range(7)
    ]
    answers = _at_once(found, [*joining[:3], ("/registration", {"open": False}, OPERATOR), *joining[3:]])
    closing, joins = answers[3], [*answers[:3], *answers[4:]]
    assert closing.status_code == 200
    entered = [answer.get_json()["name"] for answer in joins if answer.status_code == 201]
    assert {refusal(answer) for answer in joins if answer.status_code != 201} <= {"registration-closed"}
    types = [event["type"] for event in events(found)]
    assert types[-1] == "registration_closed"
    assert sorted(names(found)) == sorted(entered)
    assert types.count("entrant_added") == len(entered)


def test_no_answer_holds_a_token_of_somebody_else(house: House) -> None:
    """Every channel that takes a token of a tournament, while others sit at a table."""
    found = cup(house, rounds=2, check_in=True, visibility="public").enter("Ann", "Ben", "Cho")
    opened = found.ask("/registration", {"open": True})
    token = read(opened)["token"]
    for entrant in ("e1", "e2", "e3"):
        read(found.ask(f"/entrants/{entrant}/presence", {"present": True}))
    (table,) = found.pair()["tables"]
    seats = {seat["name"]: seat["token"] for seat in table["seats"]}
    personal = {each["name"]: each["token"] for each in read(found.get("/entrants"))["entrants"]}
    dan = join(found, token, "Dan", headers={"Idempotency-Key": KEY})
    again = join(found, token, "Dan", headers={"Idempotency-Key": KEY})
    taken = join(found, token, "Ann", headers={"Idempotency-Key": f"{KEY}-2"})
    own = read(dan)["token"]
    own_place = [found.ask("/check-ins", {"token": own, "present": present}, by={}) for present in (True, False)]
    invited = found.ask("/invitations", {"token": token}, by={})
    secrets = {*seats.values(), *personal.values()}
    for answer in (dan, again, taken, *own_place, invited, opened, found.get("/registration"), found.get()):
        assert not [secret for secret in secrets if secret in answer.text], answer.text
    ann = found.ask("/check-ins", {"token": personal["Ann"], "present": True}, by={})
    assert seats.pop("Ann") in ann.text
    assert not [secret for secret in seats.values() if secret in ann.text]
