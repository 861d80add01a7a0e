"""The table of failures: each row names the tests that run it, and they are there."""

import re

import pytest

from gyoji.published_files import CHECKOUT
from gyoji.store.interface import CAUSES

TEXT = (CHECKOUT / "docs" / "operating.md").read_text("utf-8")
_BEFORE, _HEADING, REST = TEXT.partition("\n## Failures\n")
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in REST.partition("\n## ")[0].splitlines()
    if line.startswith("| ") and not line.startswith("| fault ")
]
NAMED = re.compile(r"`(tests/[a-z_/]+\.py)(?:::(test_[a-z_]+))?`")


def test_there_are_rows() -> None:
    assert len(ROWS) >= 17
    assert {len(row) for row in ROWS} == {5}
    assert len({row[0] for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_row_is_run_by_a_test(row: list[str]) -> None:
    named = NAMED.findall(row[-1])
    assert named
    for path, name in named:
        assert f"def {name or 'test_'}" in (CHECKOUT / path).read_text("utf-8"), (path, name)


@pytest.mark.parametrize("cause", ["timeout", "unreachable", "busy", "read-only", "disk-full", "disk-error"])
def test_a_cause_has_a_row(cause: str) -> None:
    assert cause in CAUSES
    assert any(f"`{cause}`" in row[2] for row in ROWS)
