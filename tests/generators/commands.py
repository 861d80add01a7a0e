"""Runs the commands of generators, compilers and players, and reads in what they print that something is wrong."""

import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from generators.places import ENVIRONMENT

PATIENCE = 1200.0
"""Seconds that one command may take."""

TELLTALE = re.compile(r"⚠|\b(warn|error|invalid|unsupported|not supported|unable|skipp|omitt|ignor)", re.IGNORECASE)
"""What a line has by which a generator says that it has left something out, or has not understood it."""

Command = Sequence[str]


class Fault(Exception):
    """What keeps a client from being made, from being whole or from playing."""


def run(command: Command, where: Path, variables: Mapping[str, str] | None = None) -> str:
    """Run a command; return all that it printed. One that fails is a fault."""
    environment = {**ENVIRONMENT, **(variables or {})}
    try:
        done = subprocess.run(
            [*command],
            cwd=where,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except FileNotFoundError:
        raise Fault(f"there is no {command[0]} here") from None
    if done.returncode:
        raise Fault(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-6000:]}")
    return done.stdout


def warnings(printed: str, known: Sequence[str] = ()) -> list[str]:
    """List the lines of a generator that say that something is wrong, but for those that are known."""
    lines = (line for line in printed.splitlines() if TELLTALE.search(line))
    return [line for line in lines if not any(each in line for each in known)]
