"""Who watches the matches of a public tournament: where tables share their deals nobody, until the round is closed."""

from random import Random

import pytest
from werkzeug.test import TestResponse

from gyoji.store.interface import Listing
from operators import OPERATOR
from web.matches.tables import Headers, House, holding, read, refused
from web.tournaments.directing import Cup, cup, matches_of, play_out

PARTS = ("", "/events", "/positions/1", "/replay")


def seen(club: Cup, match: str, part: str, by: Headers) -> TestResponse:
    """A part of the match, as whoever sends these headers is answered."""
    return club.house.client.get(f"/v1/matches/{match}{part}", headers=dict(by))


def listed(house: House) -> set[str]:
    """The newest matches that anybody may watch."""
    return {row.match for row in house.services.store.listed(Listing(None, public=True, limit=8))}


def test_tables_that_share_their_deals_are_watched_once_the_round_is_closed(house: House) -> None:
    club = cup(house, visibility="public", duplicate=True).enter("Ann", "Ben", "Cho", "Dan", "Eve", "Fay")
    paired = club.pair()
    one, two = matches_of(paired)
    own, elsewhere = (holding(table["seats"][0]["token"]) for table in paired["tables"])
    referee = house.key("referee", tournaments=[club.tournament])
    for over in (False, True):
        for match in (one, two) if over else ():
            play_out(house.services, match, Random(1))
        for part in PARTS:
            for by in ({}, elsewhere, house.account()):
                refused(seen(club, one, part, by), 404, "not-found")
            for by in (own, referee, OPERATOR):
                assert seen(club, one, part, by).status_code == 200
        refused(house.client.post("/v1/audits", json={"match": one}), 404, "not-found")
        assert not {one, two} & listed(house)
        assert read(club.get("/rounds/1", {}))["tables"][0]["match"] == one
        assert len(read(club.get("/standings", {}))["rows"]) == 6
    club.close(1)
    for part in PARTS:
        for by in ({}, elsewhere):
            assert seen(club, one, part, by).status_code == 200
    assert {one, two} <= listed(house)


@pytest.mark.parametrize(("duplicate", "names"), [(False, 6), (True, 3)])
def test_other_tables_are_watched_from_the_start(house: House, duplicate: bool, names: int) -> None:
    club = cup(house, visibility="public", duplicate=duplicate).enter(*[f"P{at}" for at in range(names)])
    matches = matches_of(club.pair())
    for part in PARTS:
        assert seen(club, matches[0], part, {}).status_code == 200
    assert set(matches) <= listed(house)


def test_a_table_whose_deals_are_played_once_more_is_watched_no_longer(house: House) -> None:
    club = cup(house, visibility="public", duplicate=True).enter("Ann", "Ben", "Cho")
    (old,) = matches_of(club.pair())
    assert seen(club, old, "", {}).status_code == 200
    read(house.client.post(f"/v1/matches/{old}/void", headers=OPERATOR))
    (again,) = matches_of(read(club.ask("/rounds/1/tables/1/match")))
    for match in (old, again):
        refused(seen(club, match, "", {}), 404, "not-found")
