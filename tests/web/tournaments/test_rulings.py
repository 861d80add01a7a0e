"""Referees in tournaments: what they rule is in the standings at once, until the round is closed."""

from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier
from typing import Any

import pytest
from werkzeug.test import TestResponse

from answers import checked_client
from operators import OPERATOR
from web.matches.tables import Headers, House, Plain, read, refused
from web.tournaments.directing import Cup, cup, matches_of, play_out, points, refusal


def rule(club: Cup, match: str, kind: str, by: Headers = OPERATOR, client: Any = None, **more: Any) -> TestResponse:
    """A ruling on the match as it stands."""
    asker = client or club.house.client
    path = f"/v1/matches/{match}"
    tag = asker.get(path, headers=dict(by)).headers["ETag"]
    body = {"ruling": {"kind": kind, **more}, "reason": "As the rules say."}
    answer: TestResponse = asker.post(f"{path}/rulings", json=body, headers={**by, "If-Match": tag})
    return answer


def names_at(found: Plain, table: int) -> list[str]:
    """Who sits at that table, by seat."""
    return [seat["name"] for seat in found["tables"][table - 1]["seats"]]


def test_a_late_ruling_is_in_the_standings_at_once(six: Cup) -> None:
    paired = six.pair()
    one, two = matches_of(paired)
    scores = play_out(six.house.services, one, Random(1))
    by = six.house.key("referee", tournaments=[six.tournament])
    read(rule(six, one, "points", by, seat=1, points=-7))
    names = names_at(paired, 1)
    found = points(six.standings())
    assert [found[name] for name in names] == [str(scores[0]), str(scores[1] - 7), str(scores[2])]
    (row,) = [row for row in six.standings() if row["name"] == names[1]]
    assert [line["amount"] for line in row["lines"] if line["figure"] == "points"] == [str(scores[1]), "-7"]
    read(rule(six, one, "result", by, winners=[2], scores=[1, 2, 30]))
    found = points(six.standings())
    assert [found[name] for name in names] == ["1", "2", "30"]
    read(rule(six, two, "forfeit", by, seats=[0]))
    table = read(six.get("/rounds/1"))["tables"][1]
    assert (table["status"], table["result"]["by"], table["result"]["forfeited"]) == ("finished", "forfeit", [0])
    assert six.close(1)["closed"]


def test_a_match_that_is_taken_back_is_played_again_and_holds_the_round_open(six: Cup) -> None:
    one, two = matches_of(six.pair())
    for match in (one, two):
        play_out(six.house.services, match, Random(1))
    read(rule(six, one, "take_back", to=4))
    assert read(six.get("/standings"))["running"] == [{"round": 1, "table": 1}]
    assert refusal(six.ask("/rounds/1/close")) == "matches-running"
    scores = play_out(six.house.services, one, Random(2))
    assert read(six.get("/rounds/1"))["tables"][0]["result"]["scores"] == list(scores)
    six.close(1)


def test_nothing_is_ruled_once_the_round_or_the_tournament_is_closed(house: House) -> None:
    short = cup(house, rounds=1).enter("Ann", "Ben", "Cho")
    (match,) = matches_of(short.play())
    before = short.everything()
    for language in ("en", "ja"):
        closed = refused(
            rule(short, match, "points", {**OPERATOR, "Accept-Language": language}, seat=0, points=1),
            409,
            "ruling-refused",
        )
        assert closed["reason"] == "round-closed"
        assert closed["because"]
    assert short.everything() == before
    read(short.ask("/close"))
    assert refused(rule(short, match, "note"), 409, "ruling-refused")["reason"] == "tournament-closed"


def test_a_referee_and_a_director_at_once(six: Cup) -> None:
    """Whoever is first is heard: the round is closed with the result as it stood, or stays open for the match."""
    for seed in range(3):
        found = six.pair()
        number, (one, two) = found["round"], matches_of(found)
        for match in (one, two):
            play_out(six.house.services, match, Random(seed))
        together = Barrier(2)

        def close(number: int = number, together: Barrier = together) -> int:
            client = checked_client(six.house.app)
            together.wait()
            return client.post(f"{six.path}/rounds/{number}/close", headers=OPERATOR).status_code

        def take_back(match: str = one, together: Barrier = together) -> int:
            client = checked_client(six.house.app)
            together.wait()
            return rule(six, match, "take_back", client=client, to=4).status_code

        with ThreadPoolExecutor(2) as pool:
            closed, ruled = (each.result(60) for each in (pool.submit(close), pool.submit(take_back)))
        assert (closed, ruled) in ((200, 409), (200, 412), (409, 200))
        row = six.house.services.store.match(one)
        assert row is not None
        assert (row.head.status, read(six.get(f"/rounds/{number}"))["closed"]) == (
            ("finished", True) if closed == 200 else ("playing", False)
        )
        if closed != 200:
            play_out(six.house.services, one, Random(seed))
            six.close(number)


def replaced(house: House) -> tuple[Cup, str, str]:
    """A round of duplicate play whose first match, which was void, has been replaced: both of them."""
    twins = cup(house, duplicate=True).enter("Ann", "Ben", "Cho", "Dan", "Eve", "Fay")
    one, two = matches_of(twins.pair())
    read(rule(twins, one, "void"))
    again = matches_of(read(twins.ask("/rounds/1/tables/1/match")))[0]
    for match in (again, two):
        play_out(house.services, match, Random(1))
    return twins, one, again


def test_nothing_is_ruled_in_a_match_that_was_replaced(house: House) -> None:
    twins, old, again = replaced(house)
    before = twins.everything()
    for kind, members in (("take_back", {"to": 1}), ("note", {})):
        for language in ("en", "ja"):
            no = rule(twins, old, kind, {**OPERATOR, "Accept-Language": language}, **members)
            assert refused(no, 409, "ruling-refused")["reason"] == "match-replaced"
    assert twins.everything() == before
    read(rule(twins, again, "note"))
    twins.close(1)


def test_no_round_is_closed_while_a_match_with_its_deals_runs(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """However it came to run."""
    twins, old, _again = replaced(house)
    with monkeypatch.context() as lenient:
        lenient.setattr("gyoji.app.matches.rulings.why_closed", lambda *_asked: None)
        read(rule(twins, old, "take_back", to=1))
    no = twins.ask("/rounds/1/close")
    assert refusal(no) == "matches-running"
    assert no.json is not None
    assert "1-1" in no.json["because"]
    assert "1-2" not in no.json["because"]
    play_out(house.services, old, Random(1))
    twins.close(1)


def test_a_void_match_goes_on_or_is_replaced(house: House) -> None:
    """A referee and a director at once: whoever is first is heard."""
    for duplicate in (True, False):
        club = cup(house, duplicate=duplicate).enter("Ann", "Ben", "Cho", "Dan", "Eve", "Fay")
        one = matches_of(club.pair())[0]
        read(rule(club, one, "void"))
        together = Barrier(2)

        def replace(club: Cup = club, together: Barrier = together) -> int:
            client = checked_client(house.app)
            together.wait()
            return client.post(f"{club.path}/rounds/1/tables/1/match", headers=OPERATOR).status_code

        def take_back(club: Cup = club, match: str = one, together: Barrier = together) -> int:
            client = checked_client(house.app)
            together.wait()
            return rule(club, match, "take_back", client=client, to=1).status_code

        with ThreadPoolExecutor(2) as pool:
            new, back = (each.result(60) for each in (pool.submit(replace), pool.submit(take_back)))
        assert (new, back) in ((201, 409), (201, 412), (409, 200))
        row = house.services.store.match(one)
        assert row is not None
        assert row.head.status == ("voided" if new == 201 else "playing")
