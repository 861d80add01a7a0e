"""The small cup of the director's guide is played as its page says."""

import csv
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from gyoji.wire.published import CHECKOUT
from gyoji.wire.tournaments import PAIRINGS, TIE_BREAKS
from operators import OPERATOR_KEY
from readme.test_deals import _curl
from servers import serving

PAGE = (CHECKOUT / "docs" / "tournaments.md").read_text("utf-8")
BLOCKS = re.findall(r"^```sh cup\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
ADDRESS = "http://127.0.0.1:8000"


def test_the_cup_is_played(tmp_path: Path) -> None:
    with serving("--workers", "1", "--threads", "2") as server:
        here = "".join(BLOCKS).replace(ADDRESS, f"http://127.0.0.1:{server.port}")
        script = "\n".join([f'python3() {{ {shlex.quote(sys.executable)} "$@"; }}', _curl(), here])
        environment = {**os.environ, "KEY": OPERATOR_KEY}
        subprocess.run(["sh", "-euc", script], cwd=tmp_path, env=environment, check=True, timeout=120)

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
    rows = [*csv.reader((tmp_path / "standings.csv").read_text("utf-8").splitlines())]
    assert len(rows) == 7
    assert len(BLOCKS) == 2


def test_the_page_names_every_way_to_pair_and_to_break_ties() -> None:
    for word in (*PAIRINGS, *TIE_BREAKS):
        assert f"`{word}`" in PAGE
