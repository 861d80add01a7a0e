"""Fixtures that the tests of the commands share."""

import pytest

from commands import Gyoji, run


@pytest.fixture
def gyoji() -> Gyoji:
    """Runs the command line in this process."""
    return run
