"""The small cup of the director's guide is played as its page says."""

import csv
import json
import re
from pathlib import Path
from typing import Any

from gyoji.api.tournament_requests import PAIRINGS, TIE_BREAKS
from gyoji.published_files import CHECKOUT
from gyoji.tournaments.fold import CHANGES
from readme.test_deals import typed_in

PAGE = (CHECKOUT / "docs" / "tournaments.md").read_text("utf-8")
BLOCKS = re.findall(r"^```sh cup\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_cup_is_played(tmp_path: Path) -> None:
    typed_in("".join(BLOCKS), tmp_path)

    def said(name: str) -> Any:
        return json.loads((tmp_path / name).read_bytes())

    assert [entrant["name"] for entrant in said("entered.json")["entrants"]] == [
        "Ann",
        "Ben",
        "Cho",
        "Dan",
        "Eve",
        "Fay",
    ]
    proposed, paired = said("proposed.json")["tables"], said("round.json")["tables"]
    seats = [[seat["entrant"] for seat in table["seats"]] for table in paired]
    assert [[seat["entrant"] for seat in table["seats"]] for table in proposed] == seats
    assert [table["result"]["scores"] for table in said("closed.json")["tables"]] == [[30, 20, 10]] * 2
    points = {row["entrant"]: row["points"] for row in said("standings.json")["rows"]}
    expected = {entrant: str(3 - seat) for table in seats for seat, entrant in enumerate(table)}
    assert points == {**expected, "e1": {"3": "5/2", "2": "3/2", "1": "1/2"}[expected["e1"]]}
    assert said("corrected.json")["seq"] == 9
    rows = [*csv.reader((tmp_path / "standings.csv").read_text("utf-8-sig").splitlines())]
    assert len(rows) == 7
    assert len(BLOCKS) == 2


def test_the_page_names_every_way_to_pair_and_to_break_ties() -> None:
    for word in (*PAIRINGS, *TIE_BREAKS):
        assert f"`{word}`" in PAGE


def test_every_event_of_the_log_is_in_the_table() -> None:
    table = PAGE[PAGE.index("| `type` | `data` |") :]
    listed = re.findall(r"^\| `(\w+_\w+)` \|", table, re.MULTILINE)
    assert set(listed) == {"tournament_created", *CHANGES}
