"""A Chromium, and a font with Japanese glyphs: found, or installed from Debian's packages where that may be done."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from pathlib import Path
from tempfile import gettempdir

NAMES = ("chromium", "chromium-browser", "google-chrome")

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Without the sandbox, which needs rights that containers lack, and without calls home: only pages of ours are seen."""

WAIT = 600


class Missing(Exception):
    """What the tests need and cannot get; the text says how to get it."""


def chromium(own: str) -> str:
    """The path of a Chromium: what ``GYOJI_CHROMIUM`` names, or one on the PATH, or Playwright's ``own``, or a new one.

    Raises ``Missing`` where there is none and none can be installed.
    """
    with one_at_a_time():
        return _found(own) or _installed(own)


def japanese_font() -> None:
    """See that a font has Japanese glyphs. Raises ``Missing`` where none has and none can be installed."""
    if sys.platform != "linux":
        return  # the other systems bring one
    with one_at_a_time():
        if not _has_japanese():
            _install("fontconfig", "fonts-noto-cjk")
            if not _has_japanese():
                raise Missing(
                    "The font of Debian's package fonts-noto-cjk was installed, but fc-list does not list it."
                )


def _found(own: str) -> str | None:
    named = os.environ.get("GYOJI_CHROMIUM")
    if named is not None:
        if not Path(named).is_file():
            raise Missing(f"GYOJI_CHROMIUM names {named}, and there is no such file.")
        return named
    on_path = [path for path in map(shutil.which, NAMES) if path is not None]
    return on_path[0] if on_path else own if Path(own).is_file() else None


def _installed(own: str) -> str:
    _install("chromium")
    found = _found(own)
    if found is None:
        raise Missing("Debian's package chromium was installed, but there is no chromium on the PATH.")
    return found


def _has_japanese() -> bool:
    if shutil.which("fc-list") is None:
        return False
    listed = subprocess.run(["fc-list", ":lang=ja", "family"], capture_output=True, check=True, timeout=60)
    return bool(listed.stdout.strip())


def _install(*packages: str) -> None:
    wanted = " ".join(packages)
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise Missing(
            f"The tests of the pages need {wanted}, which is not here, and only root can install it, with apt-get. "
            f"Debian: apt-get install {wanted}. Another Chromium is found on the PATH as {', '.join(NAMES)}, "
            "or by GYOJI_CHROMIUM=/path/of/it."
        )
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    _run(["apt-get", "update", "--quiet"], environment)
    _run(["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *packages], environment)


def _run(command: Sequence[str], environment: dict[str, str]) -> None:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=WAIT)
    if done.returncode:
        raise Missing(f"{' '.join(command)} failed, so the tests of the pages cannot run:\n{done.stderr[-2000:]}")


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Of several processes of tests one installs; the others wait, and then find what they need."""
    with (Path(gettempdir()) / f"gyoji-browser-{os.geteuid()}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        yield
