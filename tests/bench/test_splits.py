"""A whole and its parts: they add up, whatever the repeats found."""

import json

import pytest

from benchmarks.splits import REST, Split, make_split, markdown, read_split

AUDIT = Split("audit, µs a move", "catte", (50.0, 40.0, 60.0), {"rules": (10.0, 12.0, 11.0), "hashes": (4.0, 4.0, 5.0)})


def test_the_least_of_each_is_shown_and_the_rest_is_what_they_leave() -> None:
    shown = {share.name: (share.cost, share.share) for share in AUDIT.shown()}
    assert shown == {"rules": (10.0, 0.25), "hashes": (4.0, 0.1), REST: (26.0, 0.65)}
    assert sum(cost for cost, _share in shown.values()) == AUDIT.least == 40.0


def test_shares_are_those_of_each_repeat() -> None:
    shares = AUDIT.shares()
    assert shares["rules"] == (0.2, 0.3, 11 / 60)
    assert [sum(each) for each in zip(*shares.values(), strict=True)] == pytest.approx([1.0, 1.0, 1.0])


def test_parts_that_cost_more_alone_than_among_the_others_leave_less_than_nothing() -> None:
    assert Split("a", "b", (10.0,), {"part": (12.0,)}).shown()[-1] == (REST, -2.0, -0.2)


def test_repeats_become_a_split() -> None:
    assert make_split("audit", "catte", [{"": 9.0, "rules": 2.0}, {"": 8.0, "rules": 3.0}]) == Split(
        "audit", "catte", (9.0, 8.0), {"rules": (2.0, 3.0)}
    )


def test_what_was_written_down_is_read_again() -> None:
    plain = json.loads(json.dumps(AUDIT.plain()))
    assert read_split(plain) == AUDIT
    assert plain["shown"][0] == {"name": "rules", "cost": 10.0, "share": 0.25}


def test_a_table_has_a_column_for_each_case() -> None:
    other = Split(AUDIT.whole, "towai", (30.0,), {"rules": (6.0,)})
    lines = markdown([AUDIT, other, Split("start, ms", "SQLite", (2.0,), {"imports": (1.0,)})]).splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    assert cells[0] == ["part", "catte", "towai"]
    assert cells[2:6] == [
        ["rules", "10.0 (25%)", "6.00 (20%)"],
        ["hashes", "4.00 (10%)", ""],
        [REST, "26.0 (65%)", "24.0 (80%)"],
        ["**whole**", "**40.0**", "**30.0**"],
    ]
    assert [line for line in lines if line.startswith("###")] == ["### Audit, µs a move", "### Start, ms"]
