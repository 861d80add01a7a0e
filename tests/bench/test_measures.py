"""Small real measurements, and what a measure says where a peer or a tool is missing."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from gyoji.bench import engines, installing, postgres, stocks, storing
from gyoji.bench.audits import measured as audited
from gyoji.bench.bodies import MOST_BATCHED, batches
from gyoji.bench.calling import Failed, for_peers, printed
from gyoji.bench.effort import QUICK
from gyoji.bench.playouts import measured as played
from gyoji.bench.report import report
from gyoji.games.catalogue import BY_SLUG

TINY = QUICK._replace(less=1, lengths=(5, 20))


@pytest.fixture
def no_peers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has been installed aside."""
    monkeypatch.setenv("BENCH_HOME", str(tmp_path / "peers"))


@pytest.mark.usefixtures("no_peers")
def test_a_section_is_measured_without_any_peer() -> None:
    (section,) = report(["length"], TINY)["sections"]
    assert section["failure"] is None
    assert len(section["rows"]) == 4
    assert all(row["ours"][0] > 0 and row["peer"] == "at ply 5" and len(row["ratios"]) == 1 for row in section["rows"])


@pytest.mark.usefixtures("no_peers")
def test_peers_that_are_missing_leave_rows_that_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(installing.peers().values()) == {"not installed"}
    assert set(engines.commands()) == set(BY_SLUG)
    monkeypatch.setattr(engines, "driven", lambda *_: {"moves_per_second": 1.0, "live": 1.0})
    rows = engines.measure(TINY)
    against = [row for row in rows if row.peer in engines.GOALS]
    assert len(against) == 4 * len(BY_SLUG)
    assert all(row.ours and row.missing == "not installed" and not row.missed for row in against)


def test_no_wrk_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setattr(storing, "_in_process", lambda _effort: None)
    rows = storing.measure(TINY)[1:]
    assert [(row.goal.id, row.missing) for row in rows] == [("G8", storing.NO_WRK), ("G9", storing.NO_WRK)]


def test_no_postgres_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "_folders", lambda: iter([tmp_path]))
    monkeypatch.setattr("shutil.which", lambda _name: "wrk")
    row = storing._on_postgres(TINY)
    assert row.missing.startswith("not measured: PostgreSQL: there are no binaries")


def test_single_drivers_measure() -> None:
    game = BY_SLUG["familiars-trouble"]
    assert played(game, 0.001, Random(1))["moves_per_second"] > 0
    assert audited(game.slug, 0.001, Random(1))["moves_per_second"] > 0


def test_a_store_is_filled_up_and_still_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # whose settings would stay for the tests that come after it in this process
    monkeypatch.setattr("gyoji.bench.in_process.configure_logs", lambda: None)
    monkeypatch.setattr(stocks, "MATCHES", 4)
    monkeypatch.setattr(stocks, "PAGE", 2)
    found = stocks.measured([20, 40], Random(1), tmp_path)
    assert list(found) == [20, 40]
    with closing(sqlite3.connect(tmp_path / "gyoji.db")) as store:
        assert store.execute("SELECT count(*) FROM matches").fetchone() == (44,)
        assert store.execute("SELECT count(DISTINCT match) FROM events").fetchone() == (44,)
    assert all(set(costs) == {"create", "append", "read", "list"} for costs in found.values())


def test_batches_have_a_hundred_moves_where_the_game_is_long_enough() -> None:
    for slug, game in BY_SLUG.items():
        sizes = {len(batch.moves) for batch in batches(game)}
        assert len(sizes) == 1
        assert sizes == {MOST_BATCHED} or slug == "familiars-trouble"


def test_a_program_that_fails_is_told_with_what_it_complained_of() -> None:
    with pytest.raises(Failed, match="status 3:\nno cards"):
        printed([sys.executable, "-c", "import sys; sys.stderr.write('no cards'); sys.exit(3)"])
    with pytest.raises(Failed, match=r"no end after 0\.2 s"):
        printed(["sleep", "60"], timeout=0.2)


def test_peers_find_nothing_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    assert "PYTHONPATH" not in for_peers()
    assert for_peers(NODE_ENV="production")["NODE_ENV"] == "production"


STOPPED = """
import tempfile
import time
from gyoji.bench.calling import started
from gyoji.bench.workplace import leaving_nothing, workplace
with leaving_nothing(), workplace() as folder:
    open(tempfile.mkstemp()[1], "w").close()
    with started(["sh", "-c", "sleep 60 & echo $!; wait"]) as one:
        print(folder, one.stdout.readline(), flush=True)
        time.sleep(60)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_whoever_is_stopped_leaves_nothing_behind(number: int, tmp_path: Path) -> None:
    command = [sys.executable, "-c", STOPPED]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        folder, sleeper = process.stdout.readline().split()
        assert Path(folder).is_dir()
        process.send_signal(number)
        assert process.wait(20) == 128 + number
    assert list(tmp_path.iterdir()) == []
    assert _is_gone(int(sleeper))


def _is_gone(process: int) -> bool:
    """Whether it has ended; in a container nobody may have buried it yet."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True
