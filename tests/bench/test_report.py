"""The report as a document, as Markdown and as files."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bench.documents import document, ratios
from benchmarks import growth, report, sections
from benchmarks.cli import bench
from benchmarks.comparison import compare_reports
from benchmarks.effort import FULL, QUICK, Effort
from benchmarks.figures import Goal, Row, as_limit
from benchmarks.goals import TITLES, goal_statuses
from benchmarks.report_text import record_report, report_markdown
from benchmarks.splits import Split
from gyoji.published_files import CHECKOUT

RECORDS = CHECKOUT / "docs" / "benchmarks"
G3 = Goal("G3", floor=0.60, aim=0.70)
SOAK: dict[str, Any] = {
    "format": "gyoji-soak/1",
    "ended": "2026-11-28T12:00:00+00:00",
    "machine": "a machine",
    "plan": {"minutes": 30.0, "rate": 150.0},
    "answers": 270000,
    "achieved_rate": 150.0,
    "kinds": {
        "move": {"count": 9000, "p50": 4.0, "p95": 8.0, "p99": 12.0, "p99.9": 30.0, "max": 41.5},
        "idle": {"count": 0},
    },
    "errors": {},
    "memory": {"drift": 0.012},
    "failures": [],
}


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sections instead of the real ones: one that works and one that breaks."""

    def broken(_effort: Effort) -> list[Row]:
        raise RuntimeError("the service and its rules disagree")

    monkeypatch.setattr(growth, "made_up", lambda effort: [ratios(effort.name, [1.0, 2.0])], raising=False)
    monkeypatch.setattr(growth, "broken", broken, raising=False)
    two = [sections.Section(name, name.title(), "About it.", "growth", name) for name in ("made_up", "broken")]
    monkeypatch.setattr(report, "SECTIONS", tuple(two))
    monkeypatch.setattr(sections, "NAMES", ("made_up", "broken"))


@pytest.mark.usefixtures("made_up")
def test_a_report_says_where_and_on_what_it_was_made() -> None:
    found = report.make_report(["made_up"], QUICK)
    assert found["format"] == "gyoji-bench/1"
    assert {"processor", "cores", "memory_mib", "system", "interpreter", "build", "rules"} == found["machine"].keys()
    assert {"gyoji", "flask", "gunicorn", "SQLite"} <= found["versions"].keys()
    assert [one["before"] for one in found["calibration"]] == ["made_up", "the end"]
    assert all(one["million_steps_per_second"] > 0 for one in found["calibration"])
    (section,) = found["sections"]
    assert section["rows"][0]["ratios"] == (1.0, 2.0)
    assert section["rows"][0]["measure"] == "quick"
    assert report.read_report(json.loads(json.dumps(found))) is not None


@pytest.mark.usefixtures("made_up")
def test_a_section_that_breaks_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    result = CliRunner().invoke(bench, ["--quick", "--json", str(tmp_path / "a" / "report.json")])
    assert result.exit_code == 1
    assert "Not measured: the service and its rules disagree" in result.output
    kept = json.loads((tmp_path / "a" / "report.json").read_text())
    assert [section["failure"] is None for section in kept["sections"]] == [True, False]
    assert report.shortcomings(kept) == ["broken failed"]


@pytest.mark.usefixtures("made_up")
def test_sections_are_chosen_by_name(tmp_path: Path) -> None:
    result = CliRunner().invoke(bench, ["--only", "made_up", "--markdown", str(tmp_path / "report.md")])
    assert (result.exit_code, (tmp_path / "report.md").read_text()) == (0, result.stdout)
    assert "## Made_Up" in result.stdout
    twice = CliRunner().invoke(bench, ["--only", "made_up", "--only", "broken"])
    assert ("## Made_Up" in twice.stdout, "## Broken" in twice.stdout) == (True, True)
    unknown = CliRunner().invoke(bench, ["--only", "made_up,other"])
    assert unknown.exit_code == 2
    assert "there is no section 'other'" in unknown.output


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("less", [["--quick"], ["--only", "made_up"]])
def test_what_is_not_whole_and_full_is_no_record(less: list[str], tmp_path: Path) -> None:
    result = CliRunner().invoke(bench, ["--record", str(tmp_path / "records"), *less])
    assert result.exit_code == 2
    assert not (tmp_path / "records").exists()


def test_the_help_names_every_section() -> None:
    text = " ".join(CliRunner().invoke(bench, ["--help"]).output.split())
    assert f"Of {', '.join(sections.NAMES[:-1])} and {sections.NAMES[-1]};" in text


def test_every_section_can_be_imported_and_called() -> None:
    assert all(callable(section.measure) for section in sections.SECTIONS)
    assert len(set(sections.NAMES)) == len(sections.NAMES)


def test_every_goal_has_a_line_with_the_worst_of_its_rows() -> None:
    rows = [Row(slug, (1.0,), "echo", (1.0,), (ratio,), G3) for slug, ratio in (("a", 0.75), ("b", 0.65), ("c", 0.61))]
    found = {one.id: one for one in goal_statuses(document(*rows))}
    assert list(found) == list(TITLES) == [f"G{number}" for number in range(1, 14)]
    assert found["G3"] == ("G3", "≥ 0.6", "≥ 0.7", "0.61–0.75", "", "below the aim (2 of 3)")
    assert found["G4"].verdict == "not measured"


def test_beside_a_goal_stands_its_limit() -> None:
    missed = Row("a", (1.0,), "echo", (1.0,), (0.5,), G3)
    limits = [as_limit("G3", Row("constant", (1.0,), "echo", (1.0,), (ratio,), G3)) for ratio in (0.92, 0.81)]
    found = document(missed, *limits)
    (standing,) = [one for one in goal_statuses(found) if one.id == "G3"]
    assert (standing.ratios, standing.limit, standing.verdict) == ("0.50", "0.81–0.92", "MISSED")
    assert report.shortcomings(found) == ["a against echo"]
    assert "| 0.50   | 0.81–0.92 | MISSED       |" in report_markdown(found)
    assert "| limit of G3 | constant |" in report_markdown(found)


def test_an_aim_that_its_limit_does_not_reach_is_said_to_be_beyond_it() -> None:
    missed = Row("a", (1.0,), "echo", (1.0,), (0.5,), G3)
    for ratio, verdict in ((0.69, "MISSED; the aim is beyond the limit"), (0.70, "MISSED")):
        limit = as_limit("G3", Row("constant", (1.0,), "echo", (1.0,), (ratio,), G3))
        (standing,) = [one for one in goal_statuses(document(missed, limit)) if one.id == "G3"]
        assert standing.verdict == verdict


def test_a_section_may_say_where_the_time_goes() -> None:
    text = report_markdown(document(Split("audit, µs a move (G10)", "catte", (50.0, 40.0), {"rules": (10.0, 12.0)})))
    assert "### Audit, µs a move (G10)" in text
    assert "| rules     | 10.0 (25%) |" in text
    assert "goal | measure" not in text


def test_the_record_of_a_release_before_there_were_limits_is_read() -> None:
    old = json.loads((RECORDS / "0.1.0.json").read_text("utf-8"))
    for section in old["sections"]:
        section.pop("splits", None)
        for row in section["rows"]:
            row.pop("limit_of", None)
    assert {standing.limit for standing in goal_statuses(old)} == {""}
    assert compare_reports(old, old).changes
    assert report_markdown(old).startswith("# gyoji 0.1.0")


def test_a_goal_whose_peer_is_missing_is_not_measured() -> None:
    (found,) = [one for one in goal_statuses(document(Row("a", (1.0,), "echo", goal=G3))) if one.id == "G3"]
    assert (found.ratios, found.verdict) == ("-", "not measured")


def test_what_falls_short_is_counted() -> None:
    missed = Row("a", (1.0,), "echo", (1.0,), (0.5,), G3)
    assert report.shortcomings(document(missed)) == ["a against echo"]
    assert report.shortcomings(document(soak={"failures": ["memory grows"]})) == ["memory grows"]


def test_a_soak_is_a_part_of_the_report() -> None:
    text = report_markdown(document(soak=SOAK))
    assert "30 minutes at 150 requests a second" in text
    assert "270,000 answers, 150 a second, 0 errors" in text
    assert "drifts by +1.2%" in text
    assert "| move        | 9,000 | 4.00 | 8.00 | 12.0 | 30.0  | 41.5 |" in text


def test_only_a_soak_is_taken_for_one(tmp_path: Path) -> None:
    other = tmp_path / "soak.json"
    other.write_text('{"format":"gyoji-bench/1"}')
    result = CliRunner().invoke(bench, ["--soak", str(other)])
    assert result.exit_code == 2
    assert "gyoji-soak/1" in result.output


def test_a_record_has_the_name_of_its_release(tmp_path: Path) -> None:
    found = document(ratios("moves/s", [1.0, 2.0], goal="G1"))
    files = record_report(found, tmp_path / "records")
    assert [file.name for file in files] == ["0.1.0.json", "0.1.0.md"]
    assert json.loads(files[0].read_text("utf-8")) == json.loads(json.dumps(found))
    assert files[1].read_text("utf-8") == report_markdown(found)
    assert "# gyoji 0.1.0, commit 0123456789ab, measured 2026-11-28" in report_markdown(found)


@pytest.mark.usefixtures("made_up")
def test_compiled_rules_have_a_record_beside_that_of_plain_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.cli.is_compiled", lambda: True)
    monkeypatch.setattr("benchmarks.surroundings.is_compiled", lambda: True)
    result = CliRunner().invoke(bench, ["--only", "made_up", "--record", str(tmp_path)])
    assert result.exit_code == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["0.1.0-compiled.json", "0.1.0-compiled.md"]
    assert "rules as compiled" in (tmp_path / "0.1.0-compiled.md").read_text("utf-8")


def test_a_report_that_is_to_be_believed_repeats_often_enough() -> None:
    assert FULL.repeats >= 5
    assert FULL.rounds >= 5
    assert FULL.turns >= 15
    assert FULL.less >= 3
    assert FULL.lengths == (50, 500, 5000)
    assert FULL.stocks == (1_000, 10_000, 100_000)
