"""What a server writes down of requests, for tests to read."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import structlog

from gyoji.app import logs

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Lines:
    """The lines that requests have left since they were last read, as the server writes them."""
    written = list[bytes]()
    logs.configure_logs(written.append)
    structlog.configure(cache_logger_on_first_use=False)
    monkeypatch.setattr(logs, "REQUESTS", structlog.get_logger("gyoji.request"))

    def read() -> list[dict[str, Any]]:
        found = [json.loads(line) for line in written]
        written.clear()
        return found

    return read
