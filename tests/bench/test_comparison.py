"""Two reports side by side."""

from collections.abc import Sequence
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner

from bench.documents import MACHINE, document, ratios
from benchmarks.cli import bench
from benchmarks.comparison import Spread, compare_reports, comparison_text, spread_of
from benchmarks.splits import Split

OLD = (0.98, 0.99, 1.00, 1.01, 1.02)


def scaled(factor: float) -> list[float]:
    """The same spread elsewhere."""
    return [value * factor for value in OLD]


def test_a_spread_is_the_middle_half_of_the_repeats() -> None:
    assert spread_of((1.0, 2.0, 3.0, 4.0, 100.0)) == Spread(2.0, 3.0, 4.0)
    assert spread_of((7.0,)) == Spread(7.0, 7.0, 7.0)


@pytest.mark.parametrize(
    ("values", "at_most", "verdict"),
    [
        (scaled(1.05), False, "better"),
        (scaled(1.01), False, "same"),
        (scaled(0.99), False, "same"),
        (scaled(0.95), False, "worse"),
        (scaled(0.85), False, "FELL"),
        (scaled(0.95), True, "better"),
        (scaled(1.05), True, "worse"),
        (scaled(1.25), True, "FELL"),
        ([0.1, 0.99, 1.00, 1.01, 1.02], False, "same"),
    ],
)
def test_only_what_leaves_the_spread_has_changed(values: Sequence[float], at_most: bool, verdict: str) -> None:
    before, after = (document(ratios("moves/s", found, at_most=at_most)) for found in (OLD, values))
    found = compare_reports(before, after)
    assert [change.verdict for change in found.changes] == [verdict]
    assert found.fell == (verdict == "FELL")


def test_of_a_cost_less_is_better() -> None:
    before, after = document(ratios("ms", [2.0], at_most=True)), document(ratios("ms", [1.0], at_most=True))
    assert compare_reports(before, after).changes[0].factor == 2.0


def test_rows_of_one_side_are_named_and_not_judged() -> None:
    found = compare_reports(document(ratios("old", OLD)), document(ratios("new", OLD), ratios("bare", ())))
    assert (found.changes, found.fell) == ((), False)
    assert found.gone == (("rules", "old", "a peer"),)
    assert found.new == (("rules", "new", "a peer"),)
    assert "Only in the older: old against a peer." in comparison_text(found)


@pytest.mark.parametrize(
    ("old", "new", "caution"),
    [
        (document(), document(machine={**MACHINE, "cores": 4}), "machines differ"),
        (document(), document(speeds=(5.6, 5.6)), "calibrations differ (5.00 | 5.60"),
        (document(), document(speeds=(5.0, 5.0, 3.4)), "not steady during the newer run"),
        (document(effort={"name": "quick"}), document(), "the older run was a quick one"),
    ],
)
def test_what_speaks_against_a_comparison_is_said(old: dict[str, object], new: dict[str, object], caution: str) -> None:
    assert caution in comparison_text(compare_reports(old, new))


def test_like_runs_need_no_caution() -> None:
    assert compare_reports(document(), document(speeds=(5.4, 5.4))).cautions == ()


def test_a_part_that_takes_another_share_is_told_and_is_no_fault() -> None:
    before, after, alike = (
        document(Split("audit, µs", "catte", (100.0, 100.0, 100.0), {"rules": rules}))
        for rules in ((40.0, 41.0, 42.0), (20.0, 21.0, 22.0), (39.0, 41.0, 43.0))
    )
    found = compare_reports(before, after)
    assert {(shift.case, shift.part): shift.after.middle for shift in found.shifts} == {
        ("catte", "rules"): pytest.approx(0.21),
        ("catte", "the rest"): pytest.approx(0.79),
    }
    assert not found.fell
    assert "| audit, µs | catte | rules    | 41% (40%–42%) | 21% (20%–22%) |" in comparison_text(found)
    assert compare_reports(before, alike).shifts == ()


def _compare(folder: Path, values: Sequence[float], *options: str) -> tuple[int, str]:
    files = [folder / "old.json", folder / "new.json"]
    for file, found in zip(files, (OLD, values), strict=True):
        file.write_bytes(orjson.dumps(document(ratios("moves/s", found))))
    result = CliRunner().invoke(bench, ["compare", *map(str, files), *options])
    return result.exit_code, result.output


def test_the_command_fails_only_where_it_is_asked_to(tmp_path: Path) -> None:
    status, text = _compare(tmp_path, scaled(0.5))
    assert status == 0
    assert "FELL" in text
    assert "x 0.50" in text
    assert _compare(tmp_path, scaled(0.5), "--check")[0] == 1
    assert _compare(tmp_path, scaled(0.95), "--check")[0] == 0
    assert _compare(tmp_path, OLD, "--check") == (0, "0 ratios beyond their spread, 1 within it.\n")


def test_other_documents_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text('{"format":"gyoji-bench/2"}')
    result = CliRunner().invoke(bench, ["compare", str(other), str(other)])
    assert result.exit_code == 1
    assert "expected a document of the form gyoji-bench/1" in result.output
