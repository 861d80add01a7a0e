"""The fifth game, a package of its own, installed into a folder, and a service that finds it there."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from servers import ENVIRONMENT

PACKAGE = Path(__file__).parent / "lanterns"
SLUG = "lanterns"


@cache
def site() -> Path:
    """A folder with the package, installed without network; made once a process."""
    folder = Path(mkdtemp(prefix="gyoji-lanterns-"))
    install = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", *install, str(PACKAGE)], check=True, capture_output=True)
    return folder


def environment() -> dict[str, str]:
    """The variables of a process that finds the game beside what the tests import."""
    return {**ENVIRONMENT, "PYTHONPATH": os.pathsep.join([ENVIRONMENT["PYTHONPATH"], str(site())])}


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """A Python program of that process, to its end."""
    return subprocess.run(
        [sys.executable, *command], env=environment(), capture_output=True, text=True, timeout=600, check=False
    )
