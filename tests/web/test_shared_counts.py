"""The files in which processes share what they count, on a disk with room and on one without."""

import errno
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from answers import CheckedClient
from bodies import body
from gyoji.app import shared_counts
from gyoji.app.metrics import FOLDER
from gyoji.app.metrics import shared as shared_by_workers
from gyoji.app.settings import WrongSetting
from gyoji.app.shared_counts import INITIAL, SharedCounts, refusal
from servers import serving
from web.test_metrics import counts


def key(number: int) -> str:
    """The key of a sample, as prometheus-client writes it."""
    return json.dumps(["gyoji_things", "gyoji_things_total", {"kind": str(number)}, "Things."], sort_keys=True)


def shared(folder: Path) -> dict[int, float]:
    """What prometheus-client reads in all files of a folder, by number."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(folder))  # type: ignore[no-untyped-call]
    found = counts(generate_latest(registry).decode())
    return {int(dict(labels)["kind"]): value for (_name, labels), value in found.items()}


class Disk:
    """A disk that has room for so many bytes of a file."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.room = 1 << 40
        reserve = SharedCounts._reserve

        def reserved(counts: SharedCounts, size: int) -> None:
            if size > self.room:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            reserve(counts, size)

        monkeypatch.setattr(SharedCounts, "_reserve", reserved)
        monkeypatch.setattr(shared_counts, "RETRY_SECONDS", 0.0)
        monkeypatch.setattr(shared_counts, "REFUSED", type(shared_counts.REFUSED)(maxlen=1))


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """A disk with room, until a test says otherwise."""
    return Disk(monkeypatch)


def test_what_is_counted_is_read_by_others(tmp_path: Path) -> None:
    counted = SharedCounts(str(tmp_path / "counter_1.db"))
    many = 3 * INITIAL // 128  # the file grows twice
    for number in range(many):
        assert counted.read_value(key(number)) == (0.0, 0.0)
        counted.write_value(key(number), number + 0.5, 7.0)
    counted.write_value(key(1), 99.0, 0.0)
    assert counted.read_value(key(1)) == (99.0, 0.0)
    assert counted.read_value(key(2)) == (2.5, 7.0)
    assert shared(tmp_path) == {number: 99.0 if number == 1 else number + 0.5 for number in range(many)}
    other = SharedCounts(str(tmp_path / "counter_2.db"))
    other.write_value(key(2), 1.0, 0.0)
    assert shared(tmp_path)[2] == 3.5


def test_all_of_a_file_has_its_room_on_the_disk(tmp_path: Path) -> None:
    """A page without, written to through memory, is the end of the process where the disk is full."""
    counted = SharedCounts(str(tmp_path / "counter_1.db"))
    for number in range(INITIAL // 64):
        counted.write_value(key(number), 1.0, 0.0)
        told = (tmp_path / "counter_1.db").stat()
        assert told.st_blocks * 512 >= told.st_size >= counted._used
    assert [path.name for path in tmp_path.iterdir()] == ["counter_1.db"]


def test_a_process_of_the_same_number_goes_on_with_the_file(tmp_path: Path) -> None:
    path = str(tmp_path / "counter_1.db")
    SharedCounts(path).close()
    empty = SharedCounts(path)
    empty.write_value(key(1), 4.0, 0.0)
    empty.close()
    again = SharedCounts(path)
    assert again.read_value(key(1)) == (4.0, 0.0)
    again.write_value(key(2), 1.0, 0.0)
    assert shared(tmp_path) == {1: 4.0, 2: 1.0}


def test_on_a_full_disk_it_counts_in_memory_and_says_so_once(tmp_path: Path, disk: Disk) -> None:
    disk.room = 0
    counted = SharedCounts(str(tmp_path / "counter_1.db"))
    for number in (1, 2, 1):
        value, _time = counted.read_value(key(number))
        counted.write_value(key(number), value + 1, 0.0)
    assert [counted.read_value(key(number))[0] for number in (1, 2)] == [2.0, 1.0]
    told = refusal()
    assert told is not None
    assert told.errno == errno.ENOSPC
    assert refusal() is None
    assert list(tmp_path.iterdir()) == []
    assert shared(tmp_path) == {}


def test_when_there_is_room_again_everything_is_there(tmp_path: Path, disk: Disk) -> None:
    counted = SharedCounts(str(tmp_path / "counter_1.db"))
    disk.room = INITIAL
    many = 2 * INITIAL // 128
    for number in range(many):
        counted.write_value(key(number), float(number), 0.0)
    held = shared(tmp_path)
    assert 0 < len(held) < many
    assert all(value == number for number, value in held.items())
    assert (refusal() is None, refusal()) == (False, None)
    disk.room = 1 << 40
    counted.write_value(key(many - 1), -1.0, 0.0)
    assert shared(tmp_path) == {**{number: float(number) for number in range(many - 1)}, many - 1: -1.0}
    disk.room = 0
    for number in range(many, 4 * many):
        counted.write_value(key(number), 0.0, 0.0)
    assert refusal() is not None  # another stretch


def test_a_disk_that_had_no_room_is_not_asked_at_every_count(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_counts, "RETRY_SECONDS", 3600.0)
    disk.room = 0
    counted = SharedCounts(str(tmp_path / "counter_1.db"))
    counted.write_value(key(1), 1.0, 0.0)
    disk.room = 1 << 40
    counted.write_value(key(1), 2.0, 0.0)
    assert shared(tmp_path) == {}
    counted._ask_at = 0.0
    counted.write_value(key(2), 1.0, 0.0)
    assert shared(tmp_path) == {1: 2.0, 2: 1.0}


def test_a_folder_that_was_emptied_gets_a_whole_file_again(tmp_path: Path) -> None:
    counted = SharedCounts(str(tmp_path / "counter_1.db"))
    counted.write_value(key(0), 5.0, 0.0)
    (tmp_path / "counter_1.db").unlink()
    many = 2 * INITIAL // 128
    for number in range(1, many):
        counted.write_value(key(number), 1.0, 0.0)
    assert shared(tmp_path) == {0: 5.0, **dict.fromkeys(range(1, many), 1.0)}


KILOBYTES = 12
"""Of a disk that is too small for any file of counts."""


def small_disk(folder: Path) -> list[str]:
    """What a command begins with, so that it finds a small disk in the folder: a tmpfs that nobody else sees. Where
    nobody may mount, a limit on the length of files, which refuses by another error."""
    mounted = ["unshare", "-rm", "sh", "-c", f'mount -t tmpfs -o size={KILOBYTES}k none {folder} && exec "$@"', "sh"]
    limited = ["sh", "-c", f'ulimit -f {2 * KILOBYTES} && exec "$@"', "sh"]
    may = (
        shutil.which("unshare") and not subprocess.run([*mounted, "true"], capture_output=True, check=False).returncode
    )
    return mounted if may else limited


def test_a_service_whose_counts_find_no_room(tmp_path: Path) -> None:
    """They are mapped into memory: without room that was taken before, the first of them would be a worker's end."""
    environment = {"GYOJI_STORE": f"sqlite:///{tmp_path}/gyoji.db", FOLDER: str(tmp_path / "metrics")}
    with serving("--workers", "1", environment=environment) as server:
        server.stop()
    disk = small_disk(tmp_path / "metrics")
    with serving("--workers", "1", environment=environment, within=disk) as server:
        server.said(b"Booting worker with pid")
        workers = server.workers()
        assert len(workers) == 1
        for path in ("/healthz", "/readyz", "/v1/games", "/v1/games/catte", "/", "/v1/games/catte/rules", "/metrics"):
            assert (path, server.asked("GET", path)[0]) == (path, 200)
        assert server.asked("GET", "/nowhere")[0] == 404
        assert server.asked("POST", "/v1/games/catte/scores", body("catte", "scores"))[0] == 200
        said = json.loads(server.said(b"metrics-not-shared"))
        assert said["reason"] in {os.strerror(errno.ENOSPC), os.strerror(errno.EFBIG)}
        assert server.workers() == workers
        assert server.stop() == 0
    assert sum(b"metrics-not-shared" in line for line in server.raw) <= 4  # one for each kind of file


def test_where_the_folder_is_gone_a_process_tells_of_itself(
    client: CheckedClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "gone"))
    assert client.get("/healthz").status_code == 200
    assert "gyoji_http_requests_total" in client.get("/metrics").text


def test_a_folder_that_cannot_be_made_is_a_wrong_setting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(FOLDER, str(tmp_path / "file" / "metrics"))
    with pytest.raises(WrongSetting, match=f"{FOLDER}: Not a directory"), shared_by_workers():
        raise AssertionError
