"""The preloaded library ``watch.c``: built when it is needed, and what a process needs to run under it."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from servers import ENVIRONMENT

SOURCE = Path(__file__).with_name("watch.c")

FAULTS = SOURCE.with_name("faults.py")
"""A program that runs under it."""


def built(folder: Path) -> Path:
    """The library, compiled; it takes a C compiler for that."""
    library = folder / "watch.so"
    compiler = os.environ.get("CC", "cc")
    options = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC"]
    subprocess.run([compiler, *options, "-o", library, SOURCE, "-ldl"], check=True)
    return library


def watched(library: Path, folder: Path, trace: Path | None = None) -> Mapping[str, str]:
    """The environment of a process whose calls on the files of the folder are watched."""
    told = {} if trace is None else {"WATCH_TRACE": str(trace)}
    return {**ENVIRONMENT, "LD_PRELOAD": str(library), "WATCH_FOLDER": str(folder), **told}
