"""Lists of one's own matches: pages, filters, and whose they are."""

from collections.abc import Mapping
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from structlog.testing import capture_logs

from gyoji.store.database.sqlite import connect
from operators import OPERATOR
from web.matches.tables import House, pointers, read, refused

ABSENT = "6f2f54cf-6a3c-4b9a-8f0b-1d3e5a7c9b10"


def listed(house: House, headers: Mapping[str, str], query: str = "") -> list[str]:
    """The ids on one page."""
    page = read(house.client.get(f"/v1/matches{query}", headers=dict(headers)))
    return [match["match"] for match in page["matches"]]


def test_two_hundred_matches_in_pages(house: House) -> None:
    """Newest first, none twice and none missing, also when more are made while one reads."""
    own = house.account()
    made = [read(house.create(own, tags=["cup"] if number % 2 else []))["match"] for number in range(200)]
    walked: list[str] = []
    address, sizes = "/v1/matches?limit=30", []
    while True:
        answer = house.client.get(address, headers=own)
        page = read(answer)
        walked += [match["match"] for match in page["matches"]]
        sizes.append(len(page["matches"]))
        read(house.create(own))  # newer than all of them: it belongs to no later page
        if page["next"] is None:
            assert "Link" not in answer.headers
            break
        link = answer.headers["Link"]
        assert link.startswith("</v1/matches?")
        assert link.endswith('>; rel="next"')
        assert page["next"] in link
        address = link[1 : link.index(">")]
    assert sizes == [30, 30, 30, 30, 30, 30, 20]
    assert sorted(walked) == sorted(made)
    newest = read(house.client.get("/v1/matches?limit=200", headers=own))["matches"]
    assert all(one["created"] >= other["created"] for one, other in pairwise(newest))
    assert len(listed(house, own)) == 50
    half = read(house.client.get("/v1/matches?tag=cup&limit=60", headers=own))
    rest = read(house.client.get(f"/v1/matches?tag=cup&limit=60&cursor={half['next']}", headers=own))
    assert {match["match"] for match in half["matches"] + rest["matches"]} == set(made[1::2])
    assert (len(half["matches"]), len(rest["matches"]), rest["next"]) == (60, 40, None)


def test_a_page_that_is_exactly_full_is_the_last(house: House) -> None:
    own = house.account()
    for _ in range(3):
        house.table(own)
    page = read(house.client.get("/v1/matches?limit=3", headers=own))
    assert (len(page["matches"]), page["next"]) == (3, None)


def test_filters(house: House) -> None:
    own = house.account()
    cats = house.table(own, tags=["cup", "a & b"]).match
    cloud = house.table(own, game="tomorrow-never-meows", tags=["a & b"]).match
    done = house.finished(7, own, game="familiars-trouble", tags=["cup"]).match
    assert set(listed(house, own)) == {cats, cloud, done}
    assert listed(house, own, "?game=catte") == [cats]
    assert listed(house, own, "?status=finished") == [done]
    assert set(listed(house, own, "?status=playing")) == {cats, cloud}
    assert set(listed(house, own, "?tag=cup")) == {cats, done}
    assert set(listed(house, own, "?tag=a+%26+b")) == {cats, cloud}
    assert listed(house, own, "?tag=cup&status=playing") == [cats]
    assert listed(house, own, "?tag=none") == listed(house, own, "?game=towai") == []
    page = house.client.get("/v1/matches?tag=a+%26+b&limit=1", headers=own)
    address = page.headers["Link"].partition(">")[0][1:]  # the filters go along
    following = read(house.client.get(address, headers=own))
    assert {read(page)["matches"][0]["match"], following["matches"][0]["match"]} == {cats, cloud}
    assert following["next"] is None


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=x", "limit"),
        ("limit=-1", "limit"),
        ("status=asleep", "status"),
        ("status=", "status"),
        ("game=whist", "game"),
        ("tag=", "tag"),
        ("tag=a%00", "tag"),
        ("tag=" + "x" * 65, "tag"),
        ("cursor=", "cursor"),
        ("cursor=AAAA", "cursor"),
        ("cursor=!!!!", "cursor"),
        ("cursor=%C3%A9", "cursor"),
        ("cursor=MjAyNi0wMS0wMVQwMDowMDowMC4wMDBafHg", "cursor"),
    ],
)
def test_queries_that_are_none(house: House, query: str, name: str) -> None:
    answer = house.client.get(f"/v1/matches?{query}", headers=OPERATOR)
    assert pointers(answer) == [(f"/{name}", "not-allowed")]


def test_lists_are_of_ones_own(house: House) -> None:
    own, other = house.account(), house.account()
    one, two = house.table(own, visibility="public"), house.table(own)
    assert listed(house, other) == []
    assert set(listed(house, own)) == {one.match, two.match}
    for role in ("referee", "auditor"):
        assert listed(house, house.key(role, matches=[two.match, ABSENT])) == [two.match]
        assert listed(house, house.key(role)) == []
    assert listed(house, one.sits(1)) == [one.match]
    refused(house.client.get("/v1/matches", headers=house.spectator(one)), 403, "forbidden")
    refused(house.client.get("/v1/matches"), 401, "unauthenticated")


def test_a_list_tells_no_card_and_no_token(house: House) -> None:
    own = house.account()
    table = house.table(own, seats=[{"name": "Ann"}, {"name": "Ben"}, {"name": "Cho"}])
    (match,) = read(house.client.get("/v1/matches", headers=own))["matches"]
    assert (match["seats"], match["status"], match["seq"]) == (
        [{"seat": 0, "name": "Ann"}, {"seat": 1, "name": "Ben"}, {"seat": 2, "name": "Cho"}],
        "playing",
        1,
    )
    assert match["match"] == table.match
    assert not {"view", "token", "legal_moves"} & match.keys()


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("UPDATE matches SET seats = ? WHERE match = ?", "[[0]"),
        ("UPDATE matches SET seats = ? WHERE match = ?", "[[0,0,false],[0,0,false]]"),
        ("UPDATE matches SET secret = ? WHERE match = ?", b"\1" * 93),
        ("UPDATE matches SET game = ? WHERE match = ?", "whist"),
        ("UPDATE matches SET status = ? WHERE match = ?", "asleep"),
        ("UPDATE events SET openings = ? WHERE seq = 0 AND match = ?", b"\1" * 300),
        ("DELETE FROM events WHERE seq = 0 AND ? IS NOT NULL AND match = ?", 1),
    ],
)
def test_a_damaged_match_is_listed_as_unreadable_and_the_rest_is_served(
    elsewhere: House, sql: str, value: object
) -> None:
    seated = [{"name": "Ann"}, {"name": "Ben"}, {"name": "Cho"}]
    tables = [elsewhere.table(seats=seated, visibility="public") for _ in range(3)]
    sound = read(elsewhere.client.get("/v1/matches", headers=OPERATOR))
    assert sound["unreadable"] == []
    lost = tables[1].match
    created = next(match["created"] for match in sound["matches"] if match["match"] == lost)
    database = urlsplit(elsewhere.services.settings.store).path
    with closing(connect(Path(database))) as connection:
        connection.execute(sql, (value, lost))
    with capture_logs() as lines:
        page = read(elsewhere.client.get("/v1/matches?limit=2", headers=OPERATOR))
    rest = read(elsewhere.client.get(f"/v1/matches?limit=2&cursor={page['next']}", headers=OPERATOR))
    assert page["matches"] + rest["matches"] == [match for match in sound["matches"] if match["match"] != lost]
    assert page["unreadable"] + rest["unreadable"] == [{"match": lost, "created": created}]
    told = [(line["match"], line["cause"]) for line in lines if line["event"] == "match-unreadable"]
    assert told == [(lost, "damaged")] * len(page["unreadable"])
    home = elsewhere.client.get("/").text
    assert [table.match in home for table in tables] == [True, False, True]
