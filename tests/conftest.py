"""Fixtures that the tests of the HTTP layer share."""

import signal
from collections.abc import Iterator

import pytest
import structlog
from flask import Flask

from answers import CheckedClient, checked_client
from gyoji.app.preparation import prepare_store
from gyoji.app.settings import Settings
from gyoji.web.app import create_app
from operators import OPERATOR_KEY

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # a shell has started the tests in its background: programs that they start would ignore Ctrl-C as well
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Make the settings of a service with a store of its own."""
    store = tmp_path_factory.mktemp("store") / "gyoji.db"
    return Settings(store=f"sqlite:///{store}", operator_key=OPERATOR_KEY)


@pytest.fixture(scope="session")
def app(settings: Settings) -> Iterator[Flask]:
    """Make the application once, with a store of its own."""
    prepare_store(settings)
    application = create_app(settings)
    yield application
    application.extensions["gyoji.services"].store.close()


@pytest.fixture(autouse=True)
def quiet_logs() -> Iterator[None]:
    """Send request lines nowhere, unless a test captures them; the application's own settings stay out of it."""
    structlog.configure(
        processors=[structlog.processors.JSONRenderer()], logger_factory=structlog.ReturnLoggerFactory()
    )
    yield
    structlog.reset_defaults()


@pytest.fixture
def client(app: Flask) -> CheckedClient:
    """Make a client whose every answer is checked against the contract."""
    return checked_client(app)
