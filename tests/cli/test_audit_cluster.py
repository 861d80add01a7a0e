"""``gyoji audit --cluster``: the same verdicts from the workers of a Dask cluster, and clusters that are refused."""

import json
import socket
import sys
from concurrent.futures import Future
from pathlib import Path
from threading import Timer

import pytest

from commands import Gyoji
from dask_cluster import cluster
from gyoji import __version__
from gyoji.bulk import cluster as bulk_cluster
from gyoji.bulk.locations import BulkError
from gyoji.bulk.outcomes import Outcome
from gyoji.published_files import CHECKOUT

REPLAYS = CHECKOUT / "replays"
TRUST = REPLAYS / "trust.json"


def test_two_workers_say_what_one_process_says(gyoji: Gyoji, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By paths that lead nowhere from where the workers run; a file that is gone is one replay that cannot be read."""
    monkeypatch.chdir(CHECKOUT)
    given = ("audit", "replays/catte", "replays/towai", "--trust", TRUST)
    alone = gyoji(*given)
    with cluster(tmp_path, 2) as running:
        far = gyoji(*given, "--cluster", running.address)
        assert (far.exit_code, far.stdout, far.stderr) == (0, alone.stdout, "")
        monkeypatch.setattr(bulk_cluster, "__version__", "0.0.1")
        other = gyoji(*given, "--cluster", running.address)
        assert (other.exit_code, other.stdout) == (1, "")
        assert "and this is 0.0.1: install the same there" in other.stderr
        monkeypatch.undo()
        store = gyoji("audit", "--store", "postgresql+psycopg://me:secret@here/db", "--cluster", running.address)
        assert (store.exit_code, "sends no passwords" in store.stderr, "secret" in store.output) == (2, True, False)


def test_a_store_needs_keys_of_the_workers_own() -> None:
    probed = bulk_cluster._probe()()
    assert probed is not None
    assert json.loads(json.dumps(probed))[2] is False


def test_a_worker_whose_gyoji_is_not_whole_tells_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """An older release may lack what the digests come from, and a copied folder the files: neither has our rules."""
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "gyoji.games.catalogue", None)
        assert bulk_cluster._probe()() == (__version__, {}, False)
    monkeypatch.setattr("gyoji.published_files.rules_digest", lambda slug: Path("nowhere", slug).read_bytes())
    assert bulk_cluster._probe()() == (__version__, {}, False)


def test_nobody_there(gyoji: Gyoji, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        monkeypatch.setattr(bulk_cluster, "ANSWER_SECONDS", 1)
        ran = gyoji("audit", REPLAYS, "--cluster", address)
        assert (ran.exit_code, ran.stderr) == (1, f"Error: no Dask scheduler answers at {address}\n")
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = gyoji("audit", REPLAYS, "--cluster", address)
    assert (ran.exit_code, "the extra cluster" in ran.stderr) == (2, True)


class Asked(Future[list[Outcome] | str]):
    """A task on a cluster, as its client sees it."""

    @property
    def status(self) -> str:
        """How the task stands, whether its outcome has come over or not."""
        if not self.done():
            return "pending"
        return "error" if self.exception() else "finished"


class Unfetched(Asked):
    """A task that is done, whose outcome does not come over."""

    status = "finished"


def test_a_scheduler_that_is_gone_in_mid_run() -> None:
    future = Asked()
    future.cancel()
    with pytest.raises(BulkError, match="go on with --resume"):
        _receive(Connected(), future)


class Connected:
    """A client whose scheduler answers so often, and no more."""

    def __init__(self, answers: int = 0) -> None:
        self.left = answers
        self.scheduler = self

    def identity(self) -> None:
        """Who it is."""

    def sync(self, _ask: object, callback_timeout: float) -> None:
        """Ask it."""
        assert callback_timeout > 0
        if not self.left:
            raise TimeoutError
        self.left -= 1


def _receive(client: Connected, future: "Future[list[Outcome] | str]") -> list[Outcome]:
    """As much of a client and of a future as is asked for."""
    return bulk_cluster._receive(client, future)  # type: ignore[arg-type]


def test_a_scheduler_that_is_stopped_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_cluster, "LOOKS_APART", 0.01)
    for future in (Asked(), Unfetched()):
        client = Connected(answers=3)
        with pytest.raises(BulkError, match="go on with --resume"):
            _receive(client, future)
        assert client.left == 0, "it was not waited for while it answered"


def test_a_task_may_take_as_long_as_it_takes_and_fails_by_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_cluster, "LOOKS_APART", 0.01)
    future = Asked()
    Timer(0.2, future.set_result, ([],)).start()
    assert _receive(Connected(answers=10_000), future) == []
    failed = Asked()
    failed.set_exception(TimeoutError("its own"))
    with pytest.raises(TimeoutError, match="its own"):
        _receive(Connected(), failed)
