"""The drill of ``docs/operating.md``: a store is backed up, played on, lost, restored and recovered, and nobody lied.

The servers and the commands are processes of their own, and so is the second database; a fail-over is that of a real
standby which had not got everything.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from gyoji.log.entries import Entry
from gyoji.store import open_store
from gyoji.store.interface import Restored, Store, Unavailable
from operators import OPERATOR
from servers import ENVIRONMENT, Server, serving
from slow.clusters import Cluster, cluster, standby
from store.databases import KINDS, empty_database
from store.logs import KEY, appended, created, recovered
from waiting import until

ORIGIN = "club.example"
SAID = "The store was restored from an earlier state, and nothing new is stored before its operator has recovered it"


class Drill:
    """What an operator and two players have in their hands."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.environment = {
            "GYOJI_STORE": url,
            "GYOJI_STORE_KEY": KEY.hex(),
            "GYOJI_ORIGIN": ORIGIN,
            "GYOJI_MARKER": str(folder / "marker"),
        }

    def moved_to(self, url: str) -> None:
        """The store is another one from now on."""
        self.environment["GYOJI_STORE"] = url

    @contextmanager
    def serving(self) -> Iterator[Server]:
        """``gyoji serve``."""
        with serving("--workers", "2", environment=self.environment) as server:
            yield server

    def run(self, *words: object, status: int = 0) -> str:
        """``gyoji``, and what it prints."""
        command = [sys.executable, "-m", "gyoji", *map(str, words)]
        variables = {**ENVIRONMENT, **self.environment}
        done = subprocess.run(command, env=variables, timeout=120, capture_output=True, text=True, check=False)
        assert done.returncode == status, (words, done.stdout, done.stderr)
        return done.stdout


def asked(server: Server, method: str, path: str, body: Any = None, by: Any = OPERATOR) -> tuple[int, Any]:
    """Status and document of an answer."""
    status, content = server.asked(method, path, body, by)
    return status, json.loads(content) if content[:1] in (b"{", b"[") else content


class Seats:
    """A match of three, and who sits at it."""

    def __init__(self, server: Server) -> None:
        status, made = asked(server, "POST", "/v1/matches", {"game": "catte", "seats": 3})
        assert status == 201, made
        self.path = f"/v1/matches/{made['match']}"
        self.match = made["match"]
        self.tokens = [seat["token"] for seat in made["seats"]]

    def move(self, server: Server, choice: int = 0) -> tuple[int, Any]:
        """One of the legal moves of whoever is to act: the first, or the last with -1."""
        by = [{"Authorization": f"Bearer {token}"} for token in self.tokens]
        _, seen = asked(server, "GET", self.path, by=by[0])
        seat = seen["view"]["to_act"][0]
        _, seen = asked(server, "GET", self.path, by=by[seat])
        return asked(server, "POST", f"{self.path}/moves", {"move": seen["legal_moves"][choice]}, by[seat])


@pytest.mark.parametrize("kind", KINDS)
def test_the_drill(kind: str, tmp_path: Path) -> None:
    """On 201a27e the last three commands convicted the operator: 41, 41, 41."""
    (tmp_path / "first").mkdir()
    (tmp_path / "second").mkdir()
    with (
        empty_database(kind, tmp_path / "first") as first,
        empty_database(kind, tmp_path / "second") as second,
    ):
        drill = Drill(tmp_path, first)
        receipts = tmp_path / "receipts.jsonl"
        state = tmp_path / "state.json"
        with drill.serving() as server:
            url = f"http://127.0.0.1:{server.port}"
            table = Seats(server)
            known = [table.move(server)[1]["receipt"] for _ in range(3)]
            drill.run("store", "backup", tmp_path / "monday.db")
            lost = [table.move(server)[1]["receipt"] for _ in range(3)]
            Seats(server)
            (tmp_path / "keys.json").write_bytes(server.asked("GET", "/v1/keys")[1])
            assert until(lambda: json.loads(drill.run("log", "verify", url, "--json", status=10))["said"]["size"] == 2)
            drill.run("log", "monitor", url, "--state", state)
        receipts.write_text("".join(json.dumps(receipt) + "\n" for receipt in [*known, *lost]))

        drill.moved_to(second)
        drill.run("store", "restore", tmp_path / "monday.db")
        with drill.serving() as server:
            url = f"http://127.0.0.1:{server.port}"
            for path in (table.path, f"{table.path}/replay", "/v1/keys", "/v1/log/checkpoint", "/healthz"):
                assert server.asked("GET", path, None, OPERATOR)[0] == 200, path
            for status, said in (table.move(server), asked(server, "GET", "/readyz")):
                assert (status, said["detail"].startswith(SAID)) == (503, True)
            said = json.loads(drill.run("store", "recover", "--published", tmp_path / "keys.json", "--json"))
            (document,) = said["restorations"]
            assert document["open"] == [{"log": table.match, "seq": 1 + len(known)}]
            after = [table.move(server, -1) for _ in range(3)]
            assert [status for status, _answer in after] == [200, 200, 200]
            assert after[0][1]["receipt"]["key"] not in {receipt["key"] for receipt in [*known, *lost]}
            assert asked(server, "GET", "/readyz")[0] == 200
            drill.run("keys", "signing", "export", "--out", tmp_path / "trust.json")
            assert json.loads((tmp_path / "trust.json").read_bytes()) == asked(server, "GET", "/v1/keys")[1]

            lines = drill.run("receipt", "check", receipts, "--store", second, "--json", status=30).splitlines()
            codes = [(json.loads(line)["verdict"], "was lost when the store" in line) for line in lines]
            assert codes == [("verified", False)] * len(known) + [("incomplete", True)] * len(lost)
            (tmp_path / "match.jsonl").write_bytes(server.asked("GET", f"{table.path}/replay", None, OPERATOR)[1])
            trusting = ("--trust", tmp_path / "trust.json", "--receipts", receipts)
            assert "was lost when the store" in drill.run("audit", tmp_path / "match.jsonl", *trusting, status=30)
            seam = json.loads(drill.run("log", "monitor", url, "--state", state, "--json", status=30))
            assert (seam["reason"], seam["said"]["origin"]) == ("restored", f"{ORIGIN}/log/{said['generation']}")
            drill.run("log", "monitor", url, "--state", state)
        assert "the store is sound" in drill.run("store", "check")


@pytest.fixture
def primary() -> Iterator[Cluster]:
    """The database that is written to."""
    with TemporaryDirectory(prefix="gyoji-primary-") as folder, cluster(Path(folder) / "data") as made:
        yield made


@pytest.fixture
def copy(primary: Cluster) -> Iterator[Cluster]:
    """Its standby, which follows later."""
    with TemporaryDirectory(prefix="gyoji-standby-") as folder, standby(primary, Path(folder) / "data") as made:
        yield made


def test_a_fail_over_that_loses_one_event_is_found_by_a_server_that_runs_on(
    primary: Cluster, copy: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GYOJI_MARKER", str(tmp_path / "marker"))
    both = f"{primary.url},{copy.socket}&target_session_attrs=read-write"
    with closing(open_store(both, KEY)) as store:
        match, entries = created(store, 3)
        assert until(lambda: bool(copy.ask(f"SELECT 1 FROM events WHERE match = '{match}' AND seq = 2", "gyoji")))  # noqa: S608
        copy.control("-m", "fast", "stop")
        appended(store, match, entries[-1])
        primary.control("-m", "immediate", "stop")
        copy.control("-o", f"-h '' -k {copy.folder}", "start")
        copy.control("promote")
        try:
            refused = in_time(store, match, entries[-1])
            assert str(refused) == "the store was restored: gyoji store recover tells what to do"
            assert list(store.entries(match)) == entries
            recovered(both)
            appended(store, match, entries[-1])
        finally:
            primary.control("-o", f"-h '' -k {primary.socket}", "start")


def in_time(store: Store, match: str, last: Entry) -> Restored:
    """How a write is refused as soon as the database answers again."""
    while True:
        try:
            appended(store, match, last)
        except Restored as refused:
            return refused
        except Unavailable:
            continue
        raise AssertionError("it was written")
