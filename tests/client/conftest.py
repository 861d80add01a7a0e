"""A service for the tests of the client."""

from collections.abc import Iterator

import pytest

from gyoji_client import Gyoji
from operators import OPERATOR_KEY
from servers import Server, serving


@pytest.fixture(scope="session")
def service() -> Iterator[Server]:
    """``gyoji serve`` with a store of its own."""
    with serving("--workers", "1", "--threads", "4") as running:
        yield running


@pytest.fixture
def url(service: Server) -> str:
    """The address of the service."""
    return f"http://127.0.0.1:{service.port}"


@pytest.fixture
def gyoji(url: str) -> Iterator[Gyoji]:
    """A client with the operator's key."""
    with Gyoji(url, OPERATOR_KEY) as client:
        yield client
