"""The referee's guide: its example runs, and what it lists is what there is."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import get_args

from gyoji.api.rulings import DESK_REFUSALS, OF_ANY_GAME
from gyoji.match.clocks import Expiry
from gyoji.match.events.kind import RefusalCode
from gyoji.match.rulings.ruling_made import RULING_KINDS
from gyoji.published_files import CHECKOUT
from operators import OPERATOR_KEY
from readme.test_sealed import commands
from servers import serving

PAGE = (CHECKOUT / "docs" / "referee.md").read_text("utf-8")


def section(heading: str) -> str:
    """The text under a heading, up to the next one."""
    return re.split(r"^#+ ", PAGE[PAGE.index(heading) + len(heading) :], maxsplit=1, flags=re.MULTILINE)[0]


def firsts(text: str) -> list[str]:
    """The words in the first column of its tables."""
    rows = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return [word for row in rows for word in re.findall(r"`([\w-]+)`", row)]


def test_the_example_runs(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    folder = tmp_path / "bin"
    folder.mkdir()
    environment = {**os.environ, "PATH": commands(folder), "KEY": OPERATOR_KEY}
    settings = {"GYOJI_STORE": f"sqlite:///{tmp_path / 'gyoji.db'}", "GYOJI_OPERATOR_KEY": OPERATOR_KEY}
    with serving("--workers", "1", "--threads", "2", environment=settings) as server:
        script = block.replace("http://127.0.0.1:8000", f"http://127.0.0.1:{server.port}")
        subprocess.run(
            ["sh", "-euc", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
    answers = [json.loads((tmp_path / f"{name}.json").read_bytes()) for name in ("pause", "points", "resume")]
    assert [(answer["seq"], answer["status"]) for answer in answers] == [(2, "paused"), (4, "paused"), (5, "playing")]
    header, *events = map(json.loads, (tmp_path / "ruled.jsonl").read_bytes().splitlines())
    assert (header["format"], len(events)) == ("gyoji-line/1", 7)


def test_every_kind_is_listed_with_its_members() -> None:
    table = section("## Make a ruling")
    rows = re.findall(r"^\| (`[a-z_`, ]+) \| ([^|]*)\|", table, re.MULTILINE)
    listed = {
        kind: re.findall(r"`(\w+)`", members)
        for kinds, members in rows
        for kind in re.findall(r"`(\w+)`", kinds)
        if kind in RULING_KINDS
    }
    known = {kind: [name for name in shape().fields if name != "kind"] for kind, shape in OF_ANY_GAME.items()}
    assert listed == {**known, "play": ["move"], "accept": ["move"]}
    assert listed.keys() == RULING_KINDS.keys()


def test_every_reason_is_explained() -> None:
    reasons = {*get_args(RefusalCode), *DESK_REFUSALS} - {"not-expired"}
    assert {*firsts(section("### Why a ruling is refused"))} == reasons


def test_every_end_of_time_is_explained() -> None:
    assert firsts(section("## Clocks")) == ["on_expiry", *get_args(Expiry)]
