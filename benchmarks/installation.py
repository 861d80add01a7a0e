"""Installs the peers that are not dependencies of ours: aside, outside the repository, and never required."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.programs import ProgramFailed, peer_environment, run_program
from benchmarks.surroundings import progress

BOARDGAME_IO = "boardgame.io@0.50.2"
INSTALL_SECONDS = 900.0


class PeerEnvironment(NamedTuple):
    """An environment of Python with some peers in it."""

    title: str
    folder: str
    requirements: tuple[str, ...]
    sign: str
    """What lies among its packages if the peers do."""
    options: tuple[str, ...] = ()


OPEN_SPIEL = PeerEnvironment("OpenSpiel", "venv", ("open-spiel==2.0.2",), "pyspiel*", ("--only-binary=:all:",))
RLCARD = PeerEnvironment("RLCard", "rlcard", ("rlcard==1.2.0", "setuptools<81"), "rlcard")
LEARNING = PeerEnvironment(
    "PettingZoo",
    "pettingzoo",
    (
        "pettingzoo[classic]==1.27.0",
        "gymnasium==1.4.0",
        "numpy==2.4.6",
        "open-spiel==2.0.2",
        "rlcard==1.2.0",
        "setuptools<81",
    ),
    "pettingzoo",
)
CHESS = PeerEnvironment("python-chess", "chess", ("chess==1.11.2",), "chess")
STORES = PeerEnvironment(
    "the peers of the store", "stores", ("eventsourcing==9.5.6", "sqlalchemy==2.1.9"), "eventsourcing"
)
ASIDE = (OPEN_SPIEL, RLCARD, LEARNING, CHESS, STORES)


def home() -> Path:
    """Return ``BENCH_HOME``, or a folder among the temporary ones of this very interpreter: peers run on it too."""
    own = f"gyoji-bench-{sys.base_prefix.strip('/').replace('/', '-')}"
    return Path(os.environ.get("BENCH_HOME") or Path(tempfile.gettempdir()) / own)


def python_of(aside: PeerEnvironment) -> Path | None:
    """Return the interpreter that has these peers, if they are installed."""
    folder = home() / aside.folder
    python = folder / "bin" / "python"
    installed = any(folder.glob(f"lib/python*/site-packages/{aside.sign}"))
    return python if installed and python.exists() else None


def node_modules() -> Path | None:
    """Return the folder that has boardgame.io, if it and Node.js are installed."""
    modules = home() / "node" / "node_modules"
    return modules if node() and (modules / "boardgame.io" / "package.json").exists() else None


def node() -> str | None:
    """Return Node.js, if there is one."""
    return shutil.which("node")


def peers() -> dict[str, str]:
    """List every peer that is kept aside, and whether it is there."""
    found = {aside.title: (", ".join(aside.requirements), python_of(aside) is not None) for aside in ASIDE}
    found["boardgame.io"] = (BOARDGAME_IO, node_modules() is not None)
    return {title: pins if installed else "not installed" for title, (pins, installed) in found.items()}


def install() -> None:
    """Install the peers that are missing. One that can't be installed stays missing, and its rows say so."""
    for aside in ASIDE:
        if python_of(aside) is None:
            _attempt(aside.title, partial(_install_python, aside))
    if node_modules() is None:
        _attempt("boardgame.io", _install_boardgame_io)


def _attempt(name: str, installation: Callable[[], None]) -> None:
    progress(f"installing {name} under {home()}")
    try:
        installation()
    except (OSError, ProgramFailed, subprocess.SubprocessError) as error:
        progress(f"{name} is left out: {error}")


def _install_python(aside: PeerEnvironment) -> None:
    folder = home() / aside.folder
    _run([sys.executable, "-m", "venv", str(folder)])
    _run([str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *aside.options, *aside.requirements])


def _install_boardgame_io() -> None:
    folder = home() / "node"
    folder.mkdir(parents=True, exist_ok=True)
    options = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
    _run(["npm", "install", *options, "--prefix", str(folder), BOARDGAME_IO])


def _run(command: list[str]) -> None:
    run_program(command, peer_environment(), INSTALL_SECONDS)
