"""Puts into wheels what belongs there besides the package's own files; an editable install has none of it.

That are the published files, and with ``GYOJI_COMPILED=1`` in the environment what ``COMPILED`` names once more, made
machine code by mypyc: most of the rules, and what an audit reads and judges every event by. Python takes a compiled
module before the source beside it; the wheel is then one of a platform.
"""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PUBLISHED = (
    (".", "openapi.yaml", "."),
    ("schemas", "**/*.json", "schemas"),
    ("schemas", "README.md", "schemas"),
    ("tests/conformance", "*.yaml", "conformance"),
    ("tests/conformance", "README.md", "conformance"),
    ("tests/conformance", "rule-ids.txt", "conformance"),
    ("docs", "*.md", "guides"),
)
"""(folder of the checkout, files in it, folder under ``gyoji/published``)."""

COMPILER = ("mypy>=1.18", "setuptools>=77")
"""What compiles; the compiler for C is the system's."""

COMPILED = (
    "games/**/*.py",
    "log/canonical.py",
    "log/parser.py",
    "audit/audit.py",
    "audit/prediction.py",
    "audit/recorded.py",
    "audit/replayer.py",
)
"""What is compiled, from ``gyoji`` on: the rules, and what an audit reads and judges every event by."""

UNCOMPILED = (
    "*/__init__.py",
    "games/chance.py",
    "games/codec.py",
    "games/completions.py",
    "games/declared.py",
    "games/known.py",
    "games/missing_fact.py",
    "games/questions.py",
    "games/records.py",
    "games/tricks.py",
    "games/unseen.py",
    "games/*/errands.py",
    "games/*/outlook.py",
    "games/*/questions.py",
    "games/*/state.py",
    "games/*/finished_rounds.py",
    "games/tomorrow_never_meows/findings.py",
    "games/tomorrow_never_meows/history.py",
    "games/tomorrow_never_meows/rounds.py",
    "games/tomorrow_never_meows/scores.py",
)
"""What of these stays Python: what is seldom called, what is asked about values of other types than it names, and what
declares records, whose annotations are lost in compiled classes.

Compiled code raises ``TypeError`` for such a value at once, where Python goes on and finds what is wrong with it. And
with mypyc 2.4 a slice of bytes that ends before it begins raises ``SystemError``, where Python makes it empty: what is
compiled of the audit looks where a slice ends first, as lines that somebody has disfigured have such places.
"""

COMPILE = """
import sys
from mypyc.build import mypycify
from setuptools import setup

built, *modules = sys.argv[1:]
sys.argv[1:] = ["--quiet", "build_ext", "--build-lib", built, "--build-temp", "objects"]
mypy = ["--explicit-package-bases", "--no-site-packages", "--ignore-missing-imports", "--cache-dir", "types"]
compiled = mypycify([*mypy, *modules], opt_level="1", debug_level="0", multi_file=True, group_name="gyoji")
setup(name="gyoji", packages=[], ext_modules=compiled)
"""
"""A program for a process and a folder of its own, with the folder that the compiled modules go into, and the modules.

It looks at no other package, so that what it makes does not hang on what is installed beside it.
"""


class Published(BuildHookInterface[BuilderConfig]):
    """Adds the contract, the schemas and the conformance cases to the package, and what is compiled."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return what an isolated build needs besides hatchling."""
        return list(COMPILER) if is_to_be_compiled() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """``version`` is ``standard`` or ``editable``; copies in an editable install would only grow old."""
        if version != "standard":
            return
        build_data["force_include"].update(published(Path(self.root)))
        if is_to_be_compiled():
            self.workshop = TemporaryDirectory(prefix="gyoji-")
            build_data["force_include"].update(compiled(Path(self.root) / "service", Path(self.workshop.name)))
            build_data.update(pure_python=False, infer_tag=True)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clean up once the wheel is written."""
        if version == "standard" and is_to_be_compiled():
            self.workshop.cleanup()


def published(root: Path) -> dict[str, str]:
    """Return every published file: its place on the disk -> its place in the wheel."""
    return {
        str(path): (Path("gyoji/published") / into / path.relative_to(root / folder)).as_posix()
        for folder, pattern, into in PUBLISHED
        for path in sorted((root / folder).glob(pattern))
    }


def is_to_be_compiled() -> bool:
    """Tell whether whoever builds has asked for compiled modules."""
    return os.environ.get("GYOJI_COMPILED", "") not in ("", "0")


def modules(service: Path) -> list[str]:
    """List the files of the modules that are compiled, from ``service`` on."""
    package = service / "gyoji"
    kept = {path for pattern in UNCOMPILED for path in package.rglob(pattern)}
    found = {path for pattern in COMPILED for path in package.glob(pattern)} - kept
    return [path.relative_to(service).as_posix() for path in sorted(found)]


def compiled(service: Path, workshop: Path) -> dict[str, str]:
    """Compile the modules; return for each its place on the disk and its place in the wheel.

    The sources are copied first, so that nothing is left beside those of the checkout. Raises ``CalledProcessError``
    where there is no compiler or it fails; it has said why on stderr.
    """
    sources, built = workshop / "sources", workshop / "built"
    copytree(service, sources, ignore=ignore_patterns("__pycache__", "static"))
    command = [sys.executable, "-c", COMPILE, str(built), *modules(service)]
    subprocess.run(command, cwd=sources, check=True)
    return {str(path): path.relative_to(built).as_posix() for path in sorted(built.rglob("*.so"))}
