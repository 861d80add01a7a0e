"""The receivers of webhooks in Python and JavaScript; ``make clients`` puts the same to the one in Go."""

import sys

import pytest

from client.receivers import FOLDER, check_receiver
from client.test_typescript import NODE

COMMANDS = {
    "Python": [sys.executable, str(FOLDER / "receiver.py")],
    "JavaScript": [NODE, str(FOLDER / "receiver.mjs")],
}


@pytest.mark.parametrize("language", COMMANDS)
def test_what_is_genuine_is_taken_once_and_nothing_else(language: str) -> None:
    check_receiver(COMMANDS[language])
