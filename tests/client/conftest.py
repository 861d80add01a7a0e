"""A service for the tests of the client."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gyoji_client import Gyoji
from operators import OPERATOR_KEY
from servers import SERVER, Server, serving

THREADS = "4" if SERVER == "gunicorn" else "32"
"""Under granian a stream holds a thread, and half of the threads may be held so."""


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the service keeps its matches."""
    return tmp_path_factory.mktemp("store") / "gyoji.db"


@pytest.fixture(scope="session")
def service(store: Path) -> Iterator[Server]:
    """``gyoji serve`` with a store of its own."""
    with serving("--workers", "1", "--threads", THREADS, "--store", f"sqlite:///{store}") as running:
        yield running


@pytest.fixture
def other_key(service: Server, store: Path) -> str:
    """The key of another operator of that service."""
    assert service.asked("GET", "/healthz")[0] == 200
    command = [sys.executable, "-m", "gyoji", "keys", "create", "--role", "operator", "--account", "other"]
    command += ["--store", f"sqlite:///{store}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def url(service: Server) -> str:
    """The address of the service."""
    return f"http://127.0.0.1:{service.port}"


@pytest.fixture
def gyoji(url: str) -> Iterator[Gyoji]:
    """A client with the operator's key."""
    with Gyoji(url, OPERATOR_KEY) as client:
        yield client
