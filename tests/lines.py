"""The lines of the log, kept where a test can read them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from gyoji.web import logs


class Kept:
    """In place of what writes them."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def info(self, event: str, /, **facts: Any) -> None:
        """A line."""
        self.lines.append({"event": event, **facts})

    error = warning = info


@contextmanager
def captured() -> Iterator[list[dict[str, Any]]]:
    """The lines that requests leave in the block; they go nowhere else."""
    kept = Kept()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(logs, "REQUESTS", kept)
        yield kept.lines
