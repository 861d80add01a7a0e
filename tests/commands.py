"""Runs the command line in this process."""

from pathlib import Path
from typing import Protocol

from click.testing import CliRunner, Result

from gyoji.cli.main import main


class Gyoji(Protocol):
    """A function that runs ``gyoji`` with these arguments and this standard input."""

    def __call__(self, *arguments: str | Path, sent: str | bytes | None = None) -> Result: ...


def run(*arguments: str | Path, sent: str | bytes | None = None) -> Result:
    """Run a command; return what it prints and ends with. It never ends with a traceback."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], input=sent)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result
