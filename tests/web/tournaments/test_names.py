"""Names of entrants and tournaments: kept in normal form C, and no two that nobody can tell apart."""

import pytest

from web.matches.tables import House, pointers, read, refused
from web.tournaments.directing import Cup, cup

STORES = ("sqlite",)


def names(club: Cup) -> list[str]:
    """Of all entrants."""
    return [entrant["name"] for entrant in read(club.get())["entrants"]]


@pytest.mark.parametrize("other", ["Ann\u200b", "Ann ", " Ann", "\uff21\uff4e\uff4e", "A\u2060nn"])
def test_nobody_enters_under_a_name_that_looks_like_another(house: House, other: str) -> None:
    club = cup(house).enter("Ann", "Ben")
    problem = refused(club.ask("/entrants", {"entrants": [{"name": other}]}), 409, "tournament-refused")
    assert problem["reason"] == "name-taken"
    assert "Ann" in problem["because"]
    twice = club.ask("/entrants", {"entrants": [{"name": f"{other} II"}, {"name": "Ann II"}]})
    assert refused(twice, 409, "tournament-refused")["reason"] == "name-taken"
    assert names(club) == ["Ann", "Ben"]


def test_both_normal_forms_are_one_name(house: House) -> None:
    club = cup(house).enter("Rene\u0301")
    assert names(club) == ["Ren\u00e9"]
    again = club.ask("/entrants", {"entrants": [{"name": "Ren\u00e9"}]})
    assert refused(again, 409, "tournament-refused")["reason"] == "name-taken"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (" ", "name-invisible"),
        ("\u3000", "name-invisible"),
        ("Ann\u202e", "name-direction"),
        ("Ann\u0378", "name-unassigned"),
        ("Ann\u2028", "name-control"),
    ],
)
def test_what_no_name_may_be_is_told_with_its_place(house: House, name: str, code: str) -> None:
    club = cup(house)
    entered = club.ask("/entrants", {"entrants": [{"name": "Ben"}, {"name": name}]})
    assert pointers(entered) == [("/entrants/1/name", code)]
    assert names(club) == []
    made = house.client.post(
        "/v1/tournaments",
        headers=club.director,
        json={"game": "catte", "name": name, "seats": [3], "rounds": 1},
    )
    assert pointers(made) == [("/name", code)]


def test_the_sentence_says_which_character_and_where(house: House) -> None:
    club = cup(house)
    body = {"entrants": [{"name": "Ann\u202e"}]}
    (error,) = refused(club.ask("/entrants", body), 422, "invalid-request")["errors"]
    assert "U+202E" in error["message"]
    assert "4" in error["message"]
    (error,) = refused(club.ask("/entrants", body, headers={"Accept-Language": "ja"}), 422, "invalid-request")["errors"]
    assert "4文字目は U+202E" in error["message"]


def test_members_of_a_team_have_names_too(house: House) -> None:
    club = cup(house, game="familiars-trouble")
    team = {"name": "Owls", "members": ["Ann", "Ben\u202e", "Cho"]}
    assert pointers(club.ask("/entrants", {"entrants": [team]})) == [("/entrants/0/members/1", "name-direction")]
    read(club.ask("/entrants", {"entrants": [{**team, "members": ["Ann", "Rene\u0301", "Cho"]}]}))
    assert read(club.get())["entrants"][0]["members"] == ["Ann", "Ren\u00e9", "Cho"]
