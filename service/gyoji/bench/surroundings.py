"""What a figure depends on besides the code: the machine, the interpreter, the versions, how busy it all is."""

import os
import platform
import subprocess
import sys
import sysconfig
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter

PACKAGES = ("flask", "werkzeug", "gunicorn", "orjson", "jsonschema-rs", "structlog")
STEPS = 20_000


def machine() -> str:
    """Processor, cores, kernel and interpreter in a line."""
    interpreter = f"{platform.python_implementation()} {platform.python_version()} ({_build()})"
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, {interpreter}"


def _build() -> str:
    arguments = sysconfig.get_config_var("CONFIG_ARGS") or ""
    return "optimised build" if "--enable-optimizations" in arguments else "plain build"


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    for line in information.read_text().splitlines() if information.exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def versions(node: str | None) -> str:
    """What the measured code stands on."""
    found = [f"gyoji {_gyoji()}", *(f"{name} {_installed(name)}" for name in PACKAGES)]
    if node:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False, timeout=20).stdout
        found.append(f"node {said.strip().removeprefix('v')}")
    return ", ".join(found)


def _gyoji() -> str:
    from gyoji import __version__  # noqa: PLC0415

    return __version__


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "-"


def calibration(seconds: float = 0.2) -> float:
    """Million steps a second of a fixed loop in plain Python: figures of two runs whose calibrations differ much are
    not to be compared."""
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
    """What is going on, for whoever waits."""
    print(text, file=sys.stderr, flush=True)
