"""What the page of a match is told of rulings and clocks, and of what whoever looks may do about them."""

from random import Random

from gyoji.api.rights import Scope
from operators import OPERATOR
from web.matches.refereeing import referee
from web.matches.tables import House, Table
from web.matches.test_frames import seen

CLOCK = {"move": 20, "bank": None, "increment": 0, "on_expiry": "referee"}


def test_what_may_be_done_depends_on_who_looks(house: House, table: Table) -> None:
    bound = referee(house, table)
    blind = referee(house, table, scopes=())
    narrow = house.key("operator", scopes=(Scope.READ,))
    looks = {"referee": bound.headers, "blind": blind.headers, "seat": table.sits(0), "operator": OPERATOR}
    found = {who: seen(table, headers)["desk"] for who, headers in {**looks, "narrow": narrow}.items()}
    assert {who: (desk["may"]["rule"], desk["may"]["claim"], desk["unsealed"]) for who, desk in found.items()} == {
        "referee": (True, True, True),
        "blind": (True, True, False),
        "seat": (False, True, False),
        "operator": (True, True, True),
        "narrow": (False, False, False),
    }


def test_rulings_come_with_what_they_go_back_to_and_adjustments_stay(house: House, table: Table) -> None:
    chance = Random(3)
    for _ in range(4):
        table.move(chance)
    bound = referee(house, table)
    bound.rules("points", seat=1, points=-3)
    taken = bound.rules("take_back", to=3)
    found = seen(table, table.sits(0))
    frames = found["frames"]
    assert [frame["ruling"] for frame in frames] == [None] * 6 + [
        {"kind": "points", "seat": 1, "points": -3},
        {"kind": "take_back", "to": 3},
    ]
    assert [frame["line"]["taken_back_by"] for frame in frames] == [None] * 4 + [taken["seq"]] * 3 + [None]
    desk = found["desk"]
    assert (desk["adjustments"], desk["rulings"], desk["paused"], desk["result"]) == ([0, -3, 0], 2, False, None)
    assert desk["clock"] is None


def test_time_and_a_substitute_are_told_as_elsewhere(house: House) -> None:
    table = house.table(seats=[{"name": "Ann"}, {"name": "Ben"}, {"name": "Cho"}], clock=CLOCK)
    bound = referee(house, table)
    bound.rules("substitute", seat=2, name="Dai")
    bound.rules("pause")
    found, match = seen(table, table.sits(0)), table.seen(table.sits(0))
    assert [seat["name"] for seat in found["seats"]] == ["Ann", "Ben", "Dai"]
    assert found["desk"]["paused"]
    assert {**found["desk"]["clock"], "now": None} == {**match["clock"], "now": None}
    assert found["frames"][2]["ruling"] == {"kind": "substitute", "seat": 2, "name": "Dai"}
    hidden = bound.rules("note", said={"audience": [1]})
    told = [frame["told"] for frame in seen(table, table.sits(0))["frames"] if frame["seq"] == hidden["seq"]]
    assert [[one["text"] for one in lines] for lines in told] == [["A referee's note."]]
