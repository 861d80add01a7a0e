"""A place of a test's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gyoji.app.webhooks import deliverer, lanes
from web.webhooks.houses import Place, place


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    """A service with an empty store; pauses are short."""
    monkeypatch.setattr(lanes, "FIRST", 0.05)
    monkeypatch.setattr(deliverer, "POLL", 0.02)
    with place(tmp_path) as made:
        yield made
