"""What the tests of the HTTP layer share."""

from collections.abc import Iterator

import pytest
import structlog
from flask import Flask

from answers import CheckedClient, checked_client
from gyoji.web.app import create_app


@pytest.fixture(scope="session")
def app() -> Flask:
    """The application, made once."""
    return create_app()


@pytest.fixture(autouse=True)
def quiet_logs() -> Iterator[None]:
    """Request lines go nowhere, unless a test captures them; the application's own settings stay out of it."""
    structlog.configure(
        processors=[structlog.processors.JSONRenderer()], logger_factory=structlog.ReturnLoggerFactory()
    )
    yield
    structlog.reset_defaults()


@pytest.fixture
def client(app: Flask) -> CheckedClient:
    """A client whose every answer is held against the contract."""
    return checked_client(app)
