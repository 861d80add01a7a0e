"""What a server writes down of requests, for tests to read."""

import io
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
import structlog

from gyoji.web import logs

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Lines:
    """The lines that requests have left since they were last read, as the server writes them."""
    written = io.BytesIO()
    stderr = io.TextIOWrapper(written)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", stderr)
        logs.configure_logs()
    structlog.configure(cache_logger_on_first_use=False)
    monkeypatch.setattr(logs, "REQUESTS", structlog.get_logger("gyoji.request"))

    def read() -> list[dict[str, Any]]:
        stderr.flush()  # and is not collected before, which would close what is written to
        found = [json.loads(line) for line in written.getvalue().splitlines()]
        written.seek(0)
        written.truncate()
        return found

    return read
