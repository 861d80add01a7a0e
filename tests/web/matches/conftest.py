"""The house in which the tests of stored matches play, and matches that are over."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import structlog
from flask import Flask

from gyoji.app.preparation import prepare_store
from gyoji.app.settings import Settings
from gyoji.web.app import create_app
from operators import OPERATOR_KEY
from web.matches.tables import House, Table
from web.matches.tables import house as house_of


@contextmanager
def quiet() -> Iterator[None]:
    """Request lines go nowhere while a fixture plays that is made before those of a test."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def house(app: Flask) -> House:
    """The application with its store."""
    return house_of(app)


@pytest.fixture
def table(house: House) -> Table:
    """A match of three that has just begun."""
    return house.table()


@pytest.fixture(scope="session")
def over(house: House) -> Table:
    """A finished match whose secrets are public; for reading only."""
    with quiet():
        return house.finished(seats=[{"name": "Ann"}, {"name": "Ben"}, {"name": "Cho"}], tags=["cup"])


@pytest.fixture(scope="session")
def sealed(house: House) -> Table:
    """A finished match whose secrets are for auditors only; for reading only."""
    with quiet():
        return house.finished(disclosure="auditors_only")


@pytest.fixture
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Another service, with an empty store and keys of its own."""
    store = tmp_path_factory.mktemp("elsewhere") / "gyoji.db"
    settings = Settings(store=f"sqlite:///{store}", operator_key=OPERATOR_KEY, origin="elsewhere")
    prepare_store(settings)
    there = house_of(create_app(settings))
    yield there
    there.services.store.close()


@pytest.fixture
def later(house: House, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let so many seconds pass."""

    def pass_by(seconds: float) -> None:
        now = house.services.clock()
        monkeypatch.setattr(house.services, "clock", lambda: now + seconds)

    return pass_by
