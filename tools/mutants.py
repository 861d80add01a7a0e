"""Mutation testing of the rules: how many small faults do the conformance cases and the short laws notice?

usage: python tools/mutants.py [GAME...] [--show]

mutmut knows the source layouts ``src`` and flat, so the tree is laid out that way in ``build/mutants`` first.
"""

import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STAGE = ROOT / "build" / "mutants"
GAMES = ("catte", "familiars_trouble", "tomorrow_never_meows", "towai")
RULES = ("rules.py", "scoring.py", "rounds.py", "exchange.py", "drawing.py", "legality.py", "swapping.py")
"""``rules.py``, ``scoring.py`` and the modules that were split off ``rules.py``."""
TESTS = ("tests/conformance/test_engine.py", "tests/laws/test_moves.py", "tests/laws/test_cards.py")
FLOOR = 0.85
SETTINGS = """
[tool.mutmut]
source_paths = ["src"]
only_mutate = [{only}]
also_copy = ["src", "tests", "schemas", "openapi.yaml", "pyproject.toml"]
pytest_add_cli_args = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
pytest_add_cli_args_test_selection = [{tests}]
"""


def laid_out(games: list[str]) -> None:
    """A fresh copy of what the mutants need, in a layout that mutmut reads."""
    shutil.rmtree(STAGE, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "service" / "gyoji", STAGE / "src" / "gyoji", ignore=ignored)
    for folder in ("tests", "schemas"):
        shutil.copytree(ROOT / folder, STAGE / folder, ignore=ignored)
    shutil.copy(ROOT / "openapi.yaml", STAGE)
    only = [f"src/gyoji/games/{game}/{name}" for game in games for name in RULES]
    settings = SETTINGS.format(only=_quoted(only), tests=_quoted(TESTS))
    (STAGE / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text("utf-8") + settings, "utf-8")


def _quoted(words: list[str] | tuple[str, ...]) -> str:
    return ", ".join(f'"{word}"' for word in words)


def mutmut(*arguments: str) -> str:
    """What a command of mutmut prints."""
    command = [sys.executable, "-m", "mutmut", *arguments]
    return subprocess.run(command, cwd=STAGE, check=True, capture_output=True, text=True).stdout  # noqa: S603


def figures() -> dict[str, Counter[str]]:
    """Module -> status -> how many mutants."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for name, status in re.findall(r"^\s+(\S+): (.+)$", mutmut("results", "--all", "true"), re.MULTILINE):
        found[name.rsplit(".", 1)[0]][status] += 1
    return found


def main() -> int:
    """Run, and print the share that was killed, module by module."""
    games = [word for word in sys.argv[1:] if not word.startswith("--")] or list(GAMES)
    laid_out(games)
    subprocess.run([sys.executable, "-m", "mutmut", "run"], cwd=STAGE, check=True)  # noqa: S603
    low = []
    for module, counted in sorted(figures().items()):
        killed = counted["killed"] + counted["timeout"] + counted["caught by type check"]
        share = killed / counted.total()
        low += [module] if share < FLOOR else []
        print(f"{module:55} {killed:4} of {counted.total():4} killed, {share:6.1%}  {dict(counted)}")  # noqa: T201
    if "--show" in sys.argv:
        for name in re.findall(r"^\s+(\S+): survived$", mutmut("results"), re.MULTILINE):
            print(mutmut("show", name))  # noqa: T201
    return 1 if low else 0


if __name__ == "__main__":
    raise SystemExit(main())
