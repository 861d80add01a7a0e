"""Describes what a figure depends on besides the code: machine, interpreter, versions, load.

usage: python -m benchmarks.surroundings SECONDS       (the calibration alone)
"""

import os
import platform
import subprocess
import sys
import sysconfig
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter

import apsw

from gyoji import __version__, is_compiled
from gyoji.published_files import CHECKOUT

PACKAGES = ("flask", "werkzeug", "gunicorn", "orjson", "jsonschema-rs", "structlog", "cryptography", "psycopg")
STEPS = 20_000
PLAIN = "plain build"


def machine() -> str:
    """Describe processor, cores, kernel and interpreter in a line."""
    interpreter = f"{platform.python_implementation()} {platform.python_version()} ({build()})"
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, {interpreter}"


def facts() -> dict[str, str | int]:
    """Return the same fact by fact, and what else says whether two runs may be compared."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "memory_mib": _memory(),
        "system": f"{platform.system()} {platform.release()}",
        "interpreter": f"{platform.python_implementation()} {platform.python_version()}",
        "build": build(),
        "rules": "compiled" if is_compiled() else "plain Python",
    }


def _memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // (1 << 20)


def commit() -> str | None:
    """Return the commit that is measured, with ``+`` where files were changed since; ``None`` outside a checkout."""
    if not any((folder / ".git").exists() for folder in (CHECKOUT, CHECKOUT.parent)):  # .compiled lies in one
        return None
    try:
        known = _git("rev-parse", "--short=12", "HEAD")
        return known + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.SubprocessError):
        return None


def _git(*words: str) -> str:
    command = ["git", "-C", str(CHECKOUT), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout.strip()


def build(prefix: str = sys.base_prefix, arguments: str = sysconfig.get_config_var("CONFIG_ARGS") or "") -> str:
    """Name the build of the interpreter by its ``prefix`` and the arguments that it was configured with.

    Distributions optimise theirs by other means than the argument, so that where it lies tells.
    """
    if prefix == "/usr":
        return "a distribution's build"
    return "optimised build" if "--enable-optimizations" in arguments else PLAIN


def warn_of_plain_build() -> None:
    """Warn, on stderr, that figures are those of an interpreter that few people run."""
    if build() == PLAIN:
        progress(
            "this Python was built without optimisation: most people's is a fifth to a third faster, and ratios to "
            "peers in other languages are better there; name another: make bench PYTHON=…"
        )


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    for line in information.read_text().splitlines() if information.exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def versions(node: str | None) -> str:
    """Describe what the measured code stands on."""
    return ", ".join(f"{name} {found}" for name, found in versions_by_name(node).items())


def versions_by_name(node: str | None) -> dict[str, str]:
    """Return the same by name."""
    found = {"gyoji": __version__, **{name: _installed(name) for name in PACKAGES}, "SQLite": apsw.sqlite_lib_version()}
    if node:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False, timeout=20).stdout
        found["node"] = said.strip().removeprefix("v")
    return found


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "-"


def calibration(seconds: float = 0.2) -> float:
    """Measure million steps a second of a fixed loop in plain Python: figures of two runs whose calibrations differ
    much are not to be compared."""
    _steps()
    begun, rounds = perf_counter(), 0
    while perf_counter() - begun < seconds:
        _steps()
        rounds += 1
    return rounds * STEPS / (perf_counter() - begun) / 1e6


def _steps() -> None:
    seen: dict[int, tuple[int, int]] = {}
    value = 1
    for step in range(STEPS):
        value = value * 75 % 65537
        seen[value & 127] = (step, value)


def progress(text: str) -> None:
    """Print what is going on, for whoever waits."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    print(calibration(float(sys.argv[1])))
