"""Tournaments: created, listed, entered, corrected, closed; and who may know of them."""

from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from threading import Barrier

import pytest

from answers import checked_client
from gyoji.api.rights import Scope
from gyoji.games.chance import length_prefixed
from gyoji.web.app import create_app
from operators import OPERATOR
from web.matches.tables import Headers, House, Plain, holding, pointers, read, refused
from web.matches.tables import house as house_of
from web.tournaments.directing import Cup, cup, refusal

CATTE: Plain = {"game": "catte", "name": "Spring cup", "seats": [3], "rounds": 4}


def test_what_is_left_out_has_a_default_and_stands_in_the_answer(house: House) -> None:
    answer = house.client.post("/v1/tournaments", json=CATTE, headers=OPERATOR)
    made = read(answer)
    assert (answer.status_code, answer.headers["ETag"]) == (201, '"0"')
    assert answer.headers["Location"] == made["links"]["self"] == f"/v1/tournaments/{made['tournament']}"
    said = {name: made[name] for name in ("name", "game", "status", "seq", "visibility", "teams", "seats", "rounds")}
    assert said == {**CATTE, "status": "open", "seq": 0, "visibility": "private", "teams": False}
    assert (made["pairing"], made["duplicate"], made["clock"], made["bye"]) == ("swiss", False, None, None)
    assert (made["points"], made["tie_breaks"]) == ({"by": "score"}, ["opponents", "head_to_head", "lot"])
    assert (made["entrants"], made["paired"], made["corrections"], made["seed"]) == ([], [], [], None)
    assert read(house.client.get(made["links"]["self"], headers=OPERATOR)) == made


def test_everything_that_can_be_said(house: House) -> None:
    said: Plain = {
        "options": {"bust_bonus": "forfeit"},
        "seats": [4, 3],
        "disclosure": "auditors_only",
        "visibility": "public",
        "clock": {"move": 30, "bank": 600, "increment": 5, "on_expiry": "forfeit"},
        "pairing": "draw",
        "points": {"by": "rank", "points": [5, 3, 1, 0], "forfeit": -1},
        "bye": 2,
        "tie_breaks": ["wins", "score"],
    }
    made = read(cup(house, **said).get())
    assert {name: made[name] for name in said} == {**said, "options": {"bust_bonus": "forfeit", "deck": None}}


def test_a_forfeit_is_worth_nothing_unless_said_otherwise(house: House) -> None:
    uneven = {"by": "rank", "points": [11, 7, 4, 2], "by_size": [[10, 6, 2]]}
    assert read(cup(house, seats=[4, 3], points=uneven).get())["points"] == {**uneven, "forfeit": 0}
    made = read(cup(house, points={"by": "rank", "points": [3, 2, 1]}).get())
    assert made["points"] == {"by": "rank", "points": [3, 2, 1], "forfeit": 0}


@pytest.mark.parametrize(
    ("setting", "wrong"),
    [
        ({"seats": [2]}, [("/seats/0", "not-allowed")]),
        ({"seats": [3, 3]}, [("/seats", "repeated")]),
        ({"seats": []}, [("/seats", "not-allowed")]),
        ({"seats": [], "points": {"by": "rank", "points": [3, 2, 1]}}, [("/seats", "not-allowed")]),
        ({"seats": [3, 4], "duplicate": True}, [("/duplicate", "tables-of-one-size")]),
        ({"points": {"by": "rank", "points": [3, 2]}}, [("/points/points", "too-few-places")]),
        ({"points": {"by": "rank", "points": [1, 2, 3]}}, [("/points/points", "points-rise")]),
        ({"points": {"by": "rank", "points": [3, 2, 1], "forfeit": None}}, [("/points/forfeit", "wrong-type")]),
        ({"points": {"by": "rank", "points": [3, 2, 1], "by_size": [[1, 2]]}}, [("/points/by_size/0", "points-rise")]),
        ({"points": {"by": "rank", "points": [3, 2, 1], "by_size": [3]}}, [("/points/by_size/0", "wrong-type")]),
        ({"points": {"by": "score", "forfeit": 0}}, [("/points/forfeit", "unknown-member")]),
        ({"points": {"by": "wins", "win": 1, "draw": 2, "loss": 0}}, [("/points", "points-rise")]),
        ({"points": {"by": "luck"}}, [("/points/by", "not-allowed")]),
        ({"tie_breaks": ["wins", "wins"]}, [("/tie_breaks", "repeated")]),
        ({"rounds": 0}, [("/rounds", "not-allowed")]),
        ({"name": ""}, [("/name", "not-allowed")]),
        ({"game": "chess"}, [("/game", "not-allowed")]),
        ({"prize": "cake"}, [("/prize", "unknown-member")]),
        (
            {"clock": {"increment": 5, "on_expiry": "referee"}},
            [("/clock", "no-time-given"), ("/clock/increment", "no-bank")],
        ),
        ({"clock": {"move": 5, "on_expiry": "pass"}}, [("/clock/on_expiry", "no-passing")]),
    ],
)
def test_rules_that_cannot_be(house: House, setting: Plain, wrong: list[tuple[str, str]]) -> None:
    answer = house.client.post("/v1/tournaments", json={**CATTE, **setting}, headers=OPERATOR)
    assert pointers(answer) == wrong


def test_teams_are_for_cooperative_games(house: House) -> None:
    setting = {
        "game": "familiars-trouble",
        "tie_breaks": ["opponents"],
        "points": {"by": "rank", "points": [3, 2, 1, 0]},
    }
    answer = house.client.post("/v1/tournaments", json={**CATTE, **setting}, headers=OPERATOR)
    assert pointers(answer) == [("/points/by", "nobody-to-meet"), ("/tie_breaks/0", "nobody-to-meet")]
    made = read(cup(house, game="familiars-trouble").get())
    assert (made["teams"], made["pairing"], made["tie_breaks"]) == (True, "draw", ["score", "lot"])


def test_a_repeated_creation_is_one_tournament(house: House) -> None:
    keyed = {**OPERATOR, "Idempotency-Key": "the cup".replace(" ", "-")}
    made = house.client.post("/v1/tournaments", json=CATTE, headers=keyed)
    again = house.client.post("/v1/tournaments", json=CATTE, headers=keyed)
    assert (again.status_code, again.json) == (201, made.json)
    refused(
        house.client.post("/v1/tournaments", json={**CATTE, "rounds": 5}, headers=keyed), 422, "idempotency-key-reused"
    )


def test_all_who_are_sent_enter_or_nobody(house: House) -> None:
    club = cup(house).enter("Ann", "Ben")
    before = club.everything()
    assert refusal(club.ask("/entrants", {"entrants": [{"name": "Cho"}, {"name": "Ann"}]})) == "name-taken"
    assert refusal(club.ask("/entrants", {"entrants": [{"name": "Cho"}, {"name": "Cho"}]})) == "name-taken"
    assert refusal(club.ask("/entrants", {"entrants": [{"name": "Cho", "members": ["Dan"]}]})) == "no-teams"
    assert pointers(club.ask("/entrants", {"entrants": [{"name": "a\nb"}, {}]})) == [
        ("/entrants/0/name", "not-allowed"),
        ("/entrants/1/name", "missing"),
    ]
    assert pointers(club.ask("/entrants", {"entrants": []})) == [("/entrants", "not-allowed")]
    assert pointers(club.ask("/entrants", {"entrants": [{"name": "x"}] * 501})) == [("/entrants", "too-long")]
    assert club.everything() == before
    entered = read(club.ask("/entrants", {"entrants": [{"name": "Cho"}, {"name": "東"}]}))
    assert [(each["entrant"], each["name"]) for each in entered["entrants"]] == [
        ("e1", "Ann"),
        ("e2", "Ben"),
        ("e3", "Cho"),
        ("e4", "東"),
    ]


def test_a_write_may_say_what_it_rests_on(house: House) -> None:
    club, one = cup(house), {"entrants": [{"name": "Ann"}]}
    assert club.ask("/entrants", one, headers={"If-Match": '"0"'}).headers["ETag"] == '"1"'
    before = club.everything()
    refused(club.ask("/entrants", {"entrants": [{"name": "Ben"}]}, headers={"If-Match": '"0"'}), 412, "stale-position")
    refused(club.ask("/entrants/e1/withdrawal", headers={"If-Match": '"0"'}), 412, "stale-position")
    refused(club.ask("/close", headers={"If-Match": "0"}), 400, "malformed-header")
    assert club.everything() == before
    assert read(club.ask("/entrants/e1/withdrawal", headers={"If-Match": '"1"'}))["seq"] == 2


def test_those_who_enter_at_once_all_enter(house: House) -> None:
    club, together = cup(house), Barrier(6)

    def enter(at: int) -> int:
        client = checked_client(house.app)
        together.wait()
        body = {"entrants": [{"name": f"Player {at}"}]}
        return client.post(f"{club.path}/entrants", json=body, headers=OPERATOR).status_code

    with ThreadPoolExecutor(6) as pool:
        assert [*pool.map(enter, range(6))] == [201] * 6
    entrants = read(club.get())["entrants"]
    assert [each["entrant"] for each in entrants] == ["e1", "e2", "e3", "e4", "e5", "e6"]
    assert {each["name"] for each in entrants} == {f"Player {at}" for at in range(6)}


def test_points_given_and_taken(six: Cup) -> None:
    before = six.everything()
    for body, wrong in (
        ({"entrant": "e1", "points": "1.5", "reason": "x"}, [("/points", "not-allowed")]),
        ({"entrant": "e1", "points": 1, "reason": "x"}, [("/points", "wrong-type")]),
        ({"entrant": "e1", "points": "1/0", "reason": "x"}, [("/points", "not-allowed")]),
        ({"entrant": "e1", "points": "1/7", "reason": "x"}, [("/points", "not-allowed")]),
        ({"entrant": "e1", "points": "1/120", "reason": "x"}, [("/points", "not-allowed")]),
        ({"entrant": "e1", "points": "1"}, [("/reason", "missing")]),
    ):
        assert pointers(six.ask("/corrections", body)) == wrong
    assert refusal(six.ask("/corrections", {"entrant": "e9", "points": "1", "reason": "x"})) == "unknown-entrant"
    assert refusal(six.ask("/corrections", {"entrant": "e1", "points": "0", "reason": "x"})) == "no-change"
    assert six.everything() == before
    corrected = read(six.ask("/corrections", {"entrant": "e1", "points": "-5/2", "reason": "Late for round 1"}))
    assert corrected["corrections"] == [{"entrant": "e1", "points": "-5/2", "reason": "Late for round 1"}]
    last = six.standings()[-1]
    assert (last["name"], last["points"]) == ("Ann", "-5/2")
    assert last["lines"][0]["why"] == "correction: Late for round 1"


def test_a_closed_tournament_changes_no_more(six: Cup) -> None:
    six.play()
    closed = read(six.ask("/close"))
    assert closed["status"] == "closed"
    assert (
        sha256(length_prefixed("tournament/1/seed", bytes.fromhex(closed["seed"]))).hexdigest()
        == closed["seed_commitment"]
    )
    before = six.everything()
    asked_for: list[tuple[str, object]] = [
        ("/entrants", {"entrants": [{"name": "Late"}]}),
        ("/entrants/e1/withdrawal", None),
        ("/rounds", {}),
        ("/rounds", {"dry_run": True}),
        ("/rounds/1/close", None),
        ("/rounds/1/tables/1/match", None),
        ("/corrections", {"entrant": "e1", "points": "1", "reason": "x"}),
        ("/close", None),
    ]
    for part, body in asked_for:
        assert refusal(six.ask(part, body)) == "tournament-closed"
    assert six.everything() == before


def test_a_private_tournament_is_not_there_for_others(house: House) -> None:
    secret = cup(house).enter("Ann", "Ben", "Cho")
    token = secret.pair()["tables"][0]["seats"][0]["token"]
    others: tuple[Headers, ...] = (
        {},
        holding(token),
        house.key("operator", "league"),
        house.key("operator", scopes=[Scope.CREATE, Scope.GROUPS]),
        house.key("referee", tournaments=["6f2f54cf-6a3c-4b9a-8f0b-1d3e5a7c9b10"]),
    )
    for by in others:
        for part in ("", "/standings", "/log", "/rounds/1", "/rounds/1?tokens=1"):
            refused(secret.get(part, by), 404, "not-found")
        listed = read(house.client.get("/v1/tournaments", headers=by))["tournaments"]
        assert secret.tournament not in [each["tournament"] for each in listed]
    refused(secret.ask("/rounds", {}, house.key("operator", "league")), 404, "not-found")
    for by in (
        house.key("referee", tournaments=[secret.tournament]),
        house.key("auditor", tournaments=[secret.tournament]),
    ):
        assert read(secret.get("", by)) == read(secret.get())
        assert secret.get("/log", by).status_code == 200
        refused(secret.get("/rounds/1?tokens=1", by), 403, "forbidden")
        refused(secret.ask("/rounds", {}, by), 403, "forbidden")
        assert (
            read(house.client.get("/v1/tournaments", headers=by))["tournaments"][0]["tournament"] == secret.tournament
        )


def test_others_read_a_public_tournament_and_do_not_run_it(house: House) -> None:
    public = cup(house, visibility="public").enter("Ann")
    assert read(public.get("", {})) == read(public.get())
    league = house.key("operator", "league")
    refused(public.ask("/entrants", {"entrants": [{"name": "Ben"}]}, league), 403, "forbidden")
    refused(public.ask("/entrants", {"entrants": [{"name": "Ben"}]}, {}), 401, "unauthenticated")


def test_lists_come_in_pages(house: House) -> None:
    by = house.account()
    cup(house, visibility="public")
    made = [cup(house, by, name=f"Cup {at}").tournament for at in range(3)]
    found: list[str] = []
    path = "/v1/tournaments?limit=1"
    for _page in range(3):
        answer = house.client.get(path, headers=by)
        found += [each["tournament"] for each in read(answer)["tournaments"] if each["visibility"] == "private"]
        path = f"/v1/tournaments?limit=1&cursor={read(answer)['next']}"
        assert answer.headers["Link"].startswith("</v1/tournaments?limit=1&cursor=")
    assert found == made[::-1]
    for query in ("limit=0", "limit=201", "limit=x", "cursor=!"):
        refused(house.client.get(f"/v1/tournaments?{query}", headers=by), 422, "invalid-request")


def test_a_service_that_starts_again_goes_on(six: Cup) -> None:
    """Nothing of a tournament is only in the memory of a process."""
    six.play()
    before = six.standings()
    again = house_of(create_app(six.house.services.settings))
    restarted = Cup(again, six.tournament, six.director)
    assert restarted.standings() == before
    assert restarted.play(2)["round"] == 2
    assert [row["lines"] for row in six.standings()] == [row["lines"] for row in restarted.standings()]
    again.services.store.close()


def test_the_matches_of_a_tournament_are_in_the_hands_of_its_referees(six: Cup) -> None:
    paired = six.pair()
    match = f"/v1/matches/{paired['tables'][0]['match']}"
    by = six.house.key("referee", tournaments=[six.tournament])
    assert read(six.house.client.get(match, headers=by))["viewer"]["role"] == "referee"
    refused(six.house.client.get(match, headers=six.house.key("referee")), 404, "not-found")
