"""The module as a browser gets it: a module by its media type, that needs nothing else and asks nobody."""

import re

import pytest

from answers import CheckedClient
from gyoji.games.catalogue import BY_SLUG
from gyoji.published_files import CHECKOUT
from verifier.javascript import MODULE, command

SOURCE = MODULE.read_text("utf-8")


def test_it_is_served_as_a_module_of_javascript(client: CheckedClient) -> None:
    response = client.get("/static/verify.mjs")
    assert response.data == MODULE.read_bytes()
    assert response.mimetype == "text/javascript"
    response.close()


def test_what_is_known_of_each_game_follows_what_is_the_same_for_all() -> None:
    """So that whoever has the repository makes the same file with ``cat``."""
    service = CHECKOUT / "service" / "gyoji"
    games = sorted(service.glob("games/*/verifier.mjs"))
    assert len(games) == len(BY_SLUG)
    parts = [service / "web" / "static" / "verify.mjs", *games]
    assert MODULE.read_bytes() == b"".join([part.read_bytes() for part in parts])


def test_it_imports_nothing_but_the_files_of_its_command() -> None:
    assert not re.search(r"^\s*(?:import|export)\b.*\bfrom\b", SOURCE, re.MULTILINE)
    assert set(re.findall(r"\bimport\(([^)]*)\)", SOURCE)) == {'"node:fs"', '"node:url"'}
    assert not re.search(r"\b(?:fetch|XMLHttpRequest|WebSocket|eval|Function|require)\(", SOURCE)


@pytest.mark.parametrize("arguments", [("--help",), ("file", "--help"), ("--help", "--unheard-of")])
def test_whoever_asks_for_help_is_helped(arguments: tuple[str, ...]) -> None:
    done = command(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: node verify.mjs FILE")


@pytest.mark.parametrize("arguments", [(), ("--trust",), ("file", "--lang", "de"), ("file", "--unheard-of")])
def test_a_command_that_cannot_be_run_says_how(arguments: tuple[str, ...]) -> None:
    done = command(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: node verify.mjs FILE")
