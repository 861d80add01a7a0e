"""A store of each kind; every test that takes one runs on both."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gyoji.store import open_store
from gyoji.store.interface import Store
from store.databases import KINDS, empty_database, migrated_database
from store.logs import KEY


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """Which database."""
    return str(request.param)


@pytest.fixture
def empty_url(kind: str, tmp_path: Path) -> Iterator[str]:
    """A database without tables."""
    with empty_database(kind, tmp_path) as url:
        yield url


@pytest.fixture
def url(kind: str, tmp_path: Path) -> Iterator[str]:
    """A database with the tables of this release."""
    with migrated_database(kind, tmp_path) as url:
        yield url


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """An empty store."""
    store = open_store(url, KEY)
    yield store
    store.close()
