"""Small real measurements, and what a measure says where a peer or a tool is missing."""

import os
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from cryptography.exceptions import InvalidSignature

from benchmarks import (
    appends,
    courses,
    engines,
    installation,
    postgres,
    reference,
    servers,
    startup,
    stocks,
    storage_ratios,
    store_audits,
    surroundings,
)
from benchmarks.audits import measure_rates as audited
from benchmarks.bodies import MOST_BATCHED, choose_batches
from benchmarks.effort import QUICK
from benchmarks.figures import Goal
from benchmarks.parts import audits, calls, moves
from benchmarks.parts import rules as parts_rules
from benchmarks.playouts import measure_rates as played
from benchmarks.programs import ProgramFailed, peer_environment, run_for_json
from benchmarks.report import make_report
from benchmarks.turns import Driver, alternate, keep_drivers, order_of_turn
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.signatures import signer
from gyoji.store import migrate, open_store
from gyoji.store.database.sqlite import connect
from gyoji.store.encryption import Encryption

TINY = QUICK._replace(less=1, turns=1, lengths=(5, 20))


@pytest.fixture
def no_peers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has been installed aside."""
    monkeypatch.setenv("BENCH_HOME", str(tmp_path / "peers"))


@pytest.mark.usefixtures("no_peers")
def test_a_section_is_measured_without_any_peer() -> None:
    (section,) = make_report(["length"], TINY)["sections"]
    assert section["failure"] is None
    assert len(section["rows"]) == 4
    assert all(row["ours"][0] > 0 and row["peer"] == "at ply 5" and len(row["ratios"]) == 1 for row in section["rows"])


@pytest.mark.usefixtures("no_peers")
def test_peers_that_are_missing_leave_rows_that_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(installation.peers().values()) == {"not installed"}
    assert set(engines.commands()) == {*BY_SLUG, engines.REFERENCE}
    monkeypatch.setattr(engines, "keep_drivers", _resident)
    rows = engines.measure(TINY)
    against = [row for row in rows if row.peer in engines.GOALS and not row.limit_of]
    assert len(against) == 4 * len(BY_SLUG)
    assert all(row.ours and row.missing == "not installed" and not row.missed for row in against)
    assert [(row.limit_of, row.ratio) for row in rows if row.limit_of] == [("G1", None), ("G2", None)]


@contextmanager
def _resident(commands: Mapping[str, object]) -> Iterator[dict[str, Driver]]:
    yield {name: lambda: {"moves_per_second": 1.0, "live": 1.0} for name in commands}


def test_a_slice_of_ours_has_one_of_each_peer_right_after_it() -> None:
    rates = {"ours": iter([10.0, 30.0]), "a peer": iter([5.0, 10.0])}
    running: dict[str, Driver] = {
        name: lambda found=found: {"moves_per_second": next(found)}  # type: ignore[misc]
        for name, found in rates.items()
    }
    pairs: engines.Pairs = defaultdict(list)
    for _ in range(2):
        engines.run_with_peers("ours", ["a peer", "missing"], running, pairs)
    row = engines.compare_slices("moves/s", "ours", "a peer", pairs, Goal())
    assert (row.ours, row.theirs, row.ratios) == ((10.0, 30.0), (5.0, 10.0), (2.0, 3.0))
    assert engines.compare_slices("moves/s", "ours", "missing", pairs, Goal()).ratios == ()


def test_no_wrk_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setattr(storage_ratios, "_in_process", lambda _effort: [])
    rows = storage_ratios.measure(TINY)
    assert [(row.goal.id, row.missing) for row in rows] == [
        ("G8", storage_ratios.NO_WRK),
        ("G9", storage_ratios.NO_WRK),
    ]


def test_no_postgres_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "_folders", lambda: iter([tmp_path]))
    monkeypatch.setattr("shutil.which", lambda _name: "wrk")
    (row,) = storage_ratios._on_postgres(TINY)
    assert row.missing.startswith("not measured: PostgreSQL: there are no binaries")


def test_single_drivers_measure() -> None:
    game = BY_SLUG["familiars-trouble"]
    assert played(game, 0.001, Random(1))["moves_per_second"] > 0
    found = audited(game.slug, 0.001, Random(1))
    assert 0 < found["moves_per_second"] < found["least"]


def test_drivers_take_turns_and_end() -> None:
    command = ([sys.executable, "-m", "benchmarks.reference", "0.001", "1"], None)
    with keep_drivers({"one": command, "other": command}) as running:
        found = [running[name]()["moves_per_second"] for name in ("one", "other", "one")]
    assert len(found) == 3
    assert all(rate > 0 for rate in found)


def test_a_driver_that_breaks_is_told_with_what_it_complained_of() -> None:
    breaking = [sys.executable, "-c", "import sys; sys.stderr.write('no cards'); sys.exit(3)"]
    with pytest.raises(ProgramFailed, match="status 3:\nno cards"), keep_drivers({"breaking": (breaking, None)}):
        pass


def test_every_other_round_goes_backwards() -> None:
    assert [order_of_turn(("a", "b", "c"), number) for number in range(2)] == [("a", "b", "c"), ("c", "b", "a")]
    both = alternate({"a": lambda: {"cost": 1.0}, "b": lambda: {"cost": 2.0}})
    assert [list(both()) for _ in range(3)] == [["a", "b"], ["b", "a"], ["a", "b"]]


def test_the_reference_is_a_whole_game_and_follows_suit() -> None:
    state = reference.deal_cards(Random(1))
    assert sorted(card for hand in state["hands"] for card in hand) == sorted(reference.PACK)
    state = {**state, "hands": (("C2",), ("C3", "H4"), ("D5",), ("C9",)), "to_act": 0}
    state = reference.play_card(state, "C2")
    assert reference.legal_cards(state) == ["C3"]
    with pytest.raises(ValueError, match="H4"):
        reference.play_card(state, "H4")
    for card in ("C3", "D5", "C9"):
        state = reference.play_card(state, card)
    assert (state["to_act"], state["points"], state["taken"]) == (3, (0, 0, 0, 0), 1)
    reference.time_game(reference.deal_cards(Random(2)), [0.5] * len(reference.PACK))  # whose 26 points are all there


def test_the_least_of_an_audit_plays_every_move_and_knows_the_signature() -> None:
    kept = courses.make_finished_matches("familiars-trouble", Random(1))
    one = kept.courses[0]
    played_on = one.file.count(b'"type":"move_played"') + one.file.count(b'"type":"choice_made"')
    assert len(one.moves) == played_on > 0
    courses.do_least(kept.game, one)
    forged = one._replace(signed=one.signed._replace(message=b"another"))
    with pytest.raises(InvalidSignature):
        courses.do_least(kept.game, forged)


def test_the_parts_of_rules_and_of_an_audit_are_less_than_the_whole() -> None:
    slug = "familiars-trouble"
    kept, game = courses.make_finished_matches(slug, Random(1)), BY_SLUG[slug]
    kept = kept._replace(courses=kept.courses[:2])
    rules = parts_rules.choose_moves(game)
    for found in (
        audits.time_pieces(kept, audits.make_empty_match(slug, Random(1))),
        parts_rules.time_pieces(game, rules),
    ):
        whole = found[""]
        parts = [cost for name, cost in found.items() if name]
        assert len(parts) >= 3
        assert all(cost < whole for cost in parts)


def test_the_parts_of_a_request_are_all_timed() -> None:
    game = BY_SLUG["towai"]
    rulings = calls.choose_requests(game)[:3]
    found = calls.time_pieces(game, rulings)
    assert all(cost > 0 for cost in found.values())
    beyond = calls.beyond({"rules": 20.0, calls.WHOLE: 100.0, calls.FLASK: 30.0})
    assert beyond == {"rules": 20.0, calls.BETWEEN: 50.0}
    split = calls.without_server({calls.BARE: 50.0, calls.FLASK: 60.0}, 40.0)
    assert split == {calls.BARE: 50.0, calls.FLASK: 20.0}


def test_a_start_tells_whose_imports_took_how_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = (
        "import time:       100 |        100 | encodings\n"
        "import time:       200 |        300 | site\n"
        "import time:        10 |         10 | json\n"
        "import time:      2000 |       2000 |   flask.app\n"
        "import time:      1000 |       3000 | flask\n"
        "import time:       500 |       3500 | gyoji.web\n"
        '{"event":"a line of the log"}\n'
    )

    @contextmanager
    def running(_command: object, _port: int, file: Path, _more: object) -> Iterator[None]:
        file.write_text(log, "utf-8")
        yield

    monkeypatch.setattr(servers, "run_server", running)
    monkeypatch.setattr(servers, "wait_until_answering", lambda _server, _path: None)
    found = startup.profile_start(tmp_path)
    assert found.spent == {
        "library": {"json": 0.01},
        "others": {"flask.app": 2.0, "flask": 1.0},
        "ours": {"gyoji.web": 0.5},
    }
    assert found.others == ("flask.app", "flask")


def test_the_parts_of_a_move_in_a_store_are_all_timed(tmp_path: Path) -> None:
    url, key = f"sqlite:///{tmp_path / 'store.db'}", bytes(32)
    migrate(url)
    with closing(open_store(url, key)) as store:
        here = moves.MoveTools(store, Encryption(key), signer(bytes(32), "bench"), Random(1))
        laps = moves.Laps()
        first, second = islice(moves.time_states(here, laps), 2)
        assert second.seq == first.seq + 1
        assert store.head(first.match) == appends.head_at(second)
    assert {moves.MADE, moves.SEALED, moves.APPENDED, "receipt signed"} < laps.spent.keys()
    assert all(spent > 0 for spent in laps.spent.values())


def test_a_store_of_finished_matches_is_audited_in_one_process(tmp_path: Path) -> None:
    kept = store_audits.store_matches(tmp_path / "store.db", 1)
    assert kept.matches == len(BY_SLUG)
    assert store_audits._time_audit(kept) > 0
    with pytest.raises(RuntimeError, match="of 5 matches"):
        store_audits._time_audit(kept._replace(matches=5))


def test_a_store_is_filled_up_and_still_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # whose settings would stay for the tests that come after it in this process
    monkeypatch.setattr("benchmarks.in_process.configure_logs", lambda: None)
    monkeypatch.setattr(stocks, "MATCHES", 4)
    monkeypatch.setattr(stocks, "PAGE", 2)
    found = stocks.measure_sizes([20, 40], Random(1), tmp_path)
    assert list(found) == [20, 40]
    with closing(connect(tmp_path / "gyoji.db")) as store:
        assert store.execute("SELECT count(*) FROM matches").fetchone() == (44,)
        assert store.execute("SELECT count(DISTINCT match) FROM events").fetchone() == (44,)
    kinds = {"create", "append", "read", "list", "status", "game", "tag"}
    assert all(set(costs) == kinds for costs in found.values())


def test_batches_have_a_hundred_moves_where_the_game_is_long_enough() -> None:
    for slug, game in BY_SLUG.items():
        sizes = {len(batch.moves) for batch in choose_batches(game)}
        assert len(sizes) == 1
        assert sizes == {MOST_BATCHED} or slug == "familiars-trouble"


def test_a_program_that_fails_is_told_with_what_it_complained_of() -> None:
    with pytest.raises(ProgramFailed, match="status 3:\nno cards"):
        run_for_json([sys.executable, "-c", "import sys; sys.stderr.write('no cards'); sys.exit(3)"])
    with pytest.raises(ProgramFailed, match=r"no end after 0\.2 s"):
        run_for_json(["sleep", "60"], timeout=0.2)


def test_peers_find_nothing_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    assert "PYTHONPATH" not in peer_environment()
    assert peer_environment(NODE_ENV="production")["NODE_ENV"] == "production"


STOPPED = """
import tempfile
import time
from benchmarks.programs import start_program
from benchmarks.workplace import leave_nothing, make_workplace
with leave_nothing(), make_workplace() as folder:
    open(tempfile.mkstemp()[1], "w").close()
    with start_program(["sh", "-c", "sleep 60 & echo $!; wait"]) as one:
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


@pytest.mark.parametrize(
    ("prefix", "arguments", "name"),
    [
        ("/usr", "'--prefix=/usr' 'CFLAGS=-g -O2'", "a distribution's build"),
        ("/usr/local", "'--enable-optimizations' '--with-lto'", "optimised build"),
        ("/opt/python", "'--prefix=/opt/python'", "plain build"),
    ],
)
def test_the_build_of_the_interpreter_is_named(prefix: str, arguments: str, name: str) -> None:
    assert surroundings.build(prefix, arguments) == name


def test_a_plain_build_is_warned_of(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(surroundings, "build", lambda: "a distribution's build")
    surroundings.warn_of_plain_build()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(surroundings, "build", lambda: surroundings.PLAIN)
    surroundings.warn_of_plain_build()
    assert "built without optimisation" in capsys.readouterr().err
