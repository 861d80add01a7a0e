"""``docs/scale.md``: every total follows from a figure that was measured."""

import importlib.util
import re
import sys
from types import ModuleType

import pytest

from gyoji.published_files import CHECKOUT

DOCUMENT = (CHECKOUT / "docs" / "scale.md").read_text("utf-8")


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("scale", CHECKOUT / "tools" / "scale.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["scale"] = module
    spec.loader.exec_module(module)
    return module


TOOL = _tool()


@pytest.mark.parametrize("section", TOOL.SECTIONS)
def test_every_line_of_a_table_is_in_the_document(section: str) -> None:
    lines = [line for name, line in TOOL.lines() if name == section]
    assert len(lines) > 3
    assert "\n".join(lines) in DOCUMENT


def test_what_is_said_beside_the_tables_was_measured() -> None:
    figures = TOOL.measured()
    cost = figures["cost"]
    assert f"`cost.move_us`: {cost['move_us']:,} µs" in DOCUMENT
    assert f"`cost.pool`: {cost['pool']}" in DOCUMENT
    towai = figures["games"]["towai"]
    assert f"need {towai['events'] / towai['matches']:.0f} events" in DOCUMENT
    window = TOOL.MATCHES * TOOL.WINDOW / 365 * TOOL.of_a_match(figures, "events")
    assert f"{window / 1e9:.1f} thousand million events" in DOCUMENT
    low, high = (window / 2e6 * minutes / 1440 for minutes in (1.5, 3))
    assert (round(low), round(high)) == (3, 7)
    assert "three to seven days" in DOCUMENT
    sqlite = TOOL.average(figures, "sqlite")
    names = ("matches", "events", "idempotency", "tree_leaves")
    assert f"about {round(sum([sqlite[name] for name in names]) / 1e4) * 10} GB" in DOCUMENT


def test_the_arithmetic_by_hand() -> None:
    """A hundred million matches of four known games."""
    game = {
        "matches": 10, "events": 1000, "moves": 500, "bodies": 1, "longest": 1,
        "postgresql": {
            "bytes": {"matches": 100, "events": 10_000, "idempotency": 500, "tree_leaves": 200, "archived": 300},
            "archive": 2000, "sealed": 0, "archiving_us_per_event": 3.6, "read_us": {"database": 1, "archive": 1},
        },
    }  # fmt: skip
    figures = {"games": {"a": game, "b": game}, "cost": {"move_us": 1000, "pool": 8}}
    said = "\n".join([*TOOL.stock(figures), *TOOL.load(figures), *TOOL.archiving(figures)])
    assert "| events | 10.0 thousand million |" in said
    assert "| everything in PostgreSQL | 0.11 TB |" in said  # 1,080 bytes a match
    assert "| everything archived: the packs | 0.02 TB in 100,000 objects |" in said
    assert "| moves a second: commits, and syncs at most | 159 | 634 |" in said
    assert "| cores of servers, half busy | 0.3 | 1.3 |" in said
    assert "| archiving all of it, core hours | 10 |" in said


def test_nothing_promises_what_was_not_tried() -> None:
    assert re.search(r"^## What was not tried$", DOCUMENT, re.MULTILINE)
