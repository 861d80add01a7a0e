"""The peers that are not dependencies of ours: kept aside, outside the repository, and never required."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from gyoji.bench.surroundings import progress

OPEN_SPIEL = "open-spiel==2.0.2"
STORES = ("eventsourcing==9.5.6", "sqlalchemy==2.1.9")
BOARDGAME_IO = "boardgame.io@0.50.2"


def home() -> Path:
    """``BENCH_HOME``, or a folder of its own among the temporary ones."""
    return Path(os.environ.get("BENCH_HOME") or Path(tempfile.gettempdir()) / "gyoji-bench")


def open_spiel_python() -> Path | None:
    """The interpreter that has OpenSpiel, if it is installed."""
    python = home() / "venv" / "bin" / "python"
    installed = any((home() / "venv").glob("lib/python*/site-packages/pyspiel*"))
    return python if installed and python.exists() else None


def stores_python() -> Path | None:
    """The interpreter that has the peers of the store, if they are installed."""
    python = home() / "stores" / "bin" / "python"
    installed = any((home() / "stores").glob("lib/python*/site-packages/eventsourcing"))
    return python if installed and python.exists() else None


def node_modules() -> Path | None:
    """The folder that has boardgame.io, if it and Node.js are installed."""
    modules = home() / "node" / "node_modules"
    return modules if node() and (modules / "boardgame.io" / "package.json").exists() else None


def node() -> str | None:
    """Node.js, if there is one."""
    return shutil.which("node")


def install() -> None:
    """Install the peers that are missing. One that can't be installed stays missing, and its rows say so."""
    if open_spiel_python() is None:
        _attempt("OpenSpiel", _install_open_spiel)
    if stores_python() is None:
        _attempt("the peers of the store", _install_stores)
    if node_modules() is None:
        _attempt("boardgame.io", _install_boardgame_io)


def _attempt(name: str, installation: Callable[[], None]) -> None:
    progress(f"installing {name} under {home()}")
    try:
        installation()
    except (OSError, subprocess.SubprocessError) as error:
        progress(f"{name} is left out: {error}")


def _install_open_spiel() -> None:
    folder = home() / "venv"
    _run([sys.executable, "-m", "venv", str(folder)])
    _run([str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--only-binary=:all:", OPEN_SPIEL])


def _install_stores() -> None:
    folder = home() / "stores"
    _run([sys.executable, "-m", "venv", str(folder)])
    _run([str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *STORES])


def _install_boardgame_io() -> None:
    folder = home() / "node"
    folder.mkdir(parents=True, exist_ok=True)
    options = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
    _run(["npm", "install", *options, "--prefix", str(folder), BOARDGAME_IO])


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=sys.stderr, timeout=600)
